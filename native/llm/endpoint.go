package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Endpoint is an OpenAI-compatible chat completion service.
type Endpoint struct {
	URL     string // the base, such as https://llm.example.com/v1, or the full address
	Model   string
	Key     string
	Timeout time.Duration // 20 s where zero
}

// defaultTimeout bounds one question.
const defaultTimeout = 20 * time.Second

// maxAnswer bounds what is read of an answer.
const maxAnswer = 1 << 20

// Check refuses an address over which a key or arguments could be read by
// others on the way.
func (e *Endpoint) Check() error {
	u, err := url.Parse(e.URL)
	if err != nil {
		return fmt.Errorf("the address of the model %q: %w", e.URL, err)
	}
	switch {
	case u.Scheme == "https" && u.Host != "":
	case u.Scheme == "http" && loopback(u.Hostname()):
	default:
		return fmt.Errorf("the address of the model %q: want https, or http on this machine", u.Redacted())
	}
	if e.Model == "" {
		return errors.New("no model is named: --llm-model")
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// client follows no redirect: the key is for the one address that was named.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
	return errors.New("the model's address redirects, which is not followed")
}}

// Complete asks one question and returns the model's text.
func (e *Endpoint) Complete(ctx context.Context, p Prompt) (string, error) {
	timeout := e.Timeout
	if timeout == 0 {
		timeout = defaultTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	type part struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	body, err := json.Marshal(map[string]any{
		"model": e.Model, "temperature": 0, "max_tokens": MaxTokens,
		"messages": []part{{"system", p.System}, {"user", p.User}},
	})
	if err != nil {
		return "", fmt.Errorf("cannot encode the question: %w", err)
	}
	address := strings.TrimRight(e.URL, "/")
	if !strings.HasSuffix(address, "/chat/completions") {
		address += "/chat/completions"
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return "", fmt.Errorf("cannot ask the model: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	if e.Key != "" {
		request.Header.Set("Authorization", "Bearer "+e.Key)
	}
	answer, err := client.Do(request)
	if err != nil {
		return "", fmt.Errorf("cannot ask the model: %w", err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return "", fmt.Errorf("cannot read the model's answer: %w", err)
	}
	if answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the model's service answered %s", answer.Status)
	}
	var reply struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(text, &reply); err != nil || len(reply.Choices) == 0 {
		return "", errors.New("the model's service gave no completion")
	}
	return reply.Choices[0].Message.Content, nil
}
