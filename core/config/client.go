package config

import "slices"

// Client is one MCP client: where it keeps its servers, how it spells them and
// what it tolerates. The rows are dated facts about other people's programs,
// so each carries a [Certainty]; what is not known is left zero.
type Client struct {
	ID        string
	Name      string
	Certainty Certainty // of the row as a whole

	Formats        []Format // the first is the one to write
	Comments       Answer   // whether its parser takes them, in the first format
	TrailingCommas Answer
	BOM            Answer

	Places []Place  // of one scope, those that win first
	Roots  []Root   // where in a file the servers are; the first is the one to write
	Beside []string // other top-level keys that are normal in its files
	Head   []Pair   // top-level keys that a file of its own must have

	Fields      []*Field
	UnknownKeys Effect // what becomes of a key that is not in Fields; zero: not known
	BadEntry    Effect // what one bad entry does: Ignored loses itself alone, Refused the whole file; zero: not known

	Stdio, SSE, HTTP Words
	Untyped          Inference

	Interpolation Interpolation
	Limits        Limits
	Logs          []Log
	Signatures    []Signature // of its logs, most telling first

	AfterEdit   []Step // what makes it see an edited file; empty: not known
	How         string // the same for a person, a whole sentence, or ""
	Launch      Launch // how it is usually started, which decides the PATH it has
	Environment Inheritance
	WindowsCmd  Answer // whether npx and other .cmd files need cmd /c
}

// Certainty is how sure a fact is. The zero value is sure, so that a row marks
// its doubts. A finding that rests on a Low fact is never an error.
type Certainty uint8

const (
	High   Certainty = iota // read in the source or in official documentation
	Medium                  // seen in part, or in several independent reports
	Low                     // one third party, or derived
)

// Answer is a yes or a no, or, as its zero value, neither.
type Answer uint8

const (
	Unknown Answer = iota
	No
	Yes
)

// Effect is what a client does with a key, an entry or a spelling.
type Effect uint8

const (
	Read       Effect = iota // it means what it says
	Deprecated               // still read, but only for old files
	Ignored                  // dropped in silence or with a notice
	Refused                  // an error that stops the entry or the file
)

// OS is an operating system in the client table; "" is all of them.
type OS string

const (
	Linux   OS = "linux"
	MacOS   OS = "macos"
	Windows OS = "windows"
)

// Scope says whom a file is for. Project and Local files are about one
// project; all others belong to the user or the machine.
type Scope string

const (
	UserScope      Scope = "user"
	ProjectScope   Scope = "project"
	LocalScope     Scope = "local"     // one user's entries for one project, kept in a user file
	ManagedScope   Scope = "managed"   // set by an administrator, above all others
	SystemScope    Scope = "system"    // for all users, below all others
	ExtensionScope Scope = "extension" // brought by a plug-in or bundle
)

// PathKind says what a Place's path is.
type PathKind uint8

const (
	FilePath PathKind = iota
	GlobPath
	DirPath
	EnvPath     // the path is in the variable that Path names
	FlagPath    // given on the command line; Path is the flag
	UIPath      // no file: Path says where in the program
	ArchivePath // inside an archive
)

// Place is where a client looks for servers. Path is a template: "~" is the
// home directory, "$X" and "%X%" are environment variables, a relative path is
// relative to the project, "<x>" and "*" stand for any name.
type Place struct {
	OS        OS
	Scope     Scope
	Path      string
	Kind      PathKind
	Key       string // as Root.Path; "" is the client's first root
	Unless    string // a variable that, when set, makes the client look elsewhere
	Walk      bool   // of a project: also in the folders above, up to the repository's root
	Legacy    bool   // read for old installations, or only moved from there
	Unread    bool   // people put servers there, but the client does not look
	Certainty Certainty
}

// Root is where the servers are in a file: keys joined by dots, "*" for any
// key, "" for the document itself.
type Root struct {
	Path      string
	Shape     Shape
	Format    Format // only in files of this format; "" in all
	As        string // the client in whose dialect the entries are, where not the client's own
	Legacy    bool
	Certainty Certainty
}

// Shape is how entries are put together.
type Shape uint8

