package module

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"mcpmend/core/config"
	"mcpmend/core/fix"
)

// Response is what a module writes to stdout, after it was checked.
type Response struct {
	ABI   int       `json:"abi"`
	Fixes []fix.Fix `json:"fixes"`
	Notes []string  `json:"notes"`
}

// Bounds on a response.
const (
	maxFixes       = 20
	maxNotes       = 20
	maxOperations  = 50
	maxTitle       = 200
	maxDescription = 2000
)

// answered is a fix as a module may write it: what else a fix has is ours to
// say.
type answered struct {
	ID                 string       `json:"id"`
	Title              string       `json:"title"`
	Description        string       `json:"description"`
	Patch              config.Patch `json:"patch"`
	RequiresUserAction bool         `json:"requires_user_action"`
	Confidence         float64      `json:"confidence"`
	InstallCommand     string       `json:"install_command"`
	EnvVarHint         string       `json:"env_var_hint"`
	HelpURL            string       `json:"help_url"`
}

// Accept checks a module's answer to the call and gives its fixes, ready to be
// shown. by is the module's name.
func (c *Call) Accept(data []byte, by string) (Response, error) {
	raw, err := decode(data)
	if err != nil {
		return Response{}, err
	}
	r := Response{ABI: abi, Fixes: []fix.Fix{}, Notes: []string{}}
	for i, a := range raw.Fixes {
		f, err := c.accepted(a)
		if err != nil {
			return Response{}, fmt.Errorf("fix %d: %w", i+1, err)
		}
		f.By = by
		r.Fixes = append(r.Fixes, f)
	}
	for _, note := range raw.Notes {
		if err := plain("note", note, maxDescription); err != nil {
			return Response{}, err
		}
		r.Notes = append(r.Notes, note)
	}
	return r, nil
}

type rawResponse struct {
	ABI   int        `json:"abi"`
	Fixes []answered `json:"fixes"`
	Notes []string   `json:"notes"`
}

// decode reads exactly one JSON object of the right shape.
func decode(data []byte) (rawResponse, error) {
	var r rawResponse
	if !utf8.Valid(data) {
		return r, errors.New("its answer is not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("its answer is not JSON of the right shape: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return r, errors.New("its answer has more than one JSON value")
	}
	switch {
	case r.ABI != abi:
		return r, fmt.Errorf("its answer speaks ABI %d, and %d is what is spoken here", r.ABI, abi)
	case r.Fixes == nil:
		return r, errors.New(`its answer has no "fixes"`)
	case len(r.Fixes) > maxFixes:
		return r, fmt.Errorf("it proposes %d fixes, more than %d", len(r.Fixes), maxFixes)
	case len(r.Notes) > maxNotes:
		return r, fmt.Errorf("it has %d notes, more than %d", len(r.Notes), maxNotes)
	}
	return r, nil
}

var (
	idPattern       = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`) })
	variablePattern = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`) })
	pagePattern     = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^https://[a-z0-9.-]+(?:/[\w./~%#?&=+@:-]*)?$`)
	})
)

func (c *Call) accepted(a answered) (fix.Fix, error) {
	f := fix.Fix{
		ID: a.ID, Title: a.Title, Description: a.Description, Patch: config.Patch{}, InstallCommand: a.InstallCommand,
		EnvVarHint: a.EnvVarHint, RequiresUserAction: a.RequiresUserAction, HelpURL: a.HelpURL,
		Safety: fix.Review, Confidence: a.Confidence,
	}
	switch {
	case !idPattern().MatchString(a.ID):
		return f, errors.New("its id must be of small letters, digits and dashes")
	case a.Title == "":
		return f, errors.New("it has no title")
	case a.Confidence < 0 || a.Confidence > 1:
		return f, errors.New("its confidence is not between 0 and 1")
	case a.EnvVarHint != "" && !variablePattern().MatchString(a.EnvVarHint):
		return f, errors.New("its env_var_hint is no name of a variable")
	case a.HelpURL != "" && (len(a.HelpURL) > 300 || !pagePattern().MatchString(a.HelpURL)):
		return f, errors.New("its help_url is no plain https address")
	case len(a.Patch) > maxOperations:
		return f, fmt.Errorf("its patch has %d operations, more than %d", len(a.Patch), maxOperations)
	}
	if err := errors.Join(plain("title", a.Title, maxTitle), plain("description", a.Description, maxDescription)); err != nil {
		return f, err
	}
	if err := c.allowedInstall(a.InstallCommand); err != nil {
		return f, err
	}
	if len(a.Patch) == 0 {
		f.RequiresUserAction = true
		return f, nil
	}
	for i := range a.Patch {
		if err := c.inScope(&a.Patch[i]); err != nil {
			return f, err
		}
	}
	f.Patch = a.Patch
	return f, c.allowedResult(f.Patch)
}

// plain refuses words that could act where they are shown: control characters,
// what cannot be seen, placeholders of secrets.
func plain(what, text string, limit int) error {
	if len(text) > limit {
		return fmt.Errorf("its %s has %d bytes, more than %d", what, len(text), limit)
	}
	for _, r := range text {
		if r != ' ' && (!unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r)) {
			return fmt.Errorf("its %s has the character %U", what, r)
		}
	}
	if strings.Contains(text, placeholderStart) {
		return fmt.Errorf("its %s has the placeholder of a secret", what)
	}
	return nil
}
