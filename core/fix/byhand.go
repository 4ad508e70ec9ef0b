package fix

// withdrawn is the rule about a package that exists and has been given up.
const withdrawn = "MCP1107"

// byHand is what a person can do about the failures of one rule, where that is
// something else than for the rest of its category.
var byHand = map[string]*Fix{
	"MCP1104": &nameProgram,
	"MCP1106": &nameProgram,
	withdrawn: {
		ID: "follow-publisher", Title: "Do what the publisher says instead", Confidence: 0.6,
		Description: "The package still starts, only to say what took its place. Its last words are shown above; put that into the entry, or remove it.",
	},
	"MCP1206": {
		ID: "install-browser", Title: "Install the browser", Confidence: 0.6,
		Description:    "The server finds no browser to drive. Install the one that the message names, as the user who runs the client.",
		InstallCommand: "npx playwright install",
	},
	"MCP1207": {
		ID: "fitting-versions", Title: "Install the versions that fit together", Confidence: 0.6,
		Description: "The server was written for another version of what it imports. Pin the one that its own page names, or update the server.",
	},
	"MCP1304": {
		ID: "rebuild", Title: "Build the native module again", Confidence: 0.7,
		Description:    "Run it in the server's folder, with the Node that the client uses. What npx keeps is made anew once its copy is deleted.",
		InstallCommand: "npm rebuild",
	},
	"MCP1307": {
		ID: "matching-build", Title: "Install the build for this machine", Confidence: 0.6,
		Description: "The program was made for another processor or system. Remove it and install it anew on this machine.",
	},
	"MCP1402": {
		ID: "short-path", Title: "Write the path without its space", Confidence: 0.6,
		Description: `Windows has a short name for every folder: dir /x shows it, and C:\Program Files is mostly C:\PROGRA~1. Where the folder is on PATH, the program's name alone is enough.`,
	},
	"MCP1503": {
		ID: "grant", Title: "Grant what the message names", Confidence: 0.5,
		Description: "It is refused by a setting of the system, of your organisation or of the server itself, not by the rights of a file. Change it there, then restart the client.",
	},
	"MCP1802": {
		ID: "pull-image", Title: "Get the image", Confidence: 0.6,
		Description: "The image is not here, or not for this machine's processor, or you may not read it. Pulling it by hand shows which.",
	},
	"MCP1901": {
		ID: "more-memory", Title: "Give the server more memory, or less to do", Confidence: 0.6,
		Description: "For Node set NODE_OPTIONS to --max-old-space-size=8192 in the entry's variables; for a container raise its memory limit.",
	},
	"MCP2003": {
		ID: "raise-gateway", Title: "Let the gateway wait longer", Confidence: 0.5,
		Description: "What answered is not the server but a gateway in front of it. Its operator can raise the read timeout; asking for less at a time helps too.",
	},
	"MCP2406": {
		ID: "let-client-start", Title: "Let a client start it", Confidence: 0.7,
		Description: "A server on stdio waits for messages and not for a person. `mcpmend test` on its entry talks to it as a client does.",
	},
	"MCP2503": {
		ID: "allow-host", Title: "Use a host name that the server allows", Confidence: 0.6,
		Description: "Write the name that the server expects in the URL, often localhost, or add yours to the list of allowed hosts in the server's own settings.",
	},
	"MCP5004": {
		ID: "list-tools", Title: "Look at the server's list of tools", Confidence: 0.6,
		Description: "`mcpmend test` on the server shows how many it offers; reconnecting makes the client ask for the list again.",
	},
	"MCP6004": {
		ID: "log-in-again", Title: "Log in again", Confidence: 0.7,
		Description: "Use the program that the message names, as the user who runs the client, then reconnect the server.",
	},
	"MCP6402": {
		ID: "check-scheme", Title: "Check the address: http or https, and the host's name", Confidence: 0.5,
		Description: "Both sides could not agree on encryption. A server on your own machine mostly speaks plain http; elsewhere the certificate has to name the host that the URL names.",
	},
}

// nameProgram is for a package that was found, and what it should run was not.
var nameProgram = Fix{
	ID: "name-program", Title: "Name the program that the package brings", Confidence: 0.6,
	Description: "The package is there, and nothing in it is called as asked for. Its own page says how it is started.",
}

// ownAdvice is what the rule at hand has of its own, or nothing.
func (b *bench) ownAdvice() []Fix {
	known := byHand[b.Code]
	if known == nil {
		return nil
	}
	own := *known
	switch image := b.Names["image"]; {
	case b.Code == withdrawn:
		own.HelpURL = b.help("")
	case own.ID == "pull-image" && image != "":
		own.InstallCommand = "docker pull " + quoted(image)
	}
	return []Fix{own}
}
