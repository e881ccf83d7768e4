package functionchanges

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestReach draws rows from the model of Smyth 2004 and counts how often intervals by the greater of own and moderated variance miss.
func TestReach(t *testing.T) {
	const rows = 20_000
	rng := rand.New(rand.NewPCG(31, 7))
	chi := func(df int) (sum float64) {
		for range df {
			z := rng.NormFloat64()
			sum += z * z
		}
		return sum
	}
	for _, c := range []struct{ own, prior int }{{4, 2}, {4, 8}, {8, 4}, {18, 6}} {
		of := reachOf{float64(c.own), float64(c.prior), float64(c.own + c.prior)}
		r := newReach(of)
		f := &family{reaches: map[reachOf]*reach{of: r}}
		for _, miss := range []float64{.05, .01} {
			missed := 0
			for range rows {
				variance := float64(c.prior) / chi(c.prior) // around a prior of 1
				k := row{own: variance * chi(c.own) / float64(c.own), df: of.own, xx: 1}
				k.prior.DF, k.prior.Variance = of.prior, 1
				k.squeeze(k.prior)
				k.keepOwn()
				k.test.Estimate = math.Sqrt(variance) * rng.NormFloat64()
				lo, hi := f.interval(&k, 1-miss)
				missed += btoi(lo > 0 || hi < 0)
			}
			share, error := float64(missed)/rows, 4*math.Sqrt(miss/rows)
			if math.Abs(share-miss) > error+.1*miss {
				t.Errorf("%d degrees of freedom and %d of the prior: %.4f of the intervals miss, want %.2f", c.own, c.prior, share, miss)
			}
			if at := r.at(miss); !(at > .5 && at < 1) {
				t.Errorf("the reach is %g", at)
			}
		}
	}
	if at := newReach(reachOf{8, 0, 8}).at(.05); at != 1 {
		t.Errorf("without a prior the reach is %g, want 1", at)
	}
}
