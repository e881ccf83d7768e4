package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/reconcile"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// reconcileFlags are those of analyze reconcile.
type reconcileFlags struct {
	spec        specFlags
	messages    bool
	reference   string
	offsetsOnly bool
	labels      []string
	format      string
}

func (a *app) reconcileCommand() *cobra.Command {
	var f reconcileFlags
	c := &cobra.Command{
		Use: "reconcile NAME UNIT=RUN UNIT=RUN...", Short: "Make one run of the runs of units without a common clock",
		Long: `Makes one run, NAME, of the runs of units whose clocks differ, after Garcés, Deantoni and Mallet 2011: from what must
have happened before what, it finds one order of all events, the offset and drift of the units' clocks, and times that
agree with the order.

What orders the units are the messages that one sends and another receives, and a specification of clock constraints,
--spec, whose clocks are events of the units: a clock ticks where the function of its name is entered, unless --bind
says what it is. Where two units have such a function, the block around the clock names the unit.

The clock of the run is that of the first unit, or of --reference. Another unit's clock is set by an offset and a constant
drift in the middle of what the messages between them allow. What then still contradicts the order is moved by the least
possible amounts; --offsets-only leaves it. Tables: occurrences has the relations between occurrences of clocks, and
clock_bounds how far offset and drift are certain.

Exit code: 0 fine, 1 failed, as where causes and effects go round in a circle, 2 wrong usage.`,
		Example: `  analyze reconcile rig robot=robot-7 base=base-7
  analyze reconcile rig robot=robot-7 base=base-7 --spec robot.extendedCCSL --messages=false
  analyze run rig && analyze critical-path rig --to base.control`,
		Args: atLeast(3, "name the run to make, and at least two units as UNIT=RUN"),
		RunE: func(c *cobra.Command, args []string) error { return a.reconcile(c.Context(), args[0], args[1:], f) },
	}
	p := c.Flags()
	f.spec.add(p)
	p.BoolVar(&f.messages, "messages", true, "a message that one unit sends is received later by another")
	p.StringVar(&f.reference, "reference", "", "the unit whose clock the run has; the first when not given")
	p.BoolVar(&f.offsetsOnly, "offsets-only", false, "set clocks by offset and drift, and leave what still contradicts the order")
	p.StringArrayVar(&f.labels, "label", nil, "a label of the run as key=value; may be given often")
	p.StringVar(&f.format, "format", "text", "text or json")
	return c
}

func (a *app) reconcile(ctx context.Context, name string, units []string, f reconcileFlags) error {
	job, err := f.job(name, units)
	if err != nil {
		return err
	}
	l, release, err := a.openToWrite()
	if err != nil {
		return err
	}
	defer release()
	var done func()
	job.Lake, job.Jobs = l, a.Jobs
	if fresh, err := reconcile.Fresh(job); err != nil {
		return err
	} else if fresh {
		a.Logger(a.stderr).Info(fmt.Sprintf("run %s: nothing to do, the lake has it; its clocks are in analyze query \"FROM clock_bounds WHERE run = '%s'\"", name, name))
		return nil
	}
	job.Progress, done = a.Progress(a.stderr, name, false)
	out, err := reconcile.Run(ctx, job)
	done()
	if err != nil {
		return err
	}
	if err := pipeline.WriteLosses(ctx, l, lake.Run(name)); err != nil {
		return err
	}
	if err := a.writeDatabase(ctx, l); err != nil {
		return err
	}
	if f.format == "json" {
		return writeReconciledJSON(a.stdout, name, out)
	}
	return writeReconciled(a.stdout, name, out)
}

// job is what the flags ask for.
func (f *reconcileFlags) job(name string, units []string) (j reconcile.Job, err error) {
	if f.format != "text" && f.format != "json" {
		return j, console.Usagef("--format %q: text or json", f.format)
	}
	j = reconcile.Job{Run: name, Messages: f.messages, Reference: f.reference, Correct: !f.offsetsOnly, Labels: make(map[string]string)}
	for _, pair := range units {
		unit, run, ok := strings.Cut(pair, "=")
		if !ok || unit == "" || run == "" {
			return j, console.Usagef("%q: name a unit and its run as UNIT=RUN", pair)
		}
		j.Units = append(j.Units, reconcile.Unit{Name: unit, Run: run})
	}
	for _, pair := range f.labels {
		key, value, ok := strings.Cut(pair, "=")
		if !ok || key == "" {
			return j, console.Usagef("--label %q: write key=value", pair)
		}
		j.Labels[key] = value
	}
	if f.spec.file != "" {
		if j.Spec, err = f.spec.read(); err != nil {
			return j, err
		}
	}
	j.Bindings, err = f.spec.bindings()
	return j, err
}

