package triage

import (
	"strings"
	"unicode"
)

// complaint are the words by which a line says that something is wrong.
var complaint = []string{"error", "fail", "exception", "cannot", "could not", "couldn't", "unable", "refused", "denied", "invalid"}

// remarks begin lines that stand beside a message and do not hold it: frames
// of a stack, and members of a JSON error that only sort it.
var remarks = []string{
	"at ", `file "`, "traceback (most", "+ exception group traceback",
	`"iserror"`, `"type"`, `"code"`, `"name"`, `"param"`, `"object"`, `"status"`,
}

func isRemark(folded string) bool {
	for _, r := range remarks {
		if strings.HasPrefix(folded, r) {
			return true
		}
	}
	return strings.HasPrefix(folded, `"`) && (strings.HasSuffix(folded, "{") || strings.HasSuffix(folded, "["))
}

// tellingLine is the last line that complains and is no remark, or the last
// with a letter in it. It looks at the end of a long text alone.
func tellingLine(text string) string {
	const enough = 64 << 10
	last := ""
	for text = text[max(0, len(text)-enough):]; text != ""; {
		cut := strings.LastIndexByte(text, '\n') + 1
		line := strings.TrimSpace(text[cut:])
		said := line[readPrefix(line).length:] // a level alone is no complaint
		if folded := fold(said); len(line) < 1000 && !isRemark(folded) {
			for _, c := range complaint {
				if strings.Contains(folded, c) {
					return line
				}
			}
			if last == "" && strings.ContainsFunc(said, unicode.IsLetter) {
				last = line
			}
		}
		text = text[:max(cut-1, 0)]
	}
	return last
}
