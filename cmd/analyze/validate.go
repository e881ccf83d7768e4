package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/checks"
)

// validateCommand checks runs against the definition of a TMSC.
func (a *app) validateCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use: "validate RUN|KEY=VALUE...", Short: "Check runs against the six conditions of a TMSC",
		Long: `Says whether a run is a timed message sequence chart: whether its events and timing constraints hold the
six conditions of Jonk et al. 2019, Definition 3. Names a run or, as key=value, all runs with that label.
Runs that are not analyzed yet are analyzed first. In text, times are counted from the start of the run.

The table violations names the functions in question and how often each of them violated a condition;
analyze describe violations explains it.

Exit code: 0 all conditions hold, 1 failed, 2 wrong usage, 3 found violations.`,
		Example: `  analyze validate nightly
  analyze validate --format json release=8.14`,
		Args: atLeast(1, "name a run, or key=value for all runs with that label"),
		RunE: a.writing(nil, func(ctx context.Context, l *lake.Lake, args []string) error { return a.validate(ctx, l, args, format) }),
	}
	a.Choice(c.Flags(), &format, "format", "text", "text, or json: an object a line for every run", "text", "json")
	return c
}

// validate brings the runs up to date and reports their violations. A violated condition is exit code 3.
// The views follow the tables before anything is printed, so that a query finds what the report shows.
func (a *app) validate(ctx context.Context, l *lake.Lake, selectors []string, format string) error {
	names, err := runs.Select(l, selectors)
	if err != nil {
		return err
	}
	outcomes, err := a.bringUpToDate(ctx, l, names, keepStoredOptions()) // with the options of their last analysis
	if err != nil {
		return err
	}
	if err := follow(ctx, l, isNew(outcomes)); err != nil { // before anything is printed
		return err
	}
	return a.reportConditions(l, names, format)
}

// reportConditions writes which conditions the runs hold. The runs must be up to date.
func (a *app) reportConditions(l *lake.Lake, names []string, format string) error {
	described, err := runs.Described(l, names)
	if err != nil {
		return err
	}
	violated := false // of any run
	for i, name := range names {
		// A run that holds all conditions has the table, too, without rows.
		violations, err := lake.Read[schema.Violation](l, "violations", lake.Run(name))
		if err != nil {
			return err
		}
		report := checks.NewConditions(name, described[name].StartNs, violations)
		if format == "text" && i > 0 { // an empty line between two runs
			fmt.Fprintln(a.stdout)
		}
		if err := inFormat(format, report.WriteText, report.WriteJSON)(a.stdout); err != nil {
			return err
		}
		violated = violated || !report.Holds
	}
	if violated { // exit code 3
		return console.Exit(console.Changed)
	}
	return nil
}
