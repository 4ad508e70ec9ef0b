package fix

// orOwn is a fixer that gives way to what a rule has of its own.
func orOwn(f fixer) fixer {
	return func(b *bench) []Fix {
		if own := byHand[b.Code]; own != nil {
			return []Fix{own(b)}
		}
		return f(b)
	}
}

// withdrawn is the rule about a package that exists and has been given up.
const withdrawn = "MCP1107"

// byHand is what a person can do about the failures of one rule, where that is
// something else than for the rest of its category.
var byHand = map[string]func(*bench) Fix{
	"MCP1104": nameProgram,
	"MCP1106": nameProgram,
	withdrawn: func(b *bench) Fix {
		return Fix{
			ID: "follow-publisher", Title: "Do what the publisher says instead", Confidence: 0.6,
			Description: "The package still starts, only to say what took its place. Its last words are shown above; put that into the entry, or remove it.",
			HelpURL:     b.help(""),
		}
	},
	"MCP1206": func(*bench) Fix {
		return Fix{
			ID: "install-browser", Title: "Install the browser", Confidence: 0.6,
			Description:    "The server finds no browser to drive. Install the one that the message names, as the user who runs the client.",
			InstallCommand: "npx playwright install",
		}
	},
	"MCP1207": func(*bench) Fix {
		return Fix{
			ID: "fitting-versions", Title: "Install the versions that fit together", Confidence: 0.6,
			Description: "The server was written for another version of what it imports. Pin the one that its own page names, or update the server.",
		}
	},
	"MCP1304": func(*bench) Fix {
		return Fix{
			ID: "rebuild", Title: "Build the native module again", Confidence: 0.7,
			Description:    "Run it in the server's folder, with the Node that the client uses. What npx keeps is made anew once its copy is deleted.",
			InstallCommand: "npm rebuild",
		}
	},
	"MCP1307": func(*bench) Fix {
		return Fix{
			ID: "matching-build", Title: "Install the build for this machine", Confidence: 0.6,
			Description: "The program was made for another processor or system. Remove it and install it anew on this machine.",
		}
	},
	"MCP1802": func(b *bench) Fix {
		fix := Fix{
			ID: "pull-image", Title: "Get the image", Confidence: 0.6,
			Description: "The image is not here, or not for this machine's processor, or you may not read it. Pulling it by hand shows which.",
		}
		if image := b.Names["image"]; image != "" {
			fix.InstallCommand = "docker pull " + quoted(image)
		}
		return fix
	},
	"MCP2003": func(*bench) Fix {
		return Fix{
			ID: "raise-gateway", Title: "Let the gateway wait longer", Confidence: 0.5,
			Description: "What answered is not the server but a gateway in front of it. Its operator can raise the read timeout; asking for less at a time helps too.",
		}
	},
	"MCP2503": func(*bench) Fix {
		return Fix{
			ID: "allow-host", Title: "Use a host name that the server allows", Confidence: 0.6,
			Description: "Write the name that the server expects in the URL, often localhost, or add yours to the list of allowed hosts in the server's own settings.",
		}
	},
	"MCP5004": func(*bench) Fix {
		return Fix{
			ID: "list-tools", Title: "Look at the server's list of tools", Confidence: 0.6,
			Description: "`mcpmend test` on the server shows how many it offers; reconnecting makes the client ask for the list again.",
		}
	},
}

// nameProgram is for a package that was found, and what it should run was not.
func nameProgram(*bench) Fix {
	return Fix{
		ID: "name-program", Title: "Name the program that the package brings", Confidence: 0.6,
		Description: "The package is there, and nothing in it is called as asked for. Its own page says how it is started.",
	}
}
