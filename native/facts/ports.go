package facts

import (
	"cmp"
	"slices"

	"mcpmend/core/fix"
)

func sortPorts(list []fix.Port) {
	slices.SortFunc(list, func(a, b fix.Port) int { return cmp.Compare(a.Port, b.Port) })
}
