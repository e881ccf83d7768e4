package rootcause

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// diffuse finds fragments that changed as a whole: the findings explain less than half of their difference. It goes from
// callers to callees. The rest of a fragment is followed down as long as one callee has at least half of it; what is
// found there also stands for the fragments above and below. A fragment below one whose own account closes without
// it is left open.
func (f *finder) diffuse() {
	least, most := make(map[*node]float64), make(map[*node]float64) // rests of the changed fragments above
	settled := make(map[*node]bool)
	for _, n := range slices.Backward(f.order) {
		if _, known := least[n]; !known {
			least[n], most[n] = math.Inf(1), math.Inf(-1)
		}
		if f.unexplained(n) && n.under == nil && !settled[n] && !carried(n, least[n], most[n]) {
			f.descend(n, settled)
		}
		lo, hi := least[n], most[n]
		if r := n.rest(); n.row != nil && n.row.changed() {
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

// rest is what no finding explains of the difference.
func (n *node) rest() float64 { return n.diffNs - explained(n.parts) }

// unexplained says whether a fragment changed its time and the findings explain less than half of that, and not all but for
// its interval or its margin.
func (f *finder) unexplained(n *node) bool {
	if n.row == nil || n.row.cause != nil || f.closes(n.row, n.parts) {
		return false
	}
	switch n.row.Change.Verdict {
	case schema.Regressed, schema.Improved, schema.Candidate:
		return n.rest()*n.row.sign() > math.Abs(n.diffNs)/2
	case schema.Appeared, schema.Vanished:
		return n.row.costs(f.FloorNs) && n.rest()*n.row.sign() > math.Abs(n.diffNs)/2
	}
	return false
}

// carried says whether the account of a changed fragment above closes without this one.
func carried(n *node, least, most float64) bool {
	if n.diffNs > 0 {
		return least < n.rest()/2
	}
	return most > n.rest()/2
}

// descend follows what is not explained down to where it divides, and makes a finding of the fragment there.
func (f *finder) descend(n *node, settled map[*node]bool) {
	for !settled[n] {
		settled[n] = true
		next := f.heir(n)
		if next == nil {
			c := f.alone(n.row, schema.KindDiffuse)
			c.below = explained(n.parts)
			n.whole, n.under, n.restNs = c, c, n.rest()
			return
		}
		n = next
	}
}

// heir is the callee that has at least half of the rest of a fragment, if it is not explained either.
func (f *finder) heir(n *node) (next *node) {
	sign := n.row.sign()
	most := n.rest() * sign / 2
	for _, w := range n.waits {
		if w.callee == nil || !f.unexplained(w.callee) {
			continue
		}
		if ns := sign * w.callee.rest() * f.share(w, w.diffNs, w.base+w.cand); ns >= most {
			next, most = w.callee, ns
		}
	}
	return next
}
