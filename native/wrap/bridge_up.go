package wrap

import (
	"crypto/rand"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// upward translates for a client without a handshake before a server with one:
// the handshake is made here, results get what the newer era requires of them,
// and a request of the server becomes a result that asks for input.
type upward struct {
	conn   *bridgeConn
	server []byte // its answer to the handshake

	mu      sync.Mutex
	level   string
	calls   map[string]string // id of a call at the server -> id of the client's request that waits for it
	order   []string          // of those, oldest first
	waiting map[string]open   // by requestState
	listens map[string]subscription
}

// subscription is an open subscriptions/listen.
type subscription struct {
	id     []byte
	wanted []byte // which changes, as the client said it
}

// open is a request of the server that the client has been asked about.
type open struct {
	id   []byte // the server's
	call string // the call at the server that it came up in
	at   time.Time
}

const inputKey = "request"

func newUpward(c *bridgeConn, first message) (*upward, error) {
	meta := member(first.params, "_meta")
	params := map[string]any{"protocolVersion": legacyVersions[len(legacyVersions)-1], "capabilities": json.RawMessage("{}"), "clientInfo": map[string]string{"name": "mcpmend", "version": "1"}}
	if capabilities := member(meta, metaCapabilities); capabilities != nil {
		params["capabilities"] = json.RawMessage(capabilities)
	}
	if info := member(meta, "io.modelcontextprotocol/clientInfo"); info != nil {
		params["clientInfo"] = json.RawMessage(info)
	}
	m, err := c.ask("initialize", params, 30*time.Second)
	if err != nil || m.result == nil {
		if err == nil {
			err = errGone
		}
		return nil, err
	}
	if _, err := c.Conn.Send(notificationMessage("notifications/initialized", nil)); err != nil {
		return nil, err
	}
	return &upward{conn: c, server: m.result, calls: map[string]string{}, waiting: map[string]open{}, listens: map[string]subscription{}}, nil
}

func (u *upward) send(raw []byte) (bool, error) {
	m, err := scan(slices.Clone(raw))
	if err != nil {
		return false, err
	}
	if m.method == "notifications/cancelled" {
		return u.cancel(m)
	}
	if m.kind != request {
		return u.conn.Conn.Send(raw)
	}
	if level := text(member(m.params, "_meta", "io.modelcontextprotocol/logLevel")); level != "" {
		u.mu.Lock()
		changed := u.level != level
		u.level = level
		u.mu.Unlock()
		if changed {
			if _, err := u.conn.Conn.Send(requestMessage(u.conn.ownID(nil), "logging/setLevel", map[string]string{"level": level})); err != nil {
				return true, err
			}
		}
	}
	switch m.method {
	case "server/discover":
		u.conn.inject(resultMessage(m.id, u.discovered()))
		return true, nil
	case "subscriptions/listen":
		return true, u.listen(m)
	}
	if state := text(member(m.params, "requestState")); strings.HasPrefix(state, "mcpmend-") {
		return u.bringBack(m, state)
	}
	u.mu.Lock()
	key := idKey(m.id)
	u.calls[key] = string(m.id)
	u.order = append(u.order, key)
	u.mu.Unlock()
	return u.conn.Conn.Send(raw)
}

// discovered is what the server said in the handshake, in the newer form.
func (u *upward) discovered() map[string]any {
	result := map[string]any{"resultType": "complete", "supportedVersions": []string{firstModern}, "capabilities": json.RawMessage(orEmptyObject(member(u.server, "capabilities"))), "ttlMs": 0, "cacheScope": "private"}
	if info := member(u.server, "serverInfo"); info != nil {
		result["serverInfo"] = json.RawMessage(info)
		result["_meta"] = map[string]any{"io.modelcontextprotocol/serverInfo": json.RawMessage(info)}
	}
	if instructions := member(u.server, "instructions"); instructions != nil {
		result["instructions"] = json.RawMessage(instructions)
	}
	return result
}

// listen keeps a subscription here: an older server reports changes to whoever
// is connected.
func (u *upward) listen(m message) error {
	wanted := orEmptyObject(member(m.params, "notifications"))
	u.mu.Lock()
	u.listens[idKey(m.id)] = subscription{m.id, wanted}
	u.mu.Unlock()
	u.conn.inject(notificationMessage("notifications/subscriptions/acknowledged", map[string]any{
		"_meta": map[string]any{metaSubscription: json.RawMessage(m.id)}, "notifications": json.RawMessage(wanted),
	}))
	uris, err := elements(member(wanted, "resourceSubscriptions"))
	if err != nil {
		return nil // none
	}
	for _, uri := range uris {
		if _, err := u.conn.Conn.Send(requestMessage(u.conn.ownID(nil), "resources/subscribe", map[string]any{"uri": json.RawMessage(uri)})); err != nil {
			return err
		}
	}
	return nil
}

func (u *upward) cancel(m message) (bool, error) {
	key := idKey(member(m.params, "requestId"))
	u.mu.Lock()
	_, listening := u.listens[key]
	delete(u.listens, key)
	// The server knows a call that asked back by its first id.
	for first, last := range u.calls {
		if idKey([]byte(last)) == key {
			key = first
			u.drop(first)
			break
		}
	}
	u.mu.Unlock()
	if listening {
		return true, nil
	}
	return u.conn.Conn.Send(notificationMessage("notifications/cancelled", map[string]any{"requestId": json.RawMessage(key)}))
}

// drop forgets a call that is over; the lock is held.
func (u *upward) drop(key string) {
	delete(u.calls, key)
	u.order = slices.DeleteFunc(u.order, func(other string) bool { return other == key })
}

// receive translates what the server says; nil ends it here.
func (u *upward) receive(m message) []byte {
	switch {
	case m.kind == request:
		u.askClient(cloned(m))
		return nil
	case m.kind == notification:
		return u.tagged(m)
	}
	u.mu.Lock()
	last, ok := u.calls[idKey(m.id)]
	u.drop(idKey(m.id))
	u.mu.Unlock()
	if !ok {
		return m.raw
	}
	raw := splice(m.raw, m.id, []byte(last))
	result := member(raw, "result")
	if len(result) == 0 || result[0] != '{' || member(result, "resultType") != nil {
		return raw
	}
	full := withMember(result, "resultType", []byte(`"complete"`))
	for _, list := range []string{"tools", "resources", "resourceTemplates", "prompts", "contents"} {
		if member(result, list) != nil {
			full = withMember(withMember(full, "ttlMs", []byte("0")), "cacheScope", []byte(`"private"`))
			break
		}
	}
	return splice(raw, result, full)
}

// listChanges are the older era's reports of changes, with the member by which
// a subscription of the newer era asks for them.
var listChanges = map[string]string{
	"notifications/tools/list_changed":     "toolsListChanged",
	"notifications/prompts/list_changed":   "promptsListChanged",
	"notifications/resources/list_changed": "resourcesListChanged",
}

// wants tells whether a subscription asked for a notification.
func (s subscription) wants(m message) bool {
	if name, ok := listChanges[m.method]; ok {
		return string(member(s.wanted, name)) == "true"
	}
	uris, _ := elements(member(s.wanted, "resourceSubscriptions"))
	uri := text(member(m.params, "uri"))
	return slices.ContainsFunc(uris, func(wanted []byte) bool { return text(wanted) == uri })
}

// tagged gives a report of a change to each subscription that asked for it.
func (u *upward) tagged(m message) []byte {
	if listChanges[m.method] == "" && m.method != "notifications/resources/updated" {
		return m.raw
	}
	u.mu.Lock()
	var all [][]byte
	for _, s := range u.listens {
		if s.wants(m) {
			params := orEmptyObject(m.params)
			meta := withMember(orEmptyObject(member(params, "_meta")), metaSubscription, s.id)
			all = append(all, withMember(m.raw, "params", withMember(params, "_meta", meta)))
		}
	}
	u.mu.Unlock()
	for _, raw := range all {
		u.conn.inject(raw)
	}
	return nil
}

// askClient answers the call in which the server asks with a result that says
// so. Which call that is, an older server does not say: it is taken to be the
// last one that was made. Where several clients have calls under way nobody is
// asked, because what one of them said could be in the question.
func (u *upward) askClient(m message) {
	state := "mcpmend-" + rand.Text()
	u.mu.Lock()
	u.abandon()
	why := ""
	switch {
	case len(u.order) == 0:
		why = "the client cannot be asked outside of a call"
	case len(u.order) > 1 && u.conn.bridge.shared:
		why = "several calls are under way, and none is known to be the one to ask about"
	}
	if why != "" {
		u.mu.Unlock()
		go u.conn.Conn.Send(errorMessage(m.id, rpcError{Code: codeUnknownMethod, Message: why}))
		return
	}
	call := u.order[len(u.order)-1]
	u.waiting[state] = open{m.id, call, time.Now()}
	id := u.calls[call]
	u.mu.Unlock()
	u.conn.inject(resultMessage([]byte(id), map[string]any{
		"resultType":    "input_required",
		"inputRequests": map[string]any{inputKey: map[string]any{"method": m.method, "params": json.RawMessage(orEmptyObject(m.params))}},
		"requestState":  state,
	}))
}

// abandon gives up on calls whose client was asked long ago and did not come
// back; the lock is held.
func (u *upward) abandon() {
	for state, asked := range u.waiting {
		if time.Since(asked.at) > comeBack {
			delete(u.waiting, state)
			u.drop(asked.call)
			go u.conn.Conn.Send(errorMessage(asked.id, rpcError{Code: codeInvalidParams, Message: "the client did not come back with an answer"}))
		}
	}
}

// bringBack takes a client's second request, which carries the answer.
func (u *upward) bringBack(m message, state string) (bool, error) {
	u.mu.Lock()
	asked, ok := u.waiting[state]
	delete(u.waiting, state)
	if ok {
		u.calls[asked.call] = string(m.id) // what comes now is for this one
	}
	u.mu.Unlock()
	answer := member(m.params, "inputResponses", inputKey)
	switch {
	case !ok:
		u.conn.inject(errorMessage(m.id, rpcError{Code: codeInvalidParams, Message: "this requestState is no longer known; make the call again from the start"}))
		return true, nil
	case answer == nil:
		return u.conn.Conn.Send(errorMessage(asked.id, rpcError{Code: codeInvalidParams, Message: "the client gave no answer to " + strconv.Quote(inputKey)}))
	}
	return u.conn.Conn.Send(resultMessage(asked.id, json.RawMessage(answer)))
}
