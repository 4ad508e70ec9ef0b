package lint

import (
	"slices"
	"strings"

	"mcpmend/core/config"
)

var dockerRules = []Rule{
	{
		Code: "MCP4090", Category: "config_shape", Severity: Error,
		Title:  "{runner|docker} run has no -i",
		Why:    "Without -i the container's input is closed: the server inside reads the end of its input at once and ends.",
		Remedy: `Put "-i" after "run".`,
		Before: Example{Text: `{"mcpServers": {"time": {"command": "docker", "args": ["run", "--rm", "mcp/time"]}}}`},
		After:  Example{Text: `{"mcpServers": {"time": {"command": "docker", "args": ["run", "-i", "--rm", "mcp/time"]}}}`},
		server: func(p *pass, s *server) {
			d, ok := s.container()
			if !ok || d.interactive || d.bare >= 0 || d.image < 0 {
				return
			}
			w := s.rest[d.run]
			p.report(&Finding{
				Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"runner": s.runner},
				Fix: Fix{Title: "Add -i", Patch: config.Patch{add(w.next(), "-i")}, Safe: true},
			})
		},
	},
	{
		Code: "MCP4091", Category: "config_shape", Severity: Error,
		Title:  "{runner|docker} run asks for a terminal",
		Why:    "{value|-t} needs a terminal, and a client has none to give: the start ends with \"the input device is not a TTY\".",
		Remedy: "Keep -i and remove the t.",
		Before: Example{Text: `{"mcpServers": {"time": {"command": "docker", "args": ["run", "-it", "--rm", "mcp/time"]}}}`},
		After:  Example{Text: `{"mcpServers": {"time": {"command": "docker", "args": ["run", "-i", "--rm", "mcp/time"]}}}`},
		server: func(p *pass, s *server) {
			if d, ok := s.container(); ok && d.tty >= 0 {
				s.dropFlag(p, d.tty, "t", "Remove the terminal flag")
			}
		},
	},
	{
		Code: "MCP4092", Category: "config_shape", Severity: Error,
		Title:  "{runner|docker} run goes to the background",
		Why:    "With {value|-d} the container runs on its own and the command ends at once; nobody is left to talk to the client.",
		Remedy: "Remove the flag.",
		Before: Example{Text: `{"mcpServers": {"time": {"command": "docker", "args": ["run", "-i", "-d", "--rm", "mcp/time"]}}}`},
		After:  Example{Text: `{"mcpServers": {"time": {"command": "docker", "args": ["run", "-i", "--rm", "mcp/time"]}}}`},
		server: func(p *pass, s *server) {
			if d, ok := s.container(); ok && d.detach >= 0 {
				s.dropFlag(p, d.detach, "d", "Keep it in the foreground")
			}
		},
	},
	{
		Code: "MCP4093", Category: "config_shape", Severity: Error,
		Title:  "The flag {value|i} has lost its dash",
		Why:    "Without the dash {runner|docker} takes it for the name of the image to run.",
		Remedy: `Write "-{value|i}".`,
		Before: Example{Text: `{"mcpServers": {"time": {"command": "docker", "args": ["run", "i", "--rm", "mcp/time"]}}}`},
		After:  Example{Text: `{"mcpServers": {"time": {"command": "docker", "args": ["run", "-i", "--rm", "mcp/time"]}}}`},
		server: func(p *pass, s *server) {
			d, ok := s.container()
			if !ok || d.bare < 0 {
				return
			}
			w := s.rest[d.bare]
			dashes := "-"
			if len(w.text) > 1 {
				dashes = "--"
			}
			p.report(&Finding{
				Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text, "runner": s.runner},
				Fix: Fix{Title: "Write " + dashes + w.text, Patch: config.Patch{replace(w.pointer(), dashes+w.text)}, Safe: true},
			})
		},
	},
	{
		Code: "MCP4094", Category: "missing_env_var", Severity: Warning,
		Title:  "{name|A variable} is set for {runner|docker} but not passed to the container",
		Why:    "The variables of an entry are those of the {runner|docker} command. A container sees only what -e names.",
		Remedy: `Add "-e" and the variable's name before the image.`,
		Before: Example{Text: `{"mcpServers": {"wiki": {"command": "docker", "args": ["run", "-i", "--rm", "example/wiki"], "env": {"WIKI_URL": "https://wiki.example.com"}}}}`},
		After:  Example{Text: `{"mcpServers": {"wiki": {"command": "docker", "args": ["run", "-i", "--rm", "-e", "WIKI_URL", "example/wiki"], "env": {"WIKI_URL": "https://wiki.example.com"}}}}`},
		server: func(p *pass, s *server) {
			d, ok := s.container()
			if !ok || d.image < 0 || d.envFile {
				return
			}
			var lost []string
			for _, v := range s.Env {
				own := strings.HasPrefix(v.Name, "DOCKER_") || slices.Contains([]string{"PATH", "HOME", "APPDATA", "SystemRoot"}, v.Name)
				if !own && !slices.Contains(d.env, v.Name) {
					lost = append(lost, v.Name)
				}
			}
			if len(lost) == 0 {
				return
			}
			m := s.field(config.RoleEnv)
			f := Finding{Pointer: s.at(m.Name, lost[0]), Span: m.Key, Names: map[string]string{"name": lost[0], "runner": s.runner}}
			for _, name := range slices.Backward(lost) {
				f.Fix.Patch = append(f.Fix.Patch, add(s.rest[d.image].pointer(), name), add(s.rest[d.image].pointer(), "-e"))
			}
			f.Fix.Title = "Pass the variables to the container"
			p.report(&f)
		},
	},
	{
		Code: "MCP4095", Category: "missing_env_var", Severity: Note,
		Title:  "{name|A variable} comes from the client's own environment",
		Why:    "-e with only a name passes on what {runner|docker} finds in its environment. The entry does not set it, and a client started from the desktop seldom has it.",
		Remedy: "Set {name|the variable} in the entry's variables.",
		Before: Example{Text: `{"mcpServers": {"wiki": {"command": "docker", "args": ["run", "-i", "--rm", "-e", "WIKI_URL", "example/wiki"]}}}`},
		After:  Example{Text: `{"mcpServers": {"wiki": {"command": "docker", "args": ["run", "-i", "--rm", "-e", "WIKI_URL", "example/wiki"], "env": {"WIKI_URL": "https://wiki.example.com"}}}}`},
		server: func(p *pass, s *server) {
			d, ok := s.container()
			if !ok {
				return
			}
			for _, w := range d.handed {
				set := slices.ContainsFunc(s.Env, func(v config.Variable) bool { return v.Name == w.text })
				if !set && s.field(config.RoleEnvNames) == nil && s.field(config.RoleEnvFile) == nil {
					p.report(&Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"name": w.text, "runner": s.runner}})
				}
			}
		},
	},
	{
		Code: "MCP4096", Category: "config_shape", Severity: Warning,
		Title:  "{value|A flag} comes after the image",
		Why:    "What follows the image is passed to the program in the container; {runner|docker} itself does not read it.",
		Remedy: "Move the flag and its value before the image.",
		Before: Example{Text: `{"mcpServers": {"wiki": {"command": "docker", "args": ["run", "-i", "--rm", "example/wiki", "-e", "WIKI_URL=https://wiki.example.com"]}}}`},
		After:  Example{Text: `{"mcpServers": {"wiki": {"command": "docker", "args": ["run", "-i", "--rm", "-e", "WIKI_URL=https://wiki.example.com", "example/wiki"]}}}`},
		server: func(p *pass, s *server) {
			d, ok := s.container()
			if !ok || d.image < 0 {
				return
			}
			for i := d.image + 1; i+1 < len(s.rest); i++ {
				w, value := s.rest[i], s.rest[i+1]
				name, _, _ := strings.Cut(value.text, "=")
				if w.text == "-e" && variableName(name) && name == strings.ToUpper(name) {
					image := s.rest[d.image].pointer()
					p.report(&Finding{
						Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text, "runner": s.runner},
						Fix: Fix{Title: "Move it before the image", Patch: config.Patch{move(value.pointer(), image), move(value.pointer(), image)}},
					})
					return
				}
			}
		},
	},
	{
		Code: "MCP4097", Category: "config_shape", Severity: Error,
		Title:  "{runner|docker} run names no image",
		Why:    "Every argument is a flag or the value of one, so there is nothing to run.",
		Remedy: "Add the image as the last argument.",
		Before: Example{Text: `{"mcpServers": {"wiki": {"command": "docker", "args": ["run", "-i", "--rm", "-e", "example/wiki"]}}}`},
		After:  Example{Text: `{"mcpServers": {"wiki": {"command": "docker", "args": ["run", "-i", "--rm", "example/wiki"]}}}`},
		server: func(p *pass, s *server) {
			if d, ok := s.container(); ok && d.image < 0 && d.bare < 0 && !d.unsure {
				w := s.rest[len(s.rest)-1]
				p.report(&Finding{Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"runner": s.runner}})
			}
		},
	},
}

