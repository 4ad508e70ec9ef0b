package config

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/matryer/is"
)

// tomlConfigs are what people keep in Codex's config.toml.
var tomlConfigs = []string{
	"model = \"gpt-5-codex\"\n\n[mcp_servers.database]\ncommand = \"uvx\"\nargs = [\"postgres-mcp\", \"--access-mode=restricted\"]\nenv = { LOG_LEVEL = \"info\", REGION = \"eu\" }\nenv_vars = [\"DATABASE_URI\"]\ncwd = \"/home/you/shop\"\nstartup_timeout_sec = 45\n\n[mcp_servers.issues]\nurl = \"https://issues.example.com/mcp\"\nbearer_token_env_var = \"ISSUES_TOKEN\"\nenabled = false # until the token is renewed\n",
	"# servers\n[mcp_servers.github]\ncommand = \"npx\"\nargs = [\"-y\", \"@scope/server-github\"]\n\n[mcp_servers.github.env]\nGITHUB_TOKEN = \"ghp_example\"\nHOST = \"github.example.com\"\n",
	"[mcp_servers.files]\ncommand = \"npx\"\nargs = [\n  \"-y\",\n  \"@scope/server-filesystem\",\n  \"/home/you/documents\",\n]\nstartup_timeout_sec = 20\ntool_timeout_sec = 60.5\n",
	"approval_policy = \"never\"\nsandbox_mode = \"workspace-write\"\n\n[tools]\nweb_search = true\n\n[mcp_servers.docs]\nurl = \"https://docs.example.com/mcp\"\nhttp_headers = { \"X-Team\" = \"shop\", Authorization = \"Bearer abc\" }\nrequired = true\n",
	"[mcp_servers.win]\ncommand = 'C:\\Program Files\\nodejs\\node.exe'\nargs = ['C:\\Users\\you\\server\\index.js', \"--port\", \"3000\"]\n[mcp_servers.win.env]\nAPPDATA = 'C:\\Users\\you\\AppData\\Roaming'\n",
	"[mcp_servers.playwright]\ncommand = \"npx\"\nargs = [\"@scope/mcp@latest\", \"--headless\", \"--isolated\"]\nenabled_tools = [\"navigate\", \"click\"]\nstartup_timeout_ms = 20000\n\n[mcp_servers.playwright.tools.click]\napproval_mode = \"approve\"\n\n[profiles.fast]\nmodel = \"small\"\n",
	"[mcp_servers.docker]\ncommand = \"docker\"\nargs = [\"run\", \"-i\", \"--rm\", \"-e\", \"TOKEN\", \"example/server:latest\"]\nenv = { \"TOKEN\" = \"t0k=en;x\" }\n\n[[hooks]]\nname = \"one\"\n\n[[hooks]]\nname = \"two\"\n",
	"[mcp_servers.python]\ncommand = \"/home/you/.venv/bin/python\"\nargs = [\"-m\", \"server\", \"--db\", \"postgres://user:pw@localhost:5432/db?x=1#y\"]\ncwd = \"/home/you/a b\"\nenabled = true\n\n# last one\n[mcp_servers.\"my docs\"]\ncommand = \"uvx\"\nargs = []\n",
	"model_provider = \"local\"\r\n\r\n[mcp_servers.crlf]\r\ncommand = \"npx\"\r\nargs = [\"-y\", \"pkg\"]\r\nenv = { A = \"1\", B = \"2\" }\r\n",
	"[mcp_servers.slack]\ncommand = \"npx\" # the runner\nargs = [\"-y\", \"@scope/slack\"] # package\n# token below\nenv = { SLACK_BOT_TOKEN = \"xoxb-1\", SLACK_TEAM_ID = \"T1\" }\n",
}

// slip breaks a text in one way, at a place that pick chooses; "" where it
// cannot.
type slip struct {
	name  string
	cause func(text string, pick func(int) int) string
}

// onLine breaks one of the lines that a filter lets through.
func onLine(filter func(string) bool, change func(string) string) func(string, func(int) int) string {
	return func(text string, pick func(int) int) string {
		lines := strings.SplitAfter(text, "\n")
		var fit []int
		for i, line := range lines {
			if strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.TrimSpace(line), "#") && filter(line) {
				fit = append(fit, i)
			}
		}
		if len(fit) == 0 {
			return ""
		}
		i := fit[pick(len(fit))]
		body := strings.TrimRight(lines[i], "\r\n")
		lines[i] = change(body) + lines[i][len(body):]
		return strings.Join(lines, "")
	}
}

