package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"mcpmend/core/config"
)

// Registry is the official index of MCP servers, or one that speaks like it.
type Registry struct {
	Base   string // the official one where empty
	Client *http.Client
}

// defaultRegistry is the official one.
const defaultRegistry = "https://registry.modelcontextprotocol.io"

// Recipe is how a published server is started or reached, and what it needs.
type Recipe struct {
	Server   config.Server
	Required []Need // variables that have no value yet
}

// Need is a variable that the user must give.
type Need struct {
	Name        string
	Description string
	Secret      bool
}

// namePattern is what the registry allows: a reverse domain and a name.
var namePattern = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9.-]{0,99}/[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}$`)

// IsRegistryName says whether a word is a name of the registry.
func IsRegistryName(name string) bool { return namePattern.MatchString(name) }

const maxAnswer = 1 << 20

// Look asks for the newest version of a server.
func (r Registry) Look(ctx context.Context, name string) (Recipe, error) {
	if !IsRegistryName(name) {
		return Recipe{}, fmt.Errorf("%q is no name of the registry; they look like io.github.owner/name", name)
	}
	base, err := url.Parse(r.Base)
	if r.Base == "" {
		base, err = url.Parse(defaultRegistry)
	}
	if err != nil || base.Host == "" {
		return Recipe{}, fmt.Errorf("%q is no address of a registry", r.Base)
	}
	client := r.Client
	if client == nil {
		client = &http.Client{Timeout: 15 * time.Second}
	}
	at := base.JoinPath("v0.1", "servers", url.PathEscape(name), "versions", "latest")
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return Recipe{}, err
	}
	response, err := client.Do(request)
	if err != nil {
		var failed *url.Error // begins with the whole address, which says less than the reason
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return Recipe{}, fmt.Errorf("cannot ask the registry at %s: %w", base.Host, err)
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return Recipe{}, fmt.Errorf("the registry knows no server called %s", name)
	default:
		return Recipe{}, fmt.Errorf("the registry answered %s", response.Status)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return Recipe{}, fmt.Errorf("cannot read the registry's answer: %w", err)
	}
	return parseRecipe(data)
}

// published is the part of server.json that is needed here.
type published struct {
	Server *published `json:"server"` // the API wraps it

	Name     string `json:"name"`
	Packages []struct {
		Type      string     `json:"registryType"`
		Name      string     `json:"identifier"`
		Version   string     `json:"version"`
		Hint      string     `json:"runtimeHint"`
		Transport transport  `json:"transport"`
		Runtime   []argument `json:"runtimeArguments"`
		Arguments []argument `json:"packageArguments"`
		Variables []variable `json:"environmentVariables"`
	} `json:"packages"`
	Remotes []struct {
		Type    string     `json:"type"`
		URL     string     `json:"url"`
		Headers []variable `json:"headers"`
	} `json:"remotes"`
}

type transport struct {
	Type string `json:"type"`
}

type argument struct {
	Type    string `json:"type"` // named or positional
	Name    string `json:"name"`
	Value   string `json:"value"`
	Default string `json:"default"`
	Hint    string `json:"valueHint"`
	Must    bool   `json:"isRequired"`
}

type variable struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Value       string `json:"value"`
	Default     string `json:"default"`
	Must        bool   `json:"isRequired"`
	Secret      bool   `json:"isSecret"`
}

// runners is how a package of each registry is started. Versions are pinned:
// what was looked at is what runs.
var runners = map[string]struct {
	command string
	before  []string
	version string // put between name and version
}{
	"npm":  {"npx", []string{"-y"}, "@"},
	"pypi": {"uvx", nil, "=="},
	"oci":  {"docker", []string{"run", "-i", "--rm"}, ":"},
}

func parseRecipe(data []byte) (Recipe, error) {
	var p published
	if err := json.Unmarshal(data, &p); err != nil {
		return Recipe{}, fmt.Errorf("the registry's answer is not what was expected: %w", err)
	}
	if p.Server != nil {
		p = *p.Server
	}
	short := p.Name[strings.LastIndexByte(p.Name, '/')+1:]
	for _, pkg := range p.Packages {
		how, known := runners[pkg.Type]
		if !known || pkg.Transport.Type != "" && pkg.Transport.Type != "stdio" || !plainName(pkg.Name) || !plainName(pkg.Version) {
			continue
		}
		r := Recipe{Server: config.Server{Name: short, Transport: config.Stdio, Command: how.command}}
		r.Server.Args = slices.Clone(how.before)
		if pkg.Type == "oci" {
			for _, v := range pkg.Variables { // docker passes on only what it is told to
				r.Server.Args = append(r.Server.Args, "-e", v.Name)
			}
		}
		name := pkg.Name
		if pkg.Version != "" && !strings.Contains(name, how.version+pkg.Version) {
			name += how.version + pkg.Version
		}
		r.Server.Args = append(r.Server.Args, name)
		if err := r.arguments(pkg.Arguments); err != nil {
			return Recipe{}, err
		}
		r.Server.Env = r.values(pkg.Variables)
		return r, nil
	}
	for _, remote := range p.Remotes {
		r := Recipe{Server: config.Server{Name: short, URL: remote.URL, Transport: config.HTTP}}
		if remote.Type == "sse" {
			r.Server.Transport = config.SSE
		}
		if !strings.HasPrefix(remote.URL, "https://") || strings.Contains(remote.URL, "{") {
			continue
		}
		r.Server.Headers = r.values(remote.Headers)
		return r, nil
	}
	return Recipe{}, errors.New("the registry names no package and no address that could be used here")
}

// plainName keeps what the registry says from being read as a flag or as
// something else than a name.
func plainName(s string) bool {
	return !strings.HasPrefix(s, "-") && !strings.ContainsAny(s, " \t\r\n\"'`$&|;<>(){}!*?\\")
}

func (r *Recipe) arguments(list []argument) error {
	for _, a := range list {
		value := a.Value
		if value == "" {
			value = a.Default
		}
		if value == "" {
			if a.Must {
				return fmt.Errorf("the server needs the argument %s, whose value only you know: add it with -- CMD ARG…", strings.TrimSpace(a.Name+" "+a.Hint))
			}
			continue
		}
		if a.Type == "named" {
			r.Server.Args = append(r.Server.Args, a.Name)
		}
		r.Server.Args = append(r.Server.Args, value)
	}
	return nil
}

// values takes what has a value and asks for what is required without one.
func (r *Recipe) values(list []variable) []config.Variable {
	var out []config.Variable
	for _, v := range list {
		value := v.Value
		if value == "" {
			value = v.Default
		}
		if value != "" && !strings.Contains(value, "{") {
			out = append(out, config.Variable{Name: v.Name, Value: value})
		} else if v.Must {
			r.Required = append(r.Required, Need{Name: v.Name, Description: v.Description, Secret: v.Secret})
		}
	}
	return out
}
