package main

import (
	"context"
	"io"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/named"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	flamereport "github.com/tracelake/tracelake/stages/report/flame"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
)

// flameFlags ask for the paths as a flame graph.
type flameFlags struct {
	file    string  // empty for none
	slowest float64 // percent of the occurrences, those that took longest
	against string  // a run with whose paths these are compared; empty for none
}

// check refuses what makes no sense.
func (f *flameFlags) check() error {
	switch {
	case f.file == "" && (f.slowest != 100 || f.against != ""):
		return console.Usagef("--slowest and --against are of a flame graph: name its file with --flame")
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
		other := &named.Events{Job: &criticalpaths.Job{Engine: q.Job.Engine, Run: f.against}}
		to, err := other.Executions(ctx, "--to", q.flags.to)
		if err != nil {
			return err
		}
		if p.Base, err = other.Job.Flame(ctx, to, f.slowest/100); err != nil {
			return err
		}
	}
	done()
	return q.app.writeOutput(f.file, func(out io.Writer) error { return p.Write(out, f.file) })
}
