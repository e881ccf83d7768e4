package runs

import (
	"cmp"
	"context"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
)

// TimedAutomaton reads the automaton of a service fragment in a run with the time samples of one normalisation. Where the
// run has no such fragment, it returns nil and the names of the fragments that it has.
func TimedAutomaton(ctx context.Context, l *lake.Lake, run, fragment, norm string) (t *samples.TimedAutomaton, names []string, err error) {
	// (1) Find the fragment. The table is small, so all its rows are read; the names of the others are suggestions
	// for a caller who was not understood.
	bucket, p := 0, lake.Run(run)
	err = lake.ReadBuckets(l, "fragments", p, func(in int, rows []schema.Fragment) {
		for i := range rows {
			names = append(names, rows[i].Fragment)
			if rows[i].Fragment == fragment {
				t, bucket = &samples.TimedAutomaton{Occurrences: rows[i].Occurrences}, in
			}
		}
	})
	if err != nil || t == nil {
		return nil, names, err
	}
	// (2) Read its states and transitions, in the order of their numbers: a sample names its transition by
	// position.
	if err := cmp.Or(lake.ReadInto(&t.States, l, "states", p), lake.ReadInto(&t.Transitions, l, "transitions", p)); err != nil {
		return nil, nil, err
	}
	t.States = slices.DeleteFunc(t.States, func(s schema.State) bool { return s.Fragment != fragment })
	t.Transitions = slices.DeleteFunc(t.Transitions, func(r schema.Transition) bool { return r.Fragment != fragment })
	slices.SortFunc(t.Transitions, func(x, y schema.Transition) int { return cmp.Compare(x.Transition, y.Transition) })
	// (3) Read its samples, the only table of many rows, from one bucket.
	t.SamplesNs, err = readSamples(ctx, l, run, bucket, len(t.Transitions), fragment, norm)
	return t, nil, err
}

// readSamples reads the samples of a fragment in one normalisation, by transition. They lie in the bucket that holds the
// fragment: a bucket is that of a component, whose fragments it has whole.
// The time of a null sample is not known; it has no place in the list. Memory is one row group and the samples of
// the fragment.
func readSamples(ctx context.Context, l *lake.Lake, run string, bucket, transitions int, fragment, norm string) ([][]int64, error) {
	m, err := l.Table("samples", lake.Run(run))
	if err != nil {
		return nil, err
	}
	samplesNs := make([][]int64, transitions)
	rows := schema.NewSamples(new(schema.Names))
	column, values := normalised(rows, norm)
	o := lake.ScanOptions{Columns: []string{"fragment", "transition", "occurrence", column}}
	occurrences := make([][]int64, transitions)
	err = l.Scan(ctx, m.InBuckets(bucket), rows, o, func() error {
		// The code is known as soon as a row group has the fragment, and it is then the same in all others.
		code, known := rows.Names.Fragments.Lookup(fragment)
		for i, of := range rows.Fragment {
			if ns := (*values)[i]; known && of == code && ns != schema.NoValue {
				n := rows.Transition[i]
				samplesNs[n], occurrences[n] = append(samplesNs[n], ns), append(occurrences[n], rows.Occurrence[i])
			}
		}
		return nil
	})
	for n := range samplesNs {
		samplesNs[n] = inOrder(samplesNs[n], occurrences[n])
	}
	return samplesNs, err
}

// inOrder returns the samples of a transition in the order of their occurrences, each of which takes it once. They come in
// another one where the lifelines of the component are spread over buckets.
func inOrder(samplesNs, occurrences []int64) []int64 {
	if slices.IsSorted(occurrences) {
		return samplesNs
	}
	order := make([]int, len(occurrences))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(occurrences[i], occurrences[j]) })
	sorted := make([]int64, len(order))
	for i, at := range order {
		sorted[i] = samplesNs[at]
	}
	return sorted
}

// normalised returns the name and the values of the column that holds a normalisation.
// The samples of all normalisations stand side by side in one row, so that each is read alone.
func normalised(s *schema.Samples, norm string) (name string, values *[]int64) {
	switch norm {
	case schema.NormAbsolute: // the time of the trace
		return "time_ns", &s.TimeNs
	case schema.NormRelative: // since the event before on the same component
		return "since_previous_ns", &s.SincePreviousNs
	case schema.NormStackBased: // since the call that the event belongs to
		return "since_call_ns", &s.SinceCallNs
	}
	return "since_start_ns", &s.SinceStartNs // since the start of the fragment
}
