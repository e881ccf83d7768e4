package timebase

import (
	"slices"

	"github.com/tracelake/tracelake/stages/clocks/offset"
)

// Orders lists what happened on one clock before something on another: messages that are sent before they are received.
type Orders struct {
	From, To     []int32 // numbers of clocks
	FromNs, ToNs []int64 // times by these clocks
	Together     []bool  // it happened at the same time, and the other way round is listed, too
}

// Add adds that something happened before something else.
func (o *Orders) Add(from, to int32, fromNs, toNs int64) { o.add(from, to, fromNs, toNs, false) }

// AddTogether adds that two things happened at the same time.
func (o *Orders) AddTogether(a, b int32, aNs, bNs int64) {
	o.add(a, b, aNs, bNs, true)
	o.add(b, a, bNs, aNs, true)
}

func (o *Orders) add(from, to int32, fromNs, toNs int64, together bool) {
	o.From, o.To, o.FromNs, o.ToNs = append(o.From, from), append(o.To, to), append(o.FromNs, fromNs), append(o.ToNs, toNs)
	o.Together = append(o.Together, together)
}

// divide returns the orders by group of clocks.
func (o *Orders) divide(groups int, group []int) []*Orders {
	if groups == 1 {
		return []*Orders{o}
	}
	parts := make([]*Orders, groups)
	for g := range parts {
		parts[g] = new(Orders)
	}
	for i := range o.From {
		parts[group[o.From[i]]].add(o.From[i], o.To[i], o.FromNs[i], o.ToNs[i], o.Together[i])
	}
	return parts
}

// unit returns what all times are multiples of: 1 ns, or a microsecond or a millisecond of a trace that has cut them. Few times are
// multiples by chance.
func (o *Orders) unit() int64 {
	unit := int64(coarsest)
	if len(o.From) < manyOrders {
		return 1
	}
	for i := range o.FromNs {
		for unit > 1 && (o.FromNs[i]%unit != 0 || o.ToNs[i]%unit != 0) {
			unit /= 1000
		}
	}
	return unit
}

// coarsest is the coarsest unit in which a trace may give its times: milliseconds.
const coarsest = 1_000_000

// manyOrders is how many orders show the unit of their times.
const manyOrders = 256

// Pair is what is ordered between two clocks.
type Pair struct {
	A, B        int           // the clocks; A has the higher number
	OriginA     int64         // time of A of the first order, from which offset and drift are meant
	Forth, Back int64         // orders from A to B, and from B to A
	Bounds      offset.Bounds // of B over A: what an even clock allows
	Shift       int64         // ns to add to the offsets in Bounds
	covered     float64       // ns in which both directions are seen
}

// pairs gathers what is ordered between each two clocks, by their numbers.
func (o *Orders) pairs(clocks int) []*Pair {
	type gathered struct {
		Pair
		of *offset.Pair
	}
	at := make(map[[2]int32]*gathered)
	var list []*gathered
	for i := range o.From {
		u, v, x, y, forth := o.From[i], o.To[i], o.FromNs[i], o.ToNs[i], true
		if u < v {
			u, v, x, y, forth = v, u, y, x, false
		}
		g := at[[2]int32{u, v}]
		if g == nil {
			g = &gathered{Pair: Pair{A: int(u), B: int(v), OriginA: x, Shift: y - x}, of: new(offset.Pair)}
			at[[2]int32{u, v}] = g
			list = append(list, g)
		}
		if forth {
			g.of.Before(x-g.OriginA, y-g.OriginA-g.Shift)
		} else {
			g.of.After(x-g.OriginA, y-g.OriginA-g.Shift)
		}
	}
	slices.SortFunc(list, func(a, b *gathered) int { return slices.Compare([]int{a.A, a.B}, []int{b.A, b.B}) })
	var pairs []*Pair
	for _, g := range list {
		g.Forth, g.Back, g.Bounds = g.of.Forth, g.of.Back, g.of.Bounds()
		if g.Forth > 0 && g.Back > 0 {
			g.covered = g.of.Covered()
		}
		pairs = append(pairs, &g.Pair)
	}
	return pairs
}

// cell is what is ordered from a piece of a clock to a piece of another: there both are lines, and only the corners of a hull
// bound them.
type cell struct {
	from, to           int32
	fromPiece, toPiece int32
	together           bool
	fromNs, toNs       []int64 // corners
}

// cells sorts the orders into cells, in time linear in them but for the hulls, and keeps the corners.
func (s *system) cells() []*cell {
	type key struct {
		from, to, fromPiece, toPiece int32
		together                     bool
	}
	type open struct {
		key key
		of  *offset.Pair
	}
	at := make(map[key]*open)
	var list []*open
	var last *open
	o := s.orders
	for i := range o.From {
		k := key{o.From[i], o.To[i], s.piece(o.From[i], o.FromNs[i]), s.piece(o.To[i], o.ToNs[i]), o.Together[i]}
		if last == nil || last.key != k {
			if last = at[k]; last == nil {
				last = &open{k, offset.NewPair(o.FromNs[i], o.ToNs[i])}
				at[k] = last
				list = append(list, last)
			}
		}
		last.of.Before(o.FromNs[i], o.ToNs[i])
	}
	cells := make([]*cell, len(list))
	for i, c := range list {
		cells[i] = &cell{from: c.key.from, to: c.key.to, fromPiece: c.key.fromPiece, toPiece: c.key.toPiece, together: c.key.together}
		c.of.Corners(false, func(x, y int64) {
			cells[i].fromNs, cells[i].toNs = append(cells[i].fromNs, x), append(cells[i].toNs, y)
		})
	}
	return cells
}
