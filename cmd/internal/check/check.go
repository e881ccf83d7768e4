// Package check is the command analyze check, which holds runs against a specification of requirements.
package check

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/views"
	"github.com/tracelake/tracelake/pipeline"
	requirementsjob "github.com/tracelake/tracelake/pipeline/checks"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/requirements"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/report/checks"
)

// command is analyze check with its flags.
type command struct {
	*console.Globals
	stdout *console.Plain
	stderr io.Writer

	spec, semantics, untraced, failOn, format string
	explain                                   string   // CHECK or CHECK#K; "": hold runs against all checks
	over                                      string   // the label whose values are releases; "": runs are not compared
	reports                                   []string // FORMAT=FILE
	filter                                    []string // attributes of the states that count
	view                                      []spec.Filter
	releases                                  []string // the values of over, in their order
	release                                   []int    // of each run, as a position in releases
	states                                    string   // events or all
	list, strict                              bool
	intervals                                 bool   // also store where definitions hold
	store                                     string // yes or no
	text                                      string // of the specification
	top                                       int
}

// Command returns the command, which writes to these streams.
func Command(g *console.Globals, stdout *console.Plain, stderr io.Writer) *cobra.Command {
	f := &command{Globals: g, stdout: stdout, stderr: stderr}
	c := &cobra.Command{
		Use: "check RUN|KEY=VALUE... --spec FILE", Short: "Hold runs against requirements in temporal logic",
		Long: checks.RequirementsHelp,
		Example: `  analyze check nightly --spec requirements.etl --report junit=checks.xml
  analyze check --spec requirements.etl --list
  analyze check release=8.14 --spec requirements.etl --fail-on 'bad,still_false,vacuous,margin<5%'
  analyze check nightly --spec requirements.etl --explain in_time#2
  analyze check product=curl --spec requirements.etl --over release --fail-on bad,regressed`,
		RunE: func(c *cobra.Command, args []string) error { return f.check(c.Context(), args) },
	}
	p := c.Flags()
	p.StringVar(&f.spec, "spec", "", "the specification")
	p.BoolVar(&f.list, "list", false, "say every check as a sentence, and check nothing")
	f.Choice(p, &f.semantics, "semantics", string(requirements.Four), "what the end of a run means: four, three or finite", "four", "three", "finite")
	f.Choice(p, &f.untraced, "untraced-states", "yes", "whether events that the ingest invented are states: yes or no", "yes", "no")
	f.Choice(p, &f.states, "states", "events", "where checks of signals and states look: events, or all for every instant at which a signal breaks or crosses, too", "events", "all")
	p.BoolVar(&f.strict, "strict", false, "an attribute that no state has is an error")
	p.StringVar(&f.failOn, "fail-on", checks.DefaultGate, "exit with code 3 at any of bad, still_false, vacuous, margin<5%, margin<10ms")
	f.Choice(p, &f.format, "format", "text", "text, json, markdown or junit", checks.Formats...)
	p.StringArrayVar(&f.reports, "report", nil, "also write FORMAT=FILE with one of these formats; several may be given")
	p.StringVar(&f.explain, "explain", "", "say why CHECK failed, or with CHECK#K why it did at its K-th failing state")
	p.StringVar(&f.over, "over", "", "compare the values of this label in their order: checks by releases, and whether answers come later")
	p.StringArrayVar(&f.filter, "filter", nil, "take only states with these attributes for the run, as name=A,type=x; given again, also those with others")
	f.Choice(p, &f.store, "store", "yes", "keep what comes out in the tables checks and check_failures of each run: yes or no", "yes", "no")
	p.BoolVar(&f.intervals, "intervals", false, "also keep where each check and definition holds over time, in the table check_intervals")
	p.IntVar(&f.top, "top", 3, "how many failing states of a check to print, and of each value in JSON")
	return c
}

// check reads the specification before the lake, so that its errors come first and fast.
func (f *command) check(ctx context.Context, selectors []string) error {
	if f.spec == "" {
		return console.Usagef("name a specification: --spec FILE")
	}
	if f.top < 0 {
		return console.Usagef("--top %d: not negative", f.top)
	}
	text, err := os.ReadFile(f.spec)
	if err != nil {
		return err
	}
	f.text = string(text)
	s, err := spec.Parse(f.spec, f.text)
	if err != nil {
		return &console.UsageError{Err: err}
	}
	filter, err := runs.ParseFilter(f.filter)
	if err != nil {
		return console.Usagef("--filter %w", err)
	}
	for _, all := range filter {
		var one spec.Filter
		for _, c := range all {
			one.Pairs = append(one.Pairs, spec.Pair{Name: c.Name, Value: c.Value})
		}
		f.view = append(f.view, one)
	}
	if f.intervals && f.store == "no" {
		return console.Usagef("--intervals keeps a table, which --store no forbids: leave one of them out")
	}
	report := &checks.Requirements{Spec: s, Semantics: requirements.Semantics(f.semantics), Top: f.top}
	if report.Gate, err = checks.ParseGate(f.failOn); err != nil {
		return console.Usagef("--fail-on: %w", err)
	}
	for _, r := range f.reports {
		if format, name, _ := strings.Cut(r, "="); name == "" || !slices.Contains(checks.Formats, format) {
			return console.Usagef("--report %q: give FORMAT=FILE with one of the formats %s", r, strings.Join(checks.Formats, ", "))
		}
	}
	if len(s.Checks) == 0 { // else a gate would pass without a word
		return console.Usagef("%s has no check: write one, as in check short : globally if start {'function'='f'} then within 10 ms end {'function'='f'}", f.spec)
	}
	if f.list {
		return checks.WriteList(f.stdout, s)
	}
	if f.explain != "" {
		return f.explainCheck(ctx, s, selectors)
	}
	if report.Gate.Regressed && f.over == "" {
		return console.Usagef("--fail-on regressed: name with --over the label whose values are releases")
	}
	if report.Runs, err = f.checkRuns(ctx, s, selectors); err != nil {
		return err
	}
	if f.over != "" {
		return f.reportOver(report)
	}
	return f.report(report, report.Writer)
}

