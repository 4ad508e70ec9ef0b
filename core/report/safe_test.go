package report_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/matryer/is"

	"mcpmend/core/report"
)

func TestSafe(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "spawn npx ENOENT", "spawn npx ENOENT"},
		{"letters of other scripts", "путь não encontrado 見つかりません", "путь não encontrado 見つかりません"},
		{"clipboard", "\x1b]52;c;cm0gLXJm\a", `\x1b]52;c;cm0gLXJm\x07`},
		{"hyperlink", "\x1b]8;;file:///x\x1b\\click", `\x1b]8;;file:///x\x1b\click`},
		{"clear screen", "\x1b[2J\x1b[1;1HApply?", `\x1b[2J\x1b[1;1HApply?`},
		{"C1 as UTF-8", "\u009b2J", `\u{9b}2J`},
		{"C1 bare", "\x9b2J", `\x9b2J`},
		{"carriage return", "ok\rError", `ok\rError`},
		{"line break", "a\nb", `a\nb`},
		{"tab", "a\tb", "a b"},
		{"bidi", "\u202Exe.pn", `\u{202e}xe.pn`},
		{"zero width", "np\u200bx", `np\u{200b}x`},
		{"tags", "a\U000E0041", `a\u{e0041}`},
		{"variation selector", "a\uFE0F\U000E0100", `a\u{fe0f}\u{e0100}`},
		{"hangul filler", "a\u3164b\u2800c", `a\u{3164}b\u{2800}c`},
		{"accents stay", "e\u0301", "e\u0301"},
		{"stacked marks", "e" + strings.Repeat("\u0301", 5), "e\u0301\u0301\u0301" + `\u{301}\u{301}`},
		{"replacement character", "a\uFFFDb", "a\uFFFDb"},
		{"no-break space", "a\u00a0b", `a\u{a0}b`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			is.New(t).Equal(report.Safe(tt.in), tt.want)
		})
	}
}

func TestCILog(t *testing.T) {
	is := is.New(t)
	is.Equal(report.CILog("::add-mask::x\n  ##[command]y\nplain ::z"), "| ::add-mask::x\n|   ##[command]y\nplain ::z")
}

func FuzzSafe(f *testing.F) {
	f.Add("\x1b[31m\u202e\xff\r\n")
	f.Fuzz(func(t *testing.T, s string) {
		got := report.SafeLines(s)
		if !utf8.ValidString(got) {
			t.Fatalf("not UTF-8: %q", got)
		}
		for _, r := range got {
			if r != '\n' && (r < 0x20 || 0x7f <= r && r < 0xa0) {
				t.Fatalf("control character %U in %q", r, got)
			}
		}
	})
}
