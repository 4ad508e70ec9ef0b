// Package config reads, repairs, patches and converts the configuration files
// in which MCP clients keep their servers: JSON with or without comments, TOML
// and YAML, in the dialects of some three dozen clients.
//
// A text becomes a [Document] by [Parse]; a text that does not parse becomes
// one that does by [Repair]; a [Patch] is carried out on the text itself by
// [Apply], so that comments, order and every byte that need not change stay;
// [Convert] writes one client's servers in another client's dialect. [Detect]
// tells whose file a text is, and [Mask] hides the secrets of anything that is
// about to be shown.
//
// The package is pure: it reads no file, no clock and no environment.
package config

// Format is the notation of a document.
type Format string

const (
	JSON  Format = "json"
	JSONC Format = "jsonc" // JSON with comments and trailing commas
	TOML  Format = "toml"
	YAML  Format = "yaml"
)

// Limits on what is parsed at all. hujson recurses without a limit of its own
// and a Go stack overflow cannot be recovered, so both are checked by a flat
// scan before any parser sees the text.
const (
	MaxSize  = 4 << 20
	MaxDepth = 1000
)

// Transport is the way a client talks to a server.
type Transport string

const (
	Stdio Transport = "stdio"
	SSE   Transport = "sse"
	HTTP  Transport = "http" // streamable HTTP
)

// Span is a range of bytes, end exclusive, in the text it was read from.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Kind is the kind of a value, the same for all formats.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Node is one value of a document together with its place in the text.
type Node struct {
	Kind     Kind
	Span              // the value itself, without surrounding space and comments
	Text     string   // decoded string, or the literal of a number or bool
	Members  []Member // of an object, in order; duplicates are kept
	Elements []*Node  // of an array
}

// Member is one key of an object with its value.
type Member struct {
	Name  string
	Key   Span // the key as written, with its quotes
	Value *Node
}

// Document is a parsed configuration.
type Document struct {
	Text    string
	Format  Format
	Client  *Client // never nil: the generic client where none was recognised
	Root    *Node
	Servers []Server // in the order of the text
}

// Server is one server entry, read through the client's spelling of fields.
// Absent fields are zero; Node has the entry as written.
type Server struct {
	Name      string
	Pointer   string // RFC 6901, from the root of the document
	Transport Transport
	Command   string
	Args      []string
	Env       []Variable // in order
	URL       string
	Headers   []Variable
	Cwd       string
	Disabled  bool
	Node      *Node
	Key       Span // the name as written
}

// Variable is a name with its value, of an environment or of HTTP headers.
type Variable struct {
	Name, Value string
	Node        *Node // the value as written
}
