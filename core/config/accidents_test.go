package config

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// soundConfigs are what the accidents happen to.
var soundConfigs = []string{
	`{
  "mcpServers": {
    "github": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-github"],
      "env": {
        "GITHUB_TOKEN": "${GITHUB_TOKEN}"
      }
    },
    "files": {
      "command": "C:\\Program Files\\nodejs\\npx.cmd",
      "args": [
        "-y",
        "@modelcontextprotocol/server-filesystem",
        "C:\\Users\\you\\new\\test",
        "--allow=read, write"
      ],
      "disabled": false
    }
  }
}
`,
	`{
    "servers": {
        "docs": {
            "type": "http",
            "url": "https://mcp.example.com/v1/sse?a=b",
            "headers": {"Authorization": "Bearer ${input:key}", "Accept": "application/json, text/event-stream"}
        }
    },
    "inputs": []
}
`,
	"{\n\t\"theme\": \"dark\",\n\t\"mcp\": {\n\t\t\"servers\": {\n\t\t\t\"db\": {\n\t\t\t\t\"command\": \"docker\",\n\t\t\t\t\"args\": [\"run\", \"-i\", \"--rm\", \"-v\", \"/home/you/data:/data\", \"example/db:1.2\"],\n\t\t\t\t\"env\": {},\n\t\t\t\t\"timeout\": 60,\n\t\t\t\t\"trust\": true\n\t\t\t}\n\t\t}\n\t}\n}\n",
	`{
  "globalShortcut": "Ctrl+Space",
  "mcpServers": {
    "time": {
      "command": "uvx",
      "args": [
        "mcp-server-time",
        "--local-timezone=Europe/Berlin"
      ],
      "env": null,
      "autoApprove": [],
      "timeout": 1500
    },
    "loop": {
      "command": "php",
      "args": [
        "/Users/you/Sites/shop/artisan",
        "loop:mcp:start",
        "--user-id=1"
      ]
    }
  }
}`,
}

// accident breaks a config in one way and says how many bytes undo it.
type accident struct {
	name string
	do   func(rng *rand.Rand, text string) (broken string, least int, ok bool)
	// around puts something before and after the config.
	around bool
}

var (
	stringLiteral = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)
	keyLiteral    = regexp.MustCompile(`"((?:[A-Za-z_$][\w$]*))"(\s*):`)
	entryEnd      = regexp.MustCompile(`(["}\]e\dl]),\n`)
	lastEntry     = regexp.MustCompile(`(["}\]e\dl])\n\s*[}\]]`)
)

// oneOf picks a match and gives its range.
func oneOf(rng *rand.Rand, re *regexp.Regexp, text string) []int {
	all := re.FindAllStringSubmatchIndex(text, -1)
	if len(all) == 0 {
		return nil
	}
	return all[rng.IntN(len(all))]
}

// splice replaces text[start:end].
func splice(text string, start, end int, insert string) string {
	return text[:start] + insert + text[end:]
}

// at makes an accident out of a pattern: the matched group is replaced.
func at(re *regexp.Regexp, group, least int, replace func(string) string) func(*rand.Rand, string) (string, int, bool) {
	return func(rng *rand.Rand, text string) (string, int, bool) {
		m := oneOf(rng, re, text)
		if m == nil {
			return "", 0, false
		}
		start, end := m[2*group], m[2*group+1]
		broken := replace(text[start:end])
		return splice(text, start, end, broken), least, broken != text[start:end]
	}
}

func always(s string) func(string) string { return func(string) string { return s } }

