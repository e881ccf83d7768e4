package timebase

import (
	"math"
	"slices"
	"sort"
)

// system is the clocks that orders connect with each other, and the unknowns of their programme: how far each clock is from the
// reference at its knots, in ns beside its base. Between knots it is linear, and so are its ends continued.
type system struct {
	orders  *Orders
	members []int // numbers of its clocks, the reference first
	root    int
	pairs   []*Pair
	tree    []*Pair
	unit    int64

	base   []int64   // by clock: ns to add to a time for about that of the reference
	first  []int64   // by clock: time of its first order
	last   []int64   // and of the last
	knots  [][]int64 // by clock, ascending; of the reference none
	column []int32   // by clock: of its first knot
	n      int       // unknowns of all knots
}

// knotTerms returns what an unknown or two contribute to how far a clock is from the reference at a time.
func (s *system) knotTerms(clock int32, at int64, sign float64) [2]term {
	k := s.knots[clock]
	if len(k) == 0 {
		return [2]term{{-1, 0}, {-1, 0}}
	}
	j := int(s.piece(clock, at))
	share := float64(at-k[j]) / float64(k[j+1]-k[j])
	c := s.column[clock] + int32(j)
	return [2]term{{c, sign * (1 - share)}, {c + 1, sign * share}}
}

// piece returns the number of the piece of a clock at a time.
func (s *system) piece(clock int32, at int64) int32 {
	k := s.knots[clock]
	if len(k) <= 2 {
		return 0
	}
	return int32(min(max(0, sort.Search(len(k), func(i int) bool { return k[i] > at })-1), len(k)-2))
}

// apart returns by how many ns an order's times are apart by the bases of its clocks.
func (s *system) apart(from, to int32, fromNs, toNs int64) float64 {
	return float64((toNs + s.base[to]) - (fromNs + s.base[from]))
}

// number gives the knots their columns.
func (s *system) number() {
	s.n = 0
	for _, u := range s.members {
		s.column[u] = int32(s.n)
		s.n += len(s.knots[u])
	}
}

// oneLine is the time between the knots of a clock of which only one moment is known.
const oneLine = 1_000_000_000

// newSystem prepares the clocks of a group, each with one line.
func newSystem(orders *Orders, clocks int, members []int, pairs []*Pair) *system {
	s := &system{
		orders: orders, members: members, root: members[0], pairs: pairs, unit: orders.unit(),
		base: make([]int64, clocks), first: make([]int64, clocks), last: make([]int64, clocks),
		knots: make([][]int64, clocks), column: make([]int32, clocks),
	}
	for u := range clocks {
		s.first[u], s.last[u] = math.MaxInt64, math.MinInt64
	}
	note := func(u int32, at int64) { s.first[u], s.last[u] = min(s.first[u], at), max(s.last[u], at) }
	for i := range orders.From {
		note(orders.From[i], orders.FromNs[i])
		note(orders.To[i], orders.ToNs[i])
	}
	s.grow(clocks)
	for _, u := range members[1:] {
		s.knots[u] = []int64{s.first[u], max(s.last[u], s.first[u]+1)}
		if s.first[u] == s.last[u] {
			s.knots[u][1] = s.first[u] + oneLine
		}
	}
	s.number()
	return s
}

// grow makes a tree of the pairs that bound the offset most tightly (Prim, Bell System Technical Journal 36, 1957): those whose
// middle matters. It also finds about how far each clock is from the reference.
func (s *system) grow(clocks int) {
	placed := make([]bool, clocks)
	placed[s.root] = true
	order := slices.Clone(s.pairs)
	slices.SortStableFunc(order, compareTightness)
	for len(s.tree) < len(s.members)-1 {
		for _, p := range order {
			if placed[p.A] == placed[p.B] {
				continue
			}
			// B shows t + Shift + Offset when A shows t.
			by := p.Shift + int64(math.Round(p.Bounds.Offset))
			if placed[p.B] {
				s.base[p.A] = s.base[p.B] + by
			} else {
				s.base[p.B] = s.base[p.A] - by
			}
			placed[p.A], placed[p.B] = true, true
			s.tree = append(s.tree, p)
			break
		}
	}
}

