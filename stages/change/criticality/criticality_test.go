package criticality

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestNoDifference plays comparisons of sides that are alike, whose runs differ more than independent occurrences would: at most about
// 5 % of them name any function.
func TestNoDifference(t *testing.T) {
	rng, wrong := rand.New(rand.NewSource(1)), 0
	const rounds = 400
	for range rounds {
		for _, f := range Compare(played(rng, 5, nil), played(rng, 5, nil)) {
			if f.Verdict == More || f.Verdict == Less {
				wrong++
				break
			}
		}
	}
	if wrong > rounds*8/100 {
		t.Errorf("%d of %d comparisons of what is alike name a function", wrong, rounds)
	}
}

// TestDifferenceIsFound plants a function that is critical more often, and one less often, and wants them found and no interval to miss
// the truth much more often than 5 % of the time.
func TestDifferenceIsFound(t *testing.T) {
	rng, found, missed := rand.New(rand.NewSource(2)), 0, 0
	const rounds = 200
	for range rounds {
		for _, f := range Compare(played(rng, 5, nil), played(rng, 5, map[int]float64{3: 0.4, 5: -0.3})) {
			truth := map[string]float64{"c.f3": 0.4, "c.f5": -0.3}[f.Name]
			if f.Lo > truth || f.Hi < truth {
				missed++
			}
			if f.Verdict == map[string]string{"c.f3": More, "c.f5": Less}[f.Name] {
				found++
			}
		}
	}
	if found < 2*rounds*90/100 || missed > 12*rounds*8/100 {
		t.Errorf("%d of %d found, %d of %d intervals miss", found, 2*rounds, missed, 12*rounds)
	}
}

// played makes runs of 300 occurrences, in which twelve functions are critical with probabilities of their own, which differ from run to
// run and, by changes, from what they would be.
func played(rng *rand.Rand, runs int, changes map[int]float64) (out []Run) {
	for range runs {
		r := Run{Occurrences: 300, Functions: make(map[string]Count)}
		for f := range 12 {
			p := min(max(0.1+0.06*float64(f)+changes[f]+0.04*rng.NormFloat64(), 0), 1)
			n := int64(0)
			for range r.Occurrences {
				if rng.Float64() < p {
					n++
				}
			}
			r.Functions[fmt.Sprintf("c.f%d", f)] = Count{Critical: n}
		}
		out = append(out, r)
	}
	return out
}

// TestByHand holds the figures of small sides against a computation by hand.
func TestByHand(t *testing.T) {
	one := func(critical, of, late, ofLate int64) Run {
		return Run{Occurrences: of, Late: ofLate, Functions: map[string]Count{"a.f": {Critical: critical, Late: late}}}
	}
	base := []Run{one(0, 1, 0, 0), one(0, 1, 0, 0), one(0, 1, 0, 0), one(0, 1, 0, 0), one(0, 1, 0, 0)}
	cand := []Run{one(1, 1, 1, 1), one(1, 1, 1, 1), one(1, 1, 1, 1), one(1, 1, 1, 1), one(1, 1, 1, 1)}
	f := Compare(base, cand)[0]
	// p = (5+1)/(10+2) = 1/2, so the variance is 1/4, the error sqrt(1/4 (1/5 + 1/5)) = 0.3162, t = 3.162 with 8 degrees of freedom.
	expect.Equal(t, fmt.Sprintf("%.4f %.4f %.4f %.4f %s", f.Difference, f.Lo, f.Hi, f.P, f.Verdict), "1.0000 0.2708 1.0000 0.0133 more critical", "all against none")
	expect.Equal(t, math.IsNaN(f.Base.Late.Mean), true, "late without late occurrences")
	expect.Equal(t, fmt.Sprint(f.Cand.Late.Mean, f.Cand.Late.Runs), "1 5", "late")

	f = Compare([]Run{one(600, 1000, 0, 0), one(601, 1000, 0, 0), one(599, 1000, 0, 0)}, []Run{one(600, 1000, 0, 0), one(602, 1000, 0, 0), one(601, 1000, 0, 0)})[0]
	// The shares of runs differ less than those of independent occurrences: the variance is 0.6 0.4 / 1000, the error 0.01265.
	expect.Equal(t, fmt.Sprintf("%.4f %.4f %.4f %s", f.Difference, f.Lo, f.Hi, f.Verdict), "0.0010 -0.0341 0.0361 unchanged", "alike")

	f = Compare(base[:2], cand[:2])[0]
	expect.Equal(t, f.Verdict, Undetermined, "two runs a side")
	expect.Equal(t, len(Compare(nil, cand)), 1, "one side")
	expect.Equal(t, Compare(nil, cand)[0].Verdict, Undetermined, "one side")
}

// TestSymmetry exchanges the sides, and the order of runs: the difference changes its sign, and nothing else.
func TestSymmetry(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	a, b := played(rng, 4, nil), played(rng, 5, map[int]float64{2: 0.3})
	forth := make(map[string]Function)
	for _, f := range Compare(a, b) {
		forth[f.Name] = f
	}
	a[0], a[3] = a[3], a[0]
	opposite := map[string]string{More: Less, Less: More, Unchanged: Unchanged, Undetermined: Undetermined}
	for _, f := range Compare(b, a) {
		g := forth[f.Name]
		if math.Abs(f.Difference+g.Difference) > 1e-12 || math.Abs(f.Q-g.Q) > 1e-9 || f.Verdict != opposite[g.Verdict] {
			t.Errorf("%+v, and the other way round %+v", g, f)
		}
	}
}
