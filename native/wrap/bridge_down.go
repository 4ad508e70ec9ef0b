package wrap

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync"
)

// downward translates for a client with a handshake before a server without:
// every request gets the _meta that such a server wants, what the newer era
// dropped is answered here, and a result that asks for input becomes requests
// to the client.
type downward struct {
	conn    *bridgeConn
	request message // the client's initialize

	mu     sync.Mutex
	level  []byte
	uris   map[string]bool
	listen string                 // id of the open subscriptions/listen
	calls  map[string]*roundTrips // by the id under which the server knows them
	asks   map[string]*question   // by the id under which the client was asked
	serial int
}

// roundTrips is a client's request that may go to the server several times.
type roundTrips struct {
	id      []byte // the client's
	message message
	rounds  int
}

// question is one thing that the server wants from the client.
type question struct {
	trips *roundTrips
	round *round
	key   string
}

type round struct {
	missing int
	answers map[string]json.RawMessage
	state   []byte
}

// maxRounds bounds how often one call may ask back.
const maxRounds = 20

func newDownward(c *bridgeConn, initialize message) *downward {
	return &downward{conn: c, request: initialize, uris: map[string]bool{}, calls: map[string]*roundTrips{}, asks: map[string]*question{}}
}

// meta is what the newer era says with every request.
func (d *downward) meta() map[string]any {
	m := map[string]any{metaVersion: firstModern, metaCapabilities: json.RawMessage("{}")}
	if capabilities := member(d.request.params, "capabilities"); capabilities != nil {
		m[metaCapabilities] = json.RawMessage(capabilities)
	}
	if info := member(d.request.params, "clientInfo"); info != nil {
		m["io.modelcontextprotocol/clientInfo"] = json.RawMessage(info)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.level != nil {
		m["io.modelcontextprotocol/logLevel"] = json.RawMessage(d.level)
	}
	return m
}

// initialized makes an answer to the handshake of what the server says about
// itself.
func (d *downward) initialized(discovered []byte) []byte {
	version := text(member(d.request.params, "protocolVersion"))
	if !isLegacy(version) {
		version = legacyVersions[len(legacyVersions)-1]
	}
	result := map[string]any{"protocolVersion": version, "capabilities": json.RawMessage("{}"), "serverInfo": map[string]string{"name": "unknown", "version": "0"}}
	if capabilities := member(discovered, "capabilities"); capabilities != nil {
		result["capabilities"] = json.RawMessage(capabilities)
	}
	for _, info := range [][]byte{member(discovered, "serverInfo"), member(discovered, "_meta", "io.modelcontextprotocol/serverInfo")} {
		if info != nil {
			result["serverInfo"] = json.RawMessage(info)
		}
	}
	if instructions := member(discovered, "instructions"); instructions != nil {
		result["instructions"] = json.RawMessage(instructions)
	}
	return resultMessage(d.request.id, result)
}

func (d *downward) send(raw []byte) (bool, error) {
	m, err := scan(slices.Clone(raw))
	if err != nil {
		return false, err
	}
	switch {
	case m.kind == response:
		return d.answer(m)
	case m.method == "notifications/initialized":
		return true, d.subscribe()
	case m.method == "notifications/cancelled":
		return d.cancel(m)
	case m.kind != request:
		return d.conn.Conn.Send(raw)
	}
	done := func() (bool, error) { d.conn.inject(resultMessage(m.id, struct{}{})); return true, nil }
	switch m.method {
	case "ping":
		return done()
	case "logging/setLevel":
		d.mu.Lock()
		d.level = member(m.params, "level")
		d.mu.Unlock()
		return done()
	case "resources/subscribe", "resources/unsubscribe":
		d.mu.Lock()
		if uri := text(member(m.params, "uri")); m.method == "resources/subscribe" {
			d.uris[uri] = true
		} else {
			delete(d.uris, uri)
		}
		d.mu.Unlock()
		if err := d.subscribe(); err != nil {
			return true, err
		}
		return done()
	}
	trips := &roundTrips{id: m.id, message: m}
	d.mu.Lock()
	d.calls[idKey(m.id)] = trips
	d.mu.Unlock()
	return d.forward(trips, m.id, nil)
}

// cancel calls off a request under the id by which the server knows it. One
// that waits for the client's answers is not known there at the moment, and
// must not be sent again when they come.
func (d *downward) cancel(m message) (bool, error) {
	wanted := idKey(member(m.params, "requestId"))
	d.mu.Lock()
	id := ""
	for key, trips := range d.calls {
		if idKey(trips.id) == wanted {
			id = key
			delete(d.calls, key)
		}
	}
	for key, q := range d.asks {
		if idKey(q.trips.id) == wanted {
			delete(d.asks, key)
		}
	}
	d.mu.Unlock()
	if id == "" {
		return true, nil
	}
	return d.conn.Conn.Send(withMember(m.raw, "params", withMember(m.params, "requestId", []byte(id))))
}

// forward sends a request with its _meta, and with what was asked for in
// between.
func (d *downward) forward(t *roundTrips, id []byte, answered *round) (bool, error) {
	params := t.message.params
	if len(params) == 0 || params[0] != '{' {
		params = []byte("{}")
	}
	meta := member(params, "_meta")
	if len(meta) == 0 || meta[0] != '{' {
		meta = []byte("{}")
	}
	ours := d.meta()
	for _, name := range slices.Sorted(maps.Keys(ours)) {
		meta = withMember(meta, name, encode(ours[name]))
	}
	params = withMember(params, "_meta", meta)
	if answered != nil {
		params = withMember(params, "inputResponses", encode(answered.answers))
		if answered.state != nil {
			params = withMember(params, "requestState", answered.state)
		}
	}
	raw := withMember(t.message.raw, "params", params)
	return d.conn.Conn.Send(withMember(raw, "id", id))
}

// subscribe opens the one request on which such a server reports changes.
func (d *downward) subscribe() error {
	d.mu.Lock()
	old := d.listen
	uris := slices.Sorted(maps.Keys(d.uris))
	d.mu.Unlock()
	id := d.conn.ownID(nil)
	d.mu.Lock()
	d.listen = id
	d.mu.Unlock()
	if old != "" {
		if _, err := d.conn.Conn.Send(notificationMessage("notifications/cancelled", map[string]any{"requestId": old})); err != nil {
			return err
		}
	}
	wanted := map[string]any{"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true}
	if len(uris) > 0 {
		wanted["resourceSubscriptions"] = uris
	}
	_, err := d.conn.Conn.Send(requestMessage(id, "subscriptions/listen", map[string]any{"_meta": d.meta(), "notifications": wanted}))
	return err
}

// receive translates what the server says; nil ends it here.
func (d *downward) receive(m message) []byte {
	if m.kind == notification && m.method == "notifications/subscriptions/acknowledged" {
		return nil
	}
	if m.kind != response {
		return m.raw
	}
	d.mu.Lock()
	trips := d.calls[idKey(m.id)]
	delete(d.calls, idKey(m.id))
	d.mu.Unlock()
	if trips == nil {
		return m.raw
	}
	if text(member(m.result, "resultType")) != "input_required" {
		return splice(m.raw, m.id, trips.id)
	}
	if trips.rounds++; trips.rounds > maxRounds {
		return errorMessage(trips.id, rpcError{Code: codeBadAnswer, Message: "the server asks for input again and again"})
	}
	d.askClient(trips, cloned(m).result)
	return nil
}

// askClient turns what a server wants into requests to the client.
func (d *downward) askClient(t *roundTrips, result []byte) {
	r := &round{answers: map[string]json.RawMessage{}, state: member(result, "requestState")}
	var requests [][]byte
	d.mu.Lock()
	_ = members(member(result, "inputRequests"), nil, func(key string, value []byte) error {
		d.serial++
		id := "mcpmend-input-" + strconv.Itoa(d.serial)
		d.asks[strconv.Quote(id)] = &question{t, r, key}
		r.missing++
		requests = append(requests, requestMessage(id, text(member(value, "method")), json.RawMessage(orEmptyObject(member(value, "params")))))
		return nil
	})
	d.mu.Unlock()
	if len(requests) == 0 { // only the state is to be brought back
		d.again(t, r)
		return
	}
	for _, raw := range requests {
		d.conn.inject(raw)
	}
}

// answer takes a client's answer to such a request; the last one sends the
// call again.
func (d *downward) answer(m message) (bool, error) {
	d.mu.Lock()
	q, ok := d.asks[idKey(m.id)]
	delete(d.asks, idKey(m.id))
	if !ok {
		d.mu.Unlock()
		return true, nil // nobody on the other side asked
	}
	if m.result == nil {
		q.round.missing = -1 // the call is over
		d.mu.Unlock()
		d.conn.inject(errorMessage(q.trips.id, rpcError{Code: codeBadAnswer, Message: "the client refused what the server asked for", Data: json.RawMessage(m.fault)}))
		return true, nil
	}
	q.round.answers[q.key] = json.RawMessage(m.result)
	q.round.missing--
	last := q.round.missing == 0
	d.mu.Unlock()
	if !last {
		return true, nil
	}
	return d.again(q.trips, q.round)
}

func (d *downward) again(t *roundTrips, r *round) (bool, error) {
	d.mu.Lock()
	d.serial++
	id := strconv.Quote("mcpmend-round-" + strconv.Itoa(d.serial))
	d.calls[id] = t
	d.mu.Unlock()
	return d.forward(t, []byte(id), r)
}

func orEmptyObject(raw []byte) []byte {
	if raw == nil {
		return []byte("{}")
	}
	return raw
}
