package rootcause

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// findDiffuse finds fragments that changed as a whole: the findings explain less than half of their difference. It goes from
// callers to callees. The rest of a fragment is followed down as long as one callee has at least half of it; what is
// found there also stands for the fragments above and below. A fragment below one whose own account closes without
// it is left open.
func (f *finder) findDiffuse() {
	least, most := make(map[*node]float64), make(map[*node]float64) // rests of the changed fragments above
	settled := make(map[*node]bool)
	for _, n := range slices.Backward(f.order) {
		if _, known := least[n]; !known {
			least[n], most[n] = math.Inf(1), math.Inf(-1)
		}
		if f.isUnexplained(n) && n.under == nil && !settled[n] && !isCarriedAbove(n, least[n], most[n]) {
			f.followRest(n, settled)
		}
		lo, hi := least[n], most[n]
		if r := n.unexplainedNs(); n.row != nil && n.row.isChange() {
			lo, hi = math.Min(lo, r), math.Max(hi, r)
		}
		for _, w := range n.waits {
			c := w.callee
			if c == nil {
				continue
			}
			if _, known := least[c]; !known {
				least[c], most[c] = math.Inf(1), math.Inf(-1)
			}
			least[c], most[c] = math.Min(least[c], lo), math.Max(most[c], hi)
			if c.under == nil {
				c.under = n.under
			}
		}
	}
}

// unexplainedNs returns the rest of the difference that no finding explains.
func (n *node) unexplainedNs() float64 { return n.diffNs - sumParts(n.parts) }

// isUnexplained reports whether a fragment changed its time and the findings explain less than half of that, and not all but for
// its interval or its margin.
func (acc *account) isUnexplained(n *node) bool {
	if n.row == nil || n.row.cause != nil || acc.isExplained(n.row, n.parts) || n.callsOtherwise() {
		return false
	}
	switch n.row.Change.Verdict {
	case schema.Regressed, schema.Improved, schema.Candidate:
		return n.unexplainedNs()*n.row.sign() > math.Abs(n.diffNs)/2
	case schema.Appeared, schema.Vanished: // its functions are findings of their own, where they were compared
		return len(acc.functions) == 0 && n.row.canBeRoot(acc.FloorNs) && n.unexplainedNs()*n.row.sign() > math.Abs(n.diffNs)/2
	}
	return false
}

// callsOtherwise reports whether a finding says that the fragment makes more or fewer calls, or that its callers make more or fewer calls to
// it, and the fragment takes longer or less long with them. The rest is then what belongs to those calls and is not shown by itself, as
// messages to a callee and back.
func (n *node) callsOtherwise() bool {
	return slices.ContainsFunc(n.parts, func(p part) bool {
		return p.cause.kind == schema.KindCalled && p.ns*n.row.sign() > 0 && (p.cause.head == n.row || isMostlyCalled(n.row.splitDifference()))
	})
}

// isCarriedAbove reports whether the account of a changed fragment above closes without this one.
func isCarriedAbove(n *node, least, most float64) bool {
	if n.diffNs > 0 {
		return least < n.unexplainedNs()/2
	}
	return most > n.unexplainedNs()/2
}

// followRest follows the unexplained rest down to the fragment where it divides, and makes a finding of that fragment.
func (f *finder) followRest(n *node, settled map[*node]bool) {
	for !settled[n] {
		settled[n] = true
		next := f.dominantCallee(n)
		if next == nil {
			c := f.newCause(n.row, schema.KindDiffuse)
			c.below = sumParts(n.parts)
			n.whole, n.under, n.restNs = c, c, n.unexplainedNs()
			return
		}
		n = next
	}
}

// dominantCallee returns the callee that has at least half of the rest of a fragment, if it is unexplained as well; else nil.
func (acc *account) dominantCallee(n *node) (next *node) {
	sign := n.row.sign()
	most := n.unexplainedNs() * sign / 2
	for _, w := range n.waits {
		if w.callee == nil || !acc.isUnexplained(w.callee) {
			continue
		}
		if ns := sign * w.callee.unexplainedNs() * acc.arrivingShare(w, w.diffNs, w.base+w.cand); ns >= most {
			next, most = w.callee, ns
		}
	}
	return next
}
