package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

func (a *app) validateCommand() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use: "validate RUN|KEY=VALUE...", Short: "Check runs against the six conditions of a TMSC",
		Long: `Says whether a run is a timed message sequence chart: whether its events and timing constraints hold the
six conditions of Jonk et al. 2019, Definition 3. Names a run or, as key=value, all runs with that label.
Runs that are not analyzed yet are analyzed first. In text, times are counted from the start of the run.

The table violations tells the functions in question and how often each of them broke a condition;
analyze describe violations explains it.

Exit code: 0 all conditions hold, 1 failed, 2 wrong usage, 3 found violations.`,
		Example: `  analyze validate nightly
  analyze validate --format json release=8.14`,
		Args: atLeast(1, "name a run, or key=value for all runs with that label"),
		RunE: func(c *cobra.Command, args []string) error { return a.validate(c.Context(), args, format) },
	}
	c.Flags().StringVar(&format, "format", "text", "text, or json: an object a line for every run")
	return c
}

func (a *app) validate(ctx context.Context, selectors []string, format string) error {
	if format != "text" && format != "json" {
		return console.Usagef("--format %q: text or json", format)
	}
	l, release, err := a.openToWrite()
	if err != nil {
		return err
	}
	defer release()
	names, err := runs.Select(l, selectors)
	if err != nil {
		return err
	}
	if _, err := a.bringUpToDate(ctx, l, names, keepStoredOptions()); err != nil {
		return err
	}
	if err := a.writeDatabase(ctx, l); err != nil {
		return err
	}
	return a.writeVerdicts(l, names, format)
}

// writeVerdicts prints what was found in runs, which must be up to date.
func (a *app) writeVerdicts(l *lake.Lake, names []string, format string) error {
	described, _, err := runs.Described(l)
	if err != nil {
		return err
	}
	violated := false
	for i, name := range names {
		if i > 0 && format == "text" {
			fmt.Fprintln(a.stdout)
		}
		v, err := readVerdict(l, name, described[name])
		if err != nil {
			return err
		}
		if err := v.tell(a.stdout, format); err != nil {
			return err
		}
		violated = violated || !v.Holds
	}
	if violated {
		return console.Exit(console.Changed)
	}
	return nil
}

// validation says which conditions a run violates.
type validation struct {
	Run        string      `json:"run"`
	Holds      bool        `json:"holds"` // all conditions do
	Conditions []condition `json:"conditions"`
	startNs    int64
}

// condition is one of the six with what breaks it.
type condition struct {
	Condition  int      `json:"condition"`
	Meaning    string   `json:"meaning"`
	Violations int64    `json:"violations"`
	Breaches   []breach `json:"breaches"`
}

// breach is one way in which a condition is broken, with the first event that does.
type breach struct {
	Name      string `json:"name"`
	Meaning   string `json:"meaning"`
	Count     int64  `json:"count"`
	FirstSeq  int64  `json:"first_seq"`
	FirstNs   *int64 `json:"first_ns"`
	Component string `json:"component"`
	Lifeline  string `json:"lifeline,omitempty"`
	Function  string `json:"function,omitempty"`
}

// readVerdict reads and sums up the violations of a run.
func readVerdict(l *lake.Lake, name string, run schema.Run) (*validation, error) {
	v := &validation{Run: name, Holds: true, startNs: run.StartNs}
	for i, meaning := range schema.Conditions {
		v.Conditions = append(v.Conditions, condition{Condition: i + 1, Meaning: meaning, Breaches: []breach{}})
	}
	rows, err := lake.Read[schema.Violation](l, "violations", lake.Run(name))
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		v.Holds = false
		v.Conditions[row.Condition-1].add(row)
	}
	for _, c := range v.Conditions {
		slices.SortFunc(c.Breaches, func(x, y breach) int { return strings.Compare(x.Name, y.Name) })
	}
	return v, nil
}

// add counts a row of the table violations.
func (c *condition) add(row schema.Violation) {
	c.Violations += row.Count
	one := breach{row.Name, row.Meaning, row.Count, row.FirstSeq, row.FirstNs, row.Component, row.Lifeline, row.Function}
	i := slices.IndexFunc(c.Breaches, func(b breach) bool { return b.Name == row.Name })
	if i < 0 {
		c.Breaches = append(c.Breaches, one)
		return
	}
	one.Count += c.Breaches[i].Count
	if c.Breaches[i].FirstSeq <= one.FirstSeq {
		c.Breaches[i].Count = one.Count
		return
	}
	c.Breaches[i] = one
}

func (v *validation) tell(out io.Writer, format string) error {
	if format == "json" {
		return json.NewEncoder(out).Encode(v)
	}
	fmt.Fprintf(out, "run %s: %s\n", v.Run, v.sentence())
	g := texttab.New("llr")
	if v.Holds {
		g.Row("condition", "of the chart", "violations")
	} else {
		g.Row("condition", "of the chart", "violations", "named", "first")
	}
	for _, c := range v.Conditions {
		number, meaning, n := fmt.Sprint(c.Condition), c.Meaning, ""
		if len(c.Breaches) == 0 {
			g.Row(number, meaning, "none")
		}
		for _, b := range c.Breaches {
			n = texttab.Count(b.Count)
			g.Row(number, meaning, n, b.Name, v.first(b))
			number, meaning = "", ""
		}
	}
	if err := g.Write(out); err != nil {
		return err
	}
	return v.explain(out)
}

// sentence is the verdict in words.
func (v *validation) sentence() string {
	broken := 0
	for _, c := range v.Conditions {
		if c.Violations > 0 {
			broken++
		}
	}
	if broken == 0 {
		return "all conditions hold"
	}
	return fmt.Sprintf("%d of %d conditions are violated", broken, len(v.Conditions))
}

// first says where a breach happened first.
func (v *validation) first(b breach) string {
	if b.FirstNs == nil {
		return fmt.Sprintf("event %d, on %s", b.FirstSeq, b.Component)
	}
	return fmt.Sprintf("event %d at %s on %s.%s", b.FirstSeq, texttab.Duration(*b.FirstNs-v.startNs), b.Lifeline, b.Function)
}

// explain says what the names of the breaches mean.
func (v *validation) explain(out io.Writer) error {
	if v.Holds {
		return nil
	}
	fmt.Fprintln(out)
	g := texttab.New("")
	for _, c := range v.Conditions {
		for _, b := range c.Breaches {
			g.Row(b.Name, b.Meaning)
		}
	}
	return g.Write(out)
}
