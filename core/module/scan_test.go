package module_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core/module"
	. "mcpmend/core/module/moduletest"
)

// open does what a host does before it runs a module.
func open(data []byte) (code []byte, err error) {
	if _, err := module.ReadManifest(data); err != nil {
		return nil, err
	}
	return module.Scan(data)
}

func TestOnlyTheListedImports(t *testing.T) {
	for _, name := range WASI() {
		t.Run(name, func(t *testing.T) {
			_, err := open(Calls(name, 0))
			if slices.Contains(module.Imports, name) {
				is.New(t).NoErr(err)
			} else if err == nil || !strings.Contains(err.Error(), `"`+name+`"`) {
				t.Errorf("refused with %v, which does not name it", err)
			}
		})
	}
}

func TestTruncatedModulesAreRefused(t *testing.T) {
	whole := Prints(`{"abi":1,"fixes":[]}`)
	is := is.New(t)
	_, err := open(whole)
	is.NoErr(err)
	for n := range whole {
		if _, err := open(whole[:n]); err == nil {
			t.Errorf("accepted with %d of %d bytes", n, len(whole))
		}
	}
}

// TestRunsWithoutCustomSections: a runtime decodes names, and believes how many
// there are said to be.
func TestRunsWithoutCustomSections(t *testing.T) {
	is := is.New(t)
	plain := Prints("x")
	code, err := open(append(slices.Clone(plain), Custom("name", []byte("anything at all"))...))
	is.NoErr(err)
	same, err := open(plain)
	is.NoErr(err)
	is.Equal(code, same)
	is.True(!bytes.Contains(code, []byte("mcpmend.manifest")))
}

func TestMemoryIsBoundedInTheCode(t *testing.T) {
	for name, test := range map[string]struct{ given, want []byte }{
		"no end":       {[]byte{0, 2}, []byte{1, 2, 0x80, 4}},
		"a far end":    {slices.Concat([]byte{1, 2}, Number(65536)), []byte{1, 2, 0x80, 4}},
		"an end":       {[]byte{1, 2, 3}, []byte{1, 2, 3}},
		"no memory is": {[]byte{1, 0, 0}, []byte{1, 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			is := is.New(t)
			code, err := open(Command{Sections: map[byte][]byte{Memories: Vector(test.given)}}.Bytes())
			is.NoErr(err)
			is.True(bytes.Contains(code, Section(Memories, Vector(test.want))))
		})
	}
}

func TestShapesThatAreRefused(t *testing.T) {
	global := func(code ...byte) map[byte][]byte {
		return map[byte][]byte{Globals: Vector(append([]byte{0x7f, 0}, code...))}
	}
	tests := map[string]struct {
		command Command
		reason  string
	}{
		"vectors":                 {Command{Start: []byte{0xfd, 12}}, "vector"},
		"unknown instruction":     {Command{Start: []byte{0x06}}, "0x06"},
		"table.copy":              {Command{Start: []byte{0xfc, 14, 0, 0}}, "table instruction 14"},
		"function reference":      {Command{Start: []byte{0xd2, 0, Drop}}, "reference types"},
		"a global of a reference": {Command{Sections: global(0xd0, 0x70, End)}, "where a constant belongs"},
		"a computed global":       {Command{Sections: global(I32Const, 1, I32Const, 2, 0x6a, End)}, "computes a value"},
		"elements by expression":  {Command{Sections: map[byte][]byte{Tables: Vector([]byte{0x70, 0, 1}), Elements: Vector([]byte{4, I32Const, 0, End, 0})}}, "expressions"},
		"data of unknown kind":    {Command{Sections: map[byte][]byte{Data: Vector([]byte{3, 0})}}, "data of kind 3"},
		"a type that is a struct": {Command{Sections: map[byte][]byte{Types: Vector([]byte{0x5f, 0})}}, "no function's"},
		"many parameters":         {Command{Sections: map[byte][]byte{Types: Vector(slices.Concat([]byte{0x60}, Name(strings.Repeat("\x7f", 201)), []byte{0}))}}, "parameters"},
		"many results":            {Command{Sections: map[byte][]byte{Types: Vector(slices.Concat([]byte{0x60, 0}, Name(strings.Repeat("\x7f", 9))))}}, "9 results"},
		"a function of no type":   {Command{Sections: map[byte][]byte{Functions: Vector([]byte{7})}}, "names a type 7"},
		"a block of no type":      {Command{Start: []byte{Block, 7, End}}, "names a type 7"},
		"loops in loops":          {Command{Start: bytes.Repeat([]byte{Loop, Empty}, 51)}, "nests loops"},
		"more bodies than said":   {Command{Sections: map[byte][]byte{Code: Vector(Body(nil, nil), Body(nil, nil))}}, "declares 1 functions and has 2"},
		"rest after the list":     {Command{Sections: map[byte][]byte{Functions: {1, 0, 0}}}, "does not end where it says"},
		"branches that run out":   {Command{Start: []byte{0x0e, 0x7f}}, "cut off"},
		"many exports":            {Command{Sections: map[byte][]byte{Exports: append(Number(1001), bytes.Repeat([]byte{0, 0, 0}, 1001)...)}}, "1001 exports"},
		"another ABI":             {Command{Manifest: map[string]any{"abi": 2, "name": "a", "version": "1", "handles": []string{"x"}}}, "ABI 2"},
		"a name that is a path":   {Command{Manifest: map[string]any{"abi": 1, "name": "../a", "version": "1", "handles": []string{"x"}}}, "name"},
		"a version of words":      {Command{Manifest: map[string]any{"abi": 1, "name": "a", "version": "the best", "handles": []string{"x"}}}, "version"},
		"nothing handled":         {Command{Manifest: map[string]any{"abi": 1, "name": "a", "version": "1"}}, "handles"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := open(test.command.Bytes())
			if err == nil || !strings.Contains(err.Error(), test.reason) {
				t.Errorf("refused with %v, which does not say %q", err, test.reason)
			}
		})
	}
}

