package main

import (
	"context"
	"io"
	"sync"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/named"
	"github.com/tracelake/tracelake/cmd/internal/sides"
	flamereport "github.com/tracelake/tracelake/stages/report/flame"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
)

// flameFlags ask for the paths as a flame graph.
type flameFlags struct {
	file    string  // empty for none
	slowest float64 // percent of the occurrences, those that took longest
	against string  // a run with whose paths these are compared; empty for none

	comparison string // the runs of a comparison instead of one run, with its verdicts; empty for none
}

// check refuses what makes no sense.
func (f *flameFlags) check() error {
	switch {
	case f.file == "" && (f.slowest != 100 || f.against != ""):
		return console.Usagef("--slowest and --against are of a flame graph: name its file with --flame")
	case f.against != "" && f.comparison != "":
		return console.Usagef("--comparison names what is compared: leave --against out")
	case !(f.slowest > 0 && f.slowest <= 100):
		return console.Usagef("--slowest %v: a number of percent above 0, and 100 at most", f.slowest)
	case f.file != "" && flamereport.Check(f.file) != nil:
		return console.Usagef("--flame %w", flamereport.Check(f.file))
	}
	return nil
}

// writeFlame writes the paths towards the occurrences as a flame graph.
func (q *pathQuery) writeFlame(ctx context.Context, done func()) error {
	f := &q.flags.flame
	if len(q.occurrences) > 0 && q.occurrences[0].From == criticalpath.Start {
		return console.Usagef("a flame graph is of executions: name one with --to, and no --from trace")
	}
	p, err := &flamereport.Picture{Title: "critical paths towards " + q.flags.to + " in run " + q.Job.Run}, error(nil)
	if p.Graph, err = q.Job.Flame(ctx, q.occurrences, f.slowest/100); err != nil {
		return err
	}
	if f.against != "" {
		if p.Base, err = named.Flame(ctx, q.Job.Engine, f.against, q.flags.to, f.slowest/100, f.against); err != nil {
			return err
		}
	}
	done()
	return q.app.writeOutput(f.file, func(out io.Writer) error { return p.Write(out, f.file) })
}

// comparePaths goes through the paths of all runs of a comparison: as a flame graph, or for how often functions are critical.
func (a *app) comparePaths(ctx context.Context, f pathFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.metric || f.from != "" {
		return console.Usagef("--comparison goes through executions of several runs: name them with --to alone")
	}
	l, err := a.open()
	if err != nil {
		return err
	}
	q := &sides.Question{Engine: a.engine(l), Comparison: f.flame.comparison, To: f.to}
	meter, stop := a.Progress(a.stderr, "critical paths", false)
	done := sync.OnceFunc(stop)
	defer done()
	q.Progress = meter
	if f.flame.file == "" {
		report, functions, err := q.Criticality(ctx, f.deadline.Nanoseconds())
		if err != nil {
			return err
		}
		done()
		report.Top = f.top
		return inFormat(f.format, report.WriteText, report.WriteJSON)(a.stdout, functions)
	}
	p, err := q.Flame(ctx, f.flame.slowest/100)
	if err != nil {
		return err
	}
	done()
	return a.writeOutput(f.flame.file, func(out io.Writer) error { return p.Write(out, f.flame.file) })
}
