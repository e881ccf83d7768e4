package timebase

import (
	"math"
	"slices"
)

// Solution is one time for all clocks.
type Solution struct {
	Clocks []Clock
	Pairs  []*Pair // that something orders, by their clocks
}

// Clock is how a clock relates to its reference.
type Clock struct {
	Reference int     // the clock whose time it has: itself if nothing connects it with the reference, or no other of its group
	Curve     Curve   // empty of a reference
	Fits      bool    // all that is ordered with it holds
	Pieces    []Piece // of the curve: what is possible
	Forth     int64   // orders from it to the reference
	Back      int64   // orders from the reference to it
	// GapNs is the least time that an order leaves before it, and the least that one leaves after it, together: what its offset can
	// move by while all other clocks stand still. Negative if orders contradict each other; infinite if they go one way.
	GapNs float64
}

// Piece is what is possible of a line, where all orders hold.
type Piece struct {
	Line
	LeastNs, MostNs *int64   // offset at the origin; nil: no bound
	Least, Most     *float64 // drift, ns per ns; nil: no bound
}

// Solve finds one time for all clocks.
func Solve(orders *Orders, clocks, reference int) *Solution {
	out := &Solution{Clocks: make([]Clock, clocks), Pairs: orders.pairs(clocks)}
	group, groups := groupsOf(out.Pairs, clocks, reference)
	parts := orders.divide(len(groups), group)
	for g, members := range groups {
		for _, u := range members {
			out.Clocks[u] = Clock{Reference: members[0], Fits: true, GapNs: math.Inf(1)}
		}
		if len(members) < 2 {
			continue
		}
		var pairs []*Pair
		for _, p := range out.Pairs {
			if group[p.A] == g {
				pairs = append(pairs, p)
			}
		}
		s := newSystem(parts[g], clocks, members, pairs)
		s.solve(out.Clocks)
	}
	return out
}

// groupsOf returns the clocks that orders connect with each other, each with its reference first.
func groupsOf(pairs []*Pair, clocks, reference int) (group []int, groups [][]int) {
	near := make([][]int, clocks)
	for _, p := range pairs {
		near[p.A], near[p.B] = append(near[p.A], p.B), append(near[p.B], p.A)
	}
	group = slices.Repeat([]int{-1}, clocks)
	for root := reference; root >= 0; root = slices.Index(group, -1) {
		members := []int{root}
		group[root] = len(groups)
		for i := 0; i < len(members); i++ {
			for _, v := range near[members[i]] {
				if group[v] < 0 {
					group[v] = len(groups)
					members = append(members, v)
				}
			}
		}
		slices.Sort(members[1:])
		groups = append(groups, members)
	}
	return group, groups
}

// solve finds the curves of a group.
func (s *system) solve(clocks []Clock) {
	// 1. One line for each clock, or bent ones where that cannot be.
	cells := s.cells()
	by, tight := s.reach(cells)
	if by < s.least() {
		if bent, better := s.bend(cells, tight); better >= s.least() {
			cells, by = bent, better
		} else {
			s.straighten()
			cells = s.cells()
		}
	}
	// 2. The middle of what is possible.
	x := s.center(cells, by)
	for _, u := range s.members[1:] {
		clocks[u].Curve = s.curve(u, x)
	}
	// 3. What of that is certain.
	s.judge(clocks, x)
	if by >= s.least() {
		s.bound(cells, by, clocks)
	} else {
		for _, u := range s.members[1:] {
			clocks[u].Pieces = []Piece{{Line: clocks[u].Curve[0]}}
		}
	}
	for _, p := range s.pairs {
		switch s.root {
		case p.B:
			clocks[p.A].Forth, clocks[p.A].Back = p.Forth, p.Back
		case p.A:
			clocks[p.B].Forth, clocks[p.B].Back = p.Back, p.Forth
		}
	}
}

// least is the level at which orders are taken to hold: times that are cut to a unit may be late by it.
func (s *system) least() float64 { return -float64(margin) - float64(s.unit) }

// weight is how much the orders of a pair must gain, as a share of what a drift moves them by, for the drift to be believed: the
// orders at one end of the time may have been slower than those at the other by chance.
const weight = 0.05

// placeOfPair is where two clocks meet: a piece of one and a piece of the other, the clock of the greater number first.
type placeOfPair struct{ a, b, aPiece, bPiece int32 }

// place returns where the clocks of a cell meet, whichever way its messages go.
func (c *cell) place() placeOfPair {
	if c.from < c.to {
		return placeOfPair{c.to, c.from, c.toPiece, c.fromPiece}
	}
	return placeOfPair{c.from, c.to, c.fromPiece, c.toPiece}
}

// gained returns the places of pairs of the tree in which messages go both ways, each once, in the order of the cells: what is left
// between these ways is what a curve in the middle divides.
func (s *system) gained(cells []*cell) (places []placeOfPair) {
	inTree := make(map[[2]int32]bool)
	for _, p := range s.tree {
		inTree[[2]int32{int32(p.A), int32(p.B)}] = p.Forth > 0 && p.Back > 0
	}
	const forth, back, told = 1, 2, 4
	ways := make(map[placeOfPair]int32)
	for _, c := range cells {
		at := c.place()
		if c.together || !inTree[[2]int32{at.a, at.b}] {
			continue
		}
		if c.from < c.to {
			ways[at] |= back
		} else {
			ways[at] |= forth
		}
		if ways[at] == forth|back {
			places = append(places, at)
			ways[at] |= told
		}
	}
	return places
}

