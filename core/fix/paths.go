package fix

import (
	"fmt"
	"strings"

	"mcpmend/core/config"
)

// expandedPath writes out ~ and home variables, which clients hand over as they
// are and servers do not expand.
func expandedPath(b *bench) []Fix {
	home := b.facts.Paths["~"]
	if !b.stdio() || !home.Exists || home.Near == "" {
		return nil
	}
	return b.rewrittenPaths("expand-home", "Write the home directory in full",
		"Servers get ~ and $HOME as they stand; only a shell expands them.", 0.85,
		func(arg string) string {
			for _, prefix := range []string{"~", "$HOME", "${HOME}", "%USERPROFILE%", "${userHome}"} {
				if rest, ok := strings.CutPrefix(arg, prefix); ok && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
					return home.Near + rest
				}
			}
			return arg
		})
}

// nearPath takes the existing path that differs by case or a slip.
func nearPath(b *bench) []Fix {
	if !b.stdio() {
		return nil
	}
	return b.rewrittenPaths("near-path", "Use the path that exists",
		"The path in the entry does not exist, and one that differs by case or a slip does.", 0.75,
		func(arg string) string {
			if p, known := b.facts.Paths[arg]; known && !p.Exists && p.Near != "" {
				return p.Near
			}
			return arg
		})
}

// rewrittenPaths changes the paths of an entry: command, arguments, cwd.
func (b *bench) rewrittenPaths(id, title, why string, sure float64, change func(string) string) []Fix {
	patch := b.changed(func(s *config.Server) {
		s.Command = change(s.Command)
		s.Cwd = change(s.Cwd)
		for i, arg := range s.Args {
			if flag, value, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(flag, "-") {
				s.Args[i] = flag + "=" + change(value)
			} else {
				s.Args[i] = change(arg)
			}
		}
	})
	if patch == nil {
		return nil
	}
	return []Fix{{ID: id, Title: title, Description: why, Patch: patch, Confidence: sure}}
}

// checkPath asks the user, who alone knows where the thing is.
func checkPath(b *bench) []Fix {
	description := "A path in the entry does not exist where the client runs. Write it in full, with doubled backslashes on Windows, and check every directory of it."
	if b.OS == "windows" {
		description = `A path in the entry does not exist. In JSON a backslash is written twice, as in "C:\\Users\\you\\data"; a slash works too.`
	}
	return []Fix{{ID: "check-path", Title: "Correct the path", Description: description, Confidence: 0.5}}
}

// executable is for a script without its execute bit: running it through its
// interpreter needs no change of the file.
func executable(b *bench) []Fix {
	if !b.stdio() {
		return nil
	}
	command := b.Server.Command
	p, known := b.facts.Paths[command]
	if !known || !p.Exists || p.Dir || strings.ContainsAny(p.Mode, "1357") {
		return nil
	}
	interpreter := interpreterOf(command)
	path := b.facts.Commands[interpreter]
	fixes := []Fix{{
		ID: "make-executable", Title: "Make the file executable",
		Description:    fmt.Sprintf("Its mode is %s, so the system does not run it.", p.Mode),
		InstallCommand: "chmod u+x " + quoted(command), Confidence: 0.7,
	}}
	if interpreter == "" || path == "" {
		return fixes
	}
	patch := b.changed(func(s *config.Server) {
		s.Args = append([]string{command}, s.Args...)
		s.Command = path
	})
	if patch == nil {
		return fixes
	}
	return append([]Fix{{
		ID: "run-by-interpreter", Title: fmt.Sprintf("Start the script with %s", interpreter),
		Description: fmt.Sprintf("The file is not executable (mode %s); %s can read it all the same.", p.Mode, interpreter),
		Patch:       patch, Confidence: 0.85,
	}}, fixes...)
}

func interpreterOf(script string) string {
	for ending, interpreter := range map[string]string{".js": "node", ".mjs": "node", ".cjs": "node", ".py": "python3", ".sh": "sh"} {
		if strings.HasSuffix(script, ending) {
			return interpreter
		}
	}
	return ""
}

// quoted is a path as a shell takes it.
func quoted(path string) string {
	if strings.ContainsAny(path, " '\"$`\\&;|<>()*?[]#~") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// homePrefix is for npm, which wants to write where only root may.
func homePrefix(b *bench) []Fix {
	words := b.Names["path"]
	if !strings.Contains(words, "node_modules") && !strings.Contains(words, "npm") && b.Names["command"] != "npm" {
		return nil
	}
	return []Fix{{
		ID: "npm-prefix", Title: "Let npm install below your home directory",
		Description:    "npm tries to write into a directory of the system. With a prefix of your own it needs no special rights.",
		InstallCommand: "npm config set prefix ~/.local", Confidence: 0.6,
	}}
}

// dockerGroup is for the daemon's socket.
func dockerGroup(b *bench) []Fix {
	if !strings.Contains(b.Names["path"], "docker.sock") {
		return nil
	}
	return []Fix{{
		ID: "docker-group", Title: "Be a member of the group that may use Docker",
		Description: "The socket belongs to the group docker. Ask the administrator to add you to it, then log in again. Members of it can do on this machine what root can.",
		HelpURL:     "https://docs.docker.com/engine/install/linux-postinstall/", Confidence: 0.7,
	}}
}

func checkPermission(*bench) []Fix {
	return []Fix{{
		ID: "check-permission", Title: "Give yourself access to the file",
		Description: "Look at owner and mode of what the message names, and change the one file that is wrong. On macOS a program needs your leave for Desktop, Documents and Downloads: System Settings, Privacy and Security, Files and Folders.",
		Confidence:  0.4,
	}}
}
