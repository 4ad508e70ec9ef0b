package wrap

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"mcpmend/core/config"
	"mcpmend/core/heal"
	"mcpmend/core/schema"
)

// checkArguments validates a tool call before it is sent. True lets it go on,
// perhaps with mended arguments; otherwise it has been seen to.
func (s *Session) checkArguments(c *call) bool {
	if c.state && s.resumeCorrection(c) {
		return false
	}
	mode := s.options.validation(c.tool)
	if mode == Off {
		return true
	}
	t := s.lookUp(c.tool)
	if t == nil {
		return true // the server knows best; its error will be explained
	}
	checker := t.compile(s)
	if checker == nil {
		return true
	}
	if checker.Accepts(c.args) {
		return true
	}
	result := checker.Explain(c.tool, c.args)
	switch {
	case result.Valid:
		return true
	case result.Error.Type == schema.InvalidSchema:
		s.log.Warn("the arguments could not be checked", "tool", c.tool, "reason", result.Error.Summary)
		return true
	case mode == Advise:
		s.log.Info("arguments do not fit the schema; passed on", "tool", c.tool, "issues", len(result.Error.Issues))
		return true
	case result.RepairedValid:
		s.log.Info("mended arguments", "tool", c.tool, "mends", result.Repairs)
		s.options.Metrics.count("repairs")
		s.replaceArguments(c, result.Repaired)
		return true
	}
	r := rejection{
		kind: heal.ArgumentFailure, reach: heal.Rejected, message: result.Error.Summary, issues: result.Error.Issues, structured: result.Error,
		text: result.Error.Markdown(s.failedBefore(c.tool)), schema: t.schema,
	}
	for _, issue := range result.Error.Issues {
		r.message += "\n" + issue.Field + ": " + issue.Problem + " " + issue.Expected
	}
	s.reject(c, r)
	return false
}

// lookUp finds a tool, reading the list if the client never did.
func (s *Session) lookUp(name string) *tool {
	if t := s.tools.get(name); t != nil {
		return t
	}
	s.mu.Lock()
	up := s.up
	begun := s.hand.initialized != nil || s.hand.meta != nil
	// Not up.ready, which it may become a moment after the client was answered.
	greeted := up != nil && up.greeted && !up.unlisted
	s.mu.Unlock()
	if _, all := s.tools.known(); all || !greeted || !begun {
		return nil
	}
	s.fetchTools(up)
	return s.tools.get(name)
}

// replaceArguments changes the arguments of a call and nothing else of it.
func (s *Session) replaceArguments(c *call, arguments []byte) {
	if c.args != nil {
		c.raw = splice(c.raw, c.args, arguments)
	} else {
		params := member(c.raw, "params")
		with := append([]byte(`{"arguments":`), arguments...)
		if strings.TrimSpace(string(params[1:])) != "}" {
			with = append(with, ',')
		}
		c.raw = splice(c.raw, params[:1], with)
	}
	c.changed = true
	m, err := scan(c.raw)
	if err != nil {
		panic("a mended message is no message: " + err.Error())
	}
	c.id, c.args = m.id, member(m.params, "arguments")
}

// failedBefore tells whether the last call of a tool was rejected too: then
// the short text was not enough.
func (s *Session) failedBefore(tool string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.faults) > maxTools {
		clear(s.faults)
	}
	s.faults[tool]++
	return s.faults[tool] > 1
}

// toolFailed handles a tool's error: it is passed on as it is, or with an
// explanation, or the call is made once more with corrected arguments.
func (s *Session) toolFailed(up *upstream, c *call, m message) {
	code, words := faultOf(m)
	kind := heal.KindOf(code, words)
	t := s.tools.get(c.tool)
	names, all := s.tools.known()
	switch {
	case t == nil && all && lacksTool(code, c.tool, words):
		s.answer(c, unknownTool(c, m, names), "tool_error")
	case c.fix != nil:
		s.options.Metrics.count("corrections_failed")
		s.answer(c, s.failedTwice(c, m, kind, words), "tool_error")
	case t == nil || c.state || s.options.validation(c.tool) == Off && s.options.Corrector == nil:
		s.answer(c, m.raw, "tool_error")
	case kind == heal.ArgumentFailure:
		reach := heal.Sent
		if code == -32602 {
			reach = heal.Rejected
		}
		r := rejection{kind: kind, reach: reach, message: words, original: slices.Clone(m.raw), schema: t.schema}
		if checker := t.compile(s); checker != nil && s.options.validation(c.tool) != Off {
			s.enrich(c, checker, words, &r)
		}
		s.reject(c, r)
	case slices.Contains(s.options.Retry.Retryable, kind):
		s.reject(c, rejection{kind: kind, reach: heal.Sent, message: words, original: slices.Clone(m.raw), schema: t.schema})
	default:
		s.answer(c, m.raw, "tool_error")
	}
}

