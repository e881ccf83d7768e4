package changepoint

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/testdata/expect"
)

// simulated is a series of n releases with 3 runs each, of standard deviation 1, and a step in the middle; between is the
// standard deviation of what the runs of a release share.
func simulated(rng *rand.Rand, n int, step, between float64) []float64 {
	var runs []float64
	var release []int
	for r := range n {
		level := between * rng.NormFloat64()
		if r >= n/2 {
			level += step
		}
		for range 3 {
			runs, release = append(runs, level+rng.NormFloat64()), append(release, r)
		}
	}
	return Medians(runs, release, n)
}

// breaksOf are the breaks of every series.
func breaksOf(values [][]float64) (all [][]Break) {
	for _, s := range Find(values, Defaults()) {
		all = append(all, s.Breaks)
	}
	return all
}

// TestScanRates simulates 400 series of each kind, one at a time. The rates of the rank scan are compared with those of 200 of
// an independent simulation of the same kind: with 8 releases false alarms .025, and steps of 1.5 and 3 standard deviations
// found .54 and .91; with 12 releases .045, .74 and 1.00. Bounds are five standard errors of both. Find itself has false
// alarms no more often than it says, also where releases have noise of their own, and finds nearly as many steps.
func TestScanRates(t *testing.T) {
	const series = 400
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		n             int
		step, between float64
		rate          float64
	}{
		{8, 0, 0, .025}, {8, 1.5, 0, .54}, {8, 3, 0, .91}, {12, 0, 0, .045}, {12, 1.5, 0, .74}, {12, 3, 0, 1},
		{8, 0, .5, .05}, {12, 0, .5, .05},
	} {
		ranked, found, cut := 0, 0, 0
		for range series {
			v := simulated(rng, c.n, c.step, c.between)
			if stats.RankScan(v, 2, 1999, 1) <= .05 {
				ranked++
			}
			breaks := Find([][]float64{v}, Defaults())[0].Breaks
			if slices.ContainsFunc(breaks, func(b Break) bool { return b.Q <= .05 }) {
				found++
			}
			if breaks != nil {
				cut++
			}
		}
		rate, own, spread := float64(ranked)/series, float64(found)/series, max(c.rate*(1-c.rate), .01)
		t.Logf("%d releases, step %v, release noise %v: ranks %.3f, means %.3f", c.n, c.step, c.between, rate, own)
		if math.Abs(rate-c.rate) > 5*math.Sqrt(spread/series+spread/200) {
			t.Errorf("%d releases, step %v, release noise %v: ranks %.3f, want about %.3f", c.n, c.step, c.between, rate, c.rate)
		}
		if c.step == 0 && float64(cut)/series > .05+3*math.Sqrt(.05*.95/series) || c.step > 0 && own < rate-.15 {
			t.Errorf("%d releases, step %v, release noise %v: means %.3f, ranks %.3f", c.n, c.step, c.between, own, rate)
		}
	}
}

// TestFamilyRates finds steps in 1 of 10 of 1,000 series: false discoveries are no more than 5 % of what is found, and most of
// the steps of 4 standard deviations of a run are found, also where the releases have noise of their own. Without any step
// hardly anything is found. The median of 3 runs has a standard deviation of .67.
func TestFamilyRates(t *testing.T) {
	const series = 1000
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{8, 12} {
		for _, between := range []float64{0, .5} {
			for _, step := range []float64{0, 4} {
				var values [][]float64
				for i := range series {
					if i%10 > 0 {
						values = append(values, simulated(rng, n, 0, between))
					} else {
						values = append(values, simulated(rng, n, step, between))
					}
				}
				right, wrong := 0, 0
				for i, shape := range Find(values, Defaults()) {
					for _, b := range shape.Breaks {
						switch {
						case b.Q > .05:
						case step > 0 && i%10 == 0 && b.At == n/2:
							right++
						case i%10 > 0 || step == 0:
							wrong++
						}
					}
				}
				t.Logf("%d releases, step %v, release noise %v: %d right, %d wrong", n, step, between, right, wrong)
				if step == 0 && wrong > 2 || step > 0 && (right < 60 || wrong > 12) {
					t.Errorf("%d releases, step %v, release noise %v: %d right, %d wrong", n, step, between, right, wrong)
				}
			}
		}
	}
}

// TestPlaces finds great steps where they are, as near to the ends as segments reach, and no break at a single release that stands out.
func TestPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for n := MinReleases; n < 14; n++ {
		for at := 2; at <= n-2; at++ {
			step, peak := simulated(rng, n, 0, 0), simulated(rng, n, 0, 0)
			for r := at; r < n; r++ {
				step[r] += 20
			}
			peak[at] += 20
			found := Find([][]float64{step, peak}, Defaults())
			if !slices.ContainsFunc(found[0].Breaks, func(b Break) bool { return b.At == at && b.Q < 1e-4 }) {
				t.Errorf("%d releases, a step at %d: %+v", n, at, found[0])
			}
			if slices.ContainsFunc(found[1].Breaks, func(b Break) bool { return b.Q < .05 && (b.At == at || b.At == at+1) }) {
				t.Errorf("%d releases, a peak at %d: %+v", n, at, found[1])
			}
		}
	}
}

