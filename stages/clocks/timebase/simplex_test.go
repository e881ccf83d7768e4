package timebase

import (
	"math"
	"math/rand"
	"testing"
)

// plain is a linear programme in its simplest form, the oracle of this package: maximize c x under rows a x <= b over free x, by the
// two phases of the simplex method on a dense tableau, with Bland's rule (Bland 1977), which cannot go round in circles.
type plain struct {
	rows [][]float64
	b    []float64
}

func (p *plain) add(b float64, row []float64) { p.rows, p.b = append(p.rows, row), append(p.b, b) }

// maximize returns the greatest c x; possible is false if no x fits the rows, and the value is infinite where nothing bounds it.
func (p *plain) maximize(c []float64) (value float64, possible bool) {
	m, n := len(p.rows), len(c)
	// Columns: x = u - v with u and v of 2n, m slacks, m artificial ones, and the right side.
	width := 2*n + 2*m + 1
	t, basis := make([][]float64, m), make([]int, m)
	for i, row := range p.rows {
		t[i] = make([]float64, width)
		sign := 1.0
		if p.b[i] < 0 {
			sign = -1
		}
		for j, v := range row {
			t[i][j], t[i][n+j] = sign*v, -sign*v
		}
		t[i][2*n+i], t[i][2*n+m+i], t[i][width-1] = sign, 1, sign*p.b[i]
		basis[i] = 2*n + m + i
	}
	walk := func(cost []float64, columns int) bool {
		for {
			entering := -1
			for j := 0; j < columns && entering < 0; j++ {
				reduced := cost[j]
				for i := range m {
					reduced -= cost[basis[i]] * t[i][j]
				}
				if reduced > 1e-9 {
					entering = j
				}
			}
			if entering < 0 {
				return true
			}
			leaving := -1
			for i := range m {
				if t[i][entering] > 1e-9 && (leaving < 0 || t[i][width-1]/t[i][entering] < t[leaving][width-1]/t[leaving][entering]-1e-12 ||
					t[i][width-1]/t[i][entering] <= t[leaving][width-1]/t[leaving][entering]+1e-12 && basis[i] < basis[leaving]) {
					leaving = i
				}
			}
			if leaving < 0 {
				return false
			}
			pivot := t[leaving][entering]
			for j := range t[leaving] {
				t[leaving][j] /= pivot
			}
			for i := range m {
				if f := t[i][entering]; i != leaving && f != 0 {
					for j := range t[i] {
						t[i][j] -= f * t[leaving][j]
					}
				}
			}
			basis[leaving] = entering
		}
	}
	first := make([]float64, width)
	for i := range m {
		first[2*n+m+i] = -1
	}
	walk(first, width-1)
	left := 0.0
	for i := range m {
		if basis[i] >= 2*n+m {
			left += t[i][width-1]
		}
	}
	if left > 1e-6 {
		return 0, false
	}
	second := make([]float64, width)
	for j, v := range c {
		second[j], second[n+j] = v, -v
	}
	for i := range m {
		second[2*n+m+i] = -1e9
	}
	if !walk(second, 2*n+m) {
		return math.Inf(1), true
	}
	for i := range m {
		value += second[basis[i]] * t[i][width-1]
	}
	return value, true
}

// scale is ns of an unknown of the oracle: its tableau likes small numbers.
const scale = 1e6

// oracle states the orders of even clocks as they are: unknown 2u is by how much clock u is ahead of the reference, beside what is
// known of its offset, at the begin of all, and unknown 2u+1 is how far it drifts in a minute.
func oracle(h *happening, offsets []int64) *plain {
	p := new(plain)
	for i := range h.orders.From {
		u, v := h.orders.From[i], h.orders.To[i]
		x, y := float64(h.orders.FromNs[i]-offsets[u]), float64(h.orders.ToNs[i]-offsets[v])
		row := make([]float64, 2*h.clocks)
		row[2*u], row[2*u+1] = 1, x/60e9
		row[2*v], row[2*v+1] = -1, -y/60e9
		row[0], row[1] = 0, 0 // the reference is no unknown
		p.add((y-x)/scale, row)
	}
	for u := range h.clocks { // no clock stands still
		row := make([]float64, 2*h.clocks)
		row[2*u+1] = -1
		p.add(60e9*(1-slowest)/scale, row)
	}
	return p
}

