package alignment

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/clocks/offset"
)

// Solution is what was found out about the clocks of a trace.
type Solution struct {
	Bounds []schema.ClockBound // of every clock that is corrected; the table clock_bounds
	Said   []string            // sentences for the user, one for all clocks that are corrected and one for each that is refused

	lines map[uint32]*Line // by domain; without those that keep their times
}

// Correct returns the time of the reference at a time of a domain's clock.
func (s *Solution) Correct(domain uint32, ns int64) int64 {
	if l := s.lines[domain]; l != nil {
		return l.At(ns)
	}
	return ns
}

// Still reports whether all clocks keep their times.
func (s *Solution) Still() bool { return len(s.lines) == 0 }

// leastNested is how many calls must lie in their callers for that to say something about clocks: a few that are called in the
// background lie within the same bounds by chance.
const leastNested = 16

// verdict is what the bounds of a pair say.
type verdict uint8

const (
	agree  verdict = iota // 0 is possible
	apart                 // a line is possible, and 0 is not
	oneWay                // 0 is not possible, and only one direction is seen
	uneven                // no line is possible
)

// Solve relates the clocks. Align moves also those that may agree to the middle of what is possible. Name gives the name of a
// domain.
func (c *Collector) Solve(align bool, name func(domain uint32) string) *Solution {
	s := &solver{collector: c, name: name, at: make(map[uint32]*node)}
	// The order is that of the names: numbers of domains follow the order of the trace, which a shuffled one lacks.
	for _, key := range s.keysByName() {
		s.nodeOf(key[0])
		s.nodeOf(key[1])
		e := &edge{pair: c.pairs[key]}
		e.verdict = c.judge(e, align)
		s.edges = append(s.edges, e)
	}
	slices.SortFunc(s.nodes, func(a, b *node) int { return cmp.Compare(name(a.domain), name(b.domain)) })
	s.grow()
	return s.solution()
}

// keysByName are the pairs in the order of the names of their domains.
func (s *solver) keysByName() [][2]uint32 {
	names := make(map[[2]uint32]string, len(s.collector.pairs))
	for key := range s.collector.pairs {
		a, b := s.name(key[0]), s.name(key[1])
		names[key] = min(a, b) + "\x00" + max(a, b)
	}
	return slices.SortedFunc(maps.Keys(names), func(a, b [2]uint32) int { return cmp.Compare(names[a], names[b]) })
}

// solver relates clocks by a tree of pairs.
type solver struct {
	collector *Collector
	name      func(uint32) string
	edges     []*edge
	at        map[uint32]*node
	nodes     []*node // in the order of their names
}

// edge is a pair with what it says.
type edge struct {
	*pair
	verdict verdict
	bounds  offset.Bounds // of the second clock over the first, from the origins of both
	used    bool          // in the tree
	// While drifts are settled:
	latencies *offset.Latencies
	grain     float64 // ns, of the fastest messages: offset.Pair.Grain
}

// node is a domain with its place in the tree.
type node struct {
	domain uint32
	near   []*edge // in the tree
	group  *node   // another one of its tree while that grows, or itself
	root   *node   // the reference of its tree; nil until it is reached
	line   Line    // over the reference
	// By how much the clock may be less, or more, ahead than the line says, at its origin, in ns.
	less, more  float64
	forth, back int64 // messages from and to the next clock on the way to the reference
}

func (s *solver) nodeOf(domain uint32) *node {
	n := s.at[domain]
	if n == nil {
		n = &node{domain: domain}
		n.group = n
		s.at[domain] = n
		s.nodes = append(s.nodes, n)
	}
	return n
}

// judge says what the bounds of a pair allow, and by which of them.
func (c *Collector) judge(e *edge, align bool) verdict {
	slack := float64(c.unit) // a start and a length that are cut each are off by one unit
	zero := offset.Line{Offset: float64(e.x0 - e.y0)}
	with := e.sure.Pair
	if e.nested.Forth+e.nested.Back >= leastNested {
		all := new(offset.Pair)
		all.Add(e.sure.Pair)
		all.Add(e.nested.Pair)
		if all.Bounds().Gap >= -2*slack {
			with = all
		}
	}
	e.sure.Pair, e.bounds = with, with.Bounds()
	bothWays := with.Forth > 0 && with.Back > 0
	possible := bothWays && e.bounds.Gap >= -2*slack && e.bounds.Drift > -1
	switch {
	case with.Margin(zero) >= -slack && !(align && possible):
		return agree
	case possible:
		e.preferEven(with)
		return apart
	case !bothWays:
		return oneWay
	}
	return uneven
}

// A drift is believed where it widens the gap between the bounds by more than the few fastest messages do by chance, as without a drift there is
// always a line that suits them better:
//
//	driftWorth   as a share of what the drift moves over the time that messages cover: a true drift widens the gap by all of that
//	driftGrains  in grains, the distances of the fastest messages to each other (offset.Pair.Grain): without a drift, the best line widens the
//	             gap by more than 3 of them in 1 of 1,000 pairs of clocks whose latencies are uniform or exponential, and by more
//	             than 5 in 1 of 100 where hardly a message is near the fastest
//
// What is left of a drift is then at most driftGrains grains over the time that messages cover: 150 ms with 100 requests tell no drift of 10 ppm.
const (
	driftWorth  = 0.3
	driftGrains = 5
)