// TestPlacesBesideOutliers has a level whose last value, or whose first one, is a little off, though far by the noise, which is nearly none: the
// change is where the level changes.
func TestPlacesBesideOutliers(t *testing.T) {
	for at := 3; at <= 7; at++ {
		for _, off := range []int{at - 1, at} {
			for _, down := range []float64{1, -1} {
				v := []float64{8e-6, 0, -3e-6, 2e-6, 9e-6, -1e-6, 5e-6, 1e-6, -4e-6, 3e-6}
				for i := range at {
					v[i] += 10 * down
				}
				v[off] += 1e-3 * map[bool]float64{true: down, false: -down}[off < at] // away from the other level
				breaks := Find([][]float64{v}, Defaults())[0].Breaks
				if len(breaks) != 1 || breaks[0].At != at {
					t.Errorf("a level of %d releases, %d off: %+v", at, off, breaks)
				}
			}
		}
	}
}

// TestFind looks at series by hand among others without change.
func TestFind(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	values := [][]float64{nil, nil, nil}
	for r := range 24 {
		values[0] = append(values[0], .01*rng.NormFloat64())
		values[1] = append(values[1], .01*rng.NormFloat64()+map[bool]float64{true: 1}[r >= 7])
		values[2] = append(values[2], .01*rng.NormFloat64()+map[bool]float64{true: 1}[r >= 8]+map[bool]float64{true: 2}[r >= 16])
	}
	found := Find(values, Defaults())
	var at [][]int
	for _, shape := range found {
		var list []int
		for _, b := range shape.Breaks {
			list = append(list, b.At)
			if b.Q > 1e-6 || b.P > b.Q {
				t.Errorf("%+v", b)
			}
		}
		at = append(at, list)
	}
	expect.Deep(expect.Must(t), at, [][]int{nil, {7}, {8, 16}}, "found")
	if c := found[2].Breaks[1].Change; math.Abs(c-2) > .02 {
		t.Errorf("a change of %v, want 2", c)
	}
	expect.Slice(t, Segments(found[2].Breaks, 24), []int{0, 8, 16, 24}, "segments")
}

// TestP computes the p of one break as it is defined: with less than three series nothing is shrunk, so that it is the
// ordinary t of Student, on n - 2 degrees of freedom, times the places.
func TestP(t *testing.T) {
	v := []float64{1, 2, 3, 2, 1, 3, 11, 12, 13, 12, 11, 13}
	b := Find([][]float64{v}, Defaults())[0].Breaks
	if len(b) != 1 || b[0].At != 6 || b[0].Change != 10 {
		t.Fatalf("%+v", b)
	}
	p := stats.Moderated{Estimate: 10, SE: math.Sqrt(8. / 10 / 3), DF: 10}.P() // squares: 4 a side
	if math.Abs(b[0].P-9*p) > 1e-12*p || b[0].Q != b[0].P {
		t.Errorf("P %v, want 9 times %v", b[0].P, p)
	}
}

// TestFindIsInvariant checks that neither the unit, nor the order of the series, nor the direction of time matters but for the
// places.
func TestFindIsInvariant(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const n = 12
	var values, scaled, swapped, reversed [][]float64
	for i := range 50 {
		v := simulated(rng, n, float64(i%4)*2, .2)
		w := make([]float64, n)
		for k := range v {
			w[k] = 1000 - 8*v[k]
		}
		back := slices.Clone(v)
		slices.Reverse(back)
		values, scaled, reversed = append(values, v), append(scaled, w), append(reversed, back)
	}
	swapped = slices.Clone(values)
	slices.Reverse(swapped)
	want, other, last := breaksOf(values), breaksOf(scaled), breaksOf(swapped)
	slices.Reverse(last)
	none := 0
	for i := range want {
		if len(want[i]) != len(other[i]) || len(want[i]) != len(last[i]) {
			t.Fatalf("series %d: %v, scaled %v, in another order %v", i, want[i], other[i], last[i])
		}
		for k, b := range want[i] {
			if o := last[i][k]; b.At != o.At || math.Abs(b.P-o.P) > 1e-9 || math.Abs(b.Q-o.Q) > 1e-9 || b.RankP != o.RankP {
				t.Errorf("series %d: %+v, and in another order %+v", i, b, o)
			}
			if o := other[i][k]; b.At != o.At || math.Abs(b.P-o.P) > 1e-9 || math.Abs(b.Change+o.Change/8) > 1e-9 {
				t.Errorf("series %d: %+v and %+v", i, b, o)
			}
		}
		if len(want[i]) == 0 {
			none++
		}
	}
	if none == 0 || none == len(want) {
		t.Errorf("%d of %d series have no break: this test compares nothing", none, len(want))
	}
	for i, breaks := range breaksOf(reversed) {
		if len(breaks) == 1 && len(want[i]) == 1 && breaks[0].At != n-want[i][0].At {
			t.Errorf("series %d backwards: %+v and %+v", i, breaks, want[i])
		}
	}
}

// TestNothingToFind has too few releases, no series, or values that are none.
func TestNothingToFind(t *testing.T) {
	short := []float64{1, 1, 1, 9, 9, 9, 9}
	unknown := []float64{1, 1, 1, 1, math.NaN(), 9, 9, 9, 9}
	constant := make([]float64, 10)
	for _, v := range [][][]float64{nil, {short}, {unknown}, {constant}} {
		for _, breaks := range breaksOf(v) {
			if breaks != nil {
				t.Errorf("%v: %+v", v, breaks)
			}
		}
	}
}

func TestMedians(t *testing.T) {
	got := Medians([]float64{5, 1, 7, 3, 2}, []int{0, 2, 0, 0, 2}, 3)
	if got[0] != 5 || !math.IsNaN(got[1]) || got[2] != 1.5 {
		t.Errorf("got %v", got)
	}
}