// checkRuns holds each of the runs against the specification.
func (f *command) checkRuns(ctx context.Context, s *spec.Spec, selectors []string) (all []checks.RunOutcomes, err error) {
	l, names, err := f.selected(selectors)
	if err != nil {
		return nil, err
	}
	described, err := runs.Described(l, names)
	if err != nil {
		return nil, err
	}
	if f.over != "" {
		if err := f.order(names, described); err != nil {
			return nil, err
		}
	}
	meter, done := f.Progress(f.stderr, "check", false)
	defer done()
	warned := make(map[string]bool)
	var unstored error
	stored := false
	for _, name := range names {
		j := f.job(&pipeline.Engine{Lake: l, Jobs: f.Jobs, Memory: f.TaskMemory(), Progress: meter}, name, s)
		outcomes, err := f.outcomes(ctx, j, &unstored)
		if failed := f.unknown(s, j, warned); failed != nil {
			return nil, failed
		}
		if err != nil {
			return nil, err
		}
		all = append(all, checks.RunOutcomes{Run: name, StartNs: described[name].StartNs, Outcomes: outcomes})
		stored = stored || j.Stored
	}
	if unstored != nil {
		f.Logger(f.stderr).Warn("the lake cannot be written, so that its table checks does not have these results: " + unstored.Error())
	}
	if !stored {
		return all, nil
	}
	return all, views.Follow(ctx, l)
}

// outcomes are those of a run, which are kept in the lake where it can be written. A gate must say what it found in any case, so that a
// lake that others may only read is no error; unstored tells.
func (f *command) outcomes(ctx context.Context, j *requirementsjob.Job, unstored *error) ([]requirements.Outcome, error) {
	if f.store == "no" { // what was kept before answers, as for every command with this flag
		if outcomes, err := j.Known(ctx); outcomes != nil || err != nil {
			return outcomes, err
		}
		return j.Check(ctx)
	}
	outcomes, stored, err := j.Results(ctx)
	if errors.Is(stored, fs.ErrPermission) || errors.Is(stored, syscall.EROFS) {
		*unstored, stored = stored, nil
	}
	if err == nil {
		err = stored
	}
	return outcomes, err
}

// unknown warns once of each attribute that no state of a run has; with --strict it is an error.
func (f *command) unknown(s *spec.Spec, j *requirementsjob.Job, warned map[string]bool) error {
	for _, u := range j.Unknown {
		sentence := "run " + j.Run + ": " + requirements.UnknownSentence(s, u, j.Own)
		if f.strict {
			return console.Usagef("%s", sentence)
		}
		if !warned[u.Name] {
			f.Logger(f.stderr).Warn(sentence)
		}
		warned[u.Name] = true
	}
	return nil
}

// selected opens the lake and names the runs that are meant.
func (f *command) selected(selectors []string) (*lake.Lake, []string, error) {
	if len(selectors) == 0 {
		return nil, nil, console.Usagef("name a run, or key=value for all runs with that label; see --help")
	}
	l, err := stores.Open(f.Lake, false)
	if err != nil {
		return nil, nil, err
	}
	names, err := runs.Select(l, selectors)
	return l, names, err
}

// job is the job of a run.
func (f *command) job(engine *pipeline.Engine, run string, s *spec.Spec) *requirementsjob.Job {
	return &requirementsjob.Job{
		Engine: engine, Run: run, Spec: s, Semantics: requirements.Semantics(f.semantics), Keep: mtl.Keep{Failing: f.top, Delays: f.over != ""}, Untraced: f.untraced == "yes",
		View: f.view, Between: f.states == "all", Text: f.text, Intervals: f.intervals,
	}
}

// report writes the reports, and ends with the exit code that they ask for.
func (f *command) report(report *checks.Requirements, writer func(format string) func(io.Writer) error) error {
	for _, r := range f.reports {
		format, name, _ := strings.Cut(r, "=")
		if err := console.WriteFile(name, f.stdout.Raw(), writer(format)); err != nil {
			return err
		}
	}
	if err := writer(f.format)(f.stdout); err != nil {
		return err
	}
	switch {
	case report.Broken():
		return console.Exit(console.Changed)
	case report.Undefined():
		return console.Exit(console.Failed)
	}
	return nil
}
