package timebase

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/clocks/offset"
	"github.com/tracelake/tracelake/testdata/expect"
)

// order is something that clock from shows at x and that is before what clock to shows at y.
type order struct {
	from, to int32
	x, y     int64
}

// ordered lists orders.
func ordered(all ...order) *Orders {
	o := new(Orders)
	for _, e := range all {
		o.Add(e.from, e.to, e.x, e.y)
	}
	return o
}

// repeated lists an order again and again, a span later each time.
func repeated(n int, span int64, all ...order) *Orders {
	o := new(Orders)
	for i := range int64(n) {
		for _, e := range all {
			o.Add(e.from, e.to, e.x+i*span, e.y+i*span)
		}
	}
	return o
}

// TestTwoClocks relates clock 1, which is a millisecond ahead, with clock 0: what the messages leave, the middle of it, and how surely.
func TestTwoClocks(t *testing.T) {
	const ahead, second = 1_000_000, 1_000_000_000
	there := func(at, takes int64) order { return order{0, 1, at, at + takes + ahead} }
	back := func(at, takes int64) order { return order{1, 0, at + ahead, at + takes} }
	together := new(Orders)
	for _, at := range []int64{0, second} {
		together.AddTogether(0, 1, at, at+ahead)
	}
	free := math.Inf(1)
	for _, c := range []struct {
		name        string
		orders      *Orders
		offset      int64 // to add to clock 1
		drift       float64
		near        int64 // how near the offset must be
		gap         float64
		fits        bool
		least, most int64 // of the offset; 0: no bound
		forth, back int64
	}{
		{"the middle", ordered(there(0, 100), back(0, 300), there(second, 100), back(second, 300)), -ahead + 100, 0, 1, 400, true, -ahead - 100, -ahead + 300, 2, 2},
		{"quick at one end, slow at the other", ordered(there(0, 100), back(0, 100), there(second, 1000), back(second, 1000)), -ahead, 0, 1, 200, true, -ahead - 100, -ahead + 100, 2, 2},
		{"a drift of 1 us in a second", ordered(there(0, 100), back(0, 100), there(second, 1100), back(second, -900)), -ahead, -1e-6, 1, 200, true, -ahead - 100, -ahead + 100, 2, 2},
		{"a wide end has no drift", ordered(there(0, 100), back(0, 100), there(second, 100), back(second, 1900)), -ahead, 0, 1, 200, true, -ahead - 100, -ahead + 100, 2, 2},
		{"only there: the quickest takes no time", ordered(there(0, 500), there(second/2, 100), there(second, 700)), -ahead - 100, 0, 4, free, true, -ahead - 500, 0, 0, 3},
		{"only back: the quickest takes no time", ordered(back(0, 500), back(second/2, 100), back(second, 700)), -ahead + 100, 0, 4, free, true, 0, -ahead + 500, 3, 0},
		{"a single one there", ordered(there(0, 500)), -ahead - 500, 0, 4, free, true, -ahead - 500, 0, 0, 1},
		{"a single one back", ordered(back(0, 500)), -ahead + 500, 0, 4, free, true, 0, -ahead + 500, 1, 0},
		{"against each other: both are broken by as much", ordered(there(0, -100), back(0, -300), there(second, -100), back(second, -300)), -ahead - 100, 0, 1, -400, false, 0, 0, 2, 2},
		{"at the same time", together, -ahead, 0, 0, 0, true, -ahead, -ahead, 2, 2},
		{"one moment", ordered(there(0, 100), back(100, 100)), -ahead, 0, 1, 200, true, -ahead - 100, -ahead + 100, 1, 1},
		{"times that are cut to a us", repeated(128, 1000, there(0, -1000), back(0, 0)), -ahead + 500, 0, 1, -1000, true, -ahead + 500, -ahead + 500, 128, 128},
		{"times that are cut to a ms", repeated(128, second/1000, there(0, -second/1000), back(0, 0)), -ahead + 500_000, 0, 1, -1e6, true, -ahead + 500_000, -ahead + 500_000, 128, 128},
		{"too few to say so", repeated(127, 1000, there(0, -1000), back(0, 0)), -ahead + 500, 0, 1, -1000, false, 0, 0, 127, 127},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Solve(c.orders, 2, 0).Clocks[1]
			if len(got.Curve) != 1 || len(got.Pieces) != 1 {
				t.Fatalf("%+v is no line", got)
			}
			l := got.Curve[0]
			if d := l.OffsetNs - c.offset; max(d, -d) > c.near || math.Abs(l.Drift-c.drift) > 1e-9 {
				t.Errorf("offset %d, drift %g; want %d, %g", l.OffsetNs, l.Drift, c.offset, c.drift)
			}
			if got.Fits != c.fits || got.Forth != c.forth || got.Back != c.back {
				t.Errorf("fits %v, %d there and %d back; want %v, %d, %d", got.Fits, got.Back, got.Forth, c.fits, c.back, c.forth)
			}
			if math.Abs(got.GapNs-c.gap) > 2 && got.GapNs != c.gap {
				t.Errorf("gap %g, want %g", got.GapNs, c.gap)
			}
			for _, b := range []struct {
				name string
				got  *int64
				want int64
			}{{"least", got.Pieces[0].LeastNs, c.least}, {"most", got.Pieces[0].MostNs, c.most}} {
				if (b.got != nil) != (b.want != 0) {
					t.Errorf("%s: %v, want %d", b.name, b.got, b.want)
				} else if b.got != nil && max(*b.got-b.want, b.want-*b.got) > 1 {
					t.Errorf("%s: %d, want %d", b.name, *b.got, b.want)
				}
			}
			// Seen from clock 1 the other one is as much behind.
			other := Solve(c.orders, 2, 1).Clocks[0]
			if other.Forth != c.back || other.Back != c.forth || other.Fits != c.fits {
				t.Errorf("seen from the other clock: %+v", other)
			}
			if d := other.Curve.At(0) + c.offset; max(d, -d) > c.near+1 {
				t.Errorf("seen from the other clock: offset %d, want %d", other.Curve.At(0), -c.offset)
			}
			// Clocks that show the date are related as exactly: nothing is rounded by how great their times are.
			const today = 1_764_000_000_000_000_000
			dated := *c.orders
			dated.FromNs, dated.ToNs = slices.Clone(dated.FromNs), slices.Clone(dated.ToNs)
			for i := range dated.From {
				dated.FromNs[i] += today
				dated.ToNs[i] += today
			}
			if now := Solve(&dated, 2, 0).Clocks[1]; now.Curve[0].OffsetNs != l.OffsetNs || now.GapNs != got.GapNs || now.Fits != got.Fits {
				t.Errorf("today: %+v", now)
			}
		})
	}
}

