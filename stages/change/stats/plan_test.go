package stats

import (
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// upperNormal returns P(Z < z): a one-sided test rejects.
func upperNormal(z float64) float64 { return upperTail(-z) }

// TestPowerEqualsNoncentralT compares with scipy 1.10.1: the root of
// nct.sf(t.isf(a/2, 2k-2), 2k-2, change/(cv sqrt(2/k))) = 0.8.
func TestPowerEqualsNoncentralT(t *testing.T) {
	for _, c := range []struct {
		runs              int
		cv, alpha, change float64
	}{
		{3, 1.5, 0.05, 4.606339},
		{3, 1.5, 0.001, 13.072770},
		{5, 1.5, 0.05, 3.036661},
		{5, 1.5, 0.001, 5.899555},
		{10, 1.5, 0.05, 1.987423},
		{10, 1.5, 0.001, 3.266447},
		{5, 3.75, 0.05, 7.591654},
		{5, 3.75, 0.001, 14.748887},
		{5, 7.1, 0.05, 14.373531},
		{5, 7.1, 0.001, 27.924560},
		{40, 3, 0.05, 1.902898},
		{40, 3, 0.001, 2.871888},
	} {
		found := func(change float64) float64 {
			k := float64(c.runs)
			return power(change/(c.cv*math.Sqrt(2/k)), c.alpha/2, 2*k-2, upperNormal)
		}
		if below, above := found(c.change*(1-2e-4)), found(c.change*(1+2e-4)); !(below < 0.8 && above > 0.8) {
			t.Errorf("%d runs, CV %v, alpha %v: power %v to %v around the change", c.runs, c.cv, c.alpha, below, above)
		}
	}
}

// TestPowerBySimulation counts rejections. 20,000 draws have a standard error of 0.003.
func TestPowerBySimulation(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	const k, draws = 4, 20_000
	for _, margin := range []float64{2.5, 1.2} {
		changed, equal := 0.0, 0.0
		for range draws {
			var x, y []float64
			for range k {
				x, y = append(x, r.NormFloat64()), append(y, r.NormFloat64())
			}
			d, v, df := pooled(x, y)
			m := Moderated{d + margin, math.Sqrt(v * 2 / k), df}
			changed += is(m.P() <= 0.05 && m.Estimate > 0) / draws
			m.Estimate = d
			equal += is(m.Equivalence(margin) <= 0.05) / draws
		}
		delta := margin / math.Sqrt(2.0/k)
		if want := power(delta, 0.025, 2*k-2, upperNormal); math.Abs(changed-want) > 0.012 {
			t.Errorf("margin %v: changes found in %v of the draws, want %v", margin, changed, want)
		}
		if want := power(delta, 0.05, 2*k-2, bothNormal); math.Abs(equal-want) > 0.012 {
			t.Errorf("margin %v: equivalence found in %v of the draws, want %v", margin, equal, want)
		}
	}
}

// TestPowerEqualsFineSum integrates over 400,000 equal steps, with levels that make the turn sharp.
func TestPowerEqualsFineSum(t *testing.T) {
	for _, c := range []struct{ df, tail float64 }{{1, 0.025}, {2, 5e-7}, {3, 1e-4}, {8, 0.0005}, {60, 0.01}} {
		at := studentCritical(c.tail, c.df)
		for _, found := range []func(float64) float64{upperNormal, bothNormal} {
			for _, share := range []float64{0.4, 1, 1.3} {
				sum, mass := 0.0, 0.0
				for i := range 400_000 {
					s := (float64(i) + 0.5) * 8 / 400_000
					w := math.Exp((c.df-1)*math.Log(s) - c.df*(s*s-1)/2)
					sum, mass = sum+w*found(at*(share-s)), mass+w
				}
				if got := power(at*share, c.tail, c.df, found); math.Abs(got-sum/mass) > 2e-5 {
					t.Errorf("%+v at %v: %v, want %v", c, share, got, sum/mass)
				}
			}
		}
	}
}

// TestPlanNearFormula: with many runs the formula of the plain t quantiles is as good, with the power halved between the
// two sides.
func TestPlanNearFormula(t *testing.T) {
	plan := Plan{SD: 0.03, Alpha: 0.05, Power: 0.8}
	for _, change := range []float64{0.01, 0.005, 0.003} {
		k := float64(plan.RunsForEquivalence(change))
		if z := 1.644854 + 1.281552; math.Abs(k-2*z*z*9e-4/change/change) > 2 {
			t.Errorf("equivalence within %v needs %v runs", change, k)
		}
	}
}

func TestPlanIsMonotone(t *testing.T) {
	base, last := Plan{SD: 0.02, Alpha: 0.05, Power: 0.8}, MostRuns
	for size := 0.0005; size < 0.3; size *= 1.7 {
		k := base.RunsForEquivalence(size)
		if k > last || k < 2 {
			t.Errorf("size %v needs %d runs, a smaller one %d", size, k, last)
		}
		last = k
		for _, p := range []Plan{{0.03, 0, 0.05, 0.8}, {0.02, 0, 0.01, 0.8}, {0.02, 0, 0.05, 0.9}} {
			if harder := p.RunsForEquivalence(size); harder < k {
				t.Errorf("%+v needs %d runs for %v, the easier plan %d", p, harder, size, k)
			}
		}
		if shrunk := (Plan{0.02, 5, 0.05, 0.8}).RunsForEquivalence(size); shrunk > k {
			t.Errorf("a prior raises the runs for %v from %d to %d", size, k, shrunk)
		}
	}
}

func TestPlanAtTheEdges(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	plan := Plan{SD: 0.02, Alpha: 0.05, Power: 0.8}
	for _, size := range []float64{0, nan, 1e-9, -1} {
		expect.Equal(t, plan.RunsForEquivalence(size), MostRuns, "runs for %v", size)
	}
	expect.Equal(t, plan.RunsForEquivalence(inf), 2, "runs for an infinite margin")
	expect.Equal(t, (Plan{0, 0, 0.05, 0.8}).RunsForEquivalence(0.01), 2, "runs without noise")
	for _, p := range []Plan{
		{nan, 0, 0.05, 0.8}, {inf, 0, 0.05, 0.8}, {1, 0, 0, 0.8}, {1, 0, nan, 0.8},
		{1, 0, 0.05, 1.1}, {1, 0, 0.05, nan}, {1, nan, 0.05, 0.8},
	} {
		expect.Equal(t, p.RunsForEquivalence(0.1), MostRuns, "runs for %+v", p)
	}
}

// TestPlanEqualsBisection compares the search, which begins near its answer, with one over all numbers of runs.
func TestPlanEqualsBisection(t *testing.T) {
	for _, p := range []Plan{{1, 0, 0.05, 0.8}, {1, 2, 0.025, 0.9}, {1, 64, 1e-6, 0.99}, {0.03, 0.7, 0.001, 0.8}, {1, 1, 0.4, 0.1}, {1e-300, 0, 0.05, 0.8}} {
		for size := 1.5 * p.SD; size > p.SD/100; size *= .93 {
			want := 2 + sort.Search(MostRuns-2, func(i int) bool {
				runs := float64(i + 2)
				return power(size/(p.SD*math.Sqrt(2/runs)), p.Alpha, 2*runs-2+p.PriorDF, bothNormal) >= p.Power
			})
			expect.Equal(t, p.RunsForEquivalence(size), want, "%+v for %v", p, size)
		}
	}
}

func BenchmarkRunsForEquivalence(b *testing.B) {
	for b.Loop() {
		Plan{SD: 0.03, PriorDF: 0.7, Alpha: 0.001, Power: 0.8}.RunsForEquivalence(0.02)
	}
}
