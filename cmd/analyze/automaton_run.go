package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/automaton"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// timedAutomaton is the automaton of a fragment in one run, with one time sample a transition taken.
type timedAutomaton struct {
	run         string
	occurrences int64
	bucket      int
	states      []schema.State
	transitions []schema.Transition // by number
	samplesNs   [][]int64           // by transition, without those that are null
}

// automatonOf makes the automaton of a fragment in a run drawable.
func automatonOf(ctx context.Context, l *lake.Lake, run, fragment string) (*automaton.Automaton, error) {
	if _, err := openRun(l, run); err != nil {
		return nil, err
	}
	t, names, err := readAutomaton(ctx, l, run, fragment, schema.NormRelative)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, unknownFragment("run "+run, fragment, names)
	}
	drawn := &automaton.Automaton{
		Title: fragment, Additive: true,
		Subtitle: fmt.Sprintf("run %s  ·  %s, %s, %s  ·  times since the event before", run, texttab.Plural(t.occurrences, "occurrence"),
			texttab.Plural(len(t.states), "state"), texttab.Plural(len(t.transitions), "transition")),
	}
	for _, s := range t.states {
		drawn.States = append(drawn.States, automaton.State{Number: s.State, Initial: s.Initial, Accepting: s.Accepting})
	}
	for i := range t.transitions {
		from := &t.transitions[i]
		label, note := event(from)
		drawn.Transitions = append(drawn.Transitions, automaton.Transition{
			Source: from.Source, Target: from.Target, Label: label, Note: note,
			Base: automaton.Times{Count: from.Count, MedianNs: median(t.samplesNs[i]), SamplesNs: t.samplesNs[i]},
		})
	}
	return drawn, nil
}

// readAutomaton reads the automaton of a fragment; without it, nil and the names of all fragments.
func readAutomaton(ctx context.Context, l *lake.Lake, run, fragment, norm string) (t *timedAutomaton, names []string, err error) {
	err = eachRow(l, "fragments", run, func(bucket int, f *schema.Fragment) {
		names = append(names, f.Fragment)
		if f.Fragment == fragment {
			t = &timedAutomaton{run: run, bucket: bucket, occurrences: f.Occurrences}
		}
	})
	if err != nil || t == nil {
		return nil, names, err
	}
	err = eachRow(l, "states", run, func(_ int, s *schema.State) {
		if s.Fragment == fragment {
			t.states = append(t.states, *s)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	err = eachRow(l, "transitions", run, func(_ int, r *schema.Transition) {
		if r.Fragment == fragment {
			t.transitions = append(t.transitions, *r)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(t.transitions, func(x, y schema.Transition) int { return cmp.Compare(x.Transition, y.Transition) })
	t.samplesNs = make([][]int64, len(t.transitions))
	return t, nil, t.readSamples(ctx, l, fragment, norm)
}

// eachRow reads a small table of a run.
func eachRow[T any](l *lake.Lake, table, run string, f func(bucket int, row *T)) error {
	m, err := l.Manifest(table, lake.Run(run))
	if err != nil {
		return err
	}
	if m == nil {
		return console.Usagef("run %s is not analyzed: analyze run %s", run, run)
	}
	for _, file := range m.Files {
		rows, err := parquet.ReadRows[T](l.Path(file))
		if err != nil {
			return err
		}
		for i := range rows {
			f(file.Bucket, &rows[i])
		}
	}
	return nil
}

// readSamples reads the samples of the fragment's bucket, in one normalisation.
func (t *timedAutomaton) readSamples(ctx context.Context, l *lake.Lake, fragment, norm string) error {
	m, err := l.Manifest("samples", lake.Run(t.run))
	if err != nil {
		return err
	}
	if m == nil {
		return console.Usagef("run %s is not analyzed: analyze run %s", t.run, t.run)
	}
	rows := schema.NewSamples(new(schema.Names))
	column, values := normalised(rows, norm)
	for _, file := range m.Files {
		if file.Bucket != t.bucket {
			continue
		}
		if err := t.readFile(ctx, l.Path(file), rows, fragment, column, values); err != nil {
			return err
		}
	}
	return nil
}

func (t *timedAutomaton) readFile(ctx context.Context, path string, rows *schema.Samples, fragment, column string, values *[]int64) error {
	r, err := parquet.Open(path, rows, "fragment", "transition", column)
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		more, err := r.Next()
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || !more {
			return err
		}
		code, known := rows.Names.Fragments.Lookup(fragment)
		for i, of := range rows.Fragment {
			if ns := (*values)[i]; known && of == code && ns != schema.NoValue {
				n := rows.Transition[i]
				t.samplesNs[n] = append(t.samplesNs[n], ns)
			}
		}
	}
}

// normalised is the column of samples in a normalisation.
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
