package timebase

import (
	"math"
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// systemOf is the system of all clocks, of which clock 0 is the reference.
func systemOf(o *Orders, clocks int) *system {
	pairs := o.pairs(clocks)
	_, groups := groupsOf(pairs, clocks, 0)
	return newSystem(o, clocks, groups[0], pairs)
}

// A drift is believed where the orders of a pair gain at least 5 % of what it moves them by over the time that both are seen. The closest orders
// are one there at 0 and one back after a share f of that time, in which a drift that moves them by D leaves both of them f D / 2 more.
func TestDriftIsBelieved(t *testing.T) {
	const second, wide = 1_000_000_000, 10_000
	for _, c := range []struct {
		at       int64 // when the closest order back is
		last     int64 // when the last order of the two clocks is
		third    int64 // when clock 1 is seen by a third one, which says nothing of the first two
		believed bool
	}{
		{0.09 * second, second, 0, false}, {0.11 * second, second, 0, true},
		{0.19 * second, 2 * second, 0, false}, {0.21 * second, 2 * second, 0, true},
		{0.09 * second, second, 2 * second, false}, {0.11 * second, second, 2 * second, true},
	} {
		o := ordered(order{0, 1, 0, 100}, order{1, 0, 0, wide}, order{1, 0, c.at, c.at + 100},
			order{0, 1, c.last, c.last + wide}, order{1, 0, c.last, c.last + wide})
		clocks := 2
		if c.third > 0 {
			o.Add(1, 2, c.third, c.third+100)
			clocks = 3
		}
		if drift := Solve(o, clocks, 0).Clocks[1].Curve[0].Drift; drift < -1e-6 != c.believed || drift > 1e-9 {
			t.Errorf("%+v: drift %g", c, drift)
		}
	}
}

// What costs something is how far the lines of a pair part, where both clocks are lines, and how far each bend is from the line before it.
func TestPenalties(t *testing.T) {
	both := func(a, b int) *Pair { return &Pair{A: a, B: b, Forth: 1, Back: 1, covered: 5} }
	s := &system{
		members: []int{0, 1, 2, 3}, knots: [][]int64{nil, {0, 10, 40}, {0, 20}, {0, 8}}, column: []int32{0, 0, 3, 5},
		tree: []*Pair{both(1, 0), both(2, 1), both(2, 0), both(3, 2)},
	}
	s.tree[3].Back = 0 // which says nothing of the drift, so that it costs all of the time that either is known
	for _, p := range s.tree {
		p.Bounds.MinDrift, p.Bounds.MaxDrift = -1e-6, 1e-6
	}
	x := []float64{0, 10, 100, 7, 47, 1, 9} // drifts 1 and 3 of clock 1, 2 of clock 2, 1 of clock 3
	type cost struct{ value, weight float64 }
	var got []cost
	for _, p := range s.penalties() {
		sum := p.constant
		for _, e := range p.terms {
			sum += e.value * x[e.column]
		}
		got = append(got, cost{math.Round(math.Abs(sum)), p.weight})
	}
	expect.Slice(t, got, []cost{{2 * 5, weight}, {(2 - 1) * 20, 1}, {(3 - 1) * 10, weight}}, "what drifts and bends cost")
}

// The orders that are tight are those of the clocks that contradict each other, and of no others.
func TestTight(t *testing.T) {
	for wrong := 1; wrong <= 3; wrong++ {
		o := new(Orders)
		for u := int32(1); u <= 3; u++ {
			by := int64(1000)
			if int(u) == wrong {
				by = -500
			}
			for at := int64(0); at < 1e9; at += 1e8 {
				o.Add(0, u, at, at+by)
				o.Add(u, 0, at, at+by)
			}
		}
		s := systemOf(o, 4)
		by, tight := s.reach(s.cells())
		if math.Abs(by+503) > 1 || len(tight) < 2 {
			t.Errorf("orders hold at %g, %d are tight", by, len(tight))
		}
		for _, c := range tight {
			expect.Equal(t, int(c.from+c.to), wrong, "from %d to %d", c.from, c.to)
		}
	}
}

// What rounding has made of a vertex is forgotten when it is computed afresh from its active rows.
func TestRefresh(t *testing.T) {
	r := rand.New(rand.NewSource(13))
	for n := 1; n <= 8; n++ {
		p := newProgramme(n)
		for range 6 * n {
			var terms []term
			for j := range n {
				terms = append(terms, term{int32(j), r.NormFloat64()})
			}
			p.addRow(1+10*r.Float64(), terms...)
		}
		c := make([]float64, n)
		for j := range c {
			c[j] = r.NormFloat64()
		}
		expect.Equal(expect.Must(t), p.maximize(c), true, "there is an optimum")
		value := dot(c, p.x)
		for i := range n {
			p.x[i] += r.NormFloat64()
			p.price[i] = 0
			for j := range n {
				p.inverse[i][j] *= 1 + 0.1*r.NormFloat64()
			}
		}
		p.pivots = 7
		p.refresh(c)
		expect.Equal(t, p.pivots, 0, "steps since")
		if got := dot(c, p.x); math.Abs(got-value) > 1e-9*(1+math.Abs(value)) {
			t.Errorf("%d unknowns: the optimum is %g, and was %g", n, got, value)
		}
		for i, row := range p.active {
			if off := p.along(row, p.x) - p.right(row); math.Abs(off) > 1e-9*(1+math.Abs(p.right(row))) {
				t.Errorf("%d unknowns: active row %d is off by %g", n, row, off)
			}
			for k := range p.inverse {
				want := 0.0
				if i == k {
					want = 1
				}
				if got := p.along(row, p.inverse[k]); math.Abs(got-want) > 1e-9 {
					t.Errorf("%d unknowns: row %d times column %d of the inverse is %g", n, i, k, got)
				}
			}
			expect.Equal(t, p.price[i], dot(c, p.inverse[i]), "price of row %d", row)
		}
	}
}
