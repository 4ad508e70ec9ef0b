package triage

import (
	"slices"
	"strings"
	"sync"
)

// rules gathers the tables of all subjects, by code.
var rules = sync.OnceValue(func() []Rule {
	all := slices.Concat(
		startRules, packageRules, moduleRules, runtimeRules, pathRules, permissionRules, variableRules,
		portRules, containerRules, crashRules,
		timeoutRules, closedRules, stdoutRules, protocolRules, transportRules, sessionRules,
		configSyntaxRules, configShapeRules, argumentRules, schemaRules,
		authRules, oauthRules, networkRules, refusedRules, tlsRules, limitRules, vagueRules, noiseRules, probeRules,
	)
	slices.SortFunc(all, func(a, b Rule) int { return strings.Compare(a.Code, b.Code) })
	return all
})