const (
	MapShape   Shape = iota // name -> entry
	ListShape               // a list of entries that have a name
	EntryShape              // one entry alone
)

// Pair is a key with its text.
type Pair struct{ Key, Value string }

// Role is what a field is for, the same for all clients.
type Role string

const (
	RoleName           Role = "name"
	RoleType           Role = "type"
	RoleCommand        Role = "command"
	RoleArgs           Role = "args"
	RoleEnv            Role = "env"
	RoleEnvFile        Role = "env_file"
	RoleEnvNames       Role = "env_names" // variables passed on by name
	RoleCwd            Role = "cwd"
	RoleURL            Role = "url"
	RoleHeaders        Role = "headers"
	RoleEnvHeaders     Role = "env_headers"     // header -> variable that has its value
	RoleBearerVariable Role = "bearer_variable" // variable that has the bearer token
	RoleHeadersHelper  Role = "headers_helper"  // program that prints headers
	RoleAuth           Role = "auth"            // OAuth and other settings of signing in
	RoleTimeout        Role = "timeout"         // of requests, or of everything
	RoleStartTimeout   Role = "start_timeout"   // of the start alone
	RoleDisabled       Role = "disabled"        // true switches the server off
	RoleEnabled        Role = "enabled"         // false switches the server off
	RoleAllowTools     Role = "allow_tools"     // run without asking
	RoleIncludeTools   Role = "include_tools"   // only these are offered
	RoleExcludeTools   Role = "exclude_tools"   // these are not offered
	RoleTrust          Role = "trust"           // all tools run without asking
	RoleDescription    Role = "description"     // for people
	RoleProvided       Role = "provided"        // the program comes from elsewhere: nothing to start here
	RoleOther          Role = "other"           // known to the client, of no meaning elsewhere
)

// Types is the set of value types that a field accepts.
type Types uint8

const (
	AsString Types = 1 << iota
	AsNumber
	AsBool
	AsList   // an array of strings
	AsMap    // an object of strings
	AsArray  // any array
	AsObject // any object
	AsNull
)

// Unit is the unit of a field that is a time.
type Unit string

const (
	Milliseconds Unit = "ms"
	Seconds      Unit = "s"
)

// Field is one key of a server entry in a client's spelling. A client may have
// several for one role; the first is the one to write.
//
// Name may be a path through nested objects, such as "requestInit.headers".
type Field struct {
	Role      Role
	Name      string
	Types     Types
	Values    []string  // the only values allowed, where there are such
	Unit      Unit      // of a time
	Min, Max  int       // bounds of a number, where Max is not 0
	Only      Transport // meaningful for this transport alone; HTTP includes SSE
	Required  bool      // an entry without it is refused
	Effect    Effect
	Certainty Certainty
}

// Words are what a client calls a transport in its type field, the first being
// the one to write. Implied is the key that is enough without a word. With
// neither, the client cannot talk that way.
type Words struct {
	Words     []string
	Implied   string
	Certainty Certainty
}

// Inference is what a client makes of an entry without a type word.
type Inference struct {
	Command   Effect    // an entry with a command
	URL       Effect    // an entry with a URL
	Means     Transport // what a URL alone means; "" is HTTP, with SSE tried after it
	URLFirst  bool      // the URL counts where there is a command too
	Certainty Certainty
}

// Interpolation is how a client's strings refer to variables. Syntax holds
// forms such as "${VAR}", "${VAR:-default}" and "${env:VAR}", the plain one
// first.
type Interpolation struct {
	Supported Answer
	Syntax    []string
	Where     []Role // empty: in every string
	Unset     Unset
	Certainty Certainty
}

// Unset is what becomes of a reference to a variable that is not set.
type Unset uint8

const (
	UnsetUnknown Unset = iota
	UnsetLiteral       // the reference stays as it was written
	UnsetEmpty
	UnsetError
)

// Limits are what a client sets on names, tools and times; 0 and "" are no
// limit that is known.
type Limits struct {
	Name          string   // pattern that a server's name must match
	Avoid         string   // characters that a server's name had better not have
	Reserved      []string // names a server cannot have
	ToolName      int      // characters of a tool's name, as the client makes it up
	ServerAndTool int      // characters of both names together
	Tools         int      // tools in one request; more are refused or dropped
	ManyTools     int      // the client warns from here on
	StartSeconds  int      // default time to start
	CallSeconds   int      // default time for a request
	OutputTokens  int      // of one tool result
	Certainty     Certainty
}

