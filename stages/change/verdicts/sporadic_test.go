package verdicts_test

import (
	"math"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/testdata/expect"
)

// sporadic is a step of six runs a side that calls 3 times in a run of 80 roots, but in none of the last few runs. A call takes 4 ms,
// about; in the candidate it takes longer by a number of ms.
func sporadic(without int, longer float64) verdicts.Observed {
	rng := random(uint64(without + 1))
	o := verdicts.Observed{Level: schema.LevelMessage, Component: "web", Runs: make([]verdicts.Run, 12)}
	for i := range o.Runs {
		took := 4 * ms * (.95 + .1*rng.Float64())
		if i >= 6 {
			took += longer * ms
		}
		if i%6 < 6-without {
			o.Runs[i] = verdicts.Run{Count: 3, N: 3, TotalNs: 3 * took}
		}
	}
	return o
}

// TestSporadic sees that what some runs lack is compared by its calls, whose number is compared apart.
func TestSporadic(t *testing.T) {
	s := sides(6, 6)
	s.Roots = slices.Repeat([]float64{80}, 12)
	for without := range 4 {
		got := judge(s, append(crowd(random(7), s, 200, .02), sporadic(without, 500))...)[200]
		expect.Equal(t, got.Verdict, schema.Regressed, "verdict with %d runs without calls", without)
		perRoot := 500 * ms * 3 / 80 * float64(6-without) / 6
		if math.Abs(got.EffectNs/perRoot-1) > .02 || got.LoNs < .9*perRoot || got.HiNs > 1.1*perRoot {
			t.Errorf("%d runs without calls: effect %.0f ns (%.0f to %.0f), want %.0f", without, got.EffectNs, got.LoNs, got.HiNs, perRoot)
		}
	}
	for _, without := range []int{1, 2, 3, 4, 5} {
		got := judge(s, append(crowd(random(7), s, 200, .02), sporadic(without, 0))...)[200]
		if verdicts.IsChange(got.Verdict) {
			t.Errorf("unchanged, with %d runs without calls: %s", without, got.Verdict)
		}
		expect.Equal(t, got.Verdict == schema.Unchanged && without >= 3, false, "unchanged with %d runs without calls", without)
	}
}
