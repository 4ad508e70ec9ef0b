package serve

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcpmend/core/config"
	"mcpmend/core/heal"
	"mcpmend/native/doctor"
	"mcpmend/native/install"
)

type configureArguments struct {
	Name     string            `json:"name"`
	Client   string            `json:"client"`
	Command  string            `json:"command"`
	Args     []string          `json:"args"`
	Env      map[string]string `json:"env"`
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers"`
	Registry string            `json:"registry"`
	DryRun   *bool             `json:"dry_run"`
}

// configured is the answer of configure_server.
type configured struct {
	State     doctor.State  `json:"state"`
	Why       string        `json:"why"`
	Written   bool          `json:"written"`
	DryRun    bool          `json:"dry_run"`
	File      string        `json:"file"`
	Client    string        `json:"client"`
	Tools     int           `json:"tools"`
	Needs     []need        `json:"needs"`
	Notes     []config.Loss `json:"notes"`
	Diagnoses []diagnosis   `json:"diagnoses"`
	Healing   record        `json:"healing"`
	Diff      []string      `json:"diff"`
	NextStep  string        `json:"next_step"`
	Stderr    string        `json:"untrusted_stderr"`
}

type need struct {
	Name        string `json:"name"`
	Secret      bool   `json:"secret"`
	Description string `json:"untrusted_description"`
}

// configureServer writes a new server into a client's config: what was asked
// for if it works, what it was healed to if it did not.
func (c *call) configureServer(in configureArguments) (answer, error) {
	server, needs, vouchedFor, err := c.wanted(in)
	if err != nil {
		return answer{}, err
	}
	l, err := c.server.roster.List(in.Client)
	if err != nil {
		return answer{}, err
	}
	d := l.Doctor
	d.Timeout = c.server.options.Timeout
	client := config.ClientByID(in.Client)
	addition, err := d.Add(client, server)
	if err != nil {
		return answer{}, err
	}
	subject := addition.Subject
	out := configured{DryRun: dry(in.DryRun), File: safe(subject.File.Path), Client: client.ID, Needs: needs,
		Notes: append([]config.Loss{}, addition.Notes...), Diagnoses: []diagnosis{}, Healing: recordOf(heal.Record{}, ""),
		Diff: diffLines(subject.File.Text, addition.After)}
	if out.DryRun {
		out.State = doctor.NotStarted
		out.Why = "a dry run starts and writes nothing"
		return answer{out.text(in.Name), out}, nil
	}
	if len(needs) > 0 {
		return answer{}, missingArgument("env", "values for "+names(needs), "Ask the user for "+names(needs)+" and send them in env, or in headers for a remote server.")
	}
	agreed := ""
	if !vouchedFor {
		text := fmt.Sprintf("Start this server, and if it works write it to %s, the config of %s?\n\n%s\n\n%s",
			out.File, client.Name, launch(subject), strings.Join(out.Diff, "\n"))
		if err := c.agree(question{text: text}); err != nil {
			return answer{}, err
		}
		agreed = addition.After
	}
	healed, err := c.tryFixes(d, subject, c.watch(map[string]string{subject.Fingerprint: in.Name}))
	if err != nil {
		return answer{}, err
	}
	h := healthOf(serverView{Name: in.Name, Client: client.ID}, healed.Outcome)
	c.finish(d, healed, basis{vouchedFor, agreed}, &h)
	out.State, out.Why, out.Tools, out.Diagnoses, out.Healing = h.State, h.Why, h.Tools, h.Diagnoses, h.Healing
	out.Written, out.NextStep, out.Stderr = h.Written, h.NextStep, h.Stderr
	if len(h.Diff) > 0 {
		out.Diff = h.Diff
	}
	return answer{out.text(in.Name), out}, nil
}

// wanted is the server that a call asks for, and whether the catalogue or the
// registry vouches for it.
func (c *call) wanted(in configureArguments) (config.Server, []need, bool, error) {
	given := 0
	for _, word := range []string{in.Command, in.URL, in.Registry} {
		if word != "" {
			given++
		}
	}
	if given != 1 {
		return config.Server{}, nil, false, missingArgument("command", "one of command, url and registry", "Send exactly one of command, url and registry.")
	}
	s := config.Server{Transport: config.Stdio, Command: in.Command, Args: in.Args}
	needs := []need{}
	vouchedFor := false
	switch {
	case in.URL != "":
		s = config.Server{Transport: config.HTTP, URL: in.URL}
	case in.Registry != "":
		c.progress("asking the registry")
		recipe, err := c.server.options.Registry.Look(c.ctx, in.Registry)
		if err != nil {
			return s, nil, false, err
		}
		s = recipe.Server
		for _, n := range recipe.Required {
			if in.Env[n.Name] == "" && in.Headers[n.Name] == "" {
				needs = append(needs, needOf(n))
			}
		}
		// A variable that the registry does not know can turn a known server
		// into another one: NODE_OPTIONS is enough.
		vouchedFor = onlyNamed(recipe, in.Env) && onlyNamed(recipe, in.Headers)
	}
	s.Name = in.Name
	s.Env = append(s.Env, pairs(in.Env)...)
	s.Headers = append(s.Headers, pairs(in.Headers)...)
	return s, needs, vouchedFor || in.Registry == "" && vouched(s), nil
}

func needOf(n install.Need) need {
	return need{Name: safe(n.Name), Secret: n.Secret, Description: untrusted(n.Description)}
}

func onlyNamed(r install.Recipe, given map[string]string) bool {
	for name := range given {
		if !slices.ContainsFunc(r.Required, func(n install.Need) bool { return n.Name == name }) {
			return false
		}
	}
	return true
}

func pairs(values map[string]string) []config.Variable {
	var list []config.Variable
	for _, name := range slices.Sorted(maps.Keys(values)) {
		list = append(list, config.Variable{Name: name, Value: values[name]})
	}
	return list
}

func names(needs []need) string {
	var all []string
	for _, n := range needs {
		all = append(all, n.Name)
	}
	return strings.Join(all, ", ")
}

// text is the answer for a model.
func (o configured) text(name string) string {
	var out strings.Builder
	switch {
	case o.Written:
		fmt.Fprintf(&out, "%s works (%d tools) and is written to %s. %s", name, o.Tools, o.File, o.NextStep)
	case o.DryRun:
		fmt.Fprintf(&out, "%s would be added to %s. Call again with dry_run false to try and write it.", name, o.File)
	default:
		fmt.Fprintf(&out, "%s is not written: %s", name, o.State)
		if o.Why != "" {
			fmt.Fprintf(&out, ", %s", o.Why)
		}
	}
	for _, a := range o.Healing.Attempts {
		fmt.Fprintf(&out, "\n  tried %s: %s", a.FixApplied.Title, a.Result)
	}
	if o.Healing.UserActionNeeded != "" {
		fmt.Fprintf(&out, "\n  the user must: %s", strings.ReplaceAll(o.Healing.UserActionNeeded, "\n", " "))
	}
	if len(o.Needs) > 0 {
		fmt.Fprintf(&out, "\n  it needs %s", names(o.Needs))
	}
	if len(o.Diff) > 0 && !o.Written {
		out.WriteString("\n" + strings.Join(o.Diff, "\n"))
	}
	return out.String()
}
