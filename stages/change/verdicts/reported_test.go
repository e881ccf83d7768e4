package verdicts

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestProbabilitiesOfTheDecision reports p, q and the p of equality of the hypothesis that a verdict rests on, and those of the cost where it
// rests on none. They are those of the estimate.
func TestProbabilitiesOfTheDecision(t *testing.T) {
	s, rng := sidesOf(5, 5), rand.New(rand.NewPCG(13, 2))
	var all []Observed
	for k := range 30 {
		o := Observed{Level: schema.LevelTransition, Component: "c"}
		for i := range 10 {
			r := valued(400, 1e6*math.Exp(.01*rng.NormFloat64()))
			if i >= 5 {
				switch k {
				case 0: // it takes longer
					r = valued(400, 2e6*math.Exp(.01*rng.NormFloat64()))
				case 1: // some calls do
					r.Quantiles[8] *= 2
				}
			}
			o.Runs = append(o.Runs, r)
		}
		all = append(all, o)
	}
	judged := Judge(all, s, Defaults())
	expect.Equal(t, judged[0].Quantity+" "+judged[1].Quantity, schema.QuantityCost+" "+schema.QuantityShape, "what decided")
	for k, j := range judged {
		found := false
		for _, e := range j.Estimates {
			if e.Quantity == j.Quantity || j.Quantity == "" && e.Quantity == schema.QuantityCost {
				expect.Equal(t, [3]float64{j.P, j.Q, j.EquivalenceP}, [3]float64{e.P, e.Q, e.EquivalenceP}, "p, q and p of equality of subject %d", k)
				found = true
			}
		}
		expect.Equal(t, found, true, "subject %d has an estimate of %q", k, j.Quantity)
	}
}
