package named

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// Metric is the metric of a trace, as a question about its instances takes it.
type Metric struct {
	Occurrences []findings.Occurrence // the instances that are asked for, or all where one is explained against the others
	LeftOut     int                   // instances without an end behind their start
	Picked      *findings.Occurrence  // the only one to explain; nil for all
	Deadline    time.Duration         // as it was asked for, or the budget of the metric
}

// Metric finds the instances of the metric that the trace marks. Without a deadline, the budget of the metric is one: a number of
// seconds, as the trace writes it.
func (r *Events) Metric(ctx context.Context, instance string, deadline time.Duration) (out Metric, err error) {
	m, err := r.Job.Metric(ctx)
	if err != nil {
		return out, err
	}
	if len(m.Instances) == 0 {
		return out, console.Usagef("run %s marks no instances of a metric, as metricInstanceFromID and metricInstanceToID of a .tmsct do: name an execution with --to", r.Job.Run)
	}
	out = Metric{Occurrences: m.Instances, LeftOut: m.Open, Deadline: deadline}
	if instance != "" {
		return out, out.pick(r.Job.Run, instance)
	}
	if deadline == 0 && m.Budget != "" {
		seconds, err := strconv.ParseFloat(m.Budget, 64)
		if err != nil || seconds <= 0 || seconds > math.MaxInt64/1e9 {
			return out, console.Usagef("metricBudget %q of run %s is no number of seconds: give --deadline", m.Budget, r.Job.Run)
		}
		out.Deadline = time.Duration(math.Round(seconds * 1e9))
	}
	return out, nil
}

// pick reduces the question to one instance: to explain it against all others, or to follow its path.
// Instances are named by the numbers that the trace gives them.
func (m *Metric) pick(run, instance string) error {
	text := strings.TrimPrefix(instance, "#")
	i := slices.IndexFunc(m.Occurrences, func(o findings.Occurrence) bool { return strconv.FormatInt(o.Number, 10) == text })
	if i < 0 {
		return console.Usagef("--instance %s: run %s has the instances #%d to #%d", instance, run,
			m.Occurrences[0].Number, m.Occurrences[len(m.Occurrences)-1].Number)
	}
	if m.Deadline > 0 {
		m.Picked = &m.Occurrences[i]
	} else {
		m.Occurrences = m.Occurrences[i : i+1]
	}
	return nil
}

// Between pairs every occurrence with the last start before its finish, in O((n+m) log n). Occurrences without an earlier start
// are left out.
func Between(from, to []findings.Occurrence) (pairs []findings.Occurrence) {
	starts := slices.Clone(from)
	slices.SortFunc(starts, func(a, b findings.Occurrence) int { return cmp.Compare(a.From, b.From) })
	for _, o := range to {
		// Starts before position i come before the finish, so the last of them is at i-1.
		i, _ := slices.BinarySearchFunc(starts, o.To, func(s findings.Occurrence, seq int64) int { return cmp.Compare(s.From, seq) })
		if i == 0 {
			continue
		}
		o.From, o.FromNs = starts[i-1].From, starts[i-1].FromNs
		pairs = append(pairs, o)
	}
	return pairs
}
