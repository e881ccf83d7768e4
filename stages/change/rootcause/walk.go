package rootcause

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// part is what a finding contributes to a difference.
type part struct {
	cause *cause
	ns    float64
}

// mostPasses is how often circles are gone through, until the last pass changed nothing by more than a thousandth.
const mostPasses = 60

// walk finds what every finding contributes to the difference of every fragment: down to whom the fragment waits for,
// and up again with sums. It begins at initial fragments, so that where components call back in a circle, what meets a
// fragment that is still being walked is the way back. There, what that fragment has by its own steps is taken, and in
// further passes what it came to in the pass before. With shares below 1 that converges to the solution of the
// account; where it does not, the first pass counts.
func (f *finder) walk() {
	nodes := slices.SortedFunc(maps.Values(f.nodes), func(a, b *node) int {
		return cmp.Or(-cmp.Compare(a.initial(), b.initial()), cmp.Compare(a.name, b.name))
	})
	for _, n := range nodes {
		n.before = nil
	}
	if f.pass(nodes) == 0 {
		return
	}
	for range mostPasses {
		for _, n := range nodes {
			n.before = n.parts
		}
		if f.pass(nodes) < .001 {
			return
		}
	}
	for _, n := range nodes {
		n.before = nil
	}
	f.pass(nodes)
}

// pass walks once. It returns the greatest relative change of what the ways back have taken, or 0 if there are none.
func (f *finder) pass(nodes []*node) (change float64) {
	f.order, f.back = f.order[:0], f.back[:0]
	for _, n := range nodes {
		n.seen, n.left, n.parts = false, false, nil
	}
	s := f.newSums()
	for _, n := range nodes {
		f.visit(n, s)
	}
	for _, n := range f.back {
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

// initial is 1 for a fragment that no message starts, else 0.
func (n *node) initial() int {
	if n.row != nil && n.row.Initial {
		return 1
	}
	return 0
}

func (f *finder) visit(n *node, s *sums) {
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
			f.visit(c, s)
			if !c.left {
				f.back = append(f.back, c)
			}
		}
	}
	s.add(own, 1)
	for _, w := range n.waits {
		f.passOn(w, s)
	}
	n.parts, n.left = s.take(), true
	f.order = append(f.order, n)
}

// ownParts are those of the fragment's own steps, and of itself where it is a root.
func (n *node) ownParts(s *sums) []part {
	if n.row != nil && n.row.cause != nil && n.row.cause != n.whole {
		s.one(n.row.cause, n.row.diffNs)
	}
	if n.whole != nil {
		s.one(n.whole, n.restNs)
	}
	for _, g := range n.own {
		if g.cause != nil {
			s.one(g.cause, g.diffNs)
		}
	}
	return s.take()
}

// passOn adds what a wait has from its callee and from the messages on the way.
func (f *finder) passOn(w *wait, s *sums) {
	if w.callee != nil {
		s.add(w.callee.parts, f.share(w, w.diffNs, w.base+w.cand))
	}
	for _, g := range w.steps {
		if g.cause != nil {
			s.one(g.cause, g.diffNs)
		}
	}
	for _, g := range w.messages {
		if c := cmp.Or(g.cause, g.covered); c != nil {
			s.one(c, g.diffNs*w.messageShare)
		}
	}
}

// share is how much of the callee's difference arrives in a wait, or a part of one, with this difference and this time
// on both sides: by the differences, or where that of the callee is nothing against what adds up to it, by the times.
func (f *finder) share(w *wait, diffNs, time float64) float64 {
	n, moved := w.callee, 0.0
	for _, p := range n.parts {
		moved += math.Abs(p.ns)
	}
	x := 1.0
	switch total := n.base + n.cand; {
	case math.Abs(n.diffNs) > f.FloorNs && 4*math.Abs(n.diffNs) > moved:
		x = diffNs / n.diffNs
	case total > 0:
		x = time / total
	}
	return math.Min(math.Max(x, 0), 1)
}

// sums adds up contributions by cause.
type sums struct {
	causes  []*cause
	ns      []float64
	has     []bool
	touched []int
}

func (s *sums) one(c *cause, ns float64) {
	if !s.has[c.index] {
		s.has[c.index] = true
		s.touched = append(s.touched, c.index)
	}
	s.ns[c.index] += ns
}

func (s *sums) add(parts []part, by float64) {
	for _, p := range parts {
		if by != 0 {
			s.one(p.cause, by*p.ns)
		}
	}
}

// take returns the sums by cause, and begins anew.
func (s *sums) take() []part {
	slices.Sort(s.touched)
	parts := make([]part, len(s.touched))
	for i, at := range s.touched {
		parts[i] = part{s.causes[at], s.ns[at]}
		s.ns[at], s.has[at] = 0, false
	}
	s.touched = s.touched[:0]
	return parts
}

// newSums are sums that are empty. There is one at a time.
func (f *finder) newSums() *sums {
	s := &f.sums
	s.causes = f.causes
	for len(s.ns) < len(f.causes) {
		s.ns, s.has = append(s.ns, 0), append(s.has, false)
	}
	return s
}

// explained is the sum of contributions.
func explained(parts []part) (ns float64) {
	for _, p := range parts {
		ns += p.ns
	}
	return ns
}
