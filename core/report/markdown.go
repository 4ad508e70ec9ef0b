package report

import (
	"fmt"
	"strings"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/fix"
)

// Markdown shows a report for an issue tracker or a chat. What came from the
// input stands in fences and code spans only, so that nothing in it becomes a
// link, a mention, an image or markup.
func Markdown(r core.Report, src Source) string {
	var out strings.Builder
	if len(r.Diagnoses) == 0 {
		return "Nothing wrong found.\n"
	}
	d := r.Diagnoses[0]
	fmt.Fprintf(&out, "### %s\n\n", prose(d.Title))
	facts := []string{CodeSpan(d.Category)}
	if d.Code != "" {
		facts = append(facts, CodeSpan(d.Code))
	}
	if r.Client != "" {
		facts = append(facts, "client "+CodeSpan(r.Client))
	}
	if d.Server != "" {
		facts = append(facts, "server "+CodeSpan(d.Server))
	}
	facts = append(facts, fmt.Sprintf("%.0f %% sure", d.Confidence*100))
	fmt.Fprintf(&out, "%s\n\n", strings.Join(facts, " · "))
	if d.Explanation != "" {
		fmt.Fprintf(&out, "%s\n\n", prose(d.Explanation))
	}
	if len(d.Evidence) > 0 {
		out.WriteString("**Evidence**\n\n")
		var quotes []string
		for _, e := range telling(d.Evidence) {
			place := string(e.In)
			if e.In == core.InLog {
				place = fmt.Sprintf("%s, %s,", shown(e.File), shown(e.Time))
			}
			quotes = append(quotes, fmt.Sprintf("%s line %d: %s", place, e.Line, e.Quote))
		}
		out.WriteString(fenced("text", strings.Join(quotes, "\n")))
	}
	markdownRemedy(&out, r, src)
	if rest := r.Diagnoses[1:]; len(rest) > 0 {
		out.WriteString("**Also seen**\n\n")
		for i, d := range rest {
			if i == maxOthers {
				fmt.Fprintf(&out, "- %d more\n", len(rest)-i)
				break
			}
			fmt.Fprintf(&out, "- %s %s\n", CodeSpan(d.Code), prose(d.Title))
		}
		out.WriteString("\n")
	}
	return strings.TrimRight(out.String(), "\n") + "\n"
}

func markdownRemedy(out *strings.Builder, r core.Report, src Source) {
	d := r.Diagnoses[0]
	if d.SuggestedFix == "" && len(d.Fixes) == 0 {
		return
	}
	out.WriteString("**What to do**\n\n")
	if d.SuggestedFix != "" {
		fmt.Fprintf(out, "%s\n\n", prose(d.SuggestedFix))
	}
	for _, f := range d.Fixes {
		fmt.Fprintf(out, "- %s", prose(f.Title))
		if f.InstallCommand != "" {
			fmt.Fprintf(out, ": %s", CodeSpan(f.InstallCommand))
		}
		out.WriteString("\n")
	}
	if len(d.Fixes) > 0 {
		out.WriteString("\n")
		if lines := fixDiff(r, src, d.Fixes[0]); len(lines) > 0 {
			var text strings.Builder
			for _, l := range lines {
				fmt.Fprintf(&text, "%c %s\n", l.Sign, l.Text)
			}
			out.WriteString(fenced("diff", strings.TrimRight(text.String(), "\n")))
		}
	}
}

// fixDiff is the effect of a fix on the config, or nothing where it cannot be
// carried out. A patch is made for the config in a form that parses.
func fixDiff(r core.Report, src Source, f fix.Fix) []DiffLine {
	if !f.Applicable() || r.Config == nil {
		return nil
	}
	before := src.config()
	if len(f.Edits) == 0 && r.Config.Repaired != "" {
		before = r.Config.Repaired
	}
	after, err := f.Apply(before, r.Format)
	if err != nil {
		return nil
	}
	return Diff(before, after)
}

// fenced puts untrusted text into a code fence that is longer than any run of
// backticks inside.
func fenced(language, text string) string {
	text = SafeLines(config.Mask(text))
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	return fence + language + "\n" + text + "\n" + fence + "\n\n"
}

// CodeSpan puts untrusted text into a code span; it has no line break.
func CodeSpan(text string) string {
	text = shown(text)
	ticks := strings.Repeat("`", longestRun(text, '`')+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || text == "" {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// prose is a sentence of ours, which may quote a name from the input: whatever
// Markdown or a tracker would act on is escaped. Code spans of our own stay.
func prose(text string) string {
	parts := strings.Split(shown(text), "`")
	if len(parts)%2 == 0 { // an odd backtick belongs to the text
		return escapeMarkdown(strings.Join(parts, "'"))
	}
	for i := range parts {
		if i%2 == 0 {
			parts[i] = escapeMarkdown(parts[i])
		} else {
			parts[i] = "`" + parts[i] + "`"
		}
	}
	return strings.Join(parts, "")
}

func escapeMarkdown(s string) string {
	var out strings.Builder
	for i, r := range s {
		switch r {
		case '\\', '*', '_', '[', ']', '<', '>', '|', '~', '$':
			out.WriteByte('\\')
		case '#', '@':
			// A backslash does not stop a tracker from linking #1 or @name; a
			// zero-width joiner would be invisible. A code span does both.
			out.WriteString("`" + string(r) + "`")
			continue
		case '!':
			if strings.HasPrefix(s[i+1:], "[") {
				out.WriteByte('\\')
			}
		case ':':
			// A bare address would become a link.
			if strings.HasPrefix(s[i:], "://") {
				out.WriteByte('\\')
			}
		case '.':
			if i >= 3 && strings.EqualFold(s[i-3:i], "www") {
				out.WriteByte('\\')
			}
		}
		out.WriteRune(r)
	}
	return out.String()
}
