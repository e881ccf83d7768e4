package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// An Estimator gives the bits of the functions, the first time, again, and after it forgot its weights.
func TestEstimator(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	v := make([]int64, 2_000_000)
	for i := range v {
		v[i] = int64(r.ExpFloat64() * 1e6)
	}
	slices.Sort(v)
	e, most := new(Estimator), 0
	for range 2 {
		for k := range 90 {
			for _, n := range []int{1, 2 + k, 100 + k, 1000 + k, 2_000_000 - k} {
				got, want := e.Deciles(v[:n]), Deciles(v[:n])
				if got != want || e.HarrellDavis(v[:n], .95) != HarrellDavis(v[:n], .95) || e.HarrellDavis(v[:n], 1) != float64(v[n-1]) {
					t.Errorf("%d values: %v, want %v", n, got, want)
				}
				most = max(most, e.cells)
			}
		}
	}
	if most > mostCells || e.cells == most {
		t.Errorf("%d weights were kept and none forgotten, %d at the end", most, e.cells)
	}
	if q := e.Deciles(nil); q[0] == q[0] {
		t.Errorf("deciles of nothing: %v", q)
	}
}

// Goroutines that share an Estimator get the same bits, whatever it forgets meanwhile.
func TestEstimatorIsShared(t *testing.T) {
	v := make([]int64, 50_000)
	for i := range v {
		v[i] = int64(i) * int64(i) % 10_007
	}
	slices.Sort(v)
	e := new(Estimator)
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			for n := 2; n < len(v); n += 1 + n/20 {
				expect.Equal(t, e.Deciles(v[:n]), Deciles(v[:n]), "%d values", n)
			}
		})
	}
}

// Shift says what all deciles say, whichever denies a direction, and Quartiles what HarrellDavis does.
func TestShift(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	e, seen := new(Estimator), make(map[[2]bool]int)
	for range 3000 {
		draw := func() []int64 {
			v := make([]int64, 1+r.IntN(12))
			for i := range v {
				v[i] = r.Int64N(6)
			}
			slices.Sort(v)
			return v
		}
		x, y := draw(), draw()
		if r.IntN(20) == 0 {
			y = x
		}
		left, right, up, down := Deciles(x), Deciles(y), true, true
		for i := range left {
			up, down = up && left[i] <= right[i], down && left[i] >= right[i]
		}
		if gotUp, gotDown := e.Shift(x, y); gotUp != up || gotDown != down {
			t.Errorf("%v %v: up %v, down %v, want %v, %v", x, y, gotUp, gotDown, up, down)
		}
		seen[[2]bool{up, down}]++
		lower, median, upper := e.Quartiles(x)
		if lower != HarrellDavis(x, .25) || median != HarrellDavis(x, .5) || math.Abs(upper-HarrellDavis(x, .75)) > 1e-12 {
			t.Errorf("%v: quartiles %v, %v, %v", x, lower, median, upper)
		}
	}
	for _, some := range [][2]bool{{true, false}, {false, true}, {false, false}, {true, true}} {
		if seen[some] < 10 {
			t.Errorf("%d pairs of samples are up %v, down %v", seen[some], some[0], some[1])
		}
	}
}
