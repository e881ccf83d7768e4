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

// writeFlame writes the paths towards the occurrences as a flame graph.
func (q *pathQuery) writeFlame(ctx context.Context, done func()) error {
	f := &q.flags.flame
	if len(q.occurrences) > 0 && q.occurrences[0].From == criticalpath.Start { // --from trace has no root frame
		return console.Usagef("a flame graph is of executions: name one with --to, and no --from trace")
	}
	p, err := &flamereport.Picture{Title: "critical paths towards " + q.flags.to + " in run " + q.Job.Run}, error(nil)
	if p.Graph, err = q.Job.Flame(ctx, q.occurrences, f.Slowest/100); err != nil { // the slowest share of the occurrences
		return err
	}
	if f.Against != "" {
		if p.Base, err = named.Flame(ctx, q.Job.Engine, f.Against, q.flags.to, f.Slowest/100, f.Against); err != nil { // the same question in another run
			return err
		}
	}
	done() // ends the progress bar
	return q.app.writeOutput(f.File, func(out io.Writer) error { return p.Write(out, f.File) })
}

// comparePaths goes through the paths of all runs of a comparison: as a flame graph, or for how often functions are critical.
func (a *app) comparePaths(ctx context.Context, f pathFlags) error {
	l, err := a.open()
	if err != nil {
		return err
	}
	q := &sides.Question{
		Engine: a.engine(l), Comparison: f.flame.Comparison, To: f.to, LateNs: f.deadline.Nanoseconds(), Top: f.top, JSON: f.format == "json",
		File: f.flame.File, Slowest: f.flame.Slowest / 100,
	}
	meter, stop := a.Progress(a.stderr, "critical paths", false)
	q.Progress = meter
	write, err := q.Ask(ctx) // all runs are read before anything is written
	stop()
	if err != nil {
		return err
	}
	if f.flame.File == "" { // a table or JSON
		return write(a.stdout)
	}
	return a.writeOutput(f.flame.File, write) // a picture
}
