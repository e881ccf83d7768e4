package criticalpaths_test

import (
	"bytes"
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/stages/report/flame"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestFlame sums up the paths of random runs by call path: the same bytes in windows of any size, and in all the time of the paths.
func TestFlame(t *testing.T) {
	for seed := range someSeeds(15) {
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
		var whole, apart bytes.Buffer
		g := expect.Value(job(1<<20).Flame(t.Context(), to, 1))(t)
		expect.OK(t, flame.WriteFolded(&whole, g))
		expect.OK(t, flame.WriteFolded(&apart, expect.Value(job(1+rng.Int63n(30)).Flame(t.Context(), to, 1))(t)))
		expect.Equal(t, apart.String(), whole.String(), "seed %d", seed)
		c := expect.Value(job(0).Compose(t.Context(), to))(t)
		sum := int64(0)
		for _, s := range c.Sums.Sums(0, c.Names, c.Parts) {
			sum += s.TotalNs
		}
		expect.Equal(t, g.Totals()[0], sum, "seed %d: the time of all paths", seed)
	}
}
