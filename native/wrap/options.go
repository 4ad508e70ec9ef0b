package wrap

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"mcpmend/core"
	"mcpmend/core/heal"
)

// Keys of _meta by which a message shows that it is of 2026-07-28 or later.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaSubscription = "io.modelcontextprotocol/subscriptionId"
)

// Validation says what is done about arguments that do not fit a tool's schema.
type Validation string

const (
	Enforce Validation = "enforce" // mended where no guess is needed, otherwise answered with the explanation
	Advise  Validation = "advise"  // passed on as they are; the server's own error gets the explanation
	Off     Validation = "off"
)

// Options of a session. The zero value of each field is its default.
type Options struct {
	Dialer Dialer

	Validate     Validation
	ToolValidate map[string]Validation

	Retry  heal.RetryPolicy
	Policy heal.Policy

	CallTimeout     time.Duration // 0 for 5 minutes, negative for none
	ToolTimeout     map[string]time.Duration
	MaxInFlight     int // tool calls at once; 0 for no limit
	ToolMaxInFlight map[string]int
	RecoveryTimeout time.Duration // how long a call waits for a server that is away
	HealthInterval  time.Duration // negative for never

	// Corrector mends arguments that we cannot mend without a guess. It may be
	// nil.
	Corrector Corrector
	// Decide may make the policy's decision more careful. It may be nil.
	Decide func(ctx context.Context, status heal.Status, own heal.Decision) heal.Decision
	// Examine explains why a server does not start.
	Examine func(evidence string) core.Report
	// Started is told of a session before it gets its first message.
	Started func(*Session)
	// Pin refuses a server whose tools changed over a restart.
	Pin bool

	Log     *slog.Logger
	Journal *Journal
	Metrics *Metrics
	Chance  func() float64 // even in [0, 1)
}

func (o Options) withDefaults() Options {
	setDefault(&o.Validate, Enforce)
	setDefault(&o.CallTimeout, 5*time.Minute)
	setDefault(&o.RecoveryTimeout, 30*time.Second)
	setDefault(&o.HealthInterval, 30*time.Second)
	if o.Retry.Trust == "" {
		o.Retry = heal.DefaultRetryPolicy()
	}
	if o.Policy == (heal.Policy{}) {
		o.Policy = policyFor(o.Dialer)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Chance == nil {
		o.Chance = rand.Float64
	}
	if o.Examine == nil {
		o.Examine = func(evidence string) core.Report { return core.Examine(core.Input{Text: evidence}) }
	}
	return o
}

// policyFor has more patience with a server at an address: somebody else starts
// it, to try costs little, and a laptop may be without a network for hours.
func policyFor(d Dialer) heal.Policy {
	p := heal.DefaultPolicy()
	if b, ok := d.(*bridge); ok {
		d = b.Dialer
	}
	if _, ok := d.(*Remote); ok {
		p.Failures, p.Restarts, p.SessionLimit = 20, 20, 5000
		p.Backoff.Cap = 5 * time.Second
	}
	return p
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Check tells whether the options can be kept.
func (o Options) Check() error {
	o = o.withDefaults()
	for tool, v := range o.ToolValidate {
		if !v.known() {
			return fmt.Errorf("validation %q of tool %s: want enforce, advise or off", v, tool)
		}
	}
	if !o.Validate.known() {
		return fmt.Errorf("validation %q: want enforce, advise or off", o.Validate)
	}
	if o.MaxInFlight < 0 {
		return fmt.Errorf("max in flight %d: want 0 or more", o.MaxInFlight)
	}
	return o.Retry.Check()
}

func (v Validation) known() bool { return v == Enforce || v == Advise || v == Off }

func (o *Options) validation(tool string) Validation {
	if v, ok := o.ToolValidate[tool]; ok {
		return v
	}
	return o.Validate
}

func (o *Options) callTimeout(tool string) time.Duration {
	if t, ok := o.ToolTimeout[tool]; ok {
		return t
	}
	return o.CallTimeout
}

// limited tells whether calls may have to wait for their turn.
func (o *Options) limited() bool { return o.MaxInFlight > 0 || len(o.ToolMaxInFlight) > 0 }

// attentive tells whether a tool's errors are looked at.
func (o *Options) attentive() bool {
	return o.Validate != Off || len(o.ToolValidate) > 0 || o.Corrector != nil
}

// tick is how often time limits are looked at: fine enough for the shortest.
func (o *Options) tick() time.Duration {
	shortest := o.RecoveryTimeout
	for _, d := range o.ToolTimeout {
		shortest = min(shortest, max(d, time.Millisecond))
	}
	if o.CallTimeout > 0 {
		shortest = min(shortest, o.CallTimeout)
	}
	if o.HealthInterval > 0 {
		shortest = min(shortest, o.HealthInterval)
	}
	return min(max(shortest/20, 5*time.Millisecond), 500*time.Millisecond)
}
