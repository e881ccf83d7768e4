package lifetimes

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// most is the share of the difference of lifetimes from which on a part of them is behind it.
const most = .5

// Behind names the part that is behind a difference of the lifetimes of one name: the function whose work inside one of them changed most, in the same
// direction and by half of the difference at least, else the function for which messages waited that much longer. base and cand have the ns of every part
// in one lifetime, mean of the runs. It is false where neither is: then the lifetimes waited for what the trace does not show.
func Behind(base, cand map[Part]float64, differenceNs float64) (part Part, ns float64, found bool) {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(base)), maps.Keys(cand))
	slices.SortFunc(keys, func(a, b Part) int {
		return cmp.Or(cmp.Compare(a.Component, b.Component), cmp.Compare(a.Function, b.Function))
	})
	for _, isQueue := range []bool{false, true} {
		for _, k := range keys {
			d := cand[k] - base[k]
			if k.IsQueue == isQueue && d*differenceNs > 0 && math.Abs(d) > math.Abs(ns) {
				part, ns = k, d
			}
		}
		if math.Abs(ns) >= most*math.Abs(differenceNs) {
			return part, ns, true
		}
		part, ns = Part{}, 0
	}
	return Part{}, 0, false
}
