package fix

import (
	"fmt"
	"strings"

	"mcpmend/core/catalog"
)

// The fixers here change no config: what helps lies outside it.

func proxyVariables(b *bench) []Fix {
	if b.Code == "MCP6205" {
		return []Fix{{
			ID: "wait-for-service", Title: "Try again later, or ask who runs it", Confidence: 0.6,
			Description: "The address answers, and what should stand behind it does not. Nothing in your config changes that.",
			HelpURL:     b.help(""),
		}}
	}
	description := "The host could not be reached from where the server runs. Behind a company's proxy, set HTTPS_PROXY and NO_PROXY in the entry's environment: the client does not pass on your shell's."
	if b.remote() {
		description = fmt.Sprintf("The host could not be reached from here. Check its spelling; behind a company's proxy, start %s with HTTPS_PROXY and NO_PROXY set.", b.client())
	}
	return []Fix{{ID: "network", Title: "Check name, network and proxy", Description: description, EnvVarHint: "HTTPS_PROXY", Confidence: 0.5}}
}

// extraCertificates adds trust. Turning the check off is never proposed.
func extraCertificates(b *bench) []Fix {
	variable, who, place := "NODE_EXTRA_CA_CERTS", "the server", "the entry's environment"
	if b.runtime() == "python" {
		variable = "SSL_CERT_FILE"
	}
	if b.remote() { // it is the client that connects
		who, place = b.client(), "the environment that it is started with"
	}
	return []Fix{{
		ID: "extra-certificates", Title: fmt.Sprintf("Let %s trust your network's certificate", who),
		Description: fmt.Sprintf("The certificate is signed by somebody that %s does not know, often a company's proxy. Save that authority's certificate as a file and name the file in %s in %s.", who, variable, place),
		EnvVarHint:  variable, Confidence: 0.6,
	}}
}

func updateServer(b *bench) []Fix {
	fix := Fix{ID: "update-server", Title: "Update the server", Confidence: 0.4,
		Description: "The mistake is in the server's own code or in what it was built for. A newer version may have mended it; otherwise report it to its author with the lines shown."}
	if b.entry != nil {
		fix.HelpURL = b.entry.Help
	}
	return []Fix{fix}
}

func runByHand(b *bench) []Fix {
	fix := Fix{ID: "run-by-hand", Title: "Run the server by hand and watch what it prints", Confidence: 0.4,
		Description: "What a server prints on stderr before it ends usually names the reason; clients often hide it."}
	if b.Server != nil && b.Server.Command != "" {
		line := []string{quoted(catalog.Program(b.Server.Command))}
		if b.launch.Package != "" {
			line = append(line, quoted(catalog.Unversioned(b.launch.Package)))
		}
		fix.Description += fmt.Sprintf(" It begins with: %s", strings.Join(line, " … "))
	}
	return []Fix{fix}
}

func explainArguments(*bench) []Fix {
	return []Fix{{
		ID: "correct-arguments", Title: "Correct the arguments of the call",
		Description: "`mcpmend validate` explains what a tool's schema wants, and `mcpmend wrap` does so at every call.",
		Confidence:  0.5,
	}}
}

func waitForQuota(b *bench) []Fix {
	return []Fix{{
		ID: "wait", Title: "Wait, then call less often",
		Description: "The other side counts calls and has had enough of them for now. A higher limit is a matter of your plan there.",
		HelpURL:     b.help(""), Confidence: 0.6,
	}}
}

func reconnect(b *bench) []Fix {
	return []Fix{{
		ID: "reconnect", Title: "Connect anew",
		Description: "The server forgot the session, as it does after a restart. Reconnect from the client; `mcpmend wrap` does that by itself.",
		Confidence:  0.7,
	}}
}
