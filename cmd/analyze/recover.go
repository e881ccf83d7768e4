package main

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
)

func (a *app) recoverCommand() *cobra.Command {
	return &cobra.Command{
		Use: "recover RUN FRAGMENT", Short: "Recover the trace of a service fragment from its timed automaton",
		Long: `Prints the events of a service fragment in the order in which its automaton took them, as
TIME COMPONENT >|< FUNCTION, from nothing but the transitions and their time samples: the automaton
with its samples is the trace (Hilbig 2023, section 3.1.1). The times of the fragment's events must be
strictly monotonic.`,
		Example: `  analyze recover fast "lib_select_c.Curl_poll from lib_multi_c"`,
		Args:    exactly(2, "name a run and one of its service fragments"),
		RunE:    func(_ *cobra.Command, args []string) error { return a.recover(args[0], args[1]) },
	}
}

func (a *app) recover(run, fragment string) error {
	l, err := a.open()
	if err != nil {
		return err
	}
	bucket, transitions, err := readTransitions(l, run, fragment)
	if err != nil {
		return err
	}
	timesNs, err := readTimes(l, run, fragment, bucket, len(transitions))
	if err != nil {
		return err
	}
	taken, err := samples.Recover(transitions, timesNs)
	if err != nil {
		return fmt.Errorf("%s of run %s: %w: are its times strictly monotonic?", fragment, run, err)
	}
	out := bufio.NewWriter(a.stdout)
	for _, event := range taken {
		t := transitions[event.Transition]
		sign := ">"
		if t.Kind == schema.KindWords[schema.Exit] {
			sign = "<"
		}
		fmt.Fprintf(out, "%d %s %s %s\n", event.TimeNs, t.Component, sign, t.Function)
	}
	return out.Flush()
}

// readTransitions finds the automaton of a fragment, by the number of its transitions, and its bucket.
func readTransitions(l *lake.Lake, run, fragment string) (bucket int, found []schema.Transition, err error) {
	m, err := l.Manifest("transitions", lake.Run(run))
	if err != nil {
		return 0, nil, err
	}
	if m == nil {
		return 0, nil, console.Usagef("run %s is not analyzed: analyze run %s", run, run)
	}
	for _, file := range m.Files {
		rows, err := parquet.ReadRows[schema.Transition](l.Path(file))
		if err != nil {
			return 0, nil, err
		}
		for _, t := range rows {
			if t.Fragment == fragment {
				bucket, found = file.Bucket, append(found, t)
			}
		}
	}
	if found == nil {
		return 0, nil, console.Usagef("run %s has no service fragment %q; analyze query most-called lists some", run, fragment)
	}
	slices.SortFunc(found, func(x, y schema.Transition) int { return cmp.Compare(x.Transition, y.Transition) })
	return bucket, found, nil
}

// readTimes reads the ABSOLUTE samples of a fragment's transitions.
func readTimes(l *lake.Lake, run, fragment string, bucket, transitions int) ([][]int64, error) {
	m, err := l.Manifest("samples", lake.Run(run))
	if err != nil {
		return nil, err
	}
	timesNs := make([][]int64, transitions)
	rows := schema.NewSamples(new(schema.Names))
	for _, file := range m.Files {
		if file.Bucket != bucket {
			continue
		}
		r, err := parquet.Open(l.Path(file), rows, "fragment", "transition", "time_ns")
		if err != nil {
			return nil, err
		}
		defer r.Close()
		for {
			more, err := r.Next()
			if err != nil {
				return nil, err
			}
			if !more {
				break
			}
			code, known := rows.Names.Fragments.Lookup(fragment)
			for i, of := range rows.Fragment {
				if known && of == code {
					timesNs[rows.Transition[i]] = append(timesNs[rows.Transition[i]], rows.TimeNs[i])
				}
			}
		}
	}
	return timesNs, nil
}
