package lint

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"mcpmend/core/config"
)

// failure is one real case of the corpus beside the repository.
type failure struct {
	ID, Client, OS, Config, Label string
	Also                          []string
}

func corpus(t *testing.T) []failure {
	t.Helper()
	file, err := os.Open("../../../shared/corpus/triage.jsonl")
	if err != nil {
		t.Skip("the corpus is not beside the repository:", err)
	}
	defer file.Close()
	var list []failure
	for lines := bufio.NewReader(file); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return list
		}
		var f failure
		if err := json.Unmarshal(line, &f); err != nil {
			t.Fatal(err)
		}
		if f.Config != "" {
			list = append(list, f)
		}
	}
}

// id finds the client of a case in the table, or gives "".
func (f failure) id() string {
	name := strings.ToLower(strings.NewReplacer("_", "", " ", "", "-", "").Replace(f.Client))
	for _, c := range config.Clients() {
		if strings.ReplaceAll(c.ID, "-", "") == name {
			return c.ID
		}
	}
	return map[string]string{
		"lmstudio": "lm-studio", "roo": "roo-code", "jetbrainscopilot": "copilot-other-ides", "jetbrains": "jetbrains-ai",
		"jetbrainsaiassistant": "jetbrains-ai", "amazonqcli": "amazon-q", "altimatecode(opencode)": "opencode",
	}[name]
}

// TestCorpus counts on real failures how often the config alone shows what is
// wrong, and how often lint would blame the config where something else is.
func TestCorpus(t *testing.T) {
	right, all, wrong, others := 0, 0, 0, 0
	for _, f := range corpus(t) {
		repaired := config.Repair(f.Config, "")
		client := f.id()
		doc, err := config.Parse(repaired.Text, config.Options{Client: client, Format: repaired.Format})
		var found []Finding
		o := Options{OS: strings.Replace(f.OS, "unknown", "", 1)}
		if err == nil {
			found = Check(doc, o)
			if len(entries(doc)) > 0 { // else it is no config at all
				found = append(Syntax(repaired, doc.Client, o), found...)
			}
		}
		fair := append(f.Also, f.Label)
		var said []string
		ok, blamed := false, ""
		for _, x := range found {
			said = append(said, x.Rule.Code+"/"+string(x.Severity)+"/"+x.Rule.Category)
			ok = ok || slices.Contains(fair, x.Rule.Category) && x.Severity != Note
			if x.Severity == Error && !slices.Contains(fair, x.Rule.Category) {
				blamed = x.Rule.Code
			}
		}
		if f.Label == "config_shape" || f.Label == "config_syntax" {
			all++
			if ok {
				right++
			} else {
				t.Logf("%s %s (%s): %v", f.ID, f.Label, client, said)
			}
			continue
		}
		others++
		if blamed != "" {
			wrong++
			t.Logf("%s is %v, blamed on %s (%s)", f.ID, fair, blamed, client)
		}
	}
	t.Logf("%d of %d config failures are seen in the config; %d of %d others are blamed on it", right, all, wrong, others)
	if right*10 < all*7 {
		t.Error("fewer than seven in ten")
	}
	if wrong*10 > others {
		t.Error("more than one in ten")
	}
}