// enrich adds what the schema says to the server's own error.
func (s *Session) enrich(c *call, checker *schema.Schema, words string, r *rejection) {
	full := s.failedBefore(c.tool)
	documentation := checker.Documentation()
	explained := checker.Explain(c.tool, c.args).Error
	fits := explained == nil || explained.Type != schema.Validation
	if fits && r.reach == heal.Rejected {
		return // a protocol error about something else stays what it is
	}
	if fits {
		explained = &schema.Error{
			Type: schema.Validation, Summary: "The server rejected the arguments, which fit the schema.",
			Issues: []schema.Issue{}, Suggestions: []string{}, Schema: &documentation, ValidExample: checker.Example(),
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "The server rejected the arguments. Its own words:\n\n%s\n", quoteLines(words))
	if len(explained.Issues) > 0 {
		fmt.Fprintf(&b, "\n%s", explained.Markdown(full))
	} else {
		fmt.Fprintf(&b, "\nThe arguments fit the tool's schema, so the rule is one that the schema does not state.")
		if len(explained.ValidExample) > 0 {
			fmt.Fprintf(&b, "\nA call that fits the schema:\n\n%s\n", explained.ValidExample)
		}
	}
	r.text, r.structured, r.issues = b.String(), explained, explained.Issues
}

// quoteLines shows foreign text as a quotation, masked, bounded and harmless.
func quoteLines(text string) string {
	return "> " + plain(config.Mask(text), 2000)
}

// faultOf reads the code and the words of a tool's error.
func faultOf(m message) (code int, words string) {
	if m.fault != nil {
		var e struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		}
		if err := json.Unmarshal(m.fault, &e); err != nil {
			return 0, string(m.fault)
		}
		return e.Code, e.Message
	}
	parts, err := elements(member(m.result, "content"))
	if err != nil {
		return 0, ""
	}
	var b strings.Builder
	for _, part := range parts {
		if b.Len() > 8<<10 {
			break
		}
		if t := text(member(part, "text")); t != "" {
			b.WriteString(t + "\n")
		}
	}
	return 0, strings.TrimSpace(b.String())
}

// lacksTool tells whether an error for a tool that is not listed says that there
// is none, by its code or in the words of libraries. Such a tool may be there
// all the same, and fail in its own way.
func lacksTool(code int, tool, words string) bool {
	if code == codeInvalidParams || code == codeUnknownMethod {
		return true
	}
	words = strings.ToLower(words)
	return strings.Contains(words, strings.ToLower(tool)) &&
		(strings.Contains(words, "not found") || strings.Contains(words, "unknown tool") || strings.Contains(words, "no such tool"))
}

// unknownTool adds the nearest names to an error about a tool that the server
// does not list.
func unknownTool(c *call, m message, known []string) []byte {
	near := schema.NearestNames(c.tool, known)
	hint := "The server lists no such tool."
	switch {
	case len(near) > 0:
		hint += " The nearest names are: " + strings.Join(near, ", ") + "."
	case len(known) > 0:
		near = known[:min(len(known), 20)]
		hint += " It has: " + strings.Join(near, ", ") + "."
	}
	code, words := faultOf(m)
	ours := map[string]any{"outcome": heal.NotRun, "nearest": near}
	if m.fault == nil {
		return resultMessage(m.id, toolError(c.modern, words+"\n"+hint, map[string]any{"mcpmend": ours}))
	}
	ours["untrusted"] = json.RawMessage(m.fault)
	return errorMessage(m.id, rpcError{Code: code, Message: words + "\n" + hint, Data: map[string]any{"mcpmend": ours}})
}
