package triage

import (
	"slices"
	"sort"
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
	for i := range all {
		all[i] = withStatuses(all[i])
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Code < all[j].Code })
	return all
})
