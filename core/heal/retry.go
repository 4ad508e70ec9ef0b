package heal

import (
	"fmt"
	"slices"
	"strings"
)

// Failure is the kind of a failed call, as far as a second try is concerned.
type Failure string

const (
	ConnectionFailure Failure = "connection"
	TimeoutFailure    Failure = "timeout"
	ArgumentFailure   Failure = "argument"
	AuthFailure       Failure = "auth"
	SecurityFailure   Failure = "security"
	PathFailure       Failure = "path"
	PermissionFailure Failure = "permission"
	ServerBug         Failure = "server_bug"
	UnknownFailure    Failure = "unknown"
)

// retryable are the failures that a second try may help. No other can be made
// retryable by configuration: those say that something was refused, that the
// server is at fault, or nothing at all.
func retryable() []Failure {
	return []Failure{ConnectionFailure, TimeoutFailure, ArgumentFailure}
}

// telling has the words that tell a failure's kind, in lower case. The first
// kind with a hit is it, and those that are never retried come first: an error
// that speaks of a forbidden path and of a wrong argument is about the path.
var telling = []struct {
	kind  Failure
	words []string
}{
	{SecurityFailure, []string{"security", "traversal", "outside allowed", "outside the allowed", "not in allowed", "not allowed", "forbidden by policy", "blocked by", "sandbox", "injection", "untrusted", "refused by policy", "profile"}},
	{AuthFailure, []string{"unauthorized", "unauthorised", "unauthenticated", "authentication", "authorization", "credential", "forbidden", "api key", "api_key", "apikey", "access token", "invalid token", "token expired", "expired token", "invalid_grant", "http 401", "http 403", "status 401", "status 403", "status code 401", "status code 403", "error 401", "error 403", "login required", "not logged in"}},
	{PermissionFailure, []string{"permission", "eacces", "eperm", "access denied", "access is denied", "operation not permitted", "read-only file system", "erofs"}},
	{PathFailure, []string{"enoent", "no such file", "file not found", "directory not found", "path does not exist", "path not found", "not a directory", "enotdir", "eisdir", "eloop"}},
	{ServerBug, []string{"typeerror", "keyerror", "attributeerror", "referenceerror", "nameerror", "indexerror", "nullpointerexception", "nil pointer", "panic:", "traceback", "segmentation fault", "cannot read propert", "is not a function", "is not defined", "internal server error", "assertionerror"}},
	{TimeoutFailure, []string{"timed out", "timeout", "time-out", "etimedout", "deadline exceeded"}},
	{ConnectionFailure, []string{"connection closed", "connection reset", "connection refused", "connection lost", "econnreset", "econnrefused", "broken pipe", "epipe", "socket hang up", "fetch failed", "not connected", "brokenresourceerror"}},
	{ArgumentFailure, []string{"validation", "invalid argument", "invalid_argument", "invalid params", "invalid parameter", "invalid input", "invalid_type", "invalid value", "invalid_value", "invalid enum", "valueerror", "zoderror", "pydantic", "unrecognized key", "additional properties", "missing required", "required property", "field required", "is required", "must be ", "must have", "expected "}},
}

// Codes of JSON-RPC that say more than their message.
const codeInvalidParams = -32602

// KindOf tells a failure by the server's own words: code is that of a JSON-RPC
// error, or 0 for a tool's error.
func KindOf(code int, message string) Failure {
	message = strings.ToLower(message)
	for _, row := range telling {
		for _, word := range row.words {
			if strings.Contains(message, word) {
				return row.kind
			}
		}
	}
	if code == codeInvalidParams {
		return ArgumentFailure
	}
	return UnknownFailure
}

// Trust is how far a server's claims about its tools go.
type Trust string

const (
	TrustIdempotent Trust = "idempotent" // read-only and idempotent tools may run twice
	TrustReadOnly   Trust = "read-only"
	TrustNever      Trust = "never"
)

// Reach is how far a call got before it failed.
type Reach uint8

const (
	Unsent   Reach = iota // no byte of it left us
	Rejected              // the server, or our validator, refused it before it ran
	Sent                  // it may have run, in part or as a whole
)

// Call is what is known of a failed call.
type Call struct {
	Reach      Reach
	Harmless   bool // no tools/call: lists, reads, pings
	ReadOnly   bool // annotations of the tool that never changed between two lists
	Idempotent bool
	Retries    int // made so far
}

// RetryPolicy says which failed calls may be made again.
type RetryPolicy struct {
	Trust      Trust
	Retryable  []Failure
	MaxRetries int // of one call, for anything but a lost connection
}

// DefaultRetryPolicy retries once, and believes annotations.
func DefaultRetryPolicy() RetryPolicy {
	return RetryPolicy{Trust: TrustIdempotent, Retryable: retryable(), MaxRetries: 1}
}

// Check tells whether the policy can be kept.
func (p RetryPolicy) Check() error {
	switch p.Trust {
	case TrustIdempotent, TrustReadOnly, TrustNever:
	default:
		return fmt.Errorf("retry %q: want idempotent, read-only or never", p.Trust)
	}
	for _, f := range p.Retryable {
		if !slices.Contains(retryable(), f) {
			return fmt.Errorf("failures of kind %q are never retried; those that can be are %v", f, retryable())
		}
	}
	if p.MaxRetries < 0 || p.MaxRetries > 5 {
		return fmt.Errorf("max retries %d: want 0 to 5", p.MaxRetries)
	}
	return nil
}

// Outcome is what the caller of a failed call must be told about its effect.
type Outcome string

const (
	NotRun     Outcome = "not_run"
	MayHaveRun Outcome = "may_have_run"
	Refused    Outcome = "refused"
)

// Verdict is the policy's answer: retry it, or raise the error with its
// outcome. There is no third, so that no failure is swallowed.
type Verdict struct {
	Retry   bool
	Outcome Outcome
	Why     string
}

// lostLimit bounds the retries of a call whose connection is lost each time:
// enough to outlast a server that is killed at random, too few for a call that
// kills it.
const lostLimit = 10

// Judge decides about a call that failed.
func (p RetryPolicy) Judge(f Failure, c Call) Verdict {
	v := Verdict{Outcome: MayHaveRun}
	if c.Reach != Sent {
		v.Outcome = NotRun
	}
	limit := p.MaxRetries
	if f == ConnectionFailure {
		limit = lostLimit
	}
	switch {
	case !slices.Contains(p.Retryable, f):
		v.Why = fmt.Sprintf("a failure of kind %q is not retried", f)
	case c.Retries >= limit:
		v.Why = fmt.Sprintf("it was retried %d times", c.Retries)
	case c.Reach != Sent:
		v.Retry, v.Why = true, "it did not run"
	case c.Harmless:
		v.Retry, v.Why = true, "it has no effect"
	case p.Trust == TrustNever:
		v.Why = "it may have run, and retries are switched off"
	case c.ReadOnly:
		v.Retry, v.Why = true, "the tool says that it only reads"
	case c.Idempotent && p.Trust == TrustIdempotent:
		v.Retry, v.Why = true, "the tool says that running it twice is like running it once"
	default:
		v.Why = "it may have run, and running it twice could do harm"
	}
	return v
}
