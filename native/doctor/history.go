package doctor

import (
	"time"

	"mcpmend/core/catalog"
	"mcpmend/native/state"
)

// remember writes the verdicts into the history and marks what is new.
func (d *Doctor) remember(outcomes []Outcome) {
	now := time.Now().UTC()
	first := len(d.seen.Servers) == 0 // before that everything is new
	for i := range outcomes {
		o := &outcomes[i]
		if o.State == Off || o.State == NotStarted {
			continue
		}
		key := state.Key(o.File, o.Name)
		old, known := d.seen.Servers[key]
		o.New = !known && !first
		if known && o.State == Broken && !old.LastHealthy.IsZero() {
			o.Since = "worked " + old.LastHealthy.Format(time.DateOnly)
			if old.HealthyFingerprint != o.Subject.Fingerprint {
				o.Since += ", before its entry was changed"
			}
		}
		v := state.Verdict{Fingerprint: o.Subject.Fingerprint, State: string(o.State), Tools: o.Tools, When: now}
		if o.State.Works() {
			v.State = state.Healthy
		}
		if len(o.Report.Diagnoses) > 0 {
			v.Code = o.Report.Diagnoses[0].Code
		}
		d.seen.Record(key, v)
	}
	// A history that cannot be written is no reason to fail a check.
	_ = d.seen.Save()
}

// Known says whether a server may be healed without asking whether it is the
// user's at all: the catalogue has its package, or it was seen to work. A worm
// writes servers into these very files, and a doctor must not nurse it.
func (d *Doctor) Known(s Subject) bool {
	if catalog.Of(*s.Server) != nil {
		return true
	}
	_, seen := d.seen.Servers[state.Key(s.File.Path, s.Server.Name)]
	return seen
}