var accidents = []accident{
	{"missing comma", at(regexp.MustCompile(`["}\]e\dl](,)\n`), 1, 1, always("")), false},
	{"missing comma in a line", at(regexp.MustCompile(`"(,) "`), 1, 1, always("")), false},
	{"double comma", at(entryEnd, 0, 1, func(s string) string { return strings.Replace(s, ",", ",,", 1) }), false},
	{"trailing comma", at(lastEntry, 1, 1, func(s string) string { return s + "," }), false},
	{"leading comma", at(regexp.MustCompile(`[{\[](\n)`), 1, 1, always(",\n")), false},
	{"semicolon", at(regexp.MustCompile(`["}\]e\dl](,)\n`), 1, 2, always(";")), false},
	{"missing colon", at(regexp.MustCompile(`"(:) `), 1, 1, always("")), false},
	{"equals", at(regexp.MustCompile(`"(:) `), 1, 2, always(" =")), false},
	{"missing end", func(rng *rand.Rand, text string) (string, int, bool) {
		n := 1 + rng.IntN(3)
		broken := text
		for range n {
			broken = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(broken, " \t\n"), "}"), " \t\n")
		}
		return broken, len(strings.TrimRight(text, "\n")) - len(broken), true
	}, false},
	{"extra end", func(rng *rand.Rand, text string) (string, int, bool) {
		return strings.TrimRight(text, "\n") + []string{"\n}", "}", "\n}\n}", "\n]"}[rng.IntN(4)], 3, true
	}, false},
	{"missing start", func(rng *rand.Rand, text string) (string, int, bool) {
		return strings.TrimLeft(text[1:], " \t\n"), 2, true
	}, false},
	{"no outer braces", func(rng *rand.Rand, text string) (string, int, bool) {
		inner := strings.TrimSpace(text)
		return strings.TrimSpace(inner[1 : len(inner)-1]), 2, true
	}, false},
	{"missing bracket in the middle", at(regexp.MustCompile(`\n[ \t]*([}\]]),\n`), 1, 1, always("")), false},
	{"extra bracket on a line", func(rng *rand.Rand, text string) (string, int, bool) {
		m := oneOf(rng, regexp.MustCompile(`\n([ \t]*)\},\n`), text)
		if m == nil {
			return "", 0, false
		}
		return splice(text, m[0], m[0], "\n"+text[m[2]:m[3]]+"  }"), 1, true
	}, false},
	{"wrong bracket", at(regexp.MustCompile(`\n[ \t]*(\])`), 1, 2, always("}")), false},
	{"single quotes", func(rng *rand.Rand, text string) (string, int, bool) {
		n := 0
		return stringLiteral.ReplaceAllStringFunc(text, func(s string) string {
			n += 4
			return "'" + s[1:len(s)-1] + "'"
		}), n, true
	}, false},
	{"single quotes once", at(stringLiteral, 0, 4, func(s string) string { return "'" + s[1:len(s)-1] + "'" }), false},
	{"smart quotes", func(rng *rand.Rand, text string) (string, int, bool) {
		n := 0
		return stringLiteral.ReplaceAllStringFunc(text, func(s string) string {
			n += 8
			return "“" + s[1:len(s)-1] + "”"
		}), n, true
	}, false},
	{"smart quotes once", at(stringLiteral, 0, 8, func(s string) string { return "“" + s[1:len(s)-1] + "”" }), false},
	{"closing quotes everywhere", at(stringLiteral, 0, 8, func(s string) string { return "”" + s[1:len(s)-1] + "”" }), false},
	{"smart end only", at(stringLiteral, 0, 4, func(s string) string { return s[:len(s)-1] + "”" }), false},
	{"unquoted key", at(keyLiteral, 0, 2, func(s string) string { return strings.ReplaceAll(s, `"`, "") }), false},
	{"all keys unquoted", func(rng *rand.Rand, text string) (string, int, bool) {
		return keyLiteral.ReplaceAllString(text, "$1$2:"), 2 * len(keyLiteral.FindAllString(text, -1)), true
	}, false},
	{"missing closing quote", at(regexp.MustCompile(`"(?:[^"\\\n]|\\.)+(")`), 1, 1, always("")), false},
	{"missing opening quote", at(regexp.MustCompile(`(")(?:[^"\\\n]|\\.)+"`), 1, 1, always("")), false},
	{"raw newline", at(regexp.MustCompile(`": "[\w/:.-]{3}()[\w/:.-]{3,}"`), 1, 1, always("\n")), false},
	{"backslashes", func(rng *rand.Rand, text string) (string, int, bool) {
		return strings.ReplaceAll(text, `\\`, `\`), strings.Count(text, `\\`), strings.Contains(text, `\\`)
	}, false},
	{"python", at(regexp.MustCompile(`: (true|false|null)`), 1, 8, func(s string) string {
		return map[string]string{"true": "True", "false": "False", "null": "None"}[s]
	}), false},
	{"javascript", at(regexp.MustCompile(`: (null)`), 1, 13, always("undefined")), false},
	{"hash comment", at(regexp.MustCompile(`,\n()`), 1, 3, always("  # added later\n")), false},
	{"hash comment at the end of a line", at(regexp.MustCompile(`,()\n`), 1, 3, always(" # it's \"mine\"")), false},
	{"bom", func(rng *rand.Rand, text string) (string, int, bool) { return "\ufeff" + text, 3, true }, true},
	{"no-break space", at(regexp.MustCompile(`": `), 0, 3, always("\":\u00a0")), false},
	{"no-break indentation", at(regexp.MustCompile(`\n( +)"`), 1, 30, func(s string) string { return strings.Repeat("\u00a0", len(s)) }), false},
	{"zero-width", at(regexp.MustCompile(`\n() *"`), 1, 3, always("\u200b")), false},
	{"fence", func(rng *rand.Rand, text string) (string, int, bool) {
		return "```json\n" + strings.TrimRight(text, "\n") + "\n```\n", 13, true
	}, true},
	{"fence in prose", func(rng *rand.Rand, text string) (string, int, bool) {
		return "Here is my config:\n\n```\n" + text + "```\nIt does not work, why?\n", 60, true
	}, true},
	{"copy button", func(rng *rand.Rand, text string) (string, int, bool) {
		return []string{"json\nCopy\nEdit\n", "json\nCopy code\n", "Copy\n", "claude_desktop_config.json\n"}[rng.IntN(4)] + text, 27, true
	}, true},
	{"javascript assignment", func(rng *rand.Rand, text string) (string, int, bool) {
		return "const config = " + strings.TrimRight(text, "\n") + ";\n", 20, true
	}, true},
}

