package config

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// FuzzParseYAML looks for a crash, a wrong range, and a text that yaml.v3
// reads otherwise than we do.
func FuzzParseYAML(f *testing.F) {
	for _, text := range yamlDocuments {
		f.Add(text)
	}
	for _, text := range []string{
		"a: &a {b: *a}", "a: &a\n  <<: *a\n", "a: !!binary aGk=\nb: !!python/object x\nc: !!js/function 'x'\n",
		"a: yes\nb: 0o17\nc: 1_000\nno: 1\n", "a:\n\t- b\r\n  - c\n\ufeffd: 1\n", "- |+\n\n\n- >2-\n   x\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		root, err := parseYAML(text)
		if err != nil {
			return
		}
		if !refereeCannot(text) {
			checkYAMLRanges(t, text, root)
			want, err := refereeYAML(text)
			if errors.Is(err, errReferee) {
				return
			}
			if err != nil {
				t.Fatalf("we read %q as %v, yaml.v3 refuses: %v", text, normal(root.Value()), err)
			}
			if got := normal(root.Value()); !reflect.DeepEqual(got, normal(want)) {
				t.Fatalf("%q: we read %v, yaml.v3 %v", text, got, normal(want))
			}
		}
	})
}

// refereeCannot names where yaml.v3 follows YAML 1.1, or libyaml's habits, and
// we the newer text: it is no judge there.
func refereeCannot(text string) bool {
	for _, mark := range []string{"\u0085", "\u2028", "\u2029", "\ufeff", "%", "...", "!", "?", "\t", "\r", "---", ":,", ":[", ":]", ":{", ":}", `\/`, "\\\n", "0O", "0X", "0B", "0o+", "0o-", "0b+", "0b-"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	// 017 is seventeen in YAML 1.2, fifteen before.
	for i := 0; i+1 < len(text); i++ {
		if text[i] == '0' && (isDigit(text[i+1]) || text[i+1] == '_') && (i == 0 || !isTOMLBare(text[i-1]) || text[i-1] == '-') {
			return true
		}
	}
	return false
}

func FuzzRepairYAML(f *testing.F) {
	for _, text := range append([]string{"a:\n\t- b\r\n  - c\n\ufeffd: 1\n", "a: [", "{", "- - -", "|", "? ", "a: &a *a", "&", "*", "!!", "%"}, yamlConfigs...) {
		f.Add(text)
	}
	for i, slip := range yamlAccidents {
		f.Add(slip.cause(yamlConfigs[i%len(yamlConfigs)], func(int) int { return 0 }))
	}
	f.Fuzz(func(t *testing.T, text string) { checkRepair(t, text, YAML) })
}

func FuzzApplyYAML(f *testing.F) {
	for _, text := range yamlConfigs {
		f.Add(text, "/mcpServers/x", `{"command":"npx"}`, uint8(0))
		f.Add(text, "/mcpServers/0/args/-", `"x"`, uint8(0))
	}
	for _, text := range yamlDocuments {
		f.Add(text, "/a", `"x"`, uint8(2))
		f.Add(text, "/a/b", `[1,{"x":"y\nz"}]`, uint8(0))
		f.Add(text, "/a/0", `[]`, uint8(1))
	}
	f.Fuzz(func(t *testing.T, text, path, value string, kind uint8) { checkApply(t, text, YAML, path, value, kind) })
}
