package wrap

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/matryer/is"
)

func TestScan(t *testing.T) {
	tests := []struct {
		name, raw string
		kind      kind
		id        string
		method    string
	}{
		{"request", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, request, "1", "tools/list"},
		{"string id", `{"id":"a","method":"x"}`, request, `"a"`, "x"},
		{"big id keeps its digits", `{"id":9007199254740993,"method":"x"}`, request, "9007199254740993", "x"},
		{"notification", ` {"method":"notifications/initialized"} `, notification, "", "notifications/initialized"},
		{"null id is no request", `{"id":null,"method":"x"}`, notification, "null", "x"},
		{"result", `{"id":1,"result":{}}`, response, "1", ""},
		{"error", `{"id":1,"error":{"code":1,"message":""}}`, response, "1", ""},
		{"error without id", `{"id":null,"error":{"code":1,"message":""}}`, response, "null", ""},
		{"escaped key", `{"\u0069d":1,"method":"x"}`, request, "1", "x"},
		{"batch", `[{"id":1,"method":"x"}]`, batch, "", ""},
		{"escaped quote", `{"id":"a\"b","method":"x","params":{"a":"\\"}}`, request, `"a\"b"`, "x"},
		{"other members", `{"id":1,"method":"x","trace":[[1.5e+3,-0,true,null,{"a":{}}],{}]}`, request, "1", "x"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			m, err := scan([]byte(test.raw))
			is.NoErr(err)
			is.Equal(m.kind, test.kind)
			is.Equal(string(m.id), test.id)
			is.Equal(m.method, test.method)
		})
	}
}

func TestScanRefuses(t *testing.T) {
	tests := []struct {
		name, raw string
		ambiguous bool
	}{
		{"key in another case", `{"id":1,"method":"tools/list","METHOD":"tools/call"}`, true},
		{"long s", `{"id":1,"method":"tools/call","paramſ":{"name":"rm"}}`, true},
		{"kelvin sign is only a look-alike of k", `{"id":1,"method":"x","\u212a":1}`, false},
		{"NUL in a key", `{"id":1,"method":"x","method\u0000":"y"}`, true},
		{"twice", `{"id":1,"id":2,"method":"x"}`, true},
		{"twice by escape", `{"id":1,"method":"x","m\u0065thod":"y"}`, true},
		{"unknown key twice", `{"id":1,"method":"x","z":1,"z":2}`, true},
		{"object id", `{"id":{},"method":"x"}`, false},
		{"no method and no id", `{"jsonrpc":"2.0"}`, false},
		{"result and error", `{"id":1,"result":1,"error":{}}`, false},
		{"half a line", `{"id":1,"method":"x"`, false},
		{"open string", `{"id":1,"method":"x`, false},
		{"ends in a backslash", `{"id":1,"method":"x\`, false},
		{"raw control character", "{\"id\":1,\"method\":\"x\",\"params\":\"a\tb\"}", false},
		{"raw control character far in", `{"id":1,"method":"x","params":"` + strings.Repeat("x", 40) + "\x1f\"}", false},
		{"false escape", `{"id":1,"method":"x","params":"\q"}`, false},
		{"half an escape", `{"id":1,"method":"x","params":"\u12"}`, false},
		{"two values", `{"id":1,"method":"x"}{}`, false},
		{"NUL after it", "{\"id\":1,\"result\":{}}\x00", false},
		{"banner", `Server ready on stdio`, false},
		{"leading zero", `{"id":01,"method":"x"}`, false},
		{"wrong bracket", `{"id":1,"method":"x","params":{"a":[1}}`, false},
		{"bad UTF-8", "{\"id\":1,\"method\":\"\xff\"}", false},
		{"deep", `{"id":1,"method":"x","params":` + strings.Repeat("[", 616000), false},
		{"method is no string", `{"id":1,"method":5}`, false},
		{"empty", ``, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			_, err := scan([]byte(test.raw))
			if test.name == "kelvin sign is only a look-alike of k" {
				is.NoErr(err) // "K" alone is no known name
				return
			}
			is.True(err != nil)
			is.Equal(errors.Is(err, errAmbiguous), test.ambiguous)
		})
	}
}

func TestIDKey(t *testing.T) {
	is := is.New(t)
	is.Equal(idKey([]byte("1")), idKey([]byte("1.0")))
	is.Equal(idKey([]byte("100")), idKey([]byte("1e2")))
	is.Equal(idKey([]byte(`"a"`)), idKey([]byte(`"\u0061"`)))
	is.Equal(idKey([]byte(`"a\u2028"`)), idKey([]byte("\"a\u2028\"")))
	is.True(idKey([]byte("1")) != idKey([]byte(`"1"`)))
	is.True(idKey([]byte("9007199254740993")) != idKey([]byte("9007199254740992")))
	is.Equal(idKey([]byte("1e999999999")), "1e999999999") // not expanded
}

