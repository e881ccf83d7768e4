package main

import (
	"context"
	"math"
	"strconv"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/console"
)

// findMetric finds the instances of the metric that the trace marks, and its budget where no deadline is given.
func (q *pathQuery) findMetric(ctx context.Context) error {
	m, err := q.job.Metric(ctx)
	if err != nil {
		return err
	}
	if len(m.Instances) == 0 {
		return console.Usagef("run %s marks no instances of a metric (metricInstanceFromID and metricInstanceToID of .tmsct)", q.job.Run)
	}
	q.occurrences = m.Instances
	if q.flags.deadline == 0 && m.Budget != "" {
		seconds, err := strconv.ParseFloat(m.Budget, 64)
		if err != nil || seconds <= 0 || seconds > math.MaxInt64/1e9 {
			return console.Usagef("metricBudget %q of run %s is no number of seconds: give --deadline", m.Budget, q.job.Run)
		}
		q.flags.deadline = time.Duration(math.Round(seconds * 1e9))
	}
	return nil
}
