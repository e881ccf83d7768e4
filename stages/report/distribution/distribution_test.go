package distribution

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestShift is the example of the reference: every quantile of [2,6,2,6,2,6] lies one above that of [1,5,1,5,1,5].
func TestShift(t *testing.T) {
	d := Of([]Run{{"a", []int64{1, 5, 1, 5, 1, 5}}}, []Run{{"b", []int64{2, 6, 2, 6, 2, 6}}})
	expect.Equal(t, len(d.Shift), 17, "points from the first to the last decile")
	for _, s := range d.Shift {
		expect.Equal(t, s.Ns, 1, "shift at %g", s.P)
	}
}

// TestSmall has all numbers of a few samples.
func TestSmall(t *testing.T) {
	d := Of([]Run{{"a", []int64{10, 30, 20}}, {"none", nil}}, []Run{{"b", []int64{40}}})
	expect.Deep(t, d.Cand, &Side{Samples: 1, MinNs: 40, Q25Ns: 40, MedianNs: 40, Q75Ns: 40, MaxNs: 40, StepsNs: []int64{40}}, "one sample")
	expect.Slice(t, d.Base.StepsNs, []int64{10, 20, 30}, "steps")
	expect.Equal(t, len(d.Shift), 0, "a shift function needs two samples a side")
	expect.Deep(t, d.Runs, []Series{
		{Run: "a", Samples: 3, TotalNs: 60, MedianNs: 20, Every: 1, PointsNs: []int64{10, 30, 20}},
		{Run: "b", Cand: true, Samples: 1, TotalNs: 40, MedianNs: 40, Every: 1, PointsNs: []int64{40}},
	}, "runs")
	expect.Deep(t, Of(nil, nil), &Distribution{Shift: []Shift{}, Runs: []Series{}}, "no samples")
}

// TestEverySampleIsCounted holds for samples of any size: bins and runs add up to the samples, edges ascend, steps ascend from the first
// to the greatest, and runs in another order change nothing but their order.
func TestEverySampleIsCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		sides := [2][]Run{}
		for side := range sides {
			for range r.IntN(4) {
				run := Run{Name: "r"}
				spread := int64(1) << r.IntN(40)
				for range r.IntN(500) {
					run.SamplesNs = append(run.SamplesNs, r.Int64N(spread))
				}
				sides[side] = append(sides[side], run)
			}
		}
		d := Of(sides[0], sides[1])
		var counted, inBins, inRuns int
		for _, s := range []*Side{d.Base, d.Cand} {
			if s != nil {
				counted += s.Samples
				expect.Equal(t, slices.IsSorted(s.StepsNs), true, "steps ascend")
				expect.Equal(t, s.StepsNs[len(s.StepsNs)-1], s.MaxNs, "the last step")
			}
		}
		if h := d.Histogram; h != nil {
			for i := range h.Base {
				inBins += int(h.Base[i] + h.Cand[i])
				expect.Equal(t, h.EdgesNs[i] < h.EdgesNs[i+1], true, "edges ascend: %v", h.EdgesNs)
			}
		}
		for _, run := range d.Runs {
			inRuns += run.Samples
			expect.Equal(t, len(run.PointsNs) <= points, true, "points")
		}
		expect.Equal(t, inBins, counted, "samples in bins")
		expect.Equal(t, inRuns, counted, "samples of runs")
		slices.Reverse(sides[0])
		expect.Deep(t, Of(sides[0], sides[1]).Histogram, d.Histogram, "runs in another order")
	}
}
