package plan

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/metrics"
)

var _ = declare(metricsStage)

// metricsStage sorts the metrics of a bucket by subject, so it holds all of them.
func metricsStage(Options) pipeline.Stage {
	return pipeline.Stage{
		Name: "metrics", Version: 2, Doc: "derives run times, down times and the times of communication patterns",
		Reads: []string{"executions", "messages"}, Writes: []string{"metrics"},
		BytesPerRow: 100, Run: runMetrics,
	}
}

// runMetrics derives the metrics of a bucket's components. Messages lie in the bucket of their sender, which is the one
// whose times they say something of.
func runMetrics(t *pipeline.Task) error {
	names := new(schema.Names)
	ex, messages := schema.NewExecutions(names), schema.NewMessages(names)
	b := metrics.NewBuilder(names)
	err := pipeline.Feed(t, "messages", messages, b.AddMessages, "pattern", "send_seq", "send_ns", "round_trip_ns")
	if err != nil {
		return err
	}
	err = pipeline.Feed(t, "executions", ex, b.AddExecutions, "execution", "component", "function", "start_ns", "finish_ns",
		"duration_ns", "depth", "fragment", "finish_seq", "role", "execution_type")
	if err != nil {
		return err
	}
	rows := schema.NewMetrics(names)
	out, err := t.Create("metrics", rows)
	if err != nil {
		return err
	}
	if err := b.Metrics(rows, func() error { return out.WriteFull(rows) }); err != nil {
		return err
	}
	return out.Close(rows)
}
