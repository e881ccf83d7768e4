package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
)

// recoverCommand prints the trace of a service fragment from its timed automaton.
func (a *app) recoverCommand() *cobra.Command {
	return &cobra.Command{
		Use: "recover RUN FRAGMENT", Short: "Recover the trace of a service fragment from its timed automaton",
		Long: `Prints the events of a service fragment in the order in which its automaton took them, as
TIME COMPONENT >|< FUNCTION, from nothing but the transitions and their time samples: the automaton
with its samples is the trace (Hilbig 2023, section 3.1.1). The times of the fragment's events must be
strictly monotonic.`,
		Example: `  analyze recover fast "lib_select_c.Curl_poll from lib_multi_c"`,
		Args:    exactly(2, "name a run and one of its service fragments"),
		RunE:    a.reading(nil, a.recover),
	}
}

// recover takes the transitions of the automaton in the order of their absolute times.
// The samples must be absolute times: relative ones have no common zero to sort by.
func (a *app) recover(ctx context.Context, l *lake.Lake, args []string) error {
	run, fragment := args[0], args[1] // the fragment by its name or its first function
	// A fragment's automaton and samples are all that is read; the events are not.
	t, _, err := runs.Fragment(ctx, l, run, fragment, schema.NormAbsolute)
	if err != nil {
		return err
	}
	taken, err := samples.Recover(t.Transitions, t.SamplesNs) // sorted by their samples
	if err != nil {
		return fmt.Errorf("%s of run %s: %w: are its times strictly monotonic?", fragment, run, err) // two samples of one time have no order
	}
	out := bufio.NewWriter(a.stdout)
	for _, event := range taken {
		step := &t.Transitions[event.Transition]
		sign := ">"
		if step.Kind == schema.KindWords[schema.Exit] { // the word that the table has
			sign = "<"
		}
		fmt.Fprintf(out, "%d %s %s %s\n", event.TimeNs, step.Component, sign, step.Function)
	}
	return out.Flush()
}
