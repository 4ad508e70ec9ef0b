package heal

import "time"

// Backoff is exponential with full jitter: the n-th wait is drawn evenly from
// nothing to base·2ⁿ, so that many that failed at one moment do not come back
// at one moment.
type Backoff struct {
	Base  time.Duration
	Cap   time.Duration
	Reset time.Duration // calm after which the count begins again
}

// Delay is the wait before attempt n, which counts from 0. Chance is even in
// [0, 1).
func (b Backoff) Delay(n int, chance float64) time.Duration {
	limit := b.Base
	for ; n > 0 && limit < b.Cap; n-- {
		limit *= 2
	}
	return time.Duration(chance * float64(min(limit, b.Cap)))
}

// RetryBudget keeps retries a small part of the calls, however many fail: a
// share of the calls, over a floor per second for when there are few.
type RetryBudget struct {
	Share float64 // of calls
	Floor float64 // a second

	saved float64
	free  float64
	last  time.Time
}

// budgetSeconds is how much may be saved up, in seconds of the floor.
const budgetSeconds = 10

// Call notes a call, which earns its share of a retry.
func (b *RetryBudget) Call() {
	b.saved = min(b.saved+b.Share, budgetSeconds*max(b.Floor, 1))
}

// Take asks for a retry. False means that this one must not be made.
func (b *RetryBudget) Take(now time.Time) bool {
	if b.last.IsZero() {
		b.free = b.Floor
	} else if passed := now.Sub(b.last).Seconds(); passed > 0 {
		b.free = min(b.free+passed*b.Floor, b.Floor)
	}
	b.last = now
	switch {
	case b.free >= 1:
		b.free--
	case b.saved >= 1:
		b.saved--
	default:
		return false
	}
	return true
}
