package lint

import (
	"strconv"

	"mcpmend/core/config"
)

var timeoutRules = []Rule{
	{
		Code: "MCP4331", Category: "config_shape", Severity: Warning,
		Title:  "{key|The time limit} looks like milliseconds, and {client|the client} counts seconds",
		Why:    "{value?% seconds are|Read as seconds, the number is} hours. Some clients cut it to their longest, others refuse it.",
		Remedy: "Write {want|the number of seconds}.",
		Before: Example{Client: "cline", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "timeout": 60000}}}`},
		After:  Example{Client: "cline", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "timeout": 60}}}`},
		server: func(p *pass, s *server) {
			p.times(s, config.Seconds, thousandfold)
		},
	},
	{
		Code: "MCP4332", Category: "timeout", Severity: Warning,
		Title:  "{key|The time limit} looks like seconds, and {client|the client} counts milliseconds",
		Why:    "{value?% milliseconds are|Read as milliseconds, the time is} over before any server has started.",
		Remedy: "Write {want|the number of milliseconds}.",
		Before: Example{Client: "gemini-cli", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "timeout": 60}}}`},
		After:  Example{Client: "gemini-cli", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "timeout": 60000}}}`},
		server: func(p *pass, s *server) {
			p.times(s, config.Milliseconds, func(n int) (int, bool) { return n * 1000, n > 0 && n <= 600 })
		},
	},
	{
		Code: "MCP4333", Category: "config_shape", Severity: Error,
		Title:  "{key|The number} is outside what {client|the client} allows",
		Why:    "The client checks the number against its bounds, {want|which it documents}, and refuses the entry.",
		Remedy: "Write a number within them.",
		Before: Example{Client: "roo-code", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "timeout": 7200}}}`},
		After:  Example{Client: "roo-code", Text: `{"mcpServers": {"notes": {"command": "notes-mcp", "timeout": 3600}}}`},
		server: func(p *pass, s *server) {
			for _, m := range members(s.Node) {
				f := p.client.Field(m.Name)
				if f == nil || f.Max == 0 || f.Effect >= config.Ignored || m.Value.Kind != config.Number {
					continue
				}
				n, err := strconv.Atoi(m.Value.Text)
				if err != nil || n >= f.Min && n <= f.Max {
					continue
				}
				if _, slip := thousandfold(n); slip && f.Unit == config.Seconds {
					continue // counted in another unit, which is told already
				}
				bound := max(f.Min, min(n, f.Max))
				p.report(&Finding{
					Pointer: s.at(m.Name), Span: m.Value.Span,
					Names: map[string]string{"key": m.Name, "value": m.Value.Text, "want": strconv.Itoa(f.Min) + " to " + strconv.Itoa(f.Max)},
					Fix:   Fix{Title: "Write " + strconv.Itoa(bound), Patch: config.Patch{replace(s.at(m.Name), bound)}},
				}, p.dialect(f.Certainty))
			}
		},
	},
}

// thousandfold tells whether a number of seconds looks like milliseconds.
func thousandfold(n int) (seconds int, slip bool) { return n / 1000, n >= 5000 && n%500 == 0 }

// times reports numbers of a unit that were counted in another.
func (p *pass) times(s *server, unit config.Unit, other func(int) (int, bool)) {
	for _, m := range members(s.Node) {
		f := p.client.Field(m.Name)
		if f == nil || f.Unit != unit || f.Effect >= config.Ignored || m.Value.Kind != config.Number {
			continue
		}
		n, err := strconv.Atoi(m.Value.Text)
		want, wrong := other(n)
		if err != nil || !wrong {
			continue
		}
		text := strconv.Itoa(want)
		p.report(&Finding{
			Pointer: s.at(m.Name), Span: m.Value.Span, Names: map[string]string{"key": m.Name, "value": m.Value.Text, "want": text},
			Fix: Fix{Title: "Write " + text, Patch: config.Patch{replace(s.at(m.Name), want)}},
		}, p.dialect(f.Certainty))
	}
}
