package named

import (
	"context"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/stages/timing/flame"
)

// Flame sums up the paths towards the executions that a text names, in one run or several, by call path: those of the share of a run's
// occurrences that took longest. The graph has a name.
func Flame(ctx context.Context, e *pipeline.Engine, name, to string, share float64, runs ...string) (*flame.Graph, error) {
	all := flame.New(name)
	for _, run := range runs {
		events := &Events{Job: &criticalpaths.Job{Engine: e, Run: run}}
		occurrences, err := events.Executions(ctx, "--to", to)
		if err != nil {
			return nil, err
		}
		one, err := events.Job.Flame(ctx, occurrences, share)
		if err != nil {
			return nil, err
		}
		all.Add(one)
	}
	return all, nil
}
