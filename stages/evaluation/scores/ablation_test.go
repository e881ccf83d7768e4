package scores_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/evaluation/scores"
	"github.com/tracelake/tracelake/testdata/expect"
)

var ablation = scores.Ablation{Margin: .05, FloorNs: 10_000, Q: .05}

// runs makes rows of costs of about 1 ms with a deviation of 1 % between runs; the first so many change.
func runs(rng *rand.Rand, rows, base, cand, changed int, by float64) (all []scores.Row) {
	for i := range rows {
		level := math.Log(1e6) + rng.Float64()
		draw := func(n int, shift float64) (y []float64) {
			for range n {
				y = append(y, level+shift+.01*rng.NormFloat64())
			}
			return y
		}
		shift := 0.0
		if i < changed {
			shift = by
		}
		all = append(all, scores.Row{Base: draw(base, 0), Cand: draw(cand, shift)})
	}
	return all
}

func hits(of []bool) (n int) {
	for _, is := range of {
		if is {
			n++
		}
	}
	return n
}

func TestGreatChangesAreFound(t *testing.T) {
	rows := runs(rand.New(rand.NewPCG(2, 2)), 400, 5, 5, 40, .2)
	found := ablation.Detect(rows)
	for _, test := range scores.Tests() {
		if n := hits(found[test][:40]); n < 38 {
			t.Errorf("%s finds %d of 40", test, n)
		}
		if n := hits(found[test][40:]); n > 8 {
			t.Errorf("%s finds %d of 360 that did not change", test, n)
		}
	}
}

// Changes below the margin are found by the tests that know none.
func TestSmallChanges(t *testing.T) {
	rows := runs(rand.New(rand.NewPCG(3, 3)), 400, 5, 5, 40, .035)
	found := ablation.Detect(rows)
	for test, most := range map[scores.Test]int{scores.Guarded: 4, scores.Treat: 0} {
		if n := hits(found[test]); n > most {
			t.Errorf("%s finds %d", test, n)
		}
	}
	for _, test := range []scores.Test{scores.Student, scores.Moderated} {
		if n := hits(found[test][:40]); n < 25 {
			t.Errorf("%s finds %d of 40", test, n)
		}
	}
}

// Swapping the sides, and shuffling the rows, changes no detection.
func TestDetectSymmetry(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	rows := runs(rng, 300, 3, 3, 30, .1)
	found := ablation.Detect(rows)
	order := rng.Perm(len(rows))
	other := make([]scores.Row, len(rows))
	for i, at := range order {
		other[i] = scores.Row{Base: rows[at].Cand, Cand: rows[at].Base}
	}
	for test, got := range ablation.Detect(other) {
		for i, at := range order {
			expect.Equal(t, got[i], found[test][at], "%s of row %d, swapped", test, at)
		}
	}
}

// One run has no variance: against one nothing can be tested, against three all but Welch's t.
func TestFewRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	expect.Equal(t, len(ablation.Detect(runs(rng, 50, 1, 1, 0, 0))), 0, "one run against one")
	found := ablation.Detect(runs(rng, 50, 3, 1, 5, 1))
	if _, has := found[scores.Welch]; has || len(found) != 4 || hits(found[scores.Treat][:5]) != 5 {
		t.Errorf("three runs against one: %v", found)
	}
	expect.Equal(t, len(ablation.Detect(nil)), 0, "no rows")
}

// Of one row alone nothing is shrunk or adjusted: with a deviation of 1 on 4 degrees of freedom, a difference is found from
// 2.776 times the root of 2/3 on, which is 2.267.
func TestStudentByHand(t *testing.T) {
	for d, want := range map[float64]bool{2.25: false, 2.28: true, -2.28: true} {
		found := ablation.Detect([]scores.Row{{Base: []float64{20, 21, 22}, Cand: []float64{20 + d, 21 + d, 22 + d}}})
		for _, test := range []scores.Test{scores.Welch, scores.Student, scores.Moderated} {
			expect.Equal(t, found[test][0], want, "%s of a difference of %v", test, d)
		}
	}
}

// Costs that are the same in all runs are no change, and none of the tests divides by their variance.
func TestConstantRows(t *testing.T) {
	y := []float64{7, 7, 7}
	rows := slices.Repeat([]scores.Row{{Base: y, Cand: y}}, 20)
	for test, found := range ablation.Detect(rows) {
		expect.Equal(t, hits(found), 0, "findings of %s", test)
	}
}

// What is raised by the margin lies at it: the relative one above 200 us, the floor below.
func TestAtMargin(t *testing.T) {
	for _, cost := range []float64{0, 1e3, 5e4, 1e5, 1e6, 1e9} {
		const roots = 3
		y := scores.LogCost(cost*roots, roots)
		d := scores.AtMargin(.05, 10_000, y)
		raised := scores.Raised(cost*roots, roots, d) / roots
		if margin := scores.LogMargin(.05, 10_000, y+d/2); math.Abs(margin-d) > 1e-9 {
			t.Errorf("%g ns: raised by %g, the margin there is %g", cost, d, margin)
		}
		want := math.Max(.05*(cost+scores.ResolutionNs), 10_000)
		if got := raised - cost; math.Abs(got/want-1) > .001 {
			t.Errorf("%g ns: raised by %g ns, want %g", cost, got, want)
		}
	}
}
