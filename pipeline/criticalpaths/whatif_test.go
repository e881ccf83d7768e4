package criticalpaths_test

import (
	"math/rand"
	"reflect"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/stages/timing/whatif"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestWhatIf computes new schedules of random runs in many small windows, and in one window, for which package whatif has an
// oracle: the times are the same, and so are the sums of the paths in both schedules. What critical paths are in a schedule
// without changes is what they are in the run.
func TestWhatIf(t *testing.T) {
	var moved int
	for seed := range someSeeds(25) {
		rng := rand.New(rand.NewSource(int64(seed)))
		r := generate(rng, 60+rng.Intn(300))
		l := r.store(t, 1+rng.Intn(4), 1+rng.Intn(40))
		job := func(edges int64) *criticalpaths.Job {
			return &criticalpaths.Job{Engine: &pipeline.Engine{Lake: l, Jobs: 1 + rng.Intn(3), Memory: 1 << 30}, Run: "r", Edges: edges}
		}
		to, err := job(0).Occurrences(t.Context(), "C0.f0")
		if err != nil {
			continue // this run has none
		}
		removed := expect.Value(job(0).Occurrences(t.Context(), "C1.f1"))(t)[:1]
		rules := whatif.Rules{RestNs: rng.Int63n(9), Changes: []whatif.Change{{Name: "C0.f0", Factor: 0.5}, {Name: "C2.f1", Factor: 2}}}
		if rng.Intn(2) == 0 {
			rules.Removed = []whatif.Span{{From: removed[0].From, To: removed[0].To}}
		}
		for i := range to {
			rules.Paces = append(rules.Paces, to[i].From)
		}
		whole := expect.Value(job(1<<20).WhatIf(t.Context(), to, rules))(t)
		apart := expect.Value(job(1+rng.Int63n(30)).WhatIf(t.Context(), to, rules))(t)
		if !reflect.DeepEqual(apart.Before, whole.Before) || !reflect.DeepEqual(apart.After, whole.After) {
			t.Fatalf("seed %d: in windows %v -> %v, in one %v -> %v", seed, apart.Before, apart.After, whole.Before, whole.After)
		}
		expect.Equal(t, sumsOf(apart, true), sumsOf(whole, true), "seed %d, recorded", seed)
		expect.Equal(t, sumsOf(apart, false), sumsOf(whole, false), "seed %d, planned", seed)
		for i := range whole.After {
			if whole.After[i] != whole.Before[i] {
				moved++
			}
		}
		same := expect.Value(job(16).WhatIf(t.Context(), to, whatif.Rules{RestNs: 1 << 40}))(t)
		expect.Equal(t, sumsOf(same, false), sumsOf(same, true), "seed %d, without changes", seed)
	}
	if moved < someSeeds(50) {
		t.Errorf("%d occurrences are of another duration: the test sees too little", moved)
	}
}

// sumsOf is the time, the steps and the paths of a composition together, which do not depend on the numbers of parts.
func sumsOf(x *findings.WhatIf, recorded bool) (sum [4]int64) {
	c := &x.Planned
	if recorded {
		c = &x.Recorded
	}
	for i, s := range c.Sums(0, x.Names, x.Parts) {
		sum[0], sum[1], sum[2] = sum[0]+s.TotalNs, sum[1]+s.Steps, sum[2]+s.Occurrences
		sum[3] += int64(i) * (s.MaxNs + s.Occurrences)
	}
	return sum
}