// TestLoopsSideBySide: only loops inside each other are counted.
func TestLoopsSideBySide(t *testing.T) {
	one := slices.Concat([]byte{Block, Empty}, bytes.Repeat([]byte{Loop, Empty}, 25), bytes.Repeat([]byte{End}, 26))
	_, err := open(Command{Start: bytes.Repeat(one, 100)}.Bytes())
	is.New(t).NoErr(err)
}

func TestSectionsOutOfOrder(t *testing.T) {
	for name, extra := range map[string][]byte{
		"a second code section": Section(Code, Vector(Body(nil, nil))),
		"memory at the end":     Section(Memories, Vector([]byte{0, 1})),
		"exception tags":        Section(13, []byte{0}),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := open(append(Prints("x"), extra...)); err == nil {
				t.Error("accepted")
			}
		})
	}
}

func TestApplies(t *testing.T) {
	m := module.Manifest{Handles: []string{"timeout", "MCP1001", "@example/server"}, Clients: []string{"cursor"}}
	anywhere := m
	anywhere.Clients = []string{"*"}
	is := is.New(t)
	is.True(m.Applies("cursor", "MCP2001", "timeout", ""))
	is.True(m.Applies("cursor", "MCP1001"))
	is.True(m.Applies("cursor", "x", "y", "@example/server"))
	is.True(!m.Applies("vscode", "timeout"))
	is.True(!m.Applies("cursor", "server_crash", ""))
	is.True(anywhere.Applies("", "timeout"))
}

func FuzzScan(f *testing.F) {
	f.Add(Prints(`{"abi":1,"fixes":[]}`))
	f.Add(Command{Start: bytes.Repeat([]byte{Block, Empty}, 3000)}.Bytes())
	f.Add(Command{Sections: map[byte][]byte{Globals: Number(1<<32 - 1)}}.Bytes())
	f.Add(Command{Start: []byte{0x0e, 2, 0, 0, 0, 0x1c, 1, 0x7f, 0x43, 0, 0, 0, 0, 0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0xfc, 10, 0, 0}}.Bytes())
	f.Add(Command{Sections: map[byte][]byte{Tables: Vector([]byte{0x70, 1, 1, 2}), Elements: Vector([]byte{2, 0, I32Const, 0, End, 0, 1, 0}), DataCount: {1}, Data: Vector([]byte{1, 1, 'x'})}}.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		code, err := open(data)
		if err != nil {
			return
		}
		if again, err := module.Scan(code); err != nil || !bytes.Equal(again, code) {
			t.Fatalf("what is to be run does not pass the scan itself: %v", err)
		}
	})
}
