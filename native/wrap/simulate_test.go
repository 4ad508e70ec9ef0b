package wrap

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcpmend/core/heal"
)

var (
	seeds    = flag.Uint64("seeds", uint64(long(1000, 10_000)), "how many simulated sessions to run")
	seedFrom = flag.Uint64("seed", 0, "the first seed; with -seeds 1 it replays one session")
)

// TestSimulation plays whole sessions on fake time against servers that fail
// in every way a seed can draw, and checks the history of each: every call
// ends in exactly one of answered, refused, not run and "may have run", and
// what it says is true.
func TestSimulation(t *testing.T) {
	for seed := *seedFrom; seed < *seedFrom+*seeds; seed++ {
		synctest.Test(t, func(t *testing.T) { simulate(t, seed) })
		if t.Failed() {
			t.Fatalf("replay with: go test ./native/wrap -run TestSimulation -seed %d -seeds 1", seed)
		}
	}
}

// chaos is a server drawn from a seed.
type chaos struct {
	*world
	r *rand.Rand
	// Chances, each drawn once a seed, so that some sessions see one fault
	// alone and some see all.
	dieBefore, dieAfter, dieIdle, hang, twice, stray, noise, slow, startFails, ambiguous float64
}

func newChaos(seed uint64) *chaos {
	r := seeded(seed)
	c := &chaos{world: newWorld(), r: r}
	for _, chance := range []*float64{&c.dieBefore, &c.dieAfter, &c.dieIdle, &c.hang, &c.twice, &c.stray, &c.noise, &c.slow, &c.startFails, &c.ambiguous} {
		if r.IntN(3) == 0 {
			*chance = r.Float64() * 0.3
		}
	}
	return c
}

func (c *chaos) draw(chance float64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.r.Float64() < chance
}

func (c *chaos) fail(int) error {
	if c.draw(c.startFails) {
		return fmt.Errorf("it does not start")
	}
	return nil
}

func (c *chaos) serve(_ int, in <-chan []byte, out chan<- []byte) {
	for m := range in {
		if c.draw(c.dieBefore) {
			return
		}
		if c.draw(c.hang) {
			continue
		}
		answer := c.handle(m)
		if c.draw(c.slow) {
			c.mu.Lock()
			pause := time.Duration(c.r.IntN(3000)) * time.Millisecond
			c.mu.Unlock()
			time.Sleep(pause)
		}
		if c.draw(c.dieAfter) {
			return
		}
		if c.draw(c.noise) {
			out <- []byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`)
		}
		if c.draw(c.stray) {
			out <- []byte(`{"jsonrpc":"2.0","id":987654,"result":{}}`)
		}
		if answer == nil {
			continue
		}
		if c.draw(c.ambiguous) {
			answer = []byte(strings.Replace(string(answer), `"result":`, `"RESULT":{},"result":`, 1))
		}
		out <- answer
		if c.draw(c.twice) {
			out <- answer
		}
		if c.draw(c.dieIdle) {
			return
		}
	}
}

func simulate(t *testing.T, seed uint64) {
	c := newChaos(seed)
	r := seeded(seed + 1<<32)
	client := newClient(Options{
		Dialer:          &fakeDialer{world: c.world, serve: c.serve, fail: c.fail},
		CallTimeout:     10 * time.Second,
		RecoveryTimeout: 5 * time.Second,
		Chance:          seeded(seed + 2<<32).Float64,
	})
	defer client.session.Close()
	client.handshake()
	if r.IntN(4) > 0 {
		client.list()
	}
	type made struct{ id, tool, label string }
	var calls []made
	cancelled := map[string]bool{}
	for i := range 5 + r.IntN(30) {
		tool := []string{"read", "once", "twice"}[r.IntN(3)]
		label := fmt.Sprint("c", i)
		calls = append(calls, made{fmt.Sprint(1000 + i), tool, label})
		client.call(1000+i, tool, fmt.Sprintf(`{"label":%q}`, label))
		switch r.IntN(8) {
		case 0:
			time.Sleep(time.Duration(r.IntN(5000)) * time.Millisecond)
		case 1:
			cancelled[calls[len(calls)-1].id] = true
			client.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, 1000+i)
		}
	}
	time.Sleep(2 * time.Minute) // every bound is far below
	synctest.Wait()

	client.mu.Lock()
	defer client.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range calls {
		answers := client.answers[call.id]
		ran := c.effects[call.tool+" "+call.label]
		if cancelled[call.id] {
			if len(answers) > 1 {
				t.Errorf("seed %d: cancelled call %s was answered %d times", seed, call.label, len(answers))
			}
			continue
		}
		if len(answers) != 1 {
			t.Errorf("seed %d: call %s (%s) was answered %d times", seed, call.label, call.tool, len(answers))
			continue
		}
		said := outcome(answers[0])
		if call.tool == "once" && ran > 1 {
			t.Errorf("seed %d: call %s with an effect ran %d times", seed, call.label, ran)
		}
		switch said {
		case "":
			if ran == 0 {
				t.Errorf("seed %d: call %s was answered and never ran", seed, call.label)
			}
		case string(heal.NotRun), string(heal.Refused):
			if call.tool == "once" && ran > 0 {
				t.Errorf("seed %d: call %s is said not to have run, and ran", seed, call.label)
			}
		case string(heal.MayHaveRun):
		default:
			t.Errorf("seed %d: call %s ended as %q", seed, call.label, said)
		}
	}
	if len(client.session.calls) != 0 || len(client.session.held) != 0 || client.session.inFlight[""] != 0 {
		t.Errorf("seed %d: something is still under way: %d calls, %d held, %d in flight", seed, len(client.session.calls), len(client.session.held), client.session.inFlight[""])
	}
}
