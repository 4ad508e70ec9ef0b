package probe

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"unicode/utf8"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/fix"
	"mcpmend/core/schema"
)

// Verdict puts everything that a probe saw before core.Examine, beside what is
// known of the server's config, and gives one root cause. A server that works
// may still have something to be warned of: noise on its stdout, tools that the
// client refuses.
func Verdict(r *Result, in core.Input) core.Report {
	in.Text, in.Probed = r.Text(), true
	if !r.OK() {
		return core.Examine(in)
	}
	report := core.Report{Version: core.Version, Client: in.Client, Diagnoses: []core.Diagnosis{}}
	if r.Noise != "" {
		report = core.Examine(in)
		report.Diagnoses = onlyNoise(report.Diagnoses)
	}
	report.Diagnoses = append(report.Diagnoses, refusedTools(r, in.Server, in.Client)...)
	return report
}

// refusedTools warns of tools that the client, or any client, would refuse: one
// diagnosis a rule, about the first tool that it is found in.
func refusedTools(r *Result, server, client string) []core.Diagnosis {
	var all []core.Diagnosis
	for _, tool := range r.Tools {
		input, err := json.Marshal(tool.InputSchema)
		if err != nil {
			continue // it came as JSON, so this cannot be
		}
		if client == "" {
			client = config.Generic().ID // of which no rule knows anything special
		}
		for _, f := range schema.LintTool(schema.Tool{Name: tool.Name, Description: tool.Description, InputSchema: input}, client) {
			known := slices.ContainsFunc(all, func(d core.Diagnosis) bool { return d.Code == f.Code })
			if f.Severity != string(core.Error) || known {
				continue
			}
			all = append(all, core.Diagnosis{
				Code: f.Code, Category: "invalid_schema", Severity: core.Warning, Server: server,
				Title: f.Title, OriginalError: f.Tool + f.Pointer + ": " + f.Detail, SuggestedFix: f.Remedy, Confidence: 0.9,
				Names: map[string]string{"tool": f.Tool}, Symptoms: []string{}, Evidence: []core.Evidence{}, Fixes: []fix.Fix{},
			})
		}
	}
	return all
}

// onlyNoise keeps what a working server can still be warned of.
func onlyNoise(all []core.Diagnosis) []core.Diagnosis {
	kept := []core.Diagnosis{}
	for _, d := range all {
		if d.Category == "stdout_pollution" {
			d.Severity = core.Warning
			kept = append(kept, d)
		}
	}
	return kept
}

// surroundings are the causes that end a server whatever it is asked.
var surroundings = []string{
	"command_not_found", "package_not_found", "module_missing", "runtime_version", "path_not_found", "permission_denied",
	"missing_env_var", "auth_failed", "connection_refused", "network_unreachable", "tls_failed", "port_in_use", "container_unavailable",
}

// endsAnyway says whether a server's last words name a cause in its
// surroundings, so that starting it once more would show the same.
func endsAnyway(stderr string) bool {
	report := core.Examine(core.Input{Text: stderr})
	return len(report.Diagnoses) > 0 && slices.Contains(surroundings, report.Diagnoses[0].Category)
}

// Text is what was seen, as a log: what the server printed, what the transport
// said, and how it ended, in the words that clients use.
func (r *Result) Text() string {
	var out strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	if noise := strings.TrimSpace(r.Noise); noise != "" {
		first, _, _ := strings.Cut(noise, "\n")
		if len(first) > 60 {
			first = first[:60]
		}
		letter, _ := utf8.DecodeRuneInString(first)
		quoted, _ := json.Marshal(strings.ToValidUTF8(first, "\uFFFD")) // a string always encodes
		say("SyntaxError: Unexpected token '%c', %s is not valid JSON", letter, quoted)
		say("%s", noise)
	}
	if stderr := strings.TrimSpace(r.Stderr); stderr != "" {
		say("%s", stderr)
	}
	if r.HTTP != nil {
		say("HTTP %d from %s", r.HTTP.Status, r.HTTP.URL)
		if r.HTTP.page() {
			say("Unexpected content type: text/html")
		}
		if challenge := r.HTTP.Header.Get("WWW-Authenticate"); challenge != "" {
			say("WWW-Authenticate: %s", challenge)
		}
		if body := strings.TrimSpace(r.HTTP.Body); body != "" {
			say("%s", body)
		}
	}
	switch {
	case r.OK():
	case r.Speaks != "":
		say("Error POSTing to endpoint: %v", r.Err)
	case r.Exit != nil && r.Stage != PhaseStart:
		say("MCP error -32000: Connection closed")
		say("Server process ended with %s before it answered", r.Exit)
	case r.TimedOut:
		say("MCP error -32001: Request timed out: the server did not respond within the time limit")
	default:
		say("%s", plain(r.Err))
	}
	out.WriteString(r.Heard)
	return out.String()
}

// plain is an error without the layers that the SDK puts around it. What the
// network says keeps its address.
func plain(err error) string {
	var op *net.OpError
	if errors.As(err, &op) {
		return op.Error()
	}
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		if len(inner.Error()) < 8 {
			return err.Error()
		}
		err = inner
	}
}
