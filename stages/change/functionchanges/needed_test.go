package functionchanges

import (
	"math"
	"math/rand/v2"
	"testing"
)

// decides reports whether a comparison decides about a function: it reports a change, or shows that there is none that matters.
func (d *Detection) decides(c *Change) bool {
	small := math.Max(math.Abs(math.Expm1(c.LogLo)), math.Abs(math.Expm1(c.LogHi)))*c.BaseNs <= d.EffectNs
	return d.reports(c) || small || max(math.Abs(c.LogLo), math.Abs(c.LogHi)) <= math.Log1p(d.Margin)
}

// searchNear finds what sort.Search finds, whatever the guess is.
func TestSearchNear(t *testing.T) {
	for n := range 20 {
		for answer := range n + 1 {
			for guess := range n + 1 {
				if got := searchNear(n, guess, func(i int) bool { return i >= answer }); got != answer {
					t.Errorf("%d of %d from %d: %d", answer, n, guess, got)
				}
			}
		}
	}
}

// Of functions that are undetermined with three to five runs a side and are said to be decided with n, half and more are decided with n: unchanged
// recordings, and recordings with functions that became slower by 3 to 20 %, drawn again and again. Where n is more than half of the recorded runs,
// they are put back after each draw. In other programs, whose runs have longer tails, it is less (benchmarks/trust -needed): half of all. Without the numbers above ten, those remain whose variance was underestimated.
func TestRunsNeededDecide(t *testing.T) {
	costs := unchangedRuns(t)
	d := Detection{Margin: .05, EffectNs: 10_000}
	for now := 3; now <= 5; now++ {
		rng := rand.New(rand.NewPCG(3, 9))
		decided, cases := 0, 0
		for range 60 {
			function := rng.IntN(len(costs))
			log := math.Log1p([]float64{0, 0, .03, .05, .08, .1, .15, .2}[rng.IntN(8)])
			few := Judge(planted(rng, costs, now, function, log), Design{Base: now}, Defaults())
			for i := range few.Changes {
				if c := &few.Changes[i]; c.State != Asked || d.decides(c) {
					continue
				}
				n := few.RunsNeeded(i, d.Margin, d.EffectNs)
				if n > 50 {
					continue
				}
				if n <= now {
					t.Fatalf("%d runs would decide what %d did not", n, now)
				}
				truth := 0.0
				if i == function {
					truth = log
				}
				more := Judge(plantedAgain(rng, costs, n, i, truth), Design{Base: n}, Defaults())
				decided, cases = decided+btoi(d.decides(&more.Changes[i])), cases+1
			}
		}
		share := float64(decided) / float64(cases)
		t.Logf("%d runs: %.2f of %d undetermined comparisons are decided with the number of runs that was said to", now, share, cases)
		if cases < 200 || share < .5 || share > .75 {
			t.Errorf("%d runs: %.2f of %d undetermined comparisons are decided with the number of runs that was said to", now, share, cases)
		}
	}
}

// plantedAgain is planted of runs that are put back after each draw where there are too few for both sides.
func plantedAgain(rng *rand.Rand, from [][]Cost, size, function int, log float64) [][]Cost {
	if 2*size <= len(from[0]) {
		return planted(rng, from, size, function, log)
	}
	many := make([][]Cost, len(from))
	for range 2 * size {
		run := rng.IntN(len(from[0]))
		for i, row := range from {
			many[i] = append(many[i], row[run])
		}
	}
	slow(many[function], size, math.Exp(log))
	return many
}

// The same of run times of root executions that differ by 5 % from run to run, of which eight in ten did not change: some take so long that the margin
// says what matters, and others so little that the floor does.
func TestRunsNeededOfWholes(t *testing.T) {
	const level, now, margin, floor = .02, 4, .05, 10_000
	for _, typical := range []float64{1e7, 1.2e5} {
		rng := rand.New(rand.NewPCG(4, 1))
		judge := func(size int, log float64) (w Whole, decided bool) {
			totals := make([]float64, 2*size)
			for i := range totals {
				if totals[i] = typical * math.Exp(.05*rng.NormFloat64()); i >= size {
					totals[i] *= math.Exp(log)
				}
			}
			w = JudgeWhole(totals, Design{Base: size}, .95)
			found := w.P <= level && math.Abs(math.Expm1(w.Log))*w.BaseNs > floor
			return w, found || w.Unchanged(margin, floor)
		}
		decided, cases := 0, 0
		for range 400 {
			log := math.Log1p(max(0, .05*float64(rng.IntN(10)-7)))
			few, done := judge(now, log)
			few.Part = 1
			if done {
				continue
			}
			n := few.RunsNeeded(Design{Base: now}, 2*now, func(int) float64 { return level }, .05, margin, floor)
			_, done = judge(n, log)
			decided, cases = decided+btoi(done), cases+1
		}
		share := float64(decided) / float64(cases)
		t.Logf("%.0f us: %.2f of %d undetermined run times are decided with the number of runs that was said to", typical/1000, share, cases)
		if cases < 100 || share < .45 || share > .6 {
			t.Errorf("%.0f us: %.2f of %d undetermined run times are decided with the number of runs that was said to", typical/1000, share, cases)
		}
	}
}
