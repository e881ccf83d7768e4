package distribution

import (
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestBandByHand has runs of one sample: the quantiles without a run of the baseline are 14 and 10, whose jackknife variance is
// (4 + 4) / 2 = 4, those of the candidate do not vary. So the shift 20 - 12 has the half width 2 t(.975; 1 degree) = 2 * 12.7062 = 25.41.
func TestBandByHand(t *testing.T) {
	d := Of([]Run{{"a", []int64{10}}, {"b", []int64{14}}}, []Run{{"c", []int64{20}}, {"d", []int64{20}}})
	for _, s := range d.Shift {
		if s.P == .5 {
			expect.Equal(t, s.Ns, 8, "the shift of the medians")
			expect.Equal(t, *s.LoNs, -18, "8 - 25.41, rounded down")
			expect.Equal(t, *s.HiNs, 34, "8 + 25.41, rounded up")
		}
	}
	for _, s := range Of([]Run{{"a", []int64{1, 2}}, {"none", nil}}, []Run{{"c", []int64{20}}, {"d", []int64{20}}}).Shift {
		expect.Equal(t, s.LoNs == nil && s.HiNs == nil, true, "a side of one run has no band")
	}
}

// TestBandCovers draws runs that differ more than their samples say: the band has the true shift in nine of ten draws or more at each quantile,
// as an interval of 95 % over ten runs may be expected to, and does not always have it.
func TestBandCovers(t *testing.T) {
	const draws, shifted = 200, 5_000
	r := rand.New(rand.NewPCG(3, 4))
	side := func(add float64) (runs []Run) {
		for range 5 {
			level := 100_000 + add + 3_000*r.NormFloat64()
			run := Run{Name: "r"}
			for range 40 {
				run.SamplesNs = append(run.SamplesNs, int64(level+4_000*r.NormFloat64()))
			}
			runs = append(runs, run)
		}
		return runs
	}
	covered := make(map[float64]int)
	for range draws {
		for _, s := range Of(side(0), side(shifted)).Shift {
			if *s.LoNs <= shifted && shifted <= *s.HiNs {
				covered[s.P]++
			}
		}
	}
	for _, p := range []float64{.1, .25, .5, .75, .9} {
		t.Logf("quantile %g: %d of %d", p, covered[p], draws)
		if n := covered[p]; n < draws*90/100 || n == draws {
			t.Errorf("the band of quantile %g has the true shift in %d of %d draws", p, n, draws)
		}
	}
}
