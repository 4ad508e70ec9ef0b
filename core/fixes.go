package core

import (
	"mcpmend/core/fix"
	"mcpmend/core/lint"
)

// fixes turns the mend that a finding carries into a fix.
func fixes(f *lint.Finding) []fix.Fix {
	if len(f.Fix.Patch) == 0 {
		return []fix.Fix{}
	}
	safety := fix.Review
	if f.Fix.Safe {
		safety = fix.Safe
	}
	return []fix.Fix{{
		ID: f.Rule.Code, Title: f.Fix.Title, Patch: f.Fix.Patch, Safety: safety, Confidence: f.Sure, By: "core",
	}}
}
