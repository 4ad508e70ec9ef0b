// Package fix turns a recognised problem into candidate fixes, best first, as
// alternatives of which at most one is applied.
//
// A fixer is a pure function of the problem, the server's entry and [Facts]
// about the machine. With no facts (in the page, or in explain) it says what
// it can; with facts it names the very path or port. A fix never touches
// another server, never writes a secret, never names a package that neither
// the config nor the catalogue knows, and never weakens security.
package fix

import "mcpmend/core/config"

// Safety says what applying a fix asks of the user.
type Safety string

const (
	Safe   Safety = "safe"   // reversible and of the same meaning
	Review Safety = "review" // wants a look before it is written
)

// Fix is one candidate. Patch is empty where the mend is not in the config.
type Fix struct {
	ID                 string       `json:"id"`
	Title              string       `json:"title"`
	Description        string       `json:"description"`
	Patch              config.Patch `json:"patch"`
	InstallCommand     string       `json:"install_command"`
	EnvVarHint         string       `json:"env_var_hint"`
	RequiresUserAction bool         `json:"requires_user_action"`
	HelpURL            string       `json:"help_url"`
	Safety             Safety       `json:"safety"`
	Confidence         float64      `json:"confidence"`
	By                 string       `json:"by"` // "core", or the module's name
}
