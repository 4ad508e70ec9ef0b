package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Bounds of the text. The object has everything; the text says what it left
// out.
const (
	maxIssues         = 5
	maxIssuesFull     = 20
	maxExampleText    = 2_000
	maxTextProperties = 40
)

// Markdown gives the error as text: the issues and an example, or with full
// also the documentation of the schema. Quoted values stand in code spans, so
// that nothing in them is read as markup.
func (e *Error) Markdown(full bool) string {
	var out strings.Builder
	fmt.Fprintf(&out, "**%s**\n", markdownText(e.Summary))
	if e.Type == Validation {
		out.WriteString("\nThe tool was not run: its arguments were checked before. This message is not from the user.\n")
	}
	e.writeIssues(&out, full)
	if full && e.Schema != nil {
		out.WriteString("\n## Tool schema\n\n")
		e.Schema.write(&out)
	}
	if len(e.Suggestions) > 0 && (full || len(e.Issues) > 1 || e.Type == InvalidSchema) {
		out.WriteString("\n## Suggestions\n\n")
		for _, suggestion := range e.Suggestions {
			fmt.Fprintf(&out, "- %s\n", markdownText(suggestion))
		}
	}
	if len(e.ValidExample) > 0 {
		out.WriteString("\n## Valid example\n\n")
		out.WriteString(fenced(e.ValidExample))
	}
	return out.String()
}

func (e *Error) writeIssues(out *strings.Builder, full bool) {
	limit := maxIssues
	if full {
		limit = maxIssuesFull
	}
	out.WriteString("\n## Issues found\n\n")
	for i, issue := range e.Issues {
		if i == limit {
			fmt.Fprintf(out, "\n%s not shown here; correct these first.\n", noun{"more issue is", "more issues are"}.count(len(e.Issues)-i))
			break
		}
		field := issue.Field
		if field == "" {
			field = "(the whole)"
		}
		fmt.Fprintf(out, "%d. %s: %s\n", i+1, CodeSpan(field), markdownText(issue.Problem))
		if len(issue.Received) > 0 {
			fmt.Fprintf(out, "   - Received: %s\n", CodeSpan(string(issue.Received)))
		}
		fmt.Fprintf(out, "   - Expected: %s\n", markdownText(issue.Expected))
		fmt.Fprintf(out, "   - Fix: %s\n", markdownText(issue.Fix))
	}
}

// Markdown gives the documentation as text, with an example.
func (d Documentation) Markdown() string {
	var out strings.Builder
	out.WriteString("## Tool schema\n\n")
	d.write(&out)
	if len(d.Examples) > 0 {
		out.WriteString("\n## Valid example\n\n")
		out.WriteString(fenced(d.Examples[0]))
	}
	return out.String()
}

func (d Documentation) write(out *strings.Builder) {
	if d.Description != "" {
		fmt.Fprintf(out, "%s\n\n", markdownText(oneLine(d.Description, 400)))
	}
	if len(d.Required) > 0 {
		fmt.Fprintf(out, "Required: %s\n\n", markdownText(joinAnd(quoteAll(d.Required))))
	} else {
		out.WriteString("Required: nothing\n\n")
	}
	left := maxTextProperties
	d.Properties.write(out, "", &left)
	if left < 0 {
		fmt.Fprintf(out, "- %s not shown here.\n", noun{"more property is", "more properties are"}.count(-left))
	}
}

func (p Properties) write(out *strings.Builder, indent string, left *int) {
	for _, property := range p {
		if *left--; *left < 0 {
			continue
		}
		fmt.Fprintf(out, "%s- %s (%s", indent, CodeSpan(property.Name), markdownText(property.Type))
		if property.Required {
			out.WriteString(", required")
		}
		out.WriteString(")")
		if property.Description != "" {
			fmt.Fprintf(out, ": %s", markdownText(oneLine(property.Description, 200)))
		}
		out.WriteByte('\n')
		if len(property.Constraints) > 0 {
			fmt.Fprintf(out, "%s  - Constraints: %s\n", indent, markdownText(strings.Join(property.Constraints, "; ")))
		}
		if len(property.Examples) > 0 && len(property.Properties) == 0 {
			fmt.Fprintf(out, "%s  - Example: %s\n", indent, CodeSpan(cut(string(property.Examples[0]), 200)))
		}
		property.Properties.write(out, indent+"  ", left)
	}
}

func oneLine(text string, length int) string {
	return cut(strings.Join(strings.Fields(text), " "), length)
}

// markdownText makes a sentence safe: quoted parts, which are JSON strings or
// patterns, become code spans, and markup outside them is escaped.
func markdownText(text string) string {
	var out strings.Builder
	for len(text) > 0 {
		start, end := quotedPart(text)
		if start < 0 {
			break
		}
		out.WriteString(escapeMarkdown(text[:start]))
		out.WriteString(CodeSpan(text[start:end]))
		text = text[end:]
	}
	out.WriteString(escapeMarkdown(text))
	return out.String()
}

// quotedPart finds the next JSON string, or the pattern after "matching",
// "matches" or "the pattern".
func quotedPart(text string) (start, end int) {
	start, end = -1, -1
	if at := strings.IndexByte(text, '"'); at >= 0 {
		for i := at + 1; i < len(text); i++ {
			if text[i] == '\\' {
				i++
			} else if text[i] == '"' {
				start, end = at, i+1
				break
			}
		}
	}
	for _, lead := range []string{"matching ", "matches ", "the pattern "} {
		if at := strings.Index(text, lead); at >= 0 && (start < 0 || at < start) {
			from := at + len(lead)
			to := len(text)
			for _, stop := range []string{". ", ", ", "; ", " and ", " or ", " that is "} {
				if next := strings.Index(text[from:], stop); next >= 0 {
					to = min(to, from+next)
				}
			}
			pattern := strings.TrimSuffix(text[from:to], ".")
			if pattern != "" {
				return from, from + len(pattern)
			}
		}
	}
	return start, end
}

// CodeSpan quotes text, by more backticks than it has in a row.
func CodeSpan(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, text)
	fence := strings.Repeat("`", longestRun(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") || text == "" {
		text = " " + text + " "
	}
	return fence + text + fence
}

func longestRun(text string) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}

var markdownEscapes = strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "<", "&lt;", "[", "\\[", "]", "\\]",
	"\n", " ", "\r", " ", "|", "\\|")

// escapeMarkdown escapes markup. A mention or a reference to an issue has no
// escape, so its sign goes into a code span.
func escapeMarkdown(text string) string {
	var out strings.Builder
	last := byte(' ')
	for i := range len(text) {
		c := text[i]
		if (c == '@' || c == '#') && !('a' <= last|0x20 && last|0x20 <= 'z' || '0' <= last && last <= '9') {
			out.WriteString(markdownEscapes.Replace(text[:i]) + "`" + string(c) + "`")
			return out.String() + escapeMarkdown(text[i+1:])
		}
		last = c
	}
	return markdownEscapes.Replace(text)
}

// fenced puts JSON into a code block, on several lines and cut when long.
func fenced(text json.RawMessage) string {
	var indented bytes.Buffer
	if json.Indent(&indented, text, "", "  ") != nil {
		return ""
	}
	body, note := indented.String(), ""
	if len(body) > maxExampleText {
		body, note = cut(body, maxExampleText), "\nThe example is cut here; the structured form has all of it.\n"
	}
	fence := strings.Repeat("`", max(3, longestRun(body)+1))
	return fence + "json\n" + body + "\n" + fence + "\n" + note
}
