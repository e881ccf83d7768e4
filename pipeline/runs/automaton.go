package runs

import (
	"cmp"
	"context"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
)

// TimedAutomaton reads the automaton of a service fragment in a run with the time samples of one normalisation. Where the
// run has no such fragment, it returns nil and the names of the fragments that it has.
func TimedAutomaton(ctx context.Context, l *lake.Lake, run, fragment, norm string) (t *samples.TimedAutomaton, names []string, err error) {
	bucket := 0
	err = eachRow(l, "fragments", run, func(in int, f *schema.Fragment) {
		names = append(names, f.Fragment)
		if f.Fragment == fragment {
			t, bucket = &samples.TimedAutomaton{Occurrences: f.Occurrences}, in
		}
	})
	if err != nil || t == nil {
		return nil, names, err
	}
	err = eachRow(l, "states", run, func(_ int, s *schema.State) {
		if s.Fragment == fragment {
			t.States = append(t.States, *s)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	err = eachRow(l, "transitions", run, func(_ int, r *schema.Transition) {
		if r.Fragment == fragment {
			t.Transitions = append(t.Transitions, *r)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(t.Transitions, func(x, y schema.Transition) int { return cmp.Compare(x.Transition, y.Transition) })
	t.SamplesNs = make([][]int64, len(t.Transitions))
	in := &sampleReader{TimedAutomaton: t, fragment: fragment, rows: schema.NewSamples(new(schema.Names))}
	in.column, in.values = normalised(in.rows, norm)
	return t, nil, in.read(ctx, l, run, bucket)
}

// sampleReader appends the samples of one fragment to its automaton.
type sampleReader struct {
	*samples.TimedAutomaton
	fragment string
	rows     *schema.Samples // of one row group
	column   string          // of the normalisation
	values   *[]int64        // the column of rows
}

// read reads the bucket that holds the fragment; a bucket is that of a component, whose fragments it has whole.
func (r *sampleReader) read(ctx context.Context, l *lake.Lake, run string, bucket int) error {
	m, err := l.Manifest("samples", lake.Run(run))
	if err != nil {
		return err
	}
	if m == nil {
		return notAnalyzed(run)
	}
	for _, file := range m.Files {
		if file.Bucket != bucket {
			continue
		}
		if err := r.readFile(ctx, l.Path(file)); err != nil {
			return err
		}
	}
	return nil
}

func (r *sampleReader) readFile(ctx context.Context, path string) error {
	in, err := parquet.Open(path, r.rows, "fragment", "transition", r.column)
	if err != nil {
		return err
	}
	defer in.Close()
	for {
		more, err := in.Next()
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || !more {
			return err
		}
		code, known := r.rows.Names.Fragments.Lookup(r.fragment)
		for i, of := range r.rows.Fragment {
			if ns := (*r.values)[i]; known && of == code && ns != schema.NoValue {
				n := r.rows.Transition[i]
				r.SamplesNs[n] = append(r.SamplesNs[n], ns)
			}
		}
	}
}

// normalised returns the name and the values of the column that holds a normalisation.
func normalised(s *schema.Samples, norm string) (name string, values *[]int64) {
	switch norm {
	case schema.NormAbsolute:
		return "time_ns", &s.TimeNs
	case schema.NormRelative:
		return "since_previous_ns", &s.SincePreviousNs
	case schema.NormStackBased:
		return "since_call_ns", &s.SinceCallNs
	}
	return "since_start_ns", &s.SinceStartNs
}