// Log is a place where the client writes about its servers; Path as in Place.
type Log struct {
	OS        OS
	Path      string
	Kind      PathKind
	Certainty Certainty
}

// Signature is an RE2 pattern of a client's own log lines. It is text, not a
// compiled pattern: whoever reads logs compiles it on first use.
type Signature struct {
	Pattern   string
	Shared    bool // other clients write it too
	Certainty Certainty
}

// Step is something a person does so that a client sees an edited file.
type Step string

const (
	StepNone    Step = "none"    // the client watches the file
	StepQuit    Step = "quit"    // quit the whole program, not its window, and start it again
	StepRestart Step = "restart" // a new session or process
	StepReload  Step = "reload"  // a command, a button or a switch in the client
	StepApprove Step = "approve" // say yes to the server when asked
)

// Launch is how a client is usually started. What is started from a desktop
// has the PATH of the session, not that of the user's shell.
type Launch string

const (
	FromDesktop Launch = "desktop"
	FromShell   Launch = "shell"
	FromService Launch = "service" // a container, a cloud runner or a daemon
)

// Inheritance is how much of its own environment a client hands to a server.
type Inheritance uint8

const (
	InheritUnknown Inheritance = iota
	InheritAll
	InheritSome // a fixed list such as HOME, PATH and USER; the rest must be in the entry
)

// Clients returns the whole table, in a fixed order; the generic client is the
// last. The rows are shared: do not change them.
func Clients() []*Client { return clients }

// ClientByID returns the client with the given id, or nil.
func ClientByID(id string) *Client {
	for _, c := range clients {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Generic is the client of a file that nobody is known to own: the common
// shape, with nothing forbidden.
func Generic() *Client { return &generic }

// Field returns the client's field with that spelling, or nil.
func (c *Client) Field(name string) *Field {
	for _, f := range c.Fields {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Files lists the plain files that the client reads on a system, "" for any:
// of each scope the first.
func (c *Client) Files(os OS) []string {
	var files []string
	seen := map[Scope]bool{ManagedScope: true} // not the user's to write
	for _, p := range c.Places {
		if p.Kind != FilePath || p.Legacy || p.Unread || seen[p.Scope] || p.OS != "" && os != "" && p.OS != os {
			continue
		}
		seen[p.Scope] = true
		if !slices.Contains(files, p.Path) {
			files = append(files, p.Path)
		}
	}
	return files
}

// Spelling returns the field to write for a role and a transport, or nil where
// the client has none.
func (c *Client) Spelling(role Role, t Transport) *Field {
	for _, f := range c.Fields {
		if f.Role == role && f.Effect == Read && f.serves(t) {
			return f
		}
	}
	return nil
}

// serves tells whether a field has a meaning for a transport.
func (f *Field) serves(t Transport) bool {
	return f.Only == "" || f.Only == t || f.Only == HTTP && t == SSE
}

// Words returns what the client calls a transport.
func (c *Client) Words(t Transport) *Words {
	switch t {
	case Stdio:
		return &c.Stdio
	case SSE:
		return &c.SSE
	}
	return &c.HTTP
}

// Known tells whether the client has the transport at all.
func (w *Words) Known() bool { return len(w.Words) > 0 || w.Implied != "" }

// Accepts tells whether a value is of one of the types.
func (t Types) Accepts(n *Node) bool {
	switch n.Kind {
	case String:
		return t&AsString != 0
	case Number:
		return t&AsNumber != 0
	case Bool:
		return t&AsBool != 0
	case Array:
		return t&AsArray != 0 || t&AsList != 0 && all(n.Elements, isString)
	case Object:
		return t&AsObject != 0 || t&AsMap != 0 && all(n.Members, func(m Member) bool { return isString(m.Value) })
	}
	return t&AsNull != 0
}

func isString(n *Node) bool { return n.Kind == String }

func all[T any](list []T, ok func(T) bool) bool {
	for _, x := range list {
		if !ok(x) {
			return false
		}
	}
	return true
}
