package config

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// seeds are small forms of everything that has been trouble.
func seeds(f *testing.F) {
	for _, text := range hostile() {
		if len(text) > 4096 {
			text = text[:4096]
		}
		f.Add(text)
	}
	for _, text := range append(soundConfigs, "\"0\".\x120", `"";#`, "\xff\xfe{") {
		f.Add(text)
	}
	for _, p := range pastes {
		f.Add(p.broken)
	}
	for _, p := range planted {
		f.Add(strings.Replace(p.text, "%s", p.secret, 1))
	}
}

func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := Parse(text, Options{Format: JSON})
		if err != nil {
			return
		}
		var inside func(n *Node, s Span)
		inside = func(n *Node, s Span) {
			if n.Start < s.Start || n.End > s.End || n.Start >= n.End {
				t.Fatalf("%v lies outside of %v", n.Span, s)
			}
			for _, e := range n.Elements {
				inside(e, n.Span)
			}
			for _, m := range n.Members {
				if m.Key.Start < n.Start || m.Key.End > m.Value.Start {
					t.Fatalf("key %v of value %v", m.Key, m.Value.Span)
				}
				inside(m.Value, n.Span)
			}
		}
		inside(doc.Root, Span{0, len(text)})
	})
}

func FuzzRepair(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		got := Repair(text, JSON)
		if got.Err != nil {
			if got.Text != text || got.Mends != nil {
				t.Fatal("not repaired, but changed")
			}
			return
		}
		if _, err := parseJSON(got.Text); err != nil {
			t.Fatalf("%v in %q", err, got.Text)
		}
		if len(got.Mends) == 0 && got.Text != text {
			t.Fatal("changed without a mend")
		}
		edits := make([]Edit, len(got.Mends))
		for i, m := range got.Mends {
			edits[i] = m.Edit
			if m.Why == "" {
				t.Fatalf("%s has no reason", m.Kind)
			}
		}
		if text, err := Edited(text, edits); err != nil || text != got.Text {
			t.Fatalf("the mends do not lead to the text: %v", err)
		}
		if again := Repair(got.Text, JSON); again.Text != got.Text {
			t.Fatalf("%q\nrepairs again to\n%q", got.Text, again.Text)
		}
	})
}

func FuzzApply(f *testing.F) {
	for _, text := range soundConfigs {
		f.Add(text, "add", "/mcpServers/x", "", `{"command": "y", "args": ["z"]}`)
		f.Add(text, "remove", "/mcpServers", "", "")
		f.Add(text, "move", "/x", "/mcpServers/github", "")
		f.Add(text, "replace", "", "", `[]`)
	}
	f.Add("[1, 2, /* x */ 3,]", "remove", "/1", "", "")
	f.Add("{ // x\n}", "add", "/a", "", "{}")
	f.Fuzz(func(t *testing.T, text, op, path, from, value string) {
		if !utf8.ValidString(path) {
			return // JSON has no such name
		}
		same, edits, err := Apply(text, JSONC, nil)
		if len(text) <= MaxSize && (err != nil || same != text || len(edits) > 0) {
			t.Fatal("an empty patch changed something")
		}
		after, edits, err := Apply(text, JSONC, Patch{{Op: op, Path: path, From: from, Value: []byte(value)}})
		if err != nil {
			return
		}
		root, err := parseJSON(after)
		if err != nil {
			t.Fatalf("%v in %q", err, after)
		}
		if again, err := Edited(text, edits); err != nil || again != after {
			t.Fatalf("the edits do not lead to the text: %v", err)
		}
		before, _ := parseJSON(text)
		if op == "remove" && before.unique() && root.At(path) != nil && root.At(path[:strings.LastIndexByte(path, '/')]).Kind == Object {
			t.Fatalf("%s is still in %q", path, after)
		}
		if op == "add" && !strings.HasSuffix(path, "/-") && root.At(path) == nil {
			t.Fatalf("%s is not in %q", path, after)
		}
	})
}

func FuzzMask(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		once := Mask(text)
		if twice := Mask(once); twice != once {
			t.Fatalf("%q\nmasks to %q\nmasks to %q", text, once, twice)
		}
		MaskValue("TOKEN", text)
		MaskValue(text, "value")
	})
}
