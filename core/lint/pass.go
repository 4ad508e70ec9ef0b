package lint

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"mcpmend/core/config"
)

// pass is one run of the rules over one document.
type pass struct {
	doc     *config.Document
	client  *config.Client
	options Options
	rule    *Rule
	current *server  // nil while rules look at the document
	views   []server // of the entries that are looked at together
	extras  func() []config.Mend
	taken   map[string]bool // names of servers
	meant   struct {        // the candidates of a client
		client *config.Client
		keys   []candidate
	}
	findings []Finding
	alike    map[*Rule]int // how many findings a rule has
}

// maxAlike bounds the findings of one rule: nobody reads more of them, and a
// made-up config could have any number.
const maxAlike = 1000

func newPass(doc *config.Document, o Options) *pass {
	return &pass{
		doc: doc, client: doc.Client, options: o, alike: map[*Rule]int{},
		extras: sync.OnceValue(func() []config.Mend { return config.Strict(doc.Text) }),
	}
}

// concerns tells whether a rule is about the client of the document.
func (p *pass) concerns(r *Rule) bool {
	return len(r.Clients) == 0 || slices.Contains(r.Clients, p.client.ID)
}

// beside gives the entries at the beginning of a list that one object or list
// holds, so that they speak one dialect. They are not too many to stay in the
// processor's cache while one rule after the other looks at them: taking all
// rules for one entry after the other needs twice the time.
func beside(list []*config.Server) []*config.Server {
	place := func(s *config.Server) string { return s.Pointer[:strings.LastIndexByte(s.Pointer, '/')+1] }
	at, n := place(list[0]), 1
	for n < min(len(list), 32) && at != "" && place(list[n]) == at {
		n++
	}
	return list[:n]
}

// look has the rules look at entries that stand beside each other.
func (p *pass) look(batch []*config.Server) {
	p.client = p.doc.Dialect(batch[0])
	for len(p.views) < len(batch) {
		p.views = append(p.views, server{})
	}
	views := p.views[:len(batch)]
	for i, s := range batch {
		p.view(&views[i], s)
	}
	for _, r := range Rules() {
		if r.server == nil || !p.concerns(r) || p.alike[r] >= maxAlike {
			continue
		}
		p.rule = r
		for i := range views {
			p.current = &views[i]
			r.server(p, p.current)
		}
	}
}

// known tells whether the document's client is one of the table.
func (p *pass) known() bool { return p.client.ID != config.Generic().ID }

// report adds a finding of the present rule. Pointer, span and severity must
// be set where they differ from the server as a whole and from the rule.
func (p *pass) report(f *Finding, facts ...config.Certainty) {
	f.Rule = p.rule
	f.Severity = cmpOr(f.Severity, p.rule.Severity)
	if f.Names == nil {
		f.Names = map[string]string{}
	}
	if p.known() {
		f.Names["client"] = p.client.Name
	}
	if s := p.current; s != nil {
		f.Server = s.Name
		f.Names["server"] = s.Name
		if f.Pointer == "" {
			f.Pointer, f.Span = s.Pointer, s.Key
		}
		if s.Node != p.doc.Root && s.Pointer == "" {
			f.Pointer, f.Fix = "", Fix{} // a piece without the key that it belongs to
		}
		if s.Node != nil && len(f.Fix.Patch) > 0 && p.doc.Root.At(s.Pointer) != s.Node {
			f.Fix = Fix{} // of a key that is there twice the last counts, and a patch would hit that one
		}
	}
	doubt := config.High
	for _, fact := range facts {
		doubt = max(doubt, fact)
	}
	if doubt == config.Low && f.Severity == Error {
		f.Severity = Warning
	}
	if f.Sure == 0 {
		f.Sure = sureness[f.Severity] - 0.1*float64(doubt)
	}
	p.findings = append(p.findings, *f)
	p.alike[p.rule]++
}

// expect makes room for findings, so that a long list is not copied again and
// again; few enough that a guess cannot cost much.
func (p *pass) expect(findings int) {
	p.findings = slices.Grow(p.findings, min(findings, 1<<16))
}

// sureness is how often a finding of a severity is what is really wrong.
var sureness = map[Severity]float64{Error: 0.95, Warning: 0.6, Note: 0.3}

func cmpOr(a, b Severity) Severity {
	if a != "" {
		return a
	}
	return b
}

// dialect is what a finding about the client's own habits rests on: the row
// and how sure it is that the document is that client's.
func (p *pass) dialect(fact config.Certainty) config.Certainty {
	return max(fact, p.options.Certainty, p.client.Certainty)
}

// raw is a value as JSON, with nothing escaped that need not be.
func raw(value any) json.RawMessage {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // plain data of our own making
	}
	return bytes.TrimSpace(out.Bytes())
}

func add(path string, value any) config.Op {
	return config.Op{Op: "add", Path: path, Value: raw(value)}
}

func replace(path string, value any) config.Op {
	return config.Op{Op: "replace", Path: path, Value: raw(value)}
}

func remove(path string) config.Op { return config.Op{Op: "remove", Path: path} }

func move(from, to string) config.Op { return config.Op{Op: "move", From: from, Path: to} }
