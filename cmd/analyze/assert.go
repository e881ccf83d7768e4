package main

import (
	"bufio"
	"context"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/reconcile"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
	"github.com/tracelake/tracelake/stages/report/checks"
)

// assertFlags are the flags of analyze assert.
type assertFlags struct {
	spec     specFlags
	together bool   // events of one time are one step
	unbound  string // error or allow
	format   string // text or json
}

// assertCommand checks a run, or a recording of TimeSquare, against clock constraints.
func (a *app) assertCommand() *cobra.Command {
	var f assertFlags
	c := &cobra.Command{
		Use: "assert RUN|FILE.vcd --spec FILE", Short: "Check a run against a specification of clock constraints",
		Long: `Checks a run against a specification of clock constraints: every constraint is an assertion, and of one that is
violated the first event against it is named, with the reason. The clocks are events of the run as in analyze
reconcile, in bindings without the unit: --bind CLOCK=COMPONENT.FUNCTION>. A clock that never ticks is an error, because its name
is nearly always wrong; --unbound allow is for what may not happen.

Every event is a step of its own, unless --together makes one step of events of one time. A recorded run of TimeSquare,
FILE.vcd, is checked step by step; its clocks have the names of the specification.

Exit code: 0 all constraints hold, 1 failed, 2 wrong usage, 3 a constraint is violated.`,
		Example: `  analyze assert rig --spec robot.extendedCCSL
  analyze assert --spec loop.lc --zero-delay none recorded.vcd`,
		Args: exactly(1, "name a run, or a .vcd file"),
		RunE: func(c *cobra.Command, args []string) error { return a.assert(c.Context(), args[0], f) },
	}
	p := c.Flags()
	f.spec.add(p)
	a.Choice(p, &f.unbound, "unbound", "error", "what a clock is that never ticks in the run: error, or allow, which leaves constraints unchecked where it is not bound", "error", "allow")
	p.BoolVar(&f.together, "together", false, "events of one time are one step")
	a.Choice(p, &f.format, "format", "text", "text, or json: an object a line for every constraint", "text", "json")
	return c
}

// assert reads the specification before the lake, so that its errors come first and fast.
func (a *app) assert(ctx context.Context, run string, f assertFlags) error {
	if f.spec.file == "" {
		return console.Usagef("name a specification: --spec FILE")
	}
	spec, err := f.spec.read()
	if err != nil {
		return err
	}
	var all []checks.Assertion       // in the order of the specification
	var startNs int64                // of the run in ns; 0 for a recording
	if filepath.Ext(run) == ".vcd" { // a recording of TimeSquare is no run of the lake
		all, err = assertRecorded(run, spec)
	} else {
		all, startNs, err = a.assertRun(ctx, run, spec, &f)
	}
	if err != nil {
		return err
	}
	if f.format == "json" {
		err = checks.WriteAssertionsJSON(a.stdout, all)
	} else {
		err = checks.WriteAssertions(a.stdout, all, startNs)
	}
	if err == nil && checks.AnyViolated(all) { // exit code 3
		return console.Exit(console.Changed)
	}
	return err
}

// outcomes are the outcomes of a check as a report names them.
var outcomes = map[ccsl.Outcome]string{ccsl.Holds: checks.Holds, ccsl.Violated: checks.Violated, ccsl.Unchecked: checks.Unchecked}

// assertRun checks a run of the lake. It also returns the start of the run in nanoseconds.
func (a *app) assertRun(ctx context.Context, run string, spec *ccsl.Spec, f *assertFlags) ([]checks.Assertion, int64, error) {
	bindings, err := f.spec.bindings()
	if err != nil {
		return nil, 0, err
	}
	l, err := a.open()
	if err != nil {
		return nil, 0, err
	}
	described, err := runs.Named(l, run)
	if err != nil {
		return nil, 0, err
	}
	found, err := reconcile.Assert(ctx, reconcile.Check{Lake: l, Run: run, Spec: spec, Bindings: bindings, Together: f.together, Silent: f.unbound == "allow"})
	var all []checks.Assertion
	for _, v := range found {
		one := checks.Assertion{Name: v.Name, Word: v.Word, At: v.At, Outcome: outcomes[v.Outcome], Reason: v.Reason}
		if v.Seq != schema.NoValue { // the first event that violates it
			one.Seq, one.TimeNs = &v.Seq, &v.TimeNs
		}
		all = append(all, one)
	}
	return all, described.StartNs, err // results and error together: the caller looks at the error first
}

// assertRecorded checks a run that TimeSquare recorded, step by step; its steps have no times.
func assertRecorded(path string, spec *ccsl.Spec) ([]checks.Assertion, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	recorded, err := ccsl.OpenVCD(bufio.NewReader(file), path)
	if err != nil {
		return nil, err
	}
	result, err := ccsl.Check(spec, recorded.Run())
	if err != nil {
		return nil, err
	}
	var all []checks.Assertion
	for i, v := range result.Verdicts {
		k := &spec.Constraints[i] // verdicts stand in the order of the constraints
		one := checks.Assertion{Name: k.Name, Word: k.Word, At: k.At.String(), Outcome: outcomes[v.Outcome], Reason: v.Reason}
		if v.Outcome == ccsl.Violated {
			one.Step = &v.Step // from 0
		}
		all = append(all, one)
	}
	return all, nil
}
