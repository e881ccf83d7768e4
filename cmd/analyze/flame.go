package main

import (
	"context"
	"io"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/named"
	"github.com/tracelake/tracelake/cmd/internal/sides"
	flamereport "github.com/tracelake/tracelake/stages/report/flame"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
)

// flameFlags ask for the paths as a flame graph.
type flameFlags struct {
	file       string  // empty for none
	slowest    float64 // percent of the occurrences, those that took longest
	against    string  // a run with whose paths these are compared; empty for none
	comparison string  // the runs of a comparison instead of one run, with its verdicts; empty for none
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
	l, err := a.open()
	if err != nil {
		return err
	}
	q := &sides.Question{
		Engine: a.engine(l), Comparison: f.flame.comparison, To: f.to, LateNs: f.deadline.Nanoseconds(), Top: f.top, JSON: f.format == "json",
		File: f.flame.file, Slowest: f.flame.slowest / 100,
	}
	meter, stop := a.Progress(a.stderr, "critical paths", false)
	q.Progress = meter
	write, err := q.Ask(ctx)
	stop()
	if err != nil {
		return err
	}
	if f.flame.file == "" {
		return write(a.stdout)
	}
	return a.writeOutput(f.flame.file, write)
}