// container is a docker run command line; places are indexes into the words,
// -1 where there is no such thing.
type container struct {
	run, image, tty, detach, bare int
	interactive, envFile, unsure  bool
	env                           []string // names of the variables that the container gets
	handed                        []word   // those of them without a value
}

// containerFlags take the next word as their value.
var containerFlags = []string{
	"-e", "--env", "--env-file", "-v", "--volume", "--mount", "--name", "--network", "--net", "-p", "--publish", "-w", "--workdir",
	"-u", "--user", "--entrypoint", "--platform", "--add-host", "-h", "--hostname", "-l", "--label", "-m", "--memory", "--cpus",
	"--gpus", "--pull", "--restart", "--security-opt", "--cap-add", "--cap-drop", "--device", "--dns", "--ip", "--log-driver",
	"--log-opt", "--shm-size", "--ulimit", "--tmpfs", "--userns", "--pid", "--ipc", "-a", "--attach", "--volumes-from", "--runtime",
	"--network-alias", "--stop-signal", "--stop-timeout", "--cidfile", "--expose", "--link", "--group-add", "--memory-swap", "--cpu-shares",
}

// switches are flags without a value; what is in neither list may have one.
var switches = []string{"--rm", "--init", "--privileged", "--read-only", "-P", "--publish-all", "-q", "--quiet", "--no-healthcheck", "-i", "--interactive"}