// compareTightness compares how tightly two pairs bound the offset; the tighter comes first. Those with orders both ways and a
// possible line beat contradictory ones, and these beat those with orders one way.
func compareTightness(a, b *Pair) int {
	class := func(p *Pair) int {
		switch {
		case p.Forth == 0 || p.Back == 0:
			return 2
		case !p.Bounds.Possible:
			return 1
		}
		return 0
	}
	width := func(p *Pair) float64 {
		if class(p) == 0 {
			return p.Bounds.MaxOffset - p.Bounds.MinOffset
		}
		return math.Abs(p.Bounds.Gap)
	}
	switch x, y := class(a), class(b); {
	case x != y:
		return x - y
	case width(a) < width(b):
		return -1
	case width(a) > width(b):
		return 1
	}
	return 0
}

// rows adds the orders of cells: the time of what came first is at most that of what came then, less a margin. Ordinary orders have
// the first margin, those of what happened together the second; the margins add to what columnOf says for a cell.
func (s *system) rows(p *programme, cells []*cell, margin, together float64, columnOf func(*cell) int32) {
	for _, c := range cells {
		least, column := margin, int32(-1)
		if c.together {
			least = together
		}
		if columnOf != nil {
			column = columnOf(c)
		}
		for i := range c.fromNs {
			from, to := s.knotTerms(c.from, c.fromNs[i], 1), s.knotTerms(c.to, c.toNs[i], -1)
			p.addRow(s.apart(c.from, c.to, c.fromNs[i], c.toNs[i])-least, from[0], from[1], to[0], to[1], term{column, 1})
		}
	}
	// No clock stands still or runs back.
	for _, u := range s.members {
		for j := 1; j < len(s.knots[u]); j++ {
			k := s.column[u] + int32(j)
			p.addRow(float64(s.knots[u][j]-s.knots[u][j-1])*(1-slowest), term{k - 1, 1}, term{k, -1})
		}
	}
}

// slowest is how fast a clock runs at least, beside the reference.
const slowest = 1e-6

// margin is how many ns all orders hold by, if that is possible: times that are rounded then keep them, and still differ by 1.
const margin = 3

// reach finds by how much all orders can hold: 0 if by the margin, and less if not, and the cells with orders that are active there.
func (s *system) reach(cells []*cell) (by float64, tight []*cell) {
	p := newProgramme(s.n + 1)
	level := int32(s.n)
	s.rows(p, cells, margin, 0, func(*cell) int32 { return level })
	p.addRow(0, term{level, 1})
	c := make([]float64, s.n+1)
	c[level] = 1
	if !p.maximize(perturbed(c)) || !p.maximize(c) || !p.settle(c) {
		return math.Inf(-1), nil
	}
	p.setPrices(c)
	active := make(map[int32]bool)
	for i, row := range p.active {
		if row >= 0 && p.price[i] > 1e-7 {
			active[row] = true
		}
	}
	row := int32(0)
	for _, c := range cells {
		for range c.fromNs {
			if active[row] {
				tight = append(tight, c)
			}
			row++
		}
	}
	return p.x[level], tight
}

// perturbed returns an objective in which no two vertices are equal, so that walks do not go round in circles.
func perturbed(c []float64) []float64 {
	p, seed := slices.Clone(c), uint64(1)
	for i := range p {
		seed = seed*6364136223846793005 + 1442695040888963407
		by := 1e-7 * (0.5 + float64(seed>>40)/float64(1<<25))
		if p[i] < 0 || p[i] == 0 && seed>>63 == 1 {
			by = -by
		}
		p[i] += by
	}
	return p
}
