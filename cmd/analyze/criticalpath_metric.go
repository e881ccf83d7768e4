package main

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
)

// findMetric finds the instances of the metric that the trace marks, and its budget where no deadline is given.
func (q *pathQuery) findMetric(ctx context.Context) error {
	m, err := q.job.Metric(ctx)
	if err != nil {
		return err
	}
	if len(m.Instances) == 0 {
		return console.Usagef("run %s marks no instances of a metric, as metricInstanceFromID and metricInstanceToID of a .tmsct do: name an execution with --to", q.job.Run)
	}
	q.occurrences, q.open = m.Instances, m.Open
	if q.flags.instance != "" {
		return q.pickInstance()
	}
	if q.flags.deadline == 0 && m.Budget != "" {
		seconds, err := strconv.ParseFloat(m.Budget, 64)
		if err != nil || seconds <= 0 || seconds > math.MaxInt64/1e9 {
			return console.Usagef("metricBudget %q of run %s is no number of seconds: give --deadline", m.Budget, q.job.Run)
		}
		q.flags.deadline = time.Duration(math.Round(seconds * 1e9))
	}
	return nil
}

// pickInstance leaves one instance: to explain against all others, or else its path.
func (q *pathQuery) pickInstance() error {
	text := strings.TrimPrefix(q.flags.instance, "#")
	i := slices.IndexFunc(q.occurrences, func(o criticalpaths.Occurrence) bool { return strconv.FormatInt(o.Number, 10) == text })
	if i < 0 {
		return console.Usagef("--instance %s: run %s has the instances #%d to #%d", q.flags.instance, q.job.Run,
			q.occurrences[0].Number, q.occurrences[len(q.occurrences)-1].Number)
	}
	if q.flags.deadline > 0 {
		q.picked = &q.occurrences[i]
	} else {
		q.occurrences = q.occurrences[i : i+1]
	}
	return nil
}
