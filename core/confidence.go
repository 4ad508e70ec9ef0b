package core

import "math"

// confidence is the probability that the category of a candidate is right.
func confidence(c *candidate) float64 {
	p := 0.5
	switch {
	case c.match == nil && c.finding == nil:
		p = 0.6
	case c.finding != nil:
		p = 0.5 + 0.45*c.finding.Sure
	case c.symptom:
		p = 0.75
	default:
		p = 0.55 + 0.4*c.weight/100
	}
	return math.Round(p*100) / 100
}