// TestBoundsAgainstPlainProgramme compares the bounds of offset and drift of all clocks with those of the plain programme, which
// has a row for every order.
func TestBoundsAgainstPlainProgramme(t *testing.T) {
	compared, bounded := 0, 0
	for seed := range int64(150) {
		r := rand.New(rand.NewSource(1000 + seed))
		h, offsets, _ := even(r, 4+r.Intn(30))
		s := Solve(h.orders, h.clocks, 0)
		p := oracle(h, offsets)
		for u, c := range s.Clocks {
			if c.Reference != 0 || u == 0 {
				continue
			}
			piece := c.Pieces[0]
			at := float64(piece.OriginNs - offsets[u])
			for _, want := range []struct {
				name  string
				got   func() (float64, bool)
				sign  float64
				share [2]float64
				near  float64
			}{
				{"least offset", offsetOf(piece.LeastNs, offsets[u]), -1, [2]float64{1, at / 60e9}, 3},
				{"most offset", offsetOf(piece.MostNs, offsets[u]), 1, [2]float64{1, at / 60e9}, 3},
				{"least drift", driftOf(piece.Least), -1, [2]float64{0, 1}, 3},
				{"most drift", driftOf(piece.Most), 1, [2]float64{0, 1}, 3},
			} {
				objective := make([]float64, 2*h.clocks)
				objective[2*u], objective[2*u+1] = want.sign*want.share[0], want.sign*want.share[1]
				value, possible := p.maximize(objective)
				value *= want.sign * scale
				got, has := want.got()
				compared++
				if !possible {
					t.Fatalf("seed %d: the plain programme has no solution", seed)
				}
				if !has { // unbounded, or only because a clock would stand still: seconds, where orders say milliseconds
					if math.Abs(value) < 1e9 {
						t.Errorf("seed %d: %s of clock %d is %.1f, and none was found", seed, want.name, u, value)
					}
					continue
				}
				bounded++
				if math.Abs(value-got) > want.near+1e-9*math.Abs(value) {
					t.Errorf("seed %d: %s of clock %d is %.1f, and not %.1f", seed, want.name, u, value, got)
				}
			}
		}
	}
	if bounded < compared/4 {
		t.Errorf("only %d of %d bounds are finite: little is tested", bounded, compared)
	}
}

// offsetOf is a bound of an offset beside what is known of it; driftOf is one of a drift in ns a minute.
func offsetOf(ns *int64, known int64) func() (float64, bool) {
	return func() (float64, bool) {
		if ns == nil {
			return 0, false
		}
		return float64(*ns + known), true
	}
}

func driftOf(d *float64) func() (float64, bool) {
	return func() (float64, bool) {
		if d == nil {
			return 0, false
		}
		return *d * 60e9, true
	}
}

// TestPossibleAgainstPlainProgramme has orders that may contradict each other: that they fit even clocks is found where and only
// where the plain programme has a solution.
func TestPossibleAgainstPlainProgramme(t *testing.T) {
	fit, total := 0, 200
	for seed := range int64(200) {
		r := rand.New(rand.NewSource(5000 + seed))
		h, offsets, _ := even(r, 4+r.Intn(20))
		for range 1 + r.Intn(3) { // some receipts come too early
			i := r.Intn(len(h.orders.From))
			h.orders.ToNs[i] -= r.Int63n(3_000_000)
		}
		s := Solve(h.orders, h.clocks, 0)
		_, possible := oracle(h, offsets).maximize(make([]float64, 2*h.clocks))
		fits := true
		for _, c := range s.Clocks {
			fits = fits && c.Fits
		}
		if connected := func() bool {
			for _, c := range s.Clocks {
				if c.Reference != 0 {
					return false
				}
			}
			return true
		}(); connected && fits != possible {
			t.Errorf("seed %d: fits %v, possible %v", seed, fits, possible)
		}
		if fits {
			fit++
		}
	}
	if fit < total/10 || fit > total*9/10 {
		t.Errorf("%d of %d fit: little is tested", fit, total)
	}
}