func TestRepairSingleAccidents(t *testing.T) {
	score := newScore()
	for _, a := range accidents {
		for i, sound := range soundConfigs {
			for seed := range 12 {
				rng := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
				broken, least, ok := a.do(rng, sound)
				if !ok {
					continue
				}
				score.add(t, a.name, broken, sound, least)
			}
		}
	}
	score.report(t, 99)
}

func TestRepairPairsOfAccidents(t *testing.T) {
	score := newScore()
	for n, a := range accidents {
		for m, b := range accidents {
			if n == m || a.around {
				continue // what is pasted around a config comes last
			}
			for i, sound := range soundConfigs {
				rng := rand.New(rand.NewPCG(uint64(n*100+m), uint64(i)))
				broken, first, ok := a.do(rng, sound)
				if !ok {
					continue
				}
				broken, second, ok := b.do(rng, broken)
				if !ok {
					continue
				}
				score.add(t, a.name+" + "+b.name, broken, sound, first+second)
			}
		}
	}
	score.report(t, 98)
}

// score counts how often a repair gave back what was meant.
type score struct {
	good, all map[string]int
	shown     map[string]bool
}

func newScore() *score {
	return &score{make(map[string]int), make(map[string]int), make(map[string]bool)}
}

func (s *score) add(t *testing.T, name, broken, sound string, least int) {
	t.Helper()
	got := Repair(broken, JSON)
	if _, err := parseJSON(broken); err == nil && len(got.Mends) == 0 {
		return // two accidents that make up for each other
	}
	s.all[name]++
	problem := ""
	switch root, err := parseJSON(got.Text); {
	case got.Err != nil:
		problem = got.Err.Error()
	case err != nil:
		t.Errorf("%s: says it is repaired, but: %v\n%s", name, err, got.Text)
	case !reflect.DeepEqual(root.Value(), plainRoot(t, sound)):
		problem = "other data"
	default:
		s.good[name]++
		if edited := editedBytes(got.Mends); edited > 2*least {
			t.Errorf("%s: %d bytes edited, %d would do\n%s\n%v", name, edited, least, broken, got.Mends)
		}
	}
	if again := Repair(got.Text, JSON); got.Err == nil && (again.Text != got.Text || len(again.Mends) > 0) {
		t.Errorf("%s: repairing twice is not repairing once\n%s\n%v", name, got.Text, again.Mends)
	}
	if problem != "" && !s.shown[name] {
		s.shown[name] = true
		t.Logf("%s: %s\n%s\n-----\n%s", name, problem, broken, got.Text)
	}
}

func (s *score) report(t *testing.T, percent int) {
	t.Helper()
	good, all := 0, 0
	for name, n := range s.all {
		good += s.good[name]
		all += n
		if s.good[name] < n {
			t.Logf("%3d of %3d  %s", s.good[name], n, name)
		}
	}
	summary := fmt.Sprintf("%d of %d repaired as meant (%.1f %%)", good, all, 100*float64(good)/float64(all))
	t.Log(summary)
	if good*100 < all*percent {
		t.Errorf("%s, want %d %%", summary, percent)
	}
}

func plainRoot(t *testing.T, text string) any {
	t.Helper()
	root, err := parseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	return root.Value()
}

// editedBytes counts the characters taken out and put in; blank does not count.
func editedBytes(mends []Mend) int {
	n := 0
	for _, m := range mends {
		n += m.End - m.Start + utf8.RuneCountInString(strings.TrimSpace(m.Insert))
	}
	return n
}
