package wrap

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// Errors that the protocol of 2026-07-28 has for headers and versions.
const (
	codeHeaderMismatch = -32020
	codeMissing        = -32021
	codeVersion        = -32022
	codeInvalidParams  = -32602
	codeUnknownMethod  = -32601
)

// shared is the one server behind all clients of the newer era.
type shared struct {
	session *Session
	feeding sync.Mutex

	mu    sync.Mutex
	next  uint64
	asked map[string]*exchange // by our id
}

// exchange is one request with the names that it had at its client.
type exchange struct {
	stream *stream
	id     []byte // the client's
	token  []byte // the client's; nil for none
	logs   bool   // the client asked for log messages
	listen bool
}

// modern gets the shared server.
func (l *Listener) modern() *shared {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shared == nil && !l.closed {
		s := &shared{asked: map[string]*exchange{}}
		s.session = newSession(l.options, s.toClient)
		if l.options.Started != nil {
			l.options.Started(s.session)
		}
		l.shared = s
	}
	return l.shared
}

func (l *Listener) postModern(w http.ResponseWriter, r *http.Request, m message) {
	s := l.modern()
	if s == nil {
		http.Error(w, "shutting down", http.StatusServiceUnavailable)
		return
	}
	if m.kind != request {
		// Nothing that a client of this era notifies concerns a shared server.
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if code, why := s.checkHeaders(r, m); code != 0 {
		writeError(w, http.StatusBadRequest, m.id, code, why)
		return
	}
	x := &exchange{
		stream: newStream(1), id: m.id, listen: m.method == "subscriptions/listen",
		token: member(m.params, "_meta", "progressToken"),
		logs:  member(m.params, "_meta", "io.modelcontextprotocol/logLevel") != nil,
	}
	s.mu.Lock()
	s.next++
	id := strconv.Quote("c" + strconv.FormatUint(s.next, 10))
	s.asked[id] = x
	s.mu.Unlock()
	s.feeding.Lock()
	s.session.FromClient(renamed(m, id))
	s.feeding.Unlock()
	whole := x.stream.serve(w, r, x.listen, errorStatus)
	s.mu.Lock()
	_, open := s.asked[id]
	delete(s.asked, id)
	s.mu.Unlock()
	if open && !whole {
		// In this era a client cancels by leaving.
		s.feeding.Lock()
		s.session.FromClient(notificationMessage("notifications/cancelled", map[string]any{"requestId": json.RawMessage(id), "reason": "the client left"}))
		s.feeding.Unlock()
	}
}

// renamed gives a request our own id, which serves as its token too.
func renamed(m message, id string) []byte {
	raw := splice(m.raw, m.id, []byte(id))
	if token := member(raw, "params", "_meta", "progressToken"); token != nil {
		raw = splice(raw, token, []byte(id))
	}
	return raw
}

// toClient gives a message to the one client that it concerns, under the names
// that this client knows.
func (s *shared) toClient(raw []byte) {
	m, err := scan(raw)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case m.kind == response:
		key := string(m.id)
		x, ok := s.asked[key]
		if !ok {
			return
		}
		delete(s.asked, key)
		out := splice(raw, m.id, x.id)
		if tag := member(out, "result", "_meta", metaSubscription); tag != nil {
			out = splice(out, tag, x.id)
		}
		x.stream.answer(out)
	case m.kind == notification && m.method == "notifications/progress":
		token := member(m.params, "progressToken")
		if x, ok := s.asked[string(token)]; ok && x.token != nil {
			x.stream.put(splice(raw, token, x.token))
		}
	case m.kind == notification && member(m.params, "_meta", metaSubscription) != nil:
		tag := member(m.params, "_meta", metaSubscription)
		if x, ok := s.asked[string(tag)]; ok {
			x.stream.put(splice(raw, tag, x.id))
		}
	case m.kind == notification && m.method == "notifications/message":
		// A log message does not say whose call it is about. It is passed on
		// only where there is no doubt.
		var only *exchange
		for _, x := range s.asked {
			if x.listen {
				continue
			}
			if only != nil {
				return
			}
			only = x
		}
		if only != nil && only.logs {
			only.stream.put(raw)
		}
	}
}

