package core_test

import (
	"fmt"
	"testing"

	"mcpmend/core"
)

// Every library has its own words for the status of a response.
func TestStatuses(t *testing.T) {
	phrases := []string{
		"HTTP %d", "HTTP error %d", "Error: Request failed with status code %d", "the server returned %d", "I get a %d error",
		"the %d error occurs on the /mcp endpoint", "Error POSTing to endpoint (HTTP %d)", "SSE error: Non-200 status code (%d)",
		"HTTP status client error (%d) for url (https://mcp.example.com/mcp)", "Unexpected status code: %d", "status: %d",
		"Response status code does not indicate success: %d", `{"status":%d}`, `{"statusCode": %d, "message": "x"}`, "status=%d",
		"HTTPStatusError: Client error '%d' for url 'https://mcp.example.com/mcp'", "got %d from the server", "responded with %d",
		"Error %d status sending message to https://mcp.example.com/mcp",
	}
	for status, want := range map[int]string{
		401: "auth_failed", 403: "auth_failed", 404: "transport_mismatch", 405: "transport_mismatch", 406: "transport_mismatch",
		407: "network_unreachable", 408: "timeout", 409: "session_expired", 415: "transport_mismatch", 421: "transport_mismatch",
		429: "rate_limited", 500: "server_crash", 502: "network_unreachable", 503: "network_unreachable", 504: "timeout",
		522: "timeout", 524: "timeout", 525: "tls_failed", 526: "tls_failed",
	} {
		for _, p := range phrases {
			text := fmt.Sprintf(p, status)
			if d := core.Examine(core.Input{Text: text}).Diagnoses[0]; d.Category != want {
				t.Errorf("%s: got %s (%s), want %s", text, d.Category, d.Code, want)
			}
		}
	}
	for _, text := range []string{
		"2026-01-01T10:00:00.504Z [info] ready", "listening on 127.0.0.1:4290", "read 502 files", "INFO 429+ tools found", "took 504 ms",
	} {
		if d := core.Examine(core.Input{Text: text}).Diagnoses[0]; d.Category != "unknown" && d.Category != "transport_mismatch" {
			t.Errorf("%s: got %s (%s)", text, d.Category, d.Code)
		}
	}
}
