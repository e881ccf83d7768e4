package margins

import (
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// releases makes checks with a bound of 100 ms, whose slowest answers take so many ms in each release, with 2 % of noise.
func releases(seed uint64, runs int, ms ...[]float64) (all []Check) {
	r := rand.New(rand.NewPCG(seed, 3))
	for i, byRelease := range ms {
		c := Check{Name: string(rune('a' + i)), BoundNs: 100e6}
		for release, x := range byRelease {
			for range runs {
				ns := int64(x * 1e6 * (1 + .02*r.NormFloat64()))
				c.Runs = append(c.Runs, Run{release, ns, ns * 9 / 10})
			}
		}
		all = append(all, c)
	}
	return all
}

// TestCompare sees a slower check, a faster one, and one that stays.
func TestCompare(t *testing.T) {
	steps := Compare(releases(1, 5, []float64{40, 40, 60}, []float64{40, 30, 30}, []float64{50, 50, 50}), 3)
	got := make(map[string]string)
	for _, s := range steps {
		got[string(rune('a'+s.Check))+string(rune('0'+s.From))+" "+string(s.Quantity)] = s.Verdict
	}
	expect.Equal(t, len(steps), 12, "steps: three checks, two quantities, two times a release after another")
	for _, q := range []string{" slowest answer", " 99 % of the answers"} {
		expect.Equal(t, got["a1"+q], schema.Regressed, "a in the last release")
		expect.Equal(t, got["b0"+q], schema.Improved, "b in the second release")
		for _, same := range []string{"a0", "b1", "c0", "c1"} {
			expect.Equal(t, got[same+q], schema.Unchanged, "%s%s", same, q)
		}
	}
}

// TestUnknown leaves out quantities that a run of a side lacks.
func TestUnknown(t *testing.T) {
	checks := releases(2, 3, []float64{40, 60}, []float64{40, 60})
	checks[0].Runs[1].Q99Ns = schema.NoValue
	checks[1].Runs[4].WorstNs = schema.NoValue
	steps := Compare(checks, 2)
	expect.Equal(t, len(steps), 2, "steps")
	expect.Equal(t, steps[0].Quantity, Worst, "of the first check")
	expect.Equal(t, steps[1].Quantity, Q99, "of the second check")
}

// TestTrends sees a margin that shrinks release by release though no step is large, and none where releases go up and down.
func TestTrends(t *testing.T) {
	trends := Trends(releases(3, 5, []float64{50, 40, 44, 48, 53}, []float64{40, 60, 50, 60, 50}, []float64{60, 55, 50, 45, 40}), 5)
	expect.Equal(t, len(trends), 1, "trends")
	expect.Equal(t, trends[0].Check, 0, "check")
	expect.Equal(t, trends[0].From, 1, "since")
	expect.Equal(t, trends[0].To, 4, "up to")
	expect.Equal(t, len(trends[0].MedianNs), 4, "medians")
	expect.Equal(t, len(Trends(releases(3, 5, []float64{40, 60}), 2)), 0, "trends of two releases")
}
