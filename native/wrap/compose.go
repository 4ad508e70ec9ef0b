package wrap

import (
	"bytes"
	"encoding/json"
)

// Codes of our own JSON-RPC errors. The protocol keeps -32768 to -32000.
const (
	codeConnectionLost = 31000 // while the request was under way
	codeCannotStart    = 31001
	codeStillDown      = 31002 // not back within the recovery time
	codeDead           = 31003
	codeStopped        = 31004 // the task was stopped
	codeTimedOut       = 31005
	codeBusy           = 31006
	codeBadAnswer      = 31007 // too long, or ambiguous

	codeParseError     = -32700
	codeInvalidRequest = -32600
)

// encode is json.Marshal without the escaping of <, > and &, which readers of
// an error text would have to undo.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		// Only values of our own making come here.
		panic("encoding a message: " + err.Error())
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func errorMessage(id []byte, e rpcError) []byte {
	if len(id) == 0 {
		id = []byte("null")
	}
	return encode(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   rpcError        `json:"error"`
	}{"2.0", id, e})
}

func resultMessage(id []byte, result any) []byte {
	return encode(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result"`
	}{"2.0", id, result})
}

func requestMessage(id, method string, params any) []byte {
	return encode(struct {
		Version string `json:"jsonrpc"`
		ID      string `json:"id"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", id, method, params})
}

func notificationMessage(method string, params any) []byte {
	return encode(struct {
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", method, params})
}

// toolResult is a tools/call result that says what went wrong.
type toolResult struct {
	Type       string        `json:"resultType,omitempty"` // from 2026-07-28 on
	Content    []textContent `json:"content"`
	Structured any           `json:"structuredContent,omitempty"`
	IsError    bool          `json:"isError"`
}

type textContent struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

func toolError(modern bool, text string, structured any) toolResult {
	r := toolResult{Content: []textContent{{"text", text}}, Structured: structured, IsError: true}
	if modern {
		r.Type = "complete"
	}
	return r
}

// moved is the part of a copy that a part of the original became.
func moved(clone, raw, part []byte) []byte {
	if part == nil {
		return nil
	}
	at := cap(raw) - cap(part)
	return clone[at : at+len(part)]
}

// splice replaces a part of a message, which must be a slice of it.
func splice(raw, part, with []byte) []byte {
	at := cap(raw) - cap(part)
	out := make([]byte, 0, len(raw)-len(part)+len(with))
	out = append(out, raw[:at]...)
	out = append(out, with...)
	return append(out, raw[at+len(part):]...)
}
