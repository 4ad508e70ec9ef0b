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

// levels are the words in brackets that name no server.
var levels = map[string]bool{
	"info": true, "error": true, "warn": true, "warning": true, "debug": true, "fatal": true, "trace": true,
	"err": true, "log": true, "server stderr": true, "stderr": true, "stdout": true, "mcp": true, "cause": true,
	"failed to parse": true, "backend": true, "runner": true, "main": true, "anonymous": true,
}

// readPrefix measures the prefix of a line.
func readPrefix(line string) prefix {
	var p prefix
	pieces := prefixPieces()
	tag := pieces.SubexpIndex("tag")
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
			name := line[p.length+found[2*tag] : p.length+found[2*tag+1]]
			if p.server == "" && p.length > 0 && !levels[strings.ToLower(name)] && !strings.Contains(name, "::") {
				p.server = name
			}
		}
		p.length += found[1]
	}
	if p.length == len(line) { // nothing but frame: let patterns see it all
		p.length = 0
	}
	return p
}