// Clocks that nothing connects with the reference have one of their own, the least of them, and a clock alone is its own.
func TestGroups(t *testing.T) {
	o := repeated(2, 1e9, order{0, 3, 0, 10}, order{3, 0, 0, 10}, order{4, 1, 5, 105}, order{1, 4, 85, 5}, order{2, 4, 0, 60}, order{4, 2, 0, 60})
	s := Solve(o, 6, 3)
	var references []int
	for _, c := range s.Clocks {
		references = append(references, c.Reference)
	}
	expect.Slice(t, references, []int{3, 1, 1, 3, 1, 5}, "references")
	expect.Equal(t, len(s.Clocks[3].Curve)+len(s.Clocks[1].Curve)+len(s.Clocks[5].Curve), 0, "lines of references")
	expect.Equal(t, math.IsInf(s.Clocks[5].GapNs, 1) && s.Clocks[5].Fits, true, "a clock alone may be moved by anything")
	var pairs []string
	for _, p := range s.Pairs {
		pairs = append(pairs, fmt.Sprintf("%d to %d: %d, back %d", p.A, p.B, p.Forth, p.Back))
	}
	expect.Slice(t, pairs, []string{"3 to 0: 2, back 2", "4 to 1: 2, back 2", "4 to 2: 2, back 2"}, "pairs")
	_, groups := groupsOf(s.Pairs, 6, 3)
	expect.Deep(t, groups, [][]int{{3, 0}, {1, 2, 4}, {5}}, "groups")
	if d := s.Clocks[4].Curve[0].OffsetNs; d < 88 || d > 92 { // between 85 - 5 and 105 - 5
		t.Errorf("clock 4 is %d behind, want 90", d)
	}
}