func has(parts ...string) func(string) bool {
	return func(line string) bool {
		for _, p := range parts {
			if !strings.Contains(line, p) {
				return false
			}
		}
		return true
	}
}

func once(old, new string) func(string) string {
	return func(line string) string { return strings.Replace(line, old, new, 1) }
}

func header(line string) bool       { return strings.HasPrefix(line, "[") }
func singleHeader(line string) bool { return header(line) && !strings.HasPrefix(line, "[[") }
func stringPair(line string) bool {
	return strings.Contains(line, ` = "`) && !strings.Contains(line, "[") && !strings.Contains(line, "{") && !strings.Contains(line, "#")
}

// lastReplace replaces the last occurrence.
func lastReplace(old, new string) func(string) string {
	return func(line string) string {
		i := strings.LastIndex(line, old)
		if i < 0 {
			return line
		}
		return line[:i] + new + line[i+len(old):]
	}
}

var tomlAccidents = []slip{
	{"unquoted value", onLine(stringPair, func(l string) string { return strings.ReplaceAll(l, `"`, "") })},
	{"no closing quote", onLine(stringPair, lastReplace(`"`, ""))},
	{"no opening quote", onLine(stringPair, func(l string) string { return strings.Replace(l, `= "`, "= ", 1) })},
	{"smart quotes on a line", onLine(stringPair, func(l string) string { return strings.Replace(strings.Replace(l, `"`, "“", 1), `"`, "”", 1) })},
	{"smart quotes everywhere", func(t string, _ func(int) int) string {
		open := true
		return strings.Map(func(r rune) rune {
			if r != '"' {
				return r
			}
			if open = !open; open {
				return '”'
			}
			return '“'
		}, t)
	}},
	{"colon for equals", onLine(has(" = "), once(" = ", ": "))},
	{"spaced colon for equals", onLine(has(" = "), once(" = ", " : "))},
	{"colons everywhere", func(t string, _ func(int) int) string { return strings.ReplaceAll(t, " = ", ": ") }},
	{"double equals", onLine(has(" = "), once(" = ", " == "))},
	{"no equals", onLine(stringPair, once(" = ", " "))},
	{"array not closed", onLine(func(l string) bool { return strings.HasSuffix(l, "]\n") && strings.Contains(l, "= [") && l[0] != '[' }, lastReplace("]", ""))},
	{"array not opened", onLine(has(`= ["`, `"]`), once("= [", "= "))},
	{"array closed by brace", onLine(has(`= ["`, `"]`), lastReplace("]", "}"))},
	{"long array not closed", func(t string, _ func(int) int) string {
		if !strings.Contains(t, "\n]\n") {
			return ""
		}
		return strings.Replace(t, "\n]\n", "\n", 1)
	}},
	{"array comma missing", onLine(has(`", "`), once(`", "`, `" "`))},
	{"array commas missing", onLine(has(`= ["`, `", "`), func(l string) string { return strings.ReplaceAll(l, `", "`, `" "`) })},
	{"long array comma missing", onLine(func(l string) bool { return strings.HasPrefix(l, `  "`) }, lastReplace(",", ""))},
	{"double comma", onLine(has(`", "`), once(`", "`, `",, "`))},
	{"array item without quotes", onLine(has(`["-y", "`), once(`["-y"`, `[-y`))},
	{"array items without quotes", onLine(has(`= ["`, `"]`), func(l string) string {
		if strings.ContainsAny(l, `#;=\`) && strings.Count(l, "=") > 1 {
			return l
		}
		return strings.ReplaceAll(l, `"`, "")
	})},
	{"array item half quoted", onLine(has(`["-y", "`), once(`["-y", `, `["-y, `))},
	{"array item half quoted in front", onLine(has(`["-y", "`), once(`["-y", `, `[-y", `))},
	{"last item half quoted", onLine(has(`= ["`, `"]`), once(`"]`, `]`))},
	{"semicolons in an array", onLine(has(`", "`), func(l string) string { return strings.ReplaceAll(l, `", "`, `"; "`) })},
	{"single quote to double", onLine(has(`= 'C:`), func(l string) string { return strings.ReplaceAll(l, "'", `"`) })},
	{"inline table not closed", onLine(has("= {", "}"), lastReplace(" }", ""))},
	{"inline table colons", onLine(has("= { "), func(l string) string {
		head, tail, _ := strings.Cut(l, "= {")
		return head + "= {" + strings.ReplaceAll(tail, " = ", ": ")
	})},
	{"inline table comma missing", onLine(has("= { ", `", `), once(`", `, `" `))},
	{"inline table trailing comma", onLine(has("= { "), lastReplace(" }", ", }"))},
	{"inline table over lines", onLine(has("= { ", `", `), func(l string) string {
		l = strings.Replace(l, "= { ", "= {\n  ", 1)
		return lastReplace(" }", "\n}")(strings.Replace(l, `", `, "\",\n  ", 1))
	})},
	{"inline table value unquoted", onLine(has("= { LOG_LEVEL"), once(`"info"`, "info"))},
	{"slash comment", onLine(has(" # "), once(" # ", " // "))},
	{"slash comment line", func(t string, _ func(int) int) string { return "// my servers\n" + t }},
	{"block comment line", func(t string, _ func(int) int) string { return "/* my servers */\n" + t }},
	{"header not closed", onLine(header, lastReplace("]", ""))},
	{"header not opened", onLine(singleHeader, once("[", ""))},
	{"header closed by brace", onLine(singleHeader, lastReplace("]", "}"))},
	{"header with a colon", onLine(singleHeader, lastReplace("]", "]:"))},
	{"header doubled", onLine(singleHeader, func(l string) string { return l + "\n" + l })},
	{"header again later", func(t string, pick func(int) int) string {
		lines := strings.SplitAfter(t, "\n")
		for i, l := range lines {
			if singleHeader(l) && i+2 < len(lines) && strings.Contains(lines[i+1], " = ") && !strings.Contains(lines[i+1], "= [\n") && strings.Contains(lines[i+2], " = ") {
				lines[i+1] += l
				return strings.Join(lines, "")
			}
		}
		return ""
	}},
	{"table twice", func(t string, _ func(int) int) string {
		at := strings.LastIndex("\n"+t, "\n[mcp_servers")
		if at < 0 || strings.Contains(t[at:], "[[") {
			return ""
		}
		return t + t[at:]
	}},
	{"name with a space", onLine(has(`."my docs"]`), once(`"my docs"`, "my docs"))},
	{"trailing commas", onLine(stringPair, func(l string) string { return l + "," })},
	{"semicolon at the end", onLine(stringPair, func(l string) string { return l + ";" })},
	{"python words", onLine(has("= true"), once("true", "True"))},
	{"python false", onLine(has("= false"), once("false", "False"))},
	{"yes", onLine(has("= true"), once("true", "yes"))},
	{"fence", func(t string, _ func(int) int) string { return "```toml\n" + t + "```\n" }},
	{"open fence", func(t string, _ func(int) int) string { return "```toml\n" + t }},
	{"copy button", func(t string, _ func(int) int) string { return "toml\nCopy code\n" + t }},
	{"no-break spaces", onLine(has(" = "), once(" = ", "\u00a0=\u00a0"))},
	{"zero width", onLine(has(" = "), func(l string) string { return "\u200b" + l })},
	{"bom twice", func(t string, _ func(int) int) string { return "\ufeff\ufeff" + t }},
	{"broken string", onLine(has(`url = "https`), once("https", "https\n"))},
	{"cut off", func(t string, _ func(int) int) string {
		if at := strings.LastIndex(t, `"]`); at > 0 && strings.TrimSpace(t[at+2:]) == "" {
			return t[:at]
		}
		return ""
	}},
	{"key in smart quotes", onLine(has(`"X-Team"`), once(`"X-Team"`, "“X-Team”"))},
	{"backticks", onLine(stringPair, func(l string) string { return strings.ReplaceAll(l, `"`, "`") })},
	{"extra bracket", onLine(has(`= ["`, `"]`), lastReplace("]", "]]"))},
	{"arrow", onLine(stringPair, once(" = ", " => "))},
}

// repairRate breaks every config in every way, and in pairs of ways, and wants
// nearly all of them to come back as what was meant.
func repairRate(t *testing.T, format Format, configs []string, accidents []slip) {
	random := rand.New(rand.NewPCG(1, 2))
	type miss struct{ tried, missed int }
	missed := map[string]*miss{}
	tried, good, shown := 0, 0, 0
	check := func(name, config, broken string) {
		if broken == "" || broken == config {
			return
		}
		want, err := parseNode(config, format)
		if err != nil {
			t.Fatal(err)
		}
		if missed[name] == nil {
			missed[name] = &miss{}
		}
		tried++
		missed[name].tried++
		repaired := Repair(broken, format)
		got, err := parseNode(repaired.Text, format)
		if err == nil && reflect.DeepEqual(normal(got.Value()), normal(want.Value())) {
			good++
			for line := range strings.Lines(config) {
				if _, comment, ok := strings.Cut(line, "# "); ok && !strings.Contains(repaired.Text, strings.TrimSpace(comment)) {
					t.Errorf("%s: the comment %q is lost in\n%s", name, comment, repaired.Text)
				}
			}
			again := Repair(repaired.Text, format)
			if again.Text != repaired.Text {
				t.Errorf("%s: repairing twice changes\n%s\nto\n%s", name, repaired.Text, again.Text)
			}
			return
		}
		missed[name].missed++
		if shown++; shown <= 25 && testing.Verbose() {
			t.Logf("%s (%v):\n%s", name, err, lineDiff(config, broken, repaired.Text))
		}
	}
	for _, config := range configs {
		for i, one := range accidents {
			for range 3 {
				broken := one.cause(config, random.IntN)
				check(one.name, config, broken)
				other := accidents[random.IntN(len(accidents))]
				if broken != "" && other.name != accidents[i].name {
					check("pairs", config, other.cause(broken, random.IntN))
				}
			}
		}
	}
	singles := 0
	for name, m := range missed {
		if name != "pairs" {
			singles += m.missed
		}
		if m.missed > 0 {
			t.Logf("%-32s %d of %d missed", name, m.missed, m.tried)
		}
	}
	t.Logf("%d of %d come back as meant (%.1f %%), %d single accidents missed", good, tried, 100*float64(good)/float64(tried), singles)
	if good*100 < tried*95 {
		t.Errorf("fewer than 95 %%")
	}
}

func TestRepairTOMLBringsBackWhatWasMeant(t *testing.T) {
	repairRate(t, TOML, tomlConfigs, tomlAccidents)
}

func TestRepairTOMLLeavesValidTextAlone(t *testing.T) {
	is := is.New(t)
	for _, text := range tomlConfigs {
		repaired := Repair(text, TOML)
		is.NoErr(repaired.Err)
		is.Equal(repaired.Text, text)
		is.Equal(len(repaired.Mends), 0)
		is.Equal(len(repairTOML(text)), 0) // nor does the mending reader find anything in it
	}
}

// lineDiff shows the lines that differ from what was meant.
func lineDiff(config, broken, repaired string) string {
	var out strings.Builder
	meant := map[string]bool{}
	for line := range strings.Lines(config) {
		meant[line] = true
	}
	for sign, text := range map[string]string{"broken": broken, "repaired": repaired} {
		for line := range strings.Lines(text) {
			if !meant[line] {
				out.WriteString(sign + " | " + line)
			}
		}
	}
	return out.String()
}

func TestRepairTOML(t *testing.T) {
	for _, test := range []struct{ name, before, after string }{
		{"a path of valid escapes", "a = \"C:\\new\\tools\"\n", "a = \"C:\\\\new\\\\tools\"\n"},
		{"a path that ends with a backslash", "a = \"C:\\Users\\\"\nb = [\"C:\\dev\\\", \"c\"]\n", "a = \"C:\\\\Users\\\\\"\nb = [\"C:\\\\dev\\\\\", \"c\"]\n"},
		{"null", "[s]\na = null # none\nb = 1\n", "[s]\n# a = null # none\nb = 1\n"},
		{"quotes inside", "a = \"say \"hi\" now\"\n", "a = \"say \\\"hi\\\" now\"\n"},
		{"table over lines with a comment", "e = {\n  A = \"1\", # one\n  B = \"2\",\n}\n", "e = { A = \"1\", B = \"2\" } # one\n"},
		{"JSON below", "m = 1\n\n{\"s\": {\"a\": {\"command\": \"npx\",}}}\n", "m = 1\n\n[s.a]\ncommand = \"npx\"\n"},
		{"JSON alone", "{\"s\": {\"a\": {\"args\": []}}}", "[s.a]\nargs = []"},
		{"two servers of one name", "[s.a]\nx = 1\n[s.a]\nx = 2\n", "[s.a]\nx = 1\n[s.a-2]\nx = 2\n"},
		{"a key set twice", "x = 1\nx = 2\n", "# x = 1\nx = 2\n"},
		{"words between", "a = 1\nplease see below now\nb = 2\n", "a = 1\n# please see below now\nb = 2\n"},
		{"value on the next line", "a =\n  [1]\n", "a = [1]\n"},
		{"no value", "a =\nb = 1\n", "a =\"\"\nb = 1\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			is := is.New(t)
			repaired := Repair(test.before, TOML)
			is.NoErr(repaired.Err)
			is.Equal(repaired.Text, test.after)
		})
	}
}