// container reads a docker or podman run command line.
func (s *server) container() (container, bool) {
	d := container{image: -1, tty: -1, detach: -1, bare: -1}
	if s.runner != "docker" && s.runner != "podman" || len(s.rest) < 2 {
		return d, false
	}
	for d.run < len(s.rest) && strings.HasPrefix(s.rest[d.run].text, "-") {
		d.run++
	}
	if d.run == len(s.rest) || s.rest[d.run].text != "run" {
		return d, false
	}
	for i := d.run + 1; i < len(s.rest); i++ {
		flag, value, joined := strings.Cut(s.rest[i].text, "=")
		switch {
		case slices.Contains([]string{"i", "t", "it", "rm"}, flag):
			d.bare = i
			return d, true
		case flag == "" || flag[0] != '-':
			d.image = i
			return d, true
		case joined:
			d.flag(flag, word{text: value}, s.rest[i])
		case slices.Contains(containerFlags, flag):
			if i++; i < len(s.rest) {
				d.flag(flag, s.rest[i], s.rest[i])
			}
		case len(flag) > 1 && flag[1] != '-':
			d.cluster(flag[1:], i)
		case flag == "--tty":
			d.tty = i
		case flag == "--detach":
			d.detach = i
		case flag == "--interactive":
			d.interactive = true
		case !slices.Contains(switches, flag):
			d.unsure = true
		}
	}
	return d, true
}

// flag takes in a flag that has a value.
func (d *container) flag(name string, value, written word) {
	switch name {
	case "--env-file":
		d.envFile = true
	case "--interactive":
		d.interactive = value.text != "false"
	case "-e", "--env":
		variable, _, set := strings.Cut(value.text, "=")
		d.env = append(d.env, variable)
		if !set && variableName(variable) {
			written.text = variable
			d.handed = append(d.handed, written)
		}
	}
}

// cluster takes in short flags that are written together, such as -it.
func (d *container) cluster(letters string, index int) {
	if strings.Trim(letters, "itdPq") != "" {
		return // has a value that is joined to it, such as -eNAME
	}
	d.interactive = d.interactive || strings.Contains(letters, "i")
	if strings.Contains(letters, "t") {
		d.tty = index
	}
	if strings.Contains(letters, "d") {
		d.detach = index
	}
}

// dropFlag reports a flag that must go, out of its cluster where it is in one.
func (s *server) dropFlag(p *pass, index int, letter, title string) {
	w := s.rest[index]
	patch := config.Patch{remove(w.pointer())}
	if left := strings.Replace(w.text, letter, "", 1); !strings.HasPrefix(w.text, "--") && left != "-" {
		patch = config.Patch{replace(w.pointer(), left)}
	}
	p.report(&Finding{
		Pointer: w.pointer(), Span: w.node.Span, Names: map[string]string{"value": w.text, "runner": s.runner},
		Fix: Fix{Title: title, Patch: patch, Safe: true},
	})
}

// variableName tells whether a word can be the name of a variable.
func variableName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}
