package serve

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"mcpmend/core/catalog"
	"mcpmend/core/config"
	"mcpmend/core/report"
	"mcpmend/native/doctor"
)

// question is what a person is to agree to.
type question struct {
	text    string
	writes  bool // a file, as opposed to starting a command
	vouched bool // --allow-writes is enough, where nobody can be asked
}

// agree gets a person's yes, or says why there is none.
func (c *call) agree(q question) error {
	s := c.server
	if s.options.Terminal != nil {
		ok, err := s.options.Terminal(c.ctx, q.text)
		switch {
		case err != nil:
			return refused("nobody could be asked at the terminal: %v", err)
		case !ok:
			return refused("the user said no at the terminal")
		}
		return nil
	}
	if _, r := c.current(); !canAsk(r) {
		switch {
		case s.options.AllowWrites && q.vouched:
			return nil
		case s.options.AllowWrites:
			return refused("--allow-writes covers servers of the catalogue and the registry only, and this client cannot ask the user; the user can do it with mcpmend fix or mcpmend add")
		}
		return refused("this needs the user's yes, and this client cannot ask (it has no elicitation); the user can do it with mcpmend fix or mcpmend add, or start mcpmend serve with --allow-writes")
	}
	if err := s.yes.open(c.session); err != nil {
		return err
	}
	asked := s.options.now()
	given, err := c.elicit(q.text)
	switch {
	case err != nil:
		return refused("the user could not be asked: %v", err)
	case given.Action != "accept":
		return refused("the user did not agree")
	}
	c.took = s.options.now().Sub(asked)
	return s.yes.count(c.session, c.took, q)
}

// canAskAnybody says whether there is a person to ask.
func (c *call) canAskAnybody() bool {
	_, r := c.current()
	return c.server.options.Terminal != nil || canAsk(r)
}

// A client that answers faster than anybody reads is not asking anybody. One
// such write is forgiven, since a test looks the same; after it, and after a
// few starts, nothing is done on the word of this client.
const (
	tooFast       = 500 * time.Millisecond
	maxFastStarts = 3
)

type answers struct {
	mu     sync.Mutex
	starts map[string]int // fast ones, by session
	writes map[string]int
}

func (a *answers) open(session string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.writes[session] >= 1 || a.starts[session] >= maxFastStarts {
		return refused("this client has agreed faster than a person can read, so its yes no longer counts; the user can start mcpmend serve with --confirm=terminal")
	}
	return nil
}

// count takes note of a yes, and refuses one that was too fast once too often.
func (a *answers) count(session string, took time.Duration, q question) error {
	if took >= tooFast {
		return nil
	}
	if err := a.open(session); err != nil { // another call was as fast meanwhile
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.starts == nil {
		a.starts, a.writes = map[string]int{}, map[string]int{}
	}
	if q.writes {
		a.writes[session]++
	} else {
		a.starts[session]++
	}
	return nil
}

// mayStart asks before a server is started that the user's own files do not
// define.
func (c *call) mayStart(d *doctor.Doctor, s doctor.Subject) error {
	if d.Consent(s) == "" {
		return nil
	}
	text := fmt.Sprintf("Start this server to test it? It is defined by the project in %s, not by you.\n\n%s",
		safe(s.File.Path), launch(s))
	if err := c.agree(question{text: text}); err != nil {
		return err
	}
	d.AgreeOnce(s)
	return nil
}

// launch shows what will run, one argument a line and nothing cut.
func launch(s doctor.Subject) string {
	return "  " + strings.Join(doctor.LaunchOf(s).Lines(), "\n  ")
}

// basis is what a change rests on before anybody is asked about it.
type basis struct {
	vouched bool   // the catalogue, the registry or an earlier check knows the server
	agreed  string // the text that the user has said yes to, or ""
}

// mayWrite asks before a file is changed, with the change and what it starts. A
// text that the user has agreed to is not asked about again.
func (c *call) mayWrite(s doctor.Subject, after string, b basis) error {
	if b.agreed != "" && after == b.agreed {
		return c.server.yes.count(c.session, c.took, question{writes: true})
	}
	client := s.Document.Client
	text := fmt.Sprintf("Write this to %s, the config of %s?\n\n%s\n\nFrom then on %s starts:\n%s",
		safe(s.File.Path), client.Name, diffText(s.File.Text, after), client.Name, launch(s))
	if len(client.AfterEdit) > 0 {
		text += "\n\n" + doctor.NextStep(client)
	}
	return c.agree(question{text: text, writes: true, vouched: b.vouched})
}

// diffText shows the lines that change, masked and safe.
func diffText(before, after string) string {
	var out strings.Builder
	for _, line := range report.Diff(before, after) {
		fmt.Fprintf(&out, "%c %s\n", line.Sign, report.Safe(line.Text))
	}
	return strings.TrimRight(out.String(), "\n")
}

// launchers are the commands of catalogue servers with all that may stand
// before the package: any other flag can make a known package something else.
var launchers = map[string][][]string{
	"npx":    {{}, {"-y"}, {"--yes"}},
	"uvx":    {{}},
	"docker": {{"run", "-i", "--rm"}, {"run", "--rm", "-i"}},
}

// vouched says whether a server that an agent asks for is one of the
// catalogue, started in the plain way with the variables that it has.
func vouched(s config.Server) bool {
	entry := catalog.Of(s)
	if entry == nil || s.Cwd != "" || len(s.Headers) > 0 {
		return false
	}
	parsed := catalog.Parse(s.Command, s.Args)
	before, ok := launchers[s.Command]
	if !ok || parsed.Index < 0 || catalog.Unversioned(parsed.Package) != entry.Package {
		return false
	}
	lead := s.Args[:parsed.Index]
	if s.Command == "docker" { // passes on named variables by -e NAME
		for len(lead) >= 2 && lead[len(lead)-2] == "-e" && entry.Reads(lead[len(lead)-1]) {
			lead = lead[:len(lead)-2]
		}
	}
	plain := false
	for _, allowed := range before {
		plain = plain || strings.Join(allowed, "\x00") == strings.Join(lead, "\x00")
	}
	for _, v := range s.Env {
		plain = plain && entry.Reads(v.Name)
	}
	return plain
}