// center finds, among all that is possible at a level, the curves in the middle: those that leave the pairs of the tree the most,
// the same both ways, with as little drift and as few bends as that takes.
func (s *system) center(cells []*cell, by float64) []float64 {
	by = min(by, 0) - 0.01
	// 1. Unknowns: the least that each pair of the tree leaves in each of its cells, and the absolute values of drifts and bends.
	gains := s.gained(cells)
	n, column := s.n, make(map[placeOfPair]int32)
	for _, at := range gains {
		column[at] = int32(n)
		n++
	}
	penalties := s.penalties()
	p := newProgramme(n + len(penalties))
	objective := make([]float64, n+len(penalties))
	for _, k := range column {
		objective[k] = 1
	}
	// 2. Rows: what holds at the level, and what gains are.
	s.rows(p, cells, margin+by, by, nil)
	for _, c := range cells {
		k, gained := column[c.place()]
		if !gained || c.together {
			continue
		}
		for i := range c.fromNs {
			from, to := s.knotTerms(c.from, c.fromNs[i], 1), s.knotTerms(c.to, c.toNs[i], -1)
			p.addRow(s.apart(c.from, c.to, c.fromNs[i], c.toNs[i]), from[0], from[1], to[0], to[1], term{k, 1})
		}
	}
	for i, penalty := range penalties {
		k := int32(n + i)
		objective[k] = -penalty.weight
		for _, sign := range []float64{1, -1} {
			terms := []term{{k, -1}}
			for _, t := range penalty.terms {
				terms = append(terms, term{t.column, sign * t.value})
			}
			p.addRow(-sign*penalty.constant, terms...)
		}
	}
	// 3. Where orders go one way only, the quickest takes no time.
	for _, pair := range s.tree {
		if pair.Forth > 0 && pair.Back > 0 {
			continue
		}
		sign := 1e-3 // orders from A to B: A is to be late
		if pair.Back > 0 {
			sign = -sign
		}
		for _, t := range s.knotTerms(int32(pair.A), pair.OriginA, sign) {
			if t.column >= 0 {
				objective[t.column] += t.value
			}
		}
		for _, t := range s.knotTerms(int32(pair.B), pair.OriginA+pair.Shift, -sign) {
			if t.column >= 0 {
				objective[t.column] += t.value
			}
		}
	}
	if !p.maximize(perturbed(objective)) || !p.maximize(objective) || !p.settle(objective) {
		p.refresh(objective)
	}
	return p.x[:s.n]
}

// penalty is the absolute value of a sum, with its weight.
type penalty struct {
	terms    []term
	constant float64
	weight   float64
}

// penalties are what drifts and bends cost: between two clocks of the tree that are lines each, how far they part while orders are
// seen, and where a curve bends, by how much it leaves its line.
func (s *system) penalties() (list []penalty) {
	for _, p := range s.tree {
		if len(s.knots[p.A]) > 2 || len(s.knots[p.B]) > 2 {
			continue
		}
		// Orders that allow any drift say nothing of it.
		over, w := p.covered, weight
		if free := math.IsInf(p.Bounds.MaxDrift-p.Bounds.MinDrift, 1) || p.Forth == 0 || p.Back == 0 || over == 0; free {
			over, w = s.length(p.A, p.B), 1
		}
		list = append(list, penalty{append(s.slope(p.A, 0, over), s.slope(p.B, 0, -over)...), 0, w})
	}
	for _, u := range s.members {
		for j := 0; j+2 < len(s.knots[u]); j++ {
			over := float64(min(s.knots[u][j+1]-s.knots[u][j], s.knots[u][j+2]-s.knots[u][j+1]))
			list = append(list, penalty{append(s.slope(u, j, over), s.slope(u, j+1, -over)...), 0, weight})
		}
	}
	return list
}

// length returns the ns that orders cover of the clock that they cover most of.
func (s *system) length(clocks ...int) (most float64) {
	for _, u := range clocks {
		if k := s.knots[u]; len(k) > 0 {
			most = max(most, float64(k[len(k)-1]-k[0]))
		}
	}
	return most
}

// slope returns the drift of a piece of a clock, times a number of ns.
func (s *system) slope(clock, piece int, over float64) []term {
	k := s.knots[clock]
	if len(k) == 0 {
		return nil
	}
	c, f := s.column[clock]+int32(piece), over/float64(k[piece+1]-k[piece])
	return []term{{c, -f}, {c + 1, f}}
}

// curve returns the lines of a clock.
func (s *system) curve(clock int, x []float64) (c Curve) {
	k, first := s.knots[clock], s.column[clock]
	for j := range len(k) - 1 {
		from, to, length := x[first+int32(j)], x[first+int32(j)+1], float64(k[j+1]-k[j])
		if len(k) > 2 { // what lines meet in is whole, so that they do
			from, to = math.Round(from), math.Round(to)
		}
		c = append(c, Line{k[j], s.base[clock] + int64(math.Round(from)), (to - from) / length})
	}
	return c
}
