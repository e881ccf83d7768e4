package check

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/requirements"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/report/checks"
	criticalpathreport "github.com/tracelake/tracelake/stages/report/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/deadlines"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// explainCheck says why a check came out as it did on a run, and where an answer came too late, what it waited for.
func (f *command) explainCheck(ctx context.Context, s *spec.Spec, selectors []string) error {
	name, number, err := requirements.CheckNumber(f.explain)
	if err != nil {
		return console.Usagef("--explain %w", err)
	}
	at := slices.IndexFunc(s.Checks, func(c spec.Check) bool { return c.Name == name })
	if at < 0 {
		var names []string
		for i := range s.Checks {
			names = append(names, s.Checks[i].Name)
		}
		do := "--list says which there are"
		if near := schema.Similar(name, names); len(near) > 0 {
			do = "did you mean " + near[0] + "?"
		}
		return console.Usagef("--explain %s: %s has no such check; %s", f.explain, f.spec, do)
	}
	if f.format != "text" && f.format != "json" {
		return console.Usagef("--explain writes text or json, not %s", f.format)
	}
	l, selected, err := f.selected(selectors)
	if err != nil {
		return err
	}
	if len(selected) != 1 {
		return console.Usagef("--explain looks at one run, and these are %d: name one of them", len(selected))
	}
	described, err := runs.Described(l, selected)
	if err != nil {
		return err
	}
	meter, stop := f.Progress(f.stderr, "check", false)
	done := sync.OnceFunc(stop)
	defer done()
	engine := &pipeline.Engine{Lake: l, Jobs: f.Jobs, Memory: f.TaskMemory(), Progress: meter}
	x, err := f.job(engine, selected[0], s).Explain(ctx, &s.Checks[at], number)
	if err != nil {
		return err
	}
	report := &checks.Explanation{Spec: s, Semantics: requirements.Semantics(f.semantics), Run: selected[0], StartNs: described[selected[0]].StartNs, Explained: x}
	if f.format == "json" {
		done()
		return report.WriteJSON(f.stdout)
	}
	late := checks.Response(x.Root)
	if late == nil {
		done()
		return report.WriteText(f.stdout)
	}
	why, err := f.explainLate(ctx, l, engine, report, late)
	done()
	if err != nil {
		return err
	}
	if err := report.WriteText(f.stdout); err != nil {
		return err
	}
	fmt.Fprintln(f.stdout)
	return why()
}

// explainLate finds what a late answer waited for. Where trigger and answer are the two ends of one execution, occurrences of it that
// were in time tell what is usual, and the answer is the fewest unusual steps; else it is the critical path between both. A run
// without a chart gets a hint.
func (f *command) explainLate(ctx context.Context, l *lake.Lake, engine *pipeline.Engine, x *checks.Explanation, late *requirements.Part) (func() error, error) {
	if _, err := runs.Analyzed(l, x.Run); err != nil {
		return func() error {
			_, err := fmt.Fprintf(f.stdout, "What it waited for is known of runs that are analyzed: analyze run %s\n", x.Run)
			return err
		}, nil
	}
	j := &criticalpaths.Job{Engine: engine, Run: x.Run}
	o := findings.Occurrence{Number: 1, From: late.At.Seq, To: late.Deciding.Seq, FromNs: late.At.TimeNs, ToNs: late.Deciding.TimeNs}
	report := &criticalpathreport.Report{Run: x.Run, StartNs: x.StartNs, To: fmt.Sprintf("@%d", o.To), From: fmt.Sprintf("@%d", o.From), Top: explainedRows}
	execution, err := j.At(ctx, o.From)
	if err != nil {
		return nil, err
	}
	if execution.From == o.From && execution.To == o.To {
		report.To, report.From, report.DeadlineNs = late.At.Component+"."+late.At.Function, "", late.Formula.Within.ToNs
		all, err := j.Occurrences(ctx, report.To)
		if err != nil {
			return nil, err
		}
		if this := slices.IndexFunc(all, func(a findings.Occurrence) bool { return a.From == o.From }); this >= 0 {
			report.Picked = &all[this]
			report.To = fmt.Sprintf("%s#%d", report.To, all[this].Number)
			in := slices.DeleteFunc(slices.Clone(all), func(a findings.Occurrence) bool { return a.SpanNs() > report.DeadlineNs && a.From != o.From })
			if len(in) > 1 { // some were in time
				report.Occurrences = in
				v, err := j.Explain(ctx, in, deadlines.Defaults(report.DeadlineNs))
				return func() error { return report.WriteMissed(f.stdout, v) }, err
			}
		}
	}
	report.Occurrences, report.DeadlineNs = []findings.Occurrence{o}, 0
	p, err := j.Trace(ctx, o, criticalpaths.Ask{Through: true})
	return func() error { return report.WritePath(f.stdout, p) }, err
}

// explainedRows is how many rows the critical path of a late answer has in the text.
const explainedRows = 10
