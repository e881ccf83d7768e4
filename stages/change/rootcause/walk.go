package rootcause

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// part is the contribution of a cause to a difference.
type part struct {
	cause *cause
	ns    float64
}

// maxPasses bounds the passes through circles, which end when a pass changes nothing by more than a thousandth.
const maxPasses = 60

// attributeCosts finds what every finding contributes to the difference of every fragment: down to whom the fragment waits for,
// and up again with sums. It begins at initial fragments, so that where components call back in a circle, what meets a
// fragment that is still being walked is the way back. There, what that fragment has by its own steps is taken, and in
// further passes what it came to in the pass before. With shares below 1 that converges to the solution of the
// account; where it does not, the first pass counts.
func (acc *account) attributeCosts() {
	nodes := slices.SortedFunc(maps.Values(acc.nodes), func(a, b *node) int {
		return cmp.Or(-cmp.Compare(a.initialRank(), b.initialRank()), cmp.Compare(a.name, b.name))
	})
	for _, n := range nodes {
		n.before = nil
	}
	if acc.walkOnce(nodes) == 0 {
		return
	}
	for range maxPasses {
		for _, n := range nodes {
			n.before = n.parts
		}
		if acc.walkOnce(nodes) < .001 {
			return
		}
	}
	for _, n := range nodes {
		n.before = nil
	}
	acc.walkOnce(nodes)
}

// walkOnce visits every fragment once, in time linear in fragments and waits. It returns the greatest relative change of what
// the ways back have taken, or 0 if there are none.
func (acc *account) walkOnce(nodes []*node) (change float64) {
	acc.order, acc.back = acc.order[:0], acc.back[:0]
	for _, n := range nodes {
		n.seen, n.left, n.parts = false, false, nil
	}
	s := acc.emptySums()
	for _, n := range nodes {
		acc.visitNode(n, s)
	}
	for _, n := range acc.back {
		taken := 0.0
		for _, p := range n.taken {
			taken += math.Abs(p.ns)
		}
		is := 0.0
		for _, p := range n.parts {
			is += math.Abs(p.ns)
		}
		if is > 0 {
			change = math.Max(change, math.Abs(is-taken)/is)
		}
	}
	return change
}

// initialRank returns 1 for a fragment that no message starts, else 0.
func (n *node) initialRank() int {
	if n.row != nil && n.row.Initial {
		return 1
	}
	return 0
}

// visitNode visits callees first, so that what they contribute is known when it is passed on. A callee that is still being
// visited closes a circle: it contributes what it had in the pass before, see attributeCosts.
func (acc *account) visitNode(n *node, s *sums) {
	if n.seen {
		return
	}
	n.seen = true
	own := n.ownParts(s)
	if n.taken = own; n.before != nil {
		n.taken = n.before
	}
	n.parts = n.taken
	for _, w := range n.waits {
		if c := w.callee; c != nil {
			acc.visitNode(c, s)
			if !c.left {
				acc.back = append(acc.back, c)
			}
		}
	}
	s.addParts(own, 1)
	for _, w := range n.waits {
		acc.addArriving(w, s)
	}
	n.parts, n.left = s.takeParts(), true
	acc.order = append(acc.order, n)
}

// ownParts returns the contributions of the fragment's own steps, and of itself where it is a root.
func (n *node) ownParts(s *sums) []part {
	if n.row != nil && n.row.cause != nil && n.row.cause != n.whole {
		s.addOne(n.row.cause, n.row.diffNs)
	}
	if n.whole != nil {
		s.addOne(n.whole, n.restNs)
	}
	for _, g := range n.own {
		if g.cause != nil {
			s.addOne(g.cause, g.diffNs)
		}
	}
	return s.takeParts()
}

// addArriving adds what arrives in a wait: from the callee, from steps that are roots, and from messages between both.
func (acc *account) addArriving(w *wait, s *sums) {
	if w.callee != nil {
		s.addParts(w.callee.parts, acc.arrivingShare(w, w.diffNs, w.base+w.cand))
	}
	for _, g := range w.steps {
		if g.cause != nil {
			s.addOne(g.cause, g.diffNs)
		}
	}
	for _, g := range w.messages {
		if c := cmp.Or(g.cause, g.covered); c != nil {
			s.addOne(c, g.diffNs*w.messageShare)
		}
	}
}

// arrivingShare returns the share of the callee's difference, from 0 to 1, that arrives in a wait, or a part of one, with this difference and this time
// on both sides: by the differences, or where that of the callee is nothing against what adds up to it, by the times.
func (acc *account) arrivingShare(w *wait, diffNs, time float64) float64 {
	n, moved := w.callee, 0.0
	for _, p := range n.parts {
		moved += math.Abs(p.ns)
	}
	x := 1.0
	switch total := n.base + n.cand; {
	case math.Abs(n.diffNs) > acc.FloorNs && 4*math.Abs(n.diffNs) > moved:
		x = diffNs / n.diffNs
	case total > 0:
		x = time / total
	}
	return math.Min(math.Max(x, 0), 1)
}

// sums adds up contributions by cause, in arrays by the index of the cause: a map would cost most of the time of a walk.
type sums struct {
	causes  []*cause
	ns      []float64
	has     []bool
	touched []int
}

// addOne adds to the sum of one cause.
func (s *sums) addOne(c *cause, ns float64) {
	if !s.has[c.index] {
		s.has[c.index] = true
		s.touched = append(s.touched, c.index)
	}
	s.ns[c.index] += ns
}

// addParts adds all parts, times a factor.
func (s *sums) addParts(parts []part, by float64) {
	for _, p := range parts {
		if by != 0 {
			s.addOne(p.cause, by*p.ns)
		}
	}
}

// takeParts returns the sums by cause, in the order of causes, and empties them.
func (s *sums) takeParts() []part {
	slices.Sort(s.touched)
	parts := make([]part, len(s.touched))
	for i, at := range s.touched {
		parts[i] = part{s.causes[at], s.ns[at]}
		s.ns[at], s.has[at] = 0, false
	}
	s.touched = s.touched[:0]
	return parts
}

// emptySums returns the shared sums, empty. They are used for one list at a time: a walk allocates only the lists it keeps.
func (acc *account) emptySums() *sums {
	s := &acc.sums
	s.causes = acc.causes
	for len(s.ns) < len(acc.causes) {
		s.ns, s.has = append(s.ns, 0), append(s.has, false)
	}
	return s
}

// sumParts adds up contributions, in ns per root execution.
func sumParts(parts []part) (ns float64) {
	for _, p := range parts {
		ns += p.ns
	}
	return ns
}
