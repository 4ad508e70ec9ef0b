package wrap

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"mcpmend/native/llm"
)

// Sampling asks the client's model, in the way of the client's era. It is a
// mark, and is not called.
type Sampling struct{}

// Complete is never used: the session speaks to the client itself.
func (Sampling) Complete(context.Context, llm.Prompt) (string, error) {
	return "", errors.New("sampling goes through the session")
}

// comeBack is how long a client of the newer era has to make a call again with
// the answer that it was asked for.
const comeBack = 10 * time.Minute

// canSample tells whether the client offered its model.
func (s *Session) canSample(c *call) bool {
	if c.modern {
		return member(c.raw, "params", "_meta", metaCapabilities, "sampling") != nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return member(s.hand.initialize, "params", "capabilities", "sampling") != nil
}

// sample asks a client of the older era, which answers while the call waits.
func (s *Session) sample(p llm.Prompt) (string, error) {
	s.mu.Lock()
	id, q := s.inquire(0)
	s.mu.Unlock()
	s.toClient(requestMessage(id, "sampling/createMessage", samplingParams(p)))
	m, err := s.await(q, id, "sampling", correctionTime)
	if err != nil {
		return "", err
	}
	return sampled(m.result), nil
}

func samplingParams(p llm.Prompt) map[string]any {
	return map[string]any{
		"systemPrompt": p.System, "maxTokens": llm.MaxTokens, "temperature": 0,
		"messages": []any{map[string]any{"role": "user", "content": textContent{"text", p.User}}},
	}
}

// sampled is the text of a sampling result, whose content is one part or a
// list of parts.
func sampled(result []byte) string {
	content := member(result, "content")
	if parts, err := elements(content); err == nil && len(parts) > 0 {
		content = parts[0]
	}
	return text(member(content, "text"))
}

// parked is a call of a modern client that was sent back to it with a question
// for its model. Such a client cannot be asked in any other way.
type parked struct {
	call      *call
	rejection rejection
	at        time.Time
}

const (
	samplingKey = "mcpmend-correction"
	maxParked   = 100
)

// parkForSampling answers a call with input_required.
func (s *Session) parkForSampling(c *call, r rejection) {
	state := s.prefix + rand.Text()
	s.mu.Lock()
	if len(s.parked) >= maxParked {
		clear(s.parked)
	}
	s.parked[state] = parked{c, r, time.Now()}
	s.mu.Unlock()
	s.answer(c, resultMessage(c.id, map[string]any{
		"resultType":    "input_required",
		"inputRequests": map[string]any{samplingKey: map[string]any{"method": "sampling/createMessage", "params": samplingParams(llm.CorrectionPrompt(r.prompt(c)))}},
		"requestState":  state,
	}), "input_required")
}

// resumeCorrection recognises a call that comes back with the model's answer.
// The server never sees our question: the call goes on as it first was, under
// its new id.
func (s *Session) resumeCorrection(c *call) bool {
	state := text(member(c.raw, "params", "requestState"))
	if !strings.HasPrefix(state, s.prefix) {
		return false
	}
	s.mu.Lock()
	p, ok := s.parked[state]
	delete(s.parked, state)
	s.mu.Unlock()
	if !ok || time.Since(p.at) > comeBack || p.call.tool != c.tool {
		s.answer(c, resultMessage(c.id, toolError(c.modern, "This call belongs to a correction that is no longer open. Make the call again.", nil)), "refused")
		return true
	}
	answer := sampled(member(c.raw, "params", "inputResponses", samplingKey))
	old := p.call
	raw := splice(old.raw, old.id, c.id)
	m, err := scan(raw)
	if err != nil {
		s.refuseMessage(m, err)
		return true
	}
	c.raw, c.id, c.args = raw, m.id, member(m.params, "arguments")
	s.mu.Lock()
	s.register(c)
	s.mu.Unlock()
	s.corrected(c, p.rejection, answer, nil)
	return true
}
