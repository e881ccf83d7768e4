package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestJobsDoNotMatter sees that a result is the same on any number of cores, and that the progress ends where it should.
func TestJobsDoNotMatter(t *testing.T) {
	j := job(t, 4)
	j.Seeds, j.Splits = 1, 2
	var results []string
	for _, jobs := range []int{1, 4} {
		j.Jobs, j.Progress = jobs, new(pipeline.Meter)
		r := expect.Value(Run(t.Context(), j))(t)
		results = append(results, fmt.Sprint(*r))
		if done, expected := j.Progress.Read(); done != expected {
			t.Errorf("%d of %d done", done, expected)
		}
	}
	expect.Equal(t, results[0], results[1], "four cores, and one")
}

// TestRates sees that all parts of an evaluation say what they should of runs that differ by chance alone.
func TestRates(t *testing.T) {
	if testing.Short() {
		t.Skip("rates are held against what was planted in full tests")
	}
	j := job(t, 6)
	j.Parts.Faults = false
	r := expect.Value(Run(t.Context(), j))(t)
	a := results.Together(r.AA)
	if len(a) != 1 || a[0].Splits != 10 || a[0].Runs != 3 {
		t.Fatalf("A/A: %+v", a)
	}
	if rate := a[0].Covered.Rate(); rate < .85 {
		t.Errorf("the intervals hold no change in %v", rate)
	}
	if rate := a[0].Wrong.Rate(); a[0].Wrong.Of == 0 || rate > .15 {
		t.Errorf("%v are called unchanged at the margin", rate)
	}
	if rate := a[0].Unchanged.Rate(); rate < .5 {
		t.Errorf("%v are called unchanged", rate)
	}
	for _, c := range []struct {
		effect      float64
		least, most float64
	}{{.01, 0, .1}, {1, .9, 1}} {
		for _, p := range results.Together(r.Power) {
			if p.Runs == 3 && p.Effect == c.effect && p.Class == "from 20 us" && (p.Detected.Rate() < c.least || p.Detected.Rate() > c.most) {
				t.Errorf("power %+v", p)
			}
		}
	}
	for _, f := range results.Together(r.FDR) {
		if f.Expected > .2 || f.Change == "+50 %" && f.Found.Rate() < .9 {
			t.Errorf("FDR %+v", f)
		}
	}
}

// TestSwappedSides sees that the baseline of an A/A comparison may as well be the candidate.
func TestSwappedSides(t *testing.T) {
	if testing.Short() {
		t.Skip("TestJobsDoNotMatter evaluates with several jobs; this is seen in full tests")
	}
	j := job(t, 6)
	o := expect.Value(j.observe(t.Context(), j.Cells[0]))(t)
	for _, s := range scores.Splits(6, 3, 10) {
		a := j.compareAlike(o, s, false)
		b := j.compareAlike(o, scores.Split{Base: s.Cand, Cand: s.Base}, false)
		if a != b {
			t.Errorf("%v: %+v, swapped %+v", s, a, b)
		}
	}
}

// TestOneSidedFragments sees that of a fragment which no run of a side has only the fragment itself is compared.
func TestOneSidedFragments(t *testing.T) {
	o := &observed{
		subjects: []verdicts.Observed{
			{Level: "transition", Runs: []verdicts.Run{{Count: 1}, {Count: 1}, {}, {}}},
			{Level: "fragment", Runs: []verdicts.Run{{Count: 1}, {Count: 1}, {}, {}}},
			{Level: "message", Runs: []verdicts.Run{{Count: 1}, {}, {}, {}}},
		},
		fragment: []string{"f", "f", ""},
		present:  map[string][]bool{"f": {true, true, false, false}},
	}
	for _, c := range []struct {
		split scores.Split
		want  []int
	}{
		{scores.Split{Base: []int{0, 2}, Cand: []int{1, 3}}, []int{0, 1, 2}},
		{scores.Split{Base: []int{0, 1}, Cand: []int{2, 3}}, []int{1, 2}},
		{scores.Split{Base: []int{1}, Cand: []int{3}}, []int{1}},
		{scores.Split{Base: []int{2}, Cand: []int{3}}, nil},
	} {
		if _, got := o.compared(c.split); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.split, got, c.want)
		}
	}
}

// TestGrowth is worked by hand: two values of 100 and 300 ns in 4 root executions.
func TestGrowth(t *testing.T) {
	q := [len(verdicts.Quantiles)]float64{100}
	run := verdicts.Run{Count: 2, N: 2, TotalNs: 400, Quantiles: &q}
	got := growth{share: .5, ns: 10}.of(run, 4)
	if got.TotalNs != 640 || got.Quantiles[0] != 170 || q[0] != 100 { // 400 + 200 + 40; 100 + 50 + 40/2
		t.Errorf("got %v, %v", got, *got.Quantiles)
	}
	expect.Equal(t, (growth{ns: 10}).of(verdicts.Run{Count: 3}, 4).TotalNs, 0, "growth of a run without values")
}

// TestGrow sees that growths are given out in turn, to subjects that cost enough, on the candidate side alone.
func TestGrow(t *testing.T) {
	run := verdicts.Run{Count: 1, N: 1, TotalNs: 50_000}
	cheap := verdicts.Run{Count: 1, N: 1, TotalNs: 19_000}
	o := &observed{roots: []float64{1, 1}}
	subjects := []verdicts.Observed{{Runs: []verdicts.Run{run, run}}, {Runs: []verdicts.Run{cheap, cheap}}, {Runs: []verdicts.Run{run, run}}}
	grown, chosen := o.grow(rand.New(rand.NewPCG(1, 1)), scores.Split{Base: []int{0}, Cand: []int{1}}, subjects, 1, []growth{{ns: 1}, {ns: 2}})
	expect.Slice(t, chosen, []bool{true, false, true}, "chosen")
	for i, want := range []float64{50_001, 19_000, 50_002} {
		if got := grown[i].Runs; got[1].TotalNs != want || got[0] != subjects[i].Runs[0] {
			t.Errorf("subject %d grows to %+v", i, got)
		}
	}
}

func TestTooLittleMemory(t *testing.T) {
	j := job(t, 6)
	j.Memory = 1000
	if _, err := Run(t.Context(), j); err == nil || !strings.Contains(err.Error(), "cell all: its traces have") || !strings.Contains(err.Error(), "--memory") {
		t.Errorf("got %v", err)
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, job(t, 6)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
