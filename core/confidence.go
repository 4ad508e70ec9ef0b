package core

import (
	"math"

	"mcpmend/core/lint"
	"mcpmend/core/triage"
)

// confidence is the probability that the category of a candidate is right. It
// follows from what kind of evidence there is, not from the rule: a rule seen
// right five times out of five is not certain. The steps were set so that the
// answers of each are right about that often on texts that the rules were not
// written for.
func confidence(c *candidate) float64 {
	var p float64
	switch {
	case c.finding != nil && c.over != nil: // the config explains what the log says
		p = 0.93
	case c.finding != nil && c.finding.Severity == lint.Note:
		p = 0.5
	case c.finding != nil:
		p = 0.72 + 0.22*c.finding.Sure
	case c.match == nil && c.category == triage.Unknown, c.match != nil && c.match.Rule.Role == triage.Noise:
		p = 0.65
	case c.match == nil:
		p = 0.8
	case c.match.Rule.Role == triage.Hint:
		p = 0.8
	case c.symptom:
		p = 0.93
	case c.match.Rule.Specificity >= 80:
		p = 0.97
	case c.match.Rule.Specificity >= 55:
		p = 0.94
	default:
		p = 0.86
	}
	if c.rivals > 0 && c.finding == nil {
		p -= 0.02 + 0.06*math.Exp(-max(c.margin, 0)/6) // a close second might have been the cause
	}
	return math.Round(p*100) / 100
}
