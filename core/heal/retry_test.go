package heal_test

import (
	"fmt"
	"testing"

	"github.com/matryer/is"

	"mcpmend/core/heal"
)

func TestKindOf(t *testing.T) {
	tests := []struct {
		code    int
		message string
		want    heal.Failure
	}{
		{-32602, "Input validation error: Invalid arguments for tool echo: expected string, received undefined at message", heal.ArgumentFailure},
		{-32602, "Tool frobnicate not found", heal.ArgumentFailure},
		{0, "1 validation error for search\nlimit\n  Input should be a valid integer", heal.ArgumentFailure},
		{0, "ValueError: limit must be at most 50", heal.ArgumentFailure},
		{0, "Access denied - path outside allowed directories: /etc/passwd not in /home/you", heal.SecurityFailure},
		{0, "invalid argument: path traversal detected", heal.SecurityFailure},
		{0, "Error: 401 Unauthorized: Bad credentials", heal.AuthFailure},
		{-32603, "invalid input: API key missing", heal.AuthFailure},
		{0, "EACCES: permission denied, open '/etc/shadow'", heal.PermissionFailure},
		{0, "ENOENT: no such file or directory, open 'x'", heal.PathFailure},
		{0, "TypeError: expected str, got int", heal.ServerBug},
		{0, "KeyError: 'limit'", heal.ServerBug},
		{0, "AttributeError: 'NoneType' object has no attribute 'get'", heal.ServerBug},
		{-32001, "Request timed out", heal.TimeoutFailure},
		{-32000, "Connection closed", heal.ConnectionFailure},
		{0, "read ECONNRESET", heal.ConnectionFailure},
		{-32603, "Internal error", heal.UnknownFailure},
		{0, "the moon is in the wrong house", heal.UnknownFailure},
		{0, "", heal.UnknownFailure},
	}
	for _, test := range tests {
		t.Run(test.message, func(t *testing.T) {
			is := is.New(t)
			is.Equal(heal.KindOf(test.code, test.message), test.want)
		})
	}
}

// Every cell of hints by the moment of the failure.
func TestRetryMatrix(t *testing.T) {
	hints := map[string]heal.Call{
		"none": {}, "read-only": {ReadOnly: true}, "idempotent": {Idempotent: true}, "both": {ReadOnly: true, Idempotent: true}, "harmless": {Harmless: true},
	}
	resend := map[heal.Trust]map[string]bool{
		heal.TrustIdempotent: {"read-only": true, "idempotent": true, "both": true, "harmless": true},
		heal.TrustReadOnly:   {"read-only": true, "both": true, "harmless": true},
		heal.TrustNever:      {"harmless": true},
	}
	for trust, sent := range resend {
		for name, call := range hints {
			for _, reach := range []heal.Reach{heal.Unsent, heal.Rejected, heal.Sent} {
				t.Run(fmt.Sprintf("%s %s %d", trust, name, reach), func(t *testing.T) {
					is := is.New(t)
					policy := heal.DefaultRetryPolicy()
					policy.Trust = trust
					call.Reach = reach
					v := policy.Judge(heal.ConnectionFailure, call)
					is.Equal(v.Retry, reach != heal.Sent || sent[name])
					is.Equal(v.Outcome == heal.MayHaveRun, reach == heal.Sent)
					is.True(v.Why != "")
					for _, never := range []heal.Failure{heal.AuthFailure, heal.SecurityFailure, heal.PathFailure, heal.PermissionFailure, heal.ServerBug, heal.UnknownFailure} {
						is.True(!policy.Judge(never, call).Retry)
					}
				})
			}
		}
	}
}

func TestRetryLimits(t *testing.T) {
	is := is.New(t)
	policy := heal.DefaultRetryPolicy()
	is.True(!policy.Judge(heal.ArgumentFailure, heal.Call{Reach: heal.Rejected, Retries: 1}).Retry)
	is.True(policy.Judge(heal.ConnectionFailure, heal.Call{Reach: heal.Unsent, Retries: 5}).Retry)
	is.True(!policy.Judge(heal.ConnectionFailure, heal.Call{Reach: heal.Unsent, Retries: 10}).Retry)
	policy.Retryable = []heal.Failure{heal.TimeoutFailure}
	is.True(!policy.Judge(heal.ArgumentFailure, heal.Call{Reach: heal.Rejected}).Retry)
}

func TestRetryPolicyCheck(t *testing.T) {
	is := is.New(t)
	is.NoErr(heal.DefaultRetryPolicy().Check())
	is.True(heal.RetryPolicy{Trust: "always"}.Check() != nil)
	is.True(heal.RetryPolicy{Trust: heal.TrustNever, Retryable: []heal.Failure{heal.SecurityFailure}}.Check() != nil)
	is.True(heal.RetryPolicy{Trust: heal.TrustNever, MaxRetries: 99}.Check() != nil)
}