// The unit of times is the coarsest of ms, us and ns that all are multiples of, where there are enough of them.
func TestUnit(t *testing.T) {
	times := func(n int, unit int64, odd ...int64) *Orders {
		o := new(Orders)
		for i := range int64(n - len(odd)) {
			o.Add(0, 1, i*unit, (i+7)*unit)
		}
		for _, at := range odd {
			o.Add(0, 1, 0, at)
		}
		return o
	}
	for _, c := range []struct {
		name   string
		orders *Orders
		want   int64
	}{
		{"ms", times(256, 1_000_000), 1_000_000}, {"few ms", times(255, 1_000_000), 1}, {"us", times(300, 1000), 1000}, {"ns", times(300, 1), 1},
		{"a us among ms", times(300, 1_000_000, 3000), 1000}, {"a ns among ms", times(300, 1_000_000, 3), 1}, {"a ns and then a us", times(300, 1_000_000, 3, 3000), 1},
	} {
		expect.Equal(t, c.orders.unit(), c.want, "unit of %s", c.name)
	}
}

// The clock to bend is one that is bent already, or else the one that fits the fewest others; the reference is never.
func TestBlamed(t *testing.T) {
	pair := func(a, b int, possible bool) *Pair {
		return &Pair{A: a, B: b, Forth: 1, Back: 1, Bounds: offset.Bounds{Possible: possible}}
	}
	s := &system{
		pairs: []*Pair{pair(1, 0, false), pair(2, 0, true), pair(2, 1, false), pair(3, 1, false), pair(3, 2, true), {A: 3, B: 0, Forth: 2}},
		knots: [][]int64{nil, {0, 10}, {0, 10}, {0, 10}},
	}
	for clock, want := range []float64{1. / 3, 1, 1. / 3, 1. / 3} {
		expect.Equal(t, s.misfits(clock), want, "share of misfits of clock %d", clock)
	}
	cells := func(all ...[2]int32) (list []*cell) {
		for _, c := range all {
			list = append(list, &cell{from: c[0], to: c[1], fromPiece: 2, toPiece: 1})
		}
		return list
	}
	expect.Slice(t, s.blamed(nil), nil, "without a contradiction")
	expect.Slice(t, s.blamed(cells([2]int32{0, 3})), []int{3}, "beside the reference")
	expect.Slice(t, s.blamed(cells([2]int32{3, 2}, [2]int32{2, 1}, [2]int32{1, 0})), []int{1}, "of three")
	s.knots[2], s.knots[3] = []int64{0, 5, 10}, []int64{0, 5, 10}
	expect.Slice(t, s.blamed(cells([2]int32{1, 0}, [2]int32{3, 2}, [2]int32{2, 3})), []int{3, 2}, "those that are bent")
	expect.Slice(t, s.touched(3, cells([2]int32{3, 0}, [2]int32{0, 3}, [2]int32{3, 2})), []int{2, 1}, "pieces")
	expect.Slice(t, s.touched(1, cells([2]int32{3, 0}, [2]int32{0, 3})), nil, "pieces of another clock")
}

