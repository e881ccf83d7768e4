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

// Of comparisons that are undetermined with four or five runs a side and are said to be decided with n, half are decided with n: unchanged
// recordings, and recordings with functions that became slower by 3 to 20 %, drawn again and again. With the variance and the normal distribution of
// the runs at hand, which are below the true ones more often than above, 42 % were.
func TestRunsNeededDecide(t *testing.T) {
	costs, rng := unchangedRuns(t), rand.New(rand.NewPCG(3, 9))
	d := Detection{Margin: .05, EffectNs: 10_000}
	decided, cases := 0, 0
	for draw := range 240 {
		now, function := 4+draw%2, rng.IntN(len(costs))
		log := math.Log1p([]float64{0, 0, .03, .05, .08, .1, .15, .2}[rng.IntN(8)])
		few := Judge(planted(rng, costs, now, function, log), Design{Base: now}, Defaults())
		for i := range few.Changes {
			if c := &few.Changes[i]; c.State != Asked || d.decides(c) {
				continue
			}
			n := few.RunsNeeded(i, d.Margin, d.EffectNs)
			if n > len(costs[0])/2 {
				continue
			}
			if n <= now {
				t.Fatalf("%d runs would decide what %d did not", n, now)
			}
			truth := 0.0
			if i == function {
				truth = log
			}
			more := Judge(planted(rng, costs, n, i, truth), Design{Base: n}, Defaults())
			decided, cases = decided+btoi(d.decides(&more.Changes[i])), cases+1
		}
	}
	share := float64(decided) / float64(cases)
	t.Logf("%.2f of %d undetermined comparisons are decided with the number of runs that was said to", share, cases)
	if cases < 200 || share < .45 || share > .6 {
		t.Errorf("%.2f of %d undetermined comparisons are decided with the number of runs that was said to", share, cases)
	}
}

// The same of run times of root executions that differ by 5 % from run to run, of which a third did not change: some take so long that the margin
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
			log := math.Log1p([]float64{0, .05, .1}[rng.IntN(3)])
			few, done := judge(now, log)
			if done {
				continue
			}
			n := few.RunsNeeded(Design{Base: now}, 2*now, level, .05, margin, floor)
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
