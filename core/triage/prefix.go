package triage

import (
	"regexp"
	"strings"
	"sync"
)

// prefix is what a log puts before a message.
type prefix struct {
	length int
	depth  int    // 1 behind "[cause]:" or "Caused by:"
	server string // where the log names it in brackets
}

// The pieces of a prefix, each tried at the start of what is left. A line has
// few of them, and they are only looked for on lines that hold a literal.
var prefixPieces = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:` +
		`[\s|│║┃┆╎▏┌┐└┘├┤─═╔╗╚╝╭╮╰╯◇◆●▲■○↳⎿❯✗✖×✘❌⚠•*·>\x{fe0f}]+` + // frames, quotes, bullets
		`|-\s` +
		`|\d{4}[-/]\d\d[-/]\d\d[t ]\d+:\d+:\d+(?:[.,]\d+)?(?:z|[+-]\d\d:?\d\d)?` +
		`|\[?\d{1,2}:\d{1,2}:\d{1,2}(?:[.,]\d+)?(?: ?[ap]m)?(?: utc)?\]?` +
		`|\[(?P<tag>[^\]\n]{1,60})\](?:\(\d+\))?:?` +
		`|(?:info|error|warn(?:ing)?|debug|fatal|err)\b[:!]?\s+\d{4}-\S+ \+\d+ms` +
		`|(?:info|warn(?:ing)?|debug)\b:?` +
		`|caused by:?` +
		`)`)
})

// levels are the words in brackets that say how bad a line is, and subsystems
// those that say who wrote it; neither names a server.
var (
	levels = map[string]bool{
		"info": true, "error": true, "warn": true, "warning": true, "debug": true, "fatal": true, "trace": true, "err": true,
	}
	subsystems = map[string]bool{
		"log": true, "server stderr": true, "stderr": true, "stdout": true, "mcp": true, "cause": true, "main": true,
		"failed to parse": true, "backend": true, "runner": true, "anonymous": true, "mcp_client": true,
	}
)

// readPrefix measures the prefix of a line.
func readPrefix(line string) prefix {
	var p prefix
	pieces := prefixPieces()
	tag := pieces.SubexpIndex("tag")
	name, level := "", false
	for range 12 {
		found := pieces.FindStringSubmatchIndex(line[p.length:])
		if found == nil || found[1] == 0 {
			break
		}
		piece := strings.ToLower(line[p.length : p.length+found[1]])
		if strings.HasPrefix(piece, "caused by") || strings.HasPrefix(piece, "[cause]") {
			p.depth++
		}
		if found[2*tag] >= 0 {
			word := line[p.length+found[2*tag] : p.length+found[2*tag+1]]
			switch lower := strings.ToLower(word); {
			case levels[lower]:
				level = true
			case name == "" && !subsystems[lower] && !strings.Contains(word, "::"):
				name = word
			}
		}
		p.length += found[1]
	}
	if level { // a name in brackets is a server's only beside a level: others are threads and modules
		p.server = name
	}
	if p.length == len(line) { // nothing but frame: let patterns see it all
		p.length = 0
	}
	return p
}
