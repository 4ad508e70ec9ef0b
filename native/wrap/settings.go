package wrap

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"mcpmend/core/heal"
	"mcpmend/native/files"
	"mcpmend/native/llm"
)

// Settings is how a wrapper is configured in a file: the member "wrap" of
// mcpmend's config.json, or a file of its own. Flags win over it. Every member
// may be left out.
type Settings struct {
	Enabled         *bool                 `json:"enabled"`          // false: both streams are the server's own
	Validate        Validation            `json:"validate"`         // enforce, advise, off
	ToolValidate    map[string]Validation `json:"tool_validate"`    // by tool
	Retry           heal.Trust            `json:"retry"`            // idempotent, read-only, never
	MaxRetries      *int                  `json:"max_retries"`      // of one failed call, 0 to 5
	RetryableErrors []heal.Failure        `json:"retryable_errors"` // connection, timeout, argument
	CallTimeout     Duration              `json:"call_timeout"`     // "5m"; "0s" for none
	ToolTimeout     map[string]Duration   `json:"tool_timeout"`
	MaxInFlight     int                   `json:"max_in_flight"`
	ToolMaxInFlight map[string]int        `json:"tool_max_in_flight"`
	RecoveryTimeout Duration              `json:"recovery_timeout"`
	HealthInterval  Duration              `json:"health_interval"`
	Pin             bool                  `json:"pin"`
	LLM             LLMSettings           `json:"llm"`
}

// LLMSettings are about the model that may correct arguments.
type LLMSettings struct {
	Use     string   `json:"use"` // "", "sampling", or an address
	Model   string   `json:"model"`
	KeyEnv  string   `json:"key_env"` // the name of a variable, never the key
	Timeout Duration `json:"timeout"`
	Decide  bool     `json:"decide"` // ask it about a failing server too
}

// Duration is a time.Duration written like "30s".
type Duration struct {
	time.Duration
	Given bool
}

// UnmarshalJSON reads "30s".
func (d *Duration) UnmarshalJSON(raw []byte) error {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return fmt.Errorf("a time such as \"30s\" is wanted, not %s", raw)
	}
	var err error
	d.Duration, err = time.ParseDuration(s)
	d.Given = true
	return err
}

// ReadSettings reads a file of settings, which may be the "wrap" member of a
// larger one. Unknown members are an error: a misspelt limit is no limit.
func ReadSettings(data []byte) (Settings, error) {
	var s Settings
	if inner := member(data, "wrap"); inner != nil {
		data = inner
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return s, fmt.Errorf("the wrapper's settings: %w", err)
	}
	return s, nil
}

// With takes over what was given in other, member by member.
func (s Settings) With(other Settings) Settings {
	over(&s.Validate, other.Validate)
	over(&s.Retry, other.Retry)
	over(&s.CallTimeout, other.CallTimeout)
	over(&s.RecoveryTimeout, other.RecoveryTimeout)
	over(&s.HealthInterval, other.HealthInterval)
	over(&s.MaxInFlight, other.MaxInFlight)
	over(&s.Pin, other.Pin)
	over(&s.LLM.Use, other.LLM.Use)
	over(&s.LLM.Model, other.LLM.Model)
	over(&s.LLM.KeyEnv, other.LLM.KeyEnv)
	over(&s.LLM.Timeout, other.LLM.Timeout)
	over(&s.LLM.Decide, other.LLM.Decide)
	return s
}

func over[T comparable](field *T, given T) {
	var zero T
	if given != zero {
		*field = given
	}
}

// Options makes options of settings. Getenv finds the model's key.
func (s Settings) Options(getenv func(string) string) (Options, error) {
	o := Options{
		Validate: s.Validate, ToolValidate: s.ToolValidate,
		Retry:       heal.DefaultRetryPolicy(),
		MaxInFlight: s.MaxInFlight, ToolMaxInFlight: s.ToolMaxInFlight,
		CallTimeout: s.CallTimeout.orNone(), RecoveryTimeout: s.RecoveryTimeout.Duration, HealthInterval: s.HealthInterval.orNone(),
		ToolTimeout: map[string]time.Duration{}, Pin: s.Pin,
	}
	for tool, d := range s.ToolTimeout {
		o.ToolTimeout[tool] = d.orNone()
	}
	if s.Retry != "" {
		o.Retry.Trust = s.Retry
	}
	if s.MaxRetries != nil {
		o.Retry.MaxRetries = *s.MaxRetries
	}
	if s.RetryableErrors != nil {
		o.Retry.Retryable = s.RetryableErrors
	}
	if err := s.LLM.apply(&o, getenv); err != nil {
		return o, err
	}
	return o, o.Check()
}

// orNone turns "0s", which says "no limit", into what Options means by that.
func (d Duration) orNone() time.Duration {
	if d.Given && d.Duration == 0 {
		return -1
	}
	return d.Duration
}

func (l LLMSettings) apply(o *Options, getenv func(string) string) error {
	switch l.Use {
	case "":
		return nil
	case "sampling":
		if l.Decide {
			return errors.New("a decision about a server needs a model's address: the client cannot be asked while its server is away")
		}
		o.Corrector = Sampling{}
		return nil
	}
	e := &llm.Endpoint{URL: l.Use, Model: l.Model, Timeout: l.Timeout.Duration}
	if err := e.Check(); err != nil {
		return err
	}
	if l.KeyEnv != "" {
		if e.Key = getenv(l.KeyEnv); e.Key == "" {
			return fmt.Errorf("the variable %s, which should hold the model's key, is empty", l.KeyEnv)
		}
	}
	o.Corrector = e
	if l.Decide {
		o.Decide = e.Decide
	}
	return nil
}

// LoadSettings reads a file; one that is not there is no settings at all.
func LoadSettings(name string) (Settings, error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return Settings{}, nil
	}
	if err != nil {
		return Settings{}, files.Cannot("read", name, err)
	}
	if member(data, "wrap") == nil {
		return Settings{}, nil // mcpmend's own file, with nothing about the wrapper
	}
	return ReadSettings(data)
}
