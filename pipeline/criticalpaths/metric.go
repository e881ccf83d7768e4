package criticalpaths

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// Metric is what a trace says about instances of a metric: where they begin and end, and how long they
// may take.
// Formats such as .tmsct mark instances; for others it is empty.
type Metric struct {
	Instances []findings.Occurrence // numbered as in the trace if it uses numbers, otherwise from 1
	Budget    string                // seconds, as the trace writes it; empty if it gives none
	Open      int                   // instances without both ends, or whose end does not come after the start
}

// Metric reads the instances that the trace marks.
func (j *Job) Metric(ctx context.Context) (*Metric, error) {
	out := new(Metric)
	// A run that was ingested before annotations existed has no table: then it marks no metric.
	notes, err := lake.Read[schema.Annotation](j.Lake, "annotations", lake.Run(j.Run))
	if errors.As(err, new(*lake.NotAnalyzedError)) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	// The ends of an instance share an identifier; the annotations come in no useful order.
	from, to := make(map[string]int64), make(map[string]int64)
	for _, a := range notes {
		switch {
		case a.About == schema.AboutTrace && a.Name == schema.NoteBudget:
			out.Budget = a.Value
		case a.About == schema.AboutEvent && a.Name == schema.NoteFrom:
			from[a.Value] = *a.Seq
		case a.About == schema.AboutEvent && a.Name == schema.NoteTo:
			to[a.Value] = *a.Seq
		}
	}
	out.pairEnds(from, to)
	return out, j.addTimes(ctx, out.Instances)
}

// pairEnds pairs the events that start and end instances by their identifiers.
// An end that does not come after its start is open, since no execution takes negative time.
func (m *Metric) pairEnds(from, to map[string]int64) {
	for id, seq := range from {
		end, has := to[id]
		if !has || end <= seq {
			m.Open++
			continue
		}
		// Identifiers are numbers in most traces, but any word will do.
		number, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			number = schema.NoValue
		}
		m.Instances = append(m.Instances, findings.Occurrence{Number: number, From: seq, To: end})
	}
	// Ends without a start; starts without an end were counted above.
	for id := range to {
		if _, has := from[id]; !has {
			m.Open++
		}
	}
	// In time order, and completely, since maps have none.
	slices.SortFunc(m.Instances, func(a, b findings.Occurrence) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Number, b.Number))
	})
}

// addTimes sets the times of the occurrences' events, and numbers those without a number.
func (j *Job) addTimes(ctx context.Context, instances []findings.Occurrence) error {
	// The times of all ends are found in one pass over the events.
	seqs := make([]int64, 0, 2*len(instances))
	for _, o := range instances {
		seqs = append(seqs, o.From, o.To)
	}
	times, err := j.timesOf(ctx, seqs)
	if err != nil {
		return err
	}
	for i := range instances {
		o := &instances[i]
		o.FromNs, o.ToNs = times[2*i], times[2*i+1]
		if o.Number == schema.NoValue {
			o.Number = int64(i + 1)
		}
	}
	return nil
}