// A piece is divided in its middle where it has enough orders and a middle, and a clock is one line again between the same ends.
func TestSplit(t *testing.T) {
	s := &system{knots: [][]int64{nil, {0, 100, 101, 301}, {5, 9}}, column: make([]int32, 3), members: []int{0, 1, 2}, orders: new(Orders)}
	enough := []int{fewOrders, fewOrders, fewOrders}
	expect.Equal(t, s.split(1, 1, enough), false, "a piece of a ns is divided")
	expect.Equal(t, s.split(1, 0, []int{fewOrders - 1, 99, 99}), false, "a piece of few orders is divided")
	expect.Equal(t, s.split(1, 2, enough), true, "the last piece is divided")
	expect.Slice(t, s.knots[1], []int64{0, 100, 101, 201, 301}, "knots")
	for _, at := range []int64{-7, 0, 99, 100, 101, 201, 300, 301, 999} {
		s.orders.Add(1, 2, at, 7)
	}
	expect.Deep(t, s.ordersByPiece(), [][]int{{0}, {3, 1, 1, 4}, {9}}, "orders by piece")
	s.number()
	expect.Slice(t, s.column, []int32{0, 0, 5}, "columns")
	expect.Equal(t, s.n, 7, "unknowns")
	s.straighten()
	expect.Deep(t, s.knots, [][]int64{nil, {0, 301}, {5, 9}}, "knots of one line each")
	expect.Equal(t, s.n, 4, "unknowns of one line each")
	s.knots[1] = make([]int64, mostPieces+1)
	s.knots[1][mostPieces] = 1000
	expect.Equal(t, s.split(1, mostPieces-1, slices.Repeat([]int{fewOrders}, mostPieces)), false, "a clock of the most pieces is divided")
}

// The tree takes the pairs that bound offsets most tightly: both ways before contradictory before one way.
func TestTightness(t *testing.T) {
	both := func(least, most float64) *Pair {
		return &Pair{Forth: 1, Back: 1, Bounds: offset.Bounds{Possible: true, MinOffset: least, MaxOffset: most}}
	}
	against := func(gap float64) *Pair { return &Pair{Forth: 1, Back: 1, Bounds: offset.Bounds{Gap: gap}} }
	order := []*Pair{both(-1, 1), both(10, 13), both(-90, 80), against(-1), against(-2), {Forth: 3}}
	for i, a := range order {
		for k, b := range order {
			if got := compareTightness(a, b); got < 0 != (i < k) || got > 0 != (i > k) {
				t.Errorf("%d beside %d: %d", i, k, got)
			}
		}
	}
	expect.Equal(t, compareTightness(&Pair{Back: 1}, &Pair{Forth: 1, Back: 1, Bounds: offset.Bounds{Gap: -1e9}}), 1, "one way beside a contradiction")
}

// A clock that nobody's line fits, and that has too few orders to be bent, stays a line, and what is wrong is told at it and not at others.
func TestStraight(t *testing.T) {
	o := new(Orders)
	for i := range int64(20) {
		bend := 5_000_000 * (i % 2)
		o.Add(0, 1, i*1e9, i*1e9+1000+bend)
		o.Add(1, 0, i*1e9+bend, i*1e9+1000)
		o.Add(0, 2, i*1e9, i*1e9+1000)
		o.Add(2, 0, i*1e9, i*1e9+1000)
	}
	s := Solve(o, 3, 0)
	for u, want := range []bool{false, false, true} {
		expect.Equal(t, s.Clocks[u].Fits, want, "clock %d fits", u)
	}
	for u := 1; u < 3; u++ {
		expect.Equal(t, len(s.Clocks[u].Curve), 1, "lines of clock %d", u)
		expect.Equal(t, s.Clocks[u].Pieces[0].Line, s.Clocks[u].Curve[0], "line of clock %d", u)
	}
	expect.Equal(t, s.Clocks[1].Pieces[0].LeastNs == nil && s.Clocks[1].Pieces[0].Most == nil, true, "nothing bounds what is impossible")
	if gap := s.Clocks[1].GapNs; gap > -4_900_000 || gap < -5_000_000 {
		t.Errorf("gap %g of the clock that does not fit, want 2 us less 5 ms", gap)
	}
}
