// Package lint says what is wrong with the configuration of MCP servers by
// reading it alone. [Check] looks at a document that parses, [Syntax] at what
// had to be mended before one did; both give findings that point at the very
// bytes and, where there is one, carry the fix.
//
// A rule is one literal in the file of its subject: what it is called, why it
// matters, what to do, an example before and after, and the function that
// looks for it. What a client accepts comes from the table of clients, so
// rules compare and do not know clients by name. A fact that is not certain
// never makes an error.
//
// A fix touches no other server, writes no secret, weakens nothing, and names
// no package that does not stand in the config.
package lint

import (
	"slices"
	"sort"
	"strings"
	"sync"

	"mcpmend/core/config"
)

// Severity of a finding; only errors and warnings fail a check.
type Severity string

const (
	Error   Severity = "error"   // it will not work
	Warning Severity = "warning" // it works by luck
	Note    Severity = "note"    // it may not work elsewhere, or facts must decide
)

// Rule is one mistake that a config can show. Title, Why and Remedy may insert
// the finding's names, as {name|words to use instead}.
type Rule struct {
	Code     string // MCP30xx to 34xx syntax, MCP40xx to 44xx shape; never reused
	Category string // a label of the closed set that all faces share
	Severity Severity
	Clients  []string // ids of the clients it is about; empty for all
	Title    string
	Why      string
	Remedy   string
	Before   Example // raises the rule
	After    Example // does not

	Mend config.MendKind // a syntax rule: the accident that it is about

	document func(*pass)          // looks at the whole document
	server   func(*pass, *server) // looks at one server
}

// Example is a config together with what must be known to judge it.
type Example struct {
	Client string // id; empty where any will do
	Format config.Format
	OS     string
	File   string
	Text   string
}

// Options is what is known beside the text. The zero value knows nothing but
// trusts the document's client.
type Options struct {
	OS        string           // linux, macos or windows
	File      string           // the path of the config
	Certainty config.Certainty // of the document's client; what only a Low one minds is no error
}

// Finding is one place where a rule applies.
type Finding struct {
	Rule     *Rule
	Severity Severity // the rule's own, or milder where a fact is uncertain
	Server   string   // its name; empty where the document is meant
	Pointer  string   // RFC 6901, the value in question
	Span     config.Span
	Names    map[string]string // from the config and so untrusted, but for client and what starts with "want"
	Fix      Fix
	Sure     float64 // the probability that this is what is wrong
}

// Fix undoes a finding: a patch, or edits where a patch cannot express it.
// Without either only a person can.
type Fix struct {
	Title string
	Patch config.Patch
	Edits []config.Edit
	Safe  bool // reversible and of the same meaning
}

// Possible tells whether there is something to apply.
func (f Fix) Possible() bool { return len(f.Patch) > 0 || len(f.Edits) > 0 }

// Rules lists every rule by code. They are shared: do not change them.
func Rules() []*Rule { return allRules() }

var allRules = sync.OnceValue(func() []*Rule {
	var list []*Rule
	for _, group := range [][]Rule{
		syntaxRules, rootRules, commandRules, runnerRules, dockerRules, fieldRules, typeRules, textRules,
		transportRules, bridgeRules, envRules, misplacedRules, timeoutRules, nameRules, pathRules, secretRules,
	} {
		for i := range group {
			list = append(list, &group[i])
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Code < list[j].Code })
	return list
})

// ruleByCode finds a rule, or gives nil.
func ruleByCode(code string) *Rule {
	for _, r := range Rules() {
		if r.Code == code {
			return r
		}
	}
	return nil
}

// Check looks at a document that parses. Findings come in the order of the
// text, the graver first where they begin at one place.
func Check(doc *config.Document, o Options) []Finding {
	p := newPass(doc, o)
	for _, r := range Rules() {
		if r.document != nil && p.concerns(r) {
			p.rule = r
			r.document(p)
		}
	}
	for list := entries(doc); len(list) > 0; {
		batch, before := beside(list), len(p.findings)
		p.look(batch)
		list = list[len(batch):]
		p.expect((len(p.findings) - before) * len(list) / len(batch))
	}
	order(p.findings)
	return p.findings
}

// entries gives the servers of a document or, where it has none, the document
// as a piece of an entry or of its variables: people paste as little as one
// key.
func entries(doc *config.Document) []*config.Server {
	if len(doc.Servers) == 0 && len(members(doc.Root)) > 0 {
		root := doc.Root
		if slices.ContainsFunc(root.Members, func(m config.Member) bool { return slices.Contains(essential, vocabulary()[m.Name]) }) {
			return []*config.Server{{Node: root, Key: root.Span}}
		}
		if !slices.ContainsFunc(root.Members, func(m config.Member) bool { return !variableName(m.Name) || m.Name != strings.ToUpper(m.Name) }) {
			env := &config.Node{Kind: config.Object, Span: root.Span, Members: []config.Member{{Name: string(config.RoleEnv), Key: root.Members[0].Key, Value: root}}}
			return []*config.Server{{Node: env, Key: root.Span}}
		}
	}
	list := make([]*config.Server, len(doc.Servers))
	for i := range doc.Servers {
		list[i] = &doc.Servers[i]
	}
	return list
}

func order(findings []Finding) {
	sort.SliceStable(findings, func(i, j int) bool {
		a, b := &findings[i], &findings[j]
		if a.Span.Start != b.Span.Start {
			return a.Span.Start < b.Span.Start
		}
		if a.Severity != b.Severity {
			return rank(a.Severity) < rank(b.Severity)
		}
		return a.Rule.Code < b.Rule.Code
	})
}

func rank(s Severity) int {
	return slices.Index([]Severity{Error, Warning, Note}, s)
}