// errorStatus is the HTTP status that goes with an answer.
func errorStatus(raw []byte) int {
	switch string(member(raw, "error", "code")) {
	case strconv.Itoa(codeUnknownMethod):
		return http.StatusNotFound
	case strconv.Itoa(codeInvalidParams), strconv.Itoa(codeHeaderMismatch), strconv.Itoa(codeMissing), strconv.Itoa(codeVersion):
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// checkHeaders compares what the headers say with what the message says, so
// that nobody on the way can be told one thing and the server another.
func (s *shared) checkHeaders(r *http.Request, m message) (code int, why string) {
	version := r.Header.Get(headerVersion)
	meta := text(member(m.params, "_meta", metaVersion))
	switch {
	case version == "":
		return codeHeaderMismatch, "the header Mcp-Protocol-Version is missing"
	case meta == "":
		return codeInvalidParams, "_meta has no " + metaVersion
	case meta != version:
		return codeHeaderMismatch, fmt.Sprintf("the header Mcp-Protocol-Version says %q, the message %q", plain(version, 50), plain(meta, 50))
	}
	if why := sameHeader(r, headerMethod, m.method); why != "" {
		return codeHeaderMismatch, why
	}
	field := map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}[m.method]
	if field == "" {
		return 0, ""
	}
	name := text(member(m.params, field))
	if why := sameHeader(r, headerName, name); why != "" {
		return codeHeaderMismatch, why
	}
	if m.method == "tools/call" {
		if t := s.session.lookUp(name); t != nil {
			if why := checkParamHeaders(r, t.schema, nil, member(m.params, "arguments")); why != "" {
				return codeHeaderMismatch, why
			}
		}
	}
	return 0, ""
}

func sameHeader(r *http.Request, name, want string) string {
	values := r.Header.Values(name)
	if len(values) != 1 {
		return "the header " + name + " is missing, or there twice"
	}
	got, ok := decodeHeader(strings.TrimSpace(values[0]))
	if !ok || got != want {
		return fmt.Sprintf("the header %s says %q, the message %q", name, plain(got, 100), plain(want, 100))
	}
	return ""
}

// decodeHeader undoes the form for values that a header cannot hold.
func decodeHeader(value string) (string, bool) {
	inner, ok := strings.CutPrefix(value, "=?base64?")
	if ok {
		inner, ok = strings.CutSuffix(inner, "?=")
	}
	if !ok {
		return value, true
	}
	decoded, err := base64.StdEncoding.DecodeString(inner)
	return string(decoded), err == nil
}

// checkParamHeaders compares the headers that a schema asks for (x-mcp-header)
// with the arguments.
func checkParamHeaders(r *http.Request, schema []byte, path []string, arguments []byte) (why string) {
	_ = members(member(schema, "properties"), nil, func(name string, property []byte) error {
		if why != "" {
			return nil
		}
		value := member(arguments, name)
		if header := text(member(property, "x-mcp-header")); header != "" {
			why = sameParam(r, headerParam+header, value)
		}
		if member(property, "properties") != nil && len(path) < 16 {
			why = firstOf(why, checkParamHeaders(r, property, append(path, name), value))
		}
		return nil
	})
	return why
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func sameParam(r *http.Request, header string, value []byte) string {
	values := r.Header.Values(header)
	absent := value == nil || isNull(value)
	switch {
	case absent && len(values) == 0:
		return ""
	case absent:
		return "the header " + header + " is there, and its argument is not"
	case len(values) != 1:
		return "the header " + header + " is missing, or there twice"
	}
	got, ok := decodeHeader(strings.TrimSpace(values[0]))
	want := string(value)
	if value[0] == '"' {
		want = text(value)
	}
	if !ok || got != want && !(value[0] != '"' && idKey([]byte(got)) == idKey(value)) {
		return "the header " + header + " is not what the argument is"
	}
	return ""
}
