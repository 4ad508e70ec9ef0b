package triage

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"

	"mcpmend/core/config"
)

// voice is a phrase by which a text gives its client or its system away.
type voice struct {
	literal string // lower case
	speaker
	weight int
	once   sync.Once
	// pattern is what the phrase is a part of; "" where it is enough.
	pattern string
	regexp  *regexp.Regexp
}

type speaker struct {
	client string // id of the client, or ""
	system string // linux, macos or windows, or ""
}

// A line in a client's own log format tells more than its name in a sentence.
const (
	spoken    = 20
	mentioned = 1
)

// hear counts a voice where its pattern agrees.
func (r *reader) hear(v *voice, at hit) {
	const enough = 3 * spoken
	if r.heard[v.speaker] >= enough {
		return
	}
	if v.pattern != "" {
		v.once.Do(func() { v.regexp = regexp.MustCompile("(?im)" + v.pattern) })
		start, end := window(r.text.text, at, 0)
		if !v.regexp.MatchString(r.text.text[start:end]) {
			return
		}
	}
	r.heard[v.speaker] += v.weight
}

// most gives what was heard most, of clients or of systems.
func (r *reader) most(part func(speaker) string) string {
	counts := map[string]int{}
	best := ""
	for s, n := range r.heard {
		counts[part(s)] += n
	}
	for name, n := range counts {
		if name != "" && (best == "" || n > counts[best] || n == counts[best] && name < best) {
			best = name
		}
	}
	return best
}

// voices are the signatures of the client table, each behind its longest
// literal, and the plain words below.
func voices() []voice {
	var all []voice
	for _, c := range config.Clients() {
		for _, s := range c.Signatures {
			if l := literalOf(s.Pattern); !s.Shared && len(l) >= 8 {
				all = append(all, voice{literal: l, speaker: speaker{client: c.ID}, weight: spoken, pattern: s.Pattern})
			}
		}
	}
	for _, p := range phrases {
		all = append(all, voice{literal: p.literal, speaker: p.speaker, weight: p.weight})
	}
	return all
}

// literalOf is the longest text that every match of a pattern holds, in lower
// case; "" where there is none.
func literalOf(pattern string) string {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	return strings.ToLower(longest(tree.Simplify()))
}

func longest(e *syntax.Regexp) string {
	switch e.Op {
	case syntax.OpLiteral:
		return string(e.Rune)
	case syntax.OpConcat, syntax.OpCapture, syntax.OpPlus:
		best := ""
		for _, s := range e.Sub {
			if l := longest(s); len(l) > len(best) {
				best = l
			}
		}
		return best
	}
	return ""
}

// phrases are the words that tell a client or a system without being a
// signature of its log.
var phrases = []struct {
	literal string
	speaker
	weight int
}{
	{"claude_desktop_config", speaker{client: "claude-desktop"}, spoken},
	{"{ metadata: undefined }", speaker{client: "claude-desktop"}, spoken},
	{"server started and connected successfully", speaker{client: "claude-desktop"}, spoken},
	{"claude desktop", speaker{client: "claude-desktop"}, mentioned},
	{"claude mcp ", speaker{client: "claude-code"}, spoken},
	{".claude.json", speaker{client: "claude-code"}, spoken},
	{"claude code", speaker{client: "claude-code"}, mentioned},
	{"cursor", speaker{client: "cursor"}, mentioned},
	{"vs code", speaker{client: "vscode"}, mentioned},
	{"vscode", speaker{client: "vscode"}, mentioned},
	{".vscode/mcp.json", speaker{client: "vscode"}, spoken},
	{"windsurf", speaker{client: "windsurf"}, mentioned},
	{"cline", speaker{client: "cline"}, mentioned},
	{"cline_mcp_settings", speaker{client: "cline"}, spoken},
	{"roo code", speaker{client: "roo-code"}, mentioned},
	{"gemini cli", speaker{client: "gemini-cli"}, mentioned},
	{".gemini", speaker{client: "gemini-cli"}, spoken},
	{"codex", speaker{client: "codex"}, mentioned},
	{"mcp startup failed", speaker{client: "codex"}, spoken},
	{"opencode", speaker{client: "opencode"}, mentioned},
	{"kiro", speaker{client: "kiro"}, mentioned},
	{"lm studio", speaker{client: "lm-studio"}, mentioned},
	{"cherry studio", speaker{client: "cherry-studio"}, mentioned},
	{"cherrystudio", speaker{client: "cherry-studio"}, mentioned},
	{"librechat", speaker{client: "librechat"}, mentioned},
	{"continue.dev", speaker{client: "continue"}, mentioned},
	{"copilot cli", speaker{client: "copilot-cli"}, mentioned},
	{"goose", speaker{client: "goose"}, mentioned},
	{`c:\\`, speaker{system: "windows"}, spoken},
	{"appdata", speaker{system: "windows"}, spoken},
	{"is not recognized as an internal", speaker{system: "windows"}, spoken},
	{"process.platform: win32", speaker{system: "windows"}, spoken},
	{"powershell", speaker{system: "windows"}, mentioned},
	{"process.platform: darwin", speaker{system: "macos"}, spoken},
	{"/opt/homebrew/", speaker{system: "macos"}, spoken},
	{"/library/application support/", speaker{system: "macos"}, spoken},
	{"/users/you/", speaker{system: "macos"}, spoken},
	{"process.platform: linux", speaker{system: "linux"}, spoken},
	{"/home/", speaker{system: "linux"}, mentioned},
}