func TestBrokenID(t *testing.T) {
	for _, test := range []struct{ raw, id, answers string }{
		{`{"jsonrpc":"2.0","id":7,"result":{"text":"cut`, "7", "7"},
		{`{"result":{"text":"cut here and on","jsonrpc":"2.0","id":"a"}`, `"a"`, `"a"`},
		{`{"result":{"text":"cut here and on"},"id":7,"jsonrpc":"2.0"}`, "7", "7"},
		{`{"method":"tools/call","params":{"x":"cut`, "", ""},
		{`{"method":"tools/call","params":{"x":"cut here and on"},"jsonrpc":"2.0","id":3}`, "3", ""},
		{`{"level":"info","id":7,"msg":"hello"}`, "7", ""},
		{`{"result":{"text":"cut","of":{"id":7}}`, "", ""},
		{`nothing`, "", ""},
	} {
		t.Run(test.raw, func(t *testing.T) {
			is := is.New(t)
			is.Equal(string(brokenID([]byte(test.raw), func(string) {})), test.id)
			is.Equal(string(answeredID([]byte(test.raw))), test.answers)
		})
	}
}

func TestElements(t *testing.T) {
	is := is.New(t)
	parts, err := elements([]byte(` [ {"id":1,"method":"a"} , {"id":2,"method":"b"}]`))
	is.NoErr(err)
	is.Equal(len(parts), 2)
	is.Equal(string(parts[1]), `{"id":2,"method":"b"}`)
	parts, err = elements([]byte(`[]`))
	is.NoErr(err)
	is.Equal(len(parts), 0)
	_, err = elements([]byte(`[1,]`))
	is.True(err != nil)
}

// FuzzScan compares our view of a message with that of a strict reader: what
// we accept, encoding/json reads in the same way.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"x":[1,2,{"y":"z"}]}}}`,
		`{"id":1,"method":"tools/list","METHOD":"tools/call"}`, `{"id":"\ud800","result":{}}`, `[{"id":1,"method":"x"},[]]`,
		`{"id":1.5e3,"error":{"code":-32602,"message":"\u0000"}}`, `{"id":1,"method":"x","params":[[[]]]}`, "{\"id\":1,\"result\":\"\x7f\t\"}",
		`{"id":"a\"\n\u2028b","result":"\q"}`, `{"id":"\u12"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := scan(raw)
		if err != nil {
			return
		}
		if m.kind == batch {
			parts, err := elements(raw)
			if err != nil {
				return
			}
			var all []json.RawMessage
			if err := json.Unmarshal(raw, &all); err != nil {
				t.Fatalf("accepted %q: %v", raw, err)
			}
			if len(all) != len(parts) {
				t.Fatalf("%d parts, want %d", len(parts), len(all))
			}
			return
		}
		if !json.Valid([]byte(idKey(m.id))) && m.id != nil {
			t.Fatalf("the key %q of the id %q is no JSON", idKey(m.id), m.id)
		}
		var folded struct {
			ID     json.RawMessage `json:"id"`
			Method *string         `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if err := json.Unmarshal(raw, &folded); err != nil {
			t.Fatal(err)
		}
		if folded.Method != nil && *folded.Method != m.method {
			t.Fatalf("method %q, encoding/json reads %q", m.method, *folded.Method)
		}
		if !bytes.Equal(folded.ID, m.id) && !isNull(m.id) {
			t.Fatalf("id %q, encoding/json reads %q", m.id, folded.ID)
		}
		if folded.Params != nil && !bytes.Equal(folded.Params, m.params) && !isNull(m.params) {
			t.Fatalf("params %q, encoding/json reads %q", m.params, folded.Params)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	small := []byte(`{"jsonrpc":"2.0","id":12345,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hello world"}}}`)
	large := []byte(`{"jsonrpc":"2.0","id":12345,"result":{"content":[{"type":"text","text":"` + strings.Repeat(`lorem ipsum \"dolor\" `, 50000) + `"}]}}`)
	for name, raw := range map[string][]byte{"small": small, "1MB": large} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := scan(raw); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A request that is too long is answered under its own id, and the next one is
// read.
func TestRequestOverTheLimit(t *testing.T) {
	is := is.New(t)
	_, d := faithful()
	var out bytes.Buffer
	in := io.MultiReader(
		strings.NewReader(`{"method":"tools/call","params":{"name":"read","arguments":{"label":"`),
		io.LimitReader(letters('x'), maxMessage),
		strings.NewReader(`"}},"jsonrpc":"2.0","id":1}`+"\n"+`{"jsonrpc":"2.0","id":2,"method":"ping"}`+"\n"),
	)
	is.NoErr(Serve(Options{Dialer: d}, in, &out))
	is.True(strings.Contains(out.String(), `"id":1,"error":{"code":-32600,"message":"refused: it is longer than 64 MB"}`))
	is.True(strings.Contains(out.String(), `"id":2,"result":{}`))
}

// letters is a reader of one letter, for ever.
type letters byte

func (l letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(l)
	}
	return len(p), nil
}