// writeReconciled tells people what came of a reconciliation.
func writeReconciled(w io.Writer, name string, out *reconcile.Outcome) error {
	fmt.Fprintf(w, "run %s: %s events of %d units in one order\n\n", name, texttab.Count(out.Run.Events), len(strings.Fields(out.Run.Source)))
	if err := boundsGrid(out.Bounds).Write(w); err != nil {
		return err
	}
	for _, unit := range out.Alone {
		fmt.Fprintf(w, "%s: nothing connects it with the reference; it keeps its own time\n", unit)
	}
	fmt.Fprintln(w)
	for _, c := range out.Constraints {
		fmt.Fprintf(w, "%s: %s relations", constraintName(c.Name, c.Word, c.At), texttab.Count(c.Relations))
		if c.Missing > 0 {
			fmt.Fprintf(w, "; %s occurrences without a cause in any trace, first %s", texttab.Count(c.Missing), c.First)
		}
		fmt.Fprintln(w)
	}
	for _, u := range out.Unresolved {
		fmt.Fprintf(w, "unresolved: %s: %s\n", constraintName(u.Name, u.Word, u.At), u.Why)
	}
	if out.Ambiguous > 0 {
		fmt.Fprintf(w, "%s message identifiers are used by more than two units and order nothing\n", texttab.Count(out.Ambiguous))
	}
	return nil
}

// constraintName is a constraint with what it says and where it stands.
func constraintName(name, word, at string) string {
	if at == "" {
		return name
	}
	return fmt.Sprintf("%s [%s] at %s", name, word, at)
}

// boundsGrid is the table of clocks.
func boundsGrid(bounds []schema.ClockBound) *texttab.Table {
	g := texttab.New("llrrrrrrrr")
	g.Row("unit", "to", "forth", "back", "offset", "possible", "drift ppm", "possible", "moved", "farthest")
	for _, b := range bounds {
		if b.Unit == b.Reference {
			continue // the clock of the run
		}
		offsets, drifts := allowed(b.OffsetLeastNs, b.OffsetMostNs, nanoseconds), allowed(b.DriftLeastPpm, b.DriftMostPpm, ppm)
		if !b.Possible {
			offsets, drifts = "no even clock", "no even clock"
		}
		g.Row(b.Unit, b.Reference, texttab.Count(b.Forth), texttab.Count(b.Back), nanoseconds(b.OffsetNs), offsets, ppm(b.DriftPpm), drifts,
			texttab.Count(b.Moved), texttab.Duration(b.FarthestNs))
	}
	return g
}

func nanoseconds(ns int64) string { return texttab.Count(ns) + " ns" }

func ppm(x float64) string {
	if math.Abs(x) >= 1000 {
		return texttab.Count(int64(x))
	}
	return fmt.Sprintf("%.4g", x)
}

// allowed writes bounds, either of which may be lacking.
func allowed[T any](least, most *T, write func(T) string) string {
	switch {
	case least == nil && most == nil:
		return "any"
	case least == nil:
		return "up to " + write(*most)
	case most == nil:
		return "from " + write(*least)
	}
	return write(*least) + " to " + write(*most)
}

// reconciledJSON is the outcome for machines.
type reconciledJSON struct {
	Run         string              `json:"run"`
	Events      int64               `json:"events"`
	Bounds      []schema.ClockBound `json:"clock_bounds"`
	Alone       []string            `json:"alone"`
	Constraints []orderingJSON      `json:"constraints"`
	Unresolved  []unresolvedJSON    `json:"unresolved"`
	Ambiguous   int64               `json:"ambiguous_identifiers"`
}

type orderingJSON struct {
	Name      string `json:"name"`
	Word      string `json:"word,omitempty"`
	At        string `json:"at,omitempty"`
	Relations int64  `json:"relations"`
	Missing   int64  `json:"missing"`
}

type unresolvedJSON struct {
	Name string `json:"name"`
	Word string `json:"word"`
	At   string `json:"at"`
	Why  string `json:"why"`
}

func writeReconciledJSON(w io.Writer, name string, out *reconcile.Outcome) error {
	r := reconciledJSON{
		Run: name, Events: out.Run.Events, Bounds: out.Bounds, Alone: out.Alone, Ambiguous: out.Ambiguous,
		Constraints: []orderingJSON{}, Unresolved: []unresolvedJSON{},
	}
	for _, c := range out.Constraints {
		r.Constraints = append(r.Constraints, orderingJSON{c.Name, c.Word, c.At, c.Relations, c.Missing})
	}
	for _, u := range out.Unresolved {
		r.Unresolved = append(r.Unresolved, unresolvedJSON{u.Name, u.Word, u.At, u.Why})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
