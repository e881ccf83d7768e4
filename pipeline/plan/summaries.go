package plan

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/summaries"
)

var _ = declare(summariesStage)

// summariesStage reduces what a comparison of many runs would otherwise read in full.
func summariesStage(Options) pipeline.Stage {
	return pipeline.Stage{
		Name: "summaries", Version: 3, Doc: "reduces samples, metrics, messages and own times of functions to the figures with which runs are compared",
		Reads: []string{"samples", "fragments", "metrics", "constraints", "executions"}, Writes: []string{"summaries"},
		BytesPerRow: summaryBytes, Run: runSummaries,
	}
}

// summaryBytes is what a sample takes at most: 30 bytes of its value, while that is sorted and with room to grow, where
// all samples are of one transition; then 60 of the two values of a message, where every event receives one.
const summaryBytes = 64

// runSummaries reduces the samples, metrics, messages and own times of a bucket to a row for every subject: its count, sums and
// quantiles, from which comparisons of many runs start.
func runSummaries(t *pipeline.Task) error {
	// The weights of quantiles follow from the sizes of samples, many of which come again in other buckets.
	estimate, err := pipeline.Shared(t, func(*pipeline.Task) (*stats.Estimator, error) { return new(stats.Estimator), nil })
	if err != nil {
		return err
	}
	// The rows of transitions come first in the table and last in time: they may be millions, for which memory is taken once.
	var others []schema.Summary
	for _, summarise := range []func(*pipeline.Task, *stats.Estimator) ([]schema.Summary, error){
		summariseMetrics, summariseMessages, summariseFunctions,
	} {
		rows, err := summarise(t, estimate)
		if err != nil {
			return err
		}
		others = append(others, rows...)
	}
	rows, err := summariseSamples(t, estimate, len(others))
	if err != nil {
		return err
	}
	return pipeline.WriteRows(t, "summaries", append(rows, others...))
}

// summariseSamples reads the samples transition by transition, as they are written, and holds those of one. The rows have room for so
// many others.
func summariseSamples(t *pipeline.Task, estimate *stats.Estimator, others int) ([]schema.Summary, error) {
	fragments, err := pipeline.ReadRows[schema.Fragment](t, "fragments")
	if err != nil {
		return nil, err
	}
	rows := schema.NewSamples(new(schema.Names))
	b := summaries.NewTransitions(rows.Names, fragments, estimate)
	b.Reserve(others)
	add := b.Add
	if t.Buckets("samples") > 1 {
		add = b.AddSpread
	}
	err = pipeline.Feed(t, "samples", rows, add, "fragment", "transition", "since_previous_ns", "since_start_ns")
	return b.Rows(), err
}

// summariseMetrics reduces run times, down times and times of communication patterns, by component, fragment and metric.
func summariseMetrics(t *pipeline.Task, estimate *stats.Estimator) ([]schema.Summary, error) {
	rows := schema.NewMetrics(new(schema.Names))
	b := summaries.NewMetrics(rows.Names, estimate)
	err := pipeline.Feed(t, "metrics", rows, b.Add, "component", "fragment", "metric", "value_ns")
	return b.Rows(), err
}

// summariseMessages reduces the latencies of messages by sender and receiver. They are taken from the constraints, which lie in the
// bucket of the receiver.
func summariseMessages(t *pipeline.Task, estimate *stats.Estimator) ([]schema.Summary, error) {
	rows := schema.NewConstraints(new(schema.Names))
	b := summaries.NewMessages(rows.Names, estimate)
	err := pipeline.Feed(t, "constraints", rows, b.Add, "target_seq", "kind", "component", "function", "sender", "duration_ns")
	return b.Rows(), err
}

func summariseFunctions(t *pipeline.Task, estimate *stats.Estimator) ([]schema.Summary, error) {
	rows := schema.NewExecutions(new(schema.Names))
	b := summaries.NewFunctions(rows.Names, estimate)
	err := t.ScanAnyhow("executions", rows, func() error {
		b.Add(rows)
		return nil
	}, "component", "function", "duration_ns", "self_ns", "role", "execution_type", "synthetic")
	return b.Rows(), err
}