// preferEven takes the line without a drift, and the bounds of such lines, where a drift is not worth it and no message contradicts it.
func (e *edge) preferEven(of *offset.Pair) {
	even, gap := of.LineAt(0)
	worth := max(driftWorth*math.Abs(e.bounds.Drift)*of.Covered(), driftGrains*of.Grain(e.bounds.Drift))
	if gap >= 0 && e.bounds.Gap-gap <= worth {
		e.bounds.Line, e.bounds.Gap = even, gap
		e.bounds.MinOffset, e.bounds.MaxOffset = even.Offset-gap/2, even.Offset+gap/2
	}
}

// grow makes a tree of the pairs that can be related, those with most messages first (Kruskal 1956), and walks it from the
// reference outwards.
func (s *solver) grow() {
	order := slices.Clone(s.edges)
	slices.SortStableFunc(order, func(a, b *edge) int {
		return cmp.Compare(b.sure.Forth+b.sure.Back, a.sure.Forth+a.sure.Back)
	})
	top := func(n *node) *node {
		for n.group != n {
			n.group = n.group.group
			n = n.group
		}
		return n
	}
	for _, e := range order {
		a, b := s.at[e.key[0]], s.at[e.key[1]]
		from, to := top(a), top(b)
		if e.verdict > apart || from == to {
			continue
		}
		from.group, e.used = to, true
		a.near, b.near = append(a.near, e), append(b.near, e)
	}
	references := slices.Clone(s.nodes)
	slices.SortStableFunc(references, func(a, b *node) int {
		return cmp.Compare(s.collector.starts[b.domain], s.collector.starts[a.domain]) // else by name
	})
	for _, n := range references {
		if n.root == nil {
			s.settleDrifts(n)
			n.root = n
			s.reach(n)
			s.relateJointly(n)
		}
	}
}

// reach relates what the tree leads to from a reference.
func (s *solver) reach(reference *node) {
	for reached := []*node{reference}; len(reached) > 0; reached = reached[1:] {
		from := reached[0]
		for _, e := range from.near {
			to := s.at[e.key[0]+e.key[1]-from.domain]
			if to.root != nil {
				continue
			}
			to.root = reference
			s.relate(from, to, e)
			reached = append(reached, to)
		}
	}
}

// noMatter is what share of the gap between the bounds is nothing: a clock that two others relate to the reference is not
// moved by what two estimates leave.
const noMatter = 0.01

// leastDrift is far below any drift of a clock, in ns per ns: it moves a day by less than a nanosecond.
const leastDrift = 1e-15

// relate finds the line of a clock over the reference from that of another one.
func (s *solver) relate(from, to *node, e *edge) {
	// The bounds say y = x + (y0-x0) + offset + drift (x-x0). Seen from the first clock, the second is ahead at y by
	// (y0-x0) + (offset + drift (y-y0)) / (1+drift); the first is ahead of the second by the opposite of what they say.
	b := &e.bounds
	below, above := b.Offset-b.MinOffset, b.MaxOffset-b.Offset
	l, base := Line{OriginNs: e.y0}, e.x0
	to.forth, to.back = e.sure.Back, e.sure.Forth
	if to.domain == e.key[0] {
		l.OriginNs, base = e.x0, e.y0
		below, above = above, below
		to.forth, to.back = e.sure.Forth, e.sure.Back
	}
	switch {
	case e.verdict == agree: // exactly 0
		below, above = 0, 0
		base = l.OriginNs
	case to.domain == e.key[1]:
		l.WholeNs, l.PartNs, l.Drift = e.y0-e.x0, b.Offset/(1+b.Drift), b.Drift/(1+b.Drift)
	default:
		l.WholeNs, l.PartNs, l.Drift = e.x0-e.y0, -b.Offset, -b.Drift
	}
	if to.line = l.over(&from.line, base); math.Abs(to.line.Drift) < leastDrift {
		to.line.Drift = 0 // what rounding leaves where one pair gains what the next one loses
	}
	if to.line.Drift == 0 && math.Abs(float64(to.line.AheadNs())) < b.Gap*noMatter {
		to.line = Line{}
	}
	to.less, to.more = from.less+below, from.more+above
}

// solution is the lines of the clocks that are corrected.
func (s *solver) solution() *Solution {
	out := &Solution{lines: make(map[uint32]*Line)}
	var moved []*node
	for _, n := range s.nodes {
		if !n.line.Still() {
			moved = append(moved, n)
			out.lines[n.domain] = &n.line
			out.Bounds = append(out.Bounds, s.row(n))
		}
	}
	out.Said = s.said(moved)
	return out
}

// row is the row of a clock in clock_bounds.
func (s *solver) row(n *node) schema.ClockBound {
	l := &n.line
	row := schema.ClockBound{
		Unit: s.name(n.domain), Reference: s.name(n.root.domain), Forth: n.forth, Back: n.back, Possible: true, Used: true,
		OriginNs: l.OriginNs, OffsetNs: -l.AheadNs(), DriftPpm: 0 - l.Drift*1e6,
	}
	if !math.IsInf(n.less+n.more, 0) && !math.IsNaN(n.less+n.more) {
		least, most := -l.AheadNs()-int64(math.Round(n.more)), -l.AheadNs()+int64(math.Round(n.less))
		row.OffsetLeastNs, row.OffsetMostNs = &least, &most
	}
	return row
}
