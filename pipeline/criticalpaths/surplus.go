package criticalpaths

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/deadlines"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// surpluses sums up comparisons with occurrences in time, by key.
type surpluses []findings.Surplus

// addComparison counts where one occurrence that missed the deadline spent more time than any in time.
func (s *surpluses) addComparison(compared []deadlines.Comparison) {
	for _, c := range compared {
		// As long as some occurrence in time took: that explains nothing.
		if c.Ns <= c.MaxNs {
			continue
		}
		*s = schema.GrowTo(*s, int(c.Key)+1)
		// The reference is the same for all occurrences, so that its median and maximum may be overwritten.
		one := &(*s)[c.Key]
		one.Key, one.MedianNs, one.MaxNs = c.Key, c.MedianNs, c.MaxNs
		one.Missed++ // occurrences, not comparisons: each key is compared once for each
		one.ExcessNs += c.ExcessNs
		one.MostNs = max(one.MostNs, c.Ns)
	}
}

// sortedByExcess returns the surpluses, the largest first; equal ones in the order of their names.
func (s surpluses) sortedByExcess(names *schema.Names, parts []window.Part) []findings.Surplus {
	// Keys that no comparison had are gaps in the list.
	some := slices.DeleteFunc(s, func(one findings.Surplus) bool { return one.Missed == 0 })
	key := func(one findings.Surplus) criticalpath.Key {
		return criticalpath.Key{Part: one.Key, Busy: schema.NoCode}
	}
	slices.SortFunc(some, func(a, b findings.Surplus) int {
		return cmp.Or(cmp.Compare(b.ExcessNs, a.ExcessNs), criticalpath.Compare(names, parts, key(a), key(b)))
	})
	return some
}
