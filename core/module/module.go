// Package module is the language that fix modules speak: it makes the request
// that a module gets and checks the response that it gives.
//
// A module need not be trusted. It sees secrets as numbered placeholders; it
// may propose changes to the one server in question and to nothing else; it
// may bring in no program and no package that neither the config nor the
// catalogue knows. An answer that breaks any rule is refused as a whole.
//
// The package is pure, so that the page and the native host, which run the
// same modules, also judge them alike.
package module

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"mcpmend/core"
	"mcpmend/core/config"
	"mcpmend/core/fix"
)

// abi is the version of the language.
const abi = 1

// Request is what a module reads from stdin.
type Request struct {
	ABI       int            `json:"abi"`
	Diagnosis core.Diagnosis `json:"diagnosis"`
	Server    Server         `json:"server"`
	Config    Config         `json:"config"`
	Facts     fix.Facts      `json:"facts"`
}

// Server is the entry in question, secrets replaced by placeholders.
type Server struct {
	Name      string            `json:"name"`
	Pointer   string            `json:"pointer"`
	Transport config.Transport  `json:"transport"`
	Command   string            `json:"command"`
	Args      []string          `json:"args"`
	Env       map[string]string `json:"env"`
	URL       string            `json:"url"`
	Headers   map[string]string `json:"headers"`
	Cwd       string            `json:"cwd"`
}

// Config names the document.
type Config struct {
	Client string        `json:"client"`
	Format config.Format `json:"format"`
}

// Call is one request with what is needed to judge its response.
type Call struct {
	Request Request
	doc     *config.Document // nil for a request that was not made here
	server  *config.Server
	secrets []string // the value of placeholder n is secrets[n-1]
}

// NewCall makes the request about a diagnosis of a server.
func NewCall(d core.Diagnosis, doc *config.Document, s *config.Server, client string, facts fix.Facts) *Call {
	c := &Call{doc: doc, server: s}
	d.Fixes = []fix.Fix{} // their patches hold the user's own bytes
	c.Request = Request{ABI: abi, Diagnosis: d, Config: Config{Client: client, Format: doc.Format}, Facts: facts}
	r := &c.Request.Server
	*r = Server{Name: s.Name, Pointer: s.Pointer, Transport: s.Transport, Args: []string{}, Env: map[string]string{}, Headers: map[string]string{}}
	r.Command, r.URL, r.Cwd = c.hidden("", s.Command), c.hidden("", s.URL), c.hidden("", s.Cwd)
	flag := ""
	for _, arg := range s.Args {
		r.Args = append(r.Args, c.hidden(flag, arg))
		flag = ""
		if strings.HasPrefix(arg, "-") {
			flag = strings.TrimLeft(arg, "-")
		}
	}
	for _, v := range s.Env {
		r.Env[v.Name] = c.hidden(v.Name, v.Value)
	}
	for _, v := range s.Headers {
		r.Headers[v.Name] = c.hidden(v.Name, v.Value)
	}
	return c
}

// Parse takes a request that was written elsewhere, as `modules run` does. Its
// server stands for the whole config.
func Parse(data []byte) (*Call, error) {
	c := &Call{}
	if err := json.Unmarshal(data, &c.Request); err != nil {
		return nil, fmt.Errorf("the request is not JSON of the right shape: %w", err)
	}
	if c.Request.ABI != abi {
		return nil, fmt.Errorf("the request speaks ABI %d, and %d is what is spoken here", c.Request.ABI, abi)
	}
	return c, nil
}

// JSON is the request as a module reads it.
func (c *Call) JSON() []byte {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(c.Request); err != nil {
		panic(err) // the request holds nothing that JSON cannot say
	}
	return []byte(out.String())
}

const placeholderStart, placeholderEnd = "{{secret:", "}}"

// hidden replaces the secret parts of a value by placeholders. Text that looks
// like one already is hidden too, so that no module can mistake it.
func (c *Call) hidden(key, value string) string {
	spans := config.Secrets(key, value)
	if strings.Contains(value, placeholderStart) {
		spans = []config.Span{{Start: 0, End: len(value)}}
	}
	var out strings.Builder
	at := 0
	for _, s := range spans {
		out.WriteString(value[at:s.Start])
		c.secrets = append(c.secrets, value[s.Start:s.End])
		out.WriteString(placeholderStart + strconv.Itoa(len(c.secrets)) + placeholderEnd)
		at = s.End
	}
	out.WriteString(value[at:])
	return out.String()
}

// restored puts the values back in place of placeholders, or says which is
// unknown. Where the request came from elsewhere there are no values, and the
// placeholders stay.
func (c *Call) restored(text string) (string, error) {
	if c.doc == nil {
		return text, nil
	}
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, placeholderStart)
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		number, after, closed := strings.Cut(rest, placeholderEnd)
		n, err := strconv.Atoi(number)
		if !closed || err != nil || n < 1 || n > len(c.secrets) {
			return "", fmt.Errorf("it names a secret %q that it was not given", number)
		}
		out.WriteString(c.secrets[n-1])
		text = after
	}
}
