package evaluate

import (
	"context"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// ablate has all methods judge some of the splits.
func (j *Job) ablate(ctx context.Context, t *traces, runs int, splits []scores.Split) ([]results.Rival, error) {
	var some []scores.Split
	for i := 0; i < len(splits); i += everyAblation {
		some = append(some, splits[i])
	}
	found, err := pipeline.Each(ctx, j.Jobs, len(some), func(_ context.Context, i int) (map[string][]bool, error) {
		defer j.Progress.Advance(1)
		c := j.contestOf(t, some[i])
		all := c.detected()
		for method, by := range all {
			var judged []bool
			for step, is := range by {
				if c.judged[step] {
					judged = append(judged, is)
				}
			}
			all[method] = judged
		}
		return all, nil
	})
	var out []results.Rival
	for _, m := range results.Methods() {
		r := results.Rival{Cell: t.Name, Runs: runs, Method: m}
		for _, by := range found {
			r.Alarmed.Add(slices.Contains(by[m], true))
			for _, is := range by[m] {
				r.Alarms.Add(is)
			}
		}
		out = append(out, r)
	}
	return out, err
}
