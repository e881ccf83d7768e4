package main

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// runEvents is an analyzed run whose events can be named: COMPONENT.FUNCTION#I is an execution, @SEQ an event.
type runEvents struct {
	job     *criticalpaths.Job // reads the run's executions and constraints
	startNs int64              // of the run
}

// openEvents opens an analyzed run and a progress bar. The caller must call done before it prints; to call it again does
// nothing.
// It takes no lock, since it only reads.
func (a *app) openEvents(run, what string) (r *runEvents, done func(), err error) {
	l, err := a.open()
	if err != nil {
		return nil, nil, err
	}
	if run, err = runs.Analyzed(l, run); err != nil {
		return nil, nil, err
	}
	r = &runEvents{job: &criticalpaths.Job{Engine: a.engine(l), Run: run}}
	if r.startNs, err = r.job.StartNs(); err != nil {
		return nil, nil, err
	}
	meter, stop := a.Progress(a.stderr, what, false)
	r.job.Progress = meter
	return r, sync.OnceFunc(stop), nil
}

// executions returns the executions that a specification names: all of COMPONENT.FUNCTION, or one with #I or @SEQ. The flag is
// named in errors.
// Numbers count from 1 in the order of the starts. A name without an execution is wrong usage, and similar names
// are suggested.
func (r *runEvents) executions(ctx context.Context, flag, spec string) ([]findings.Occurrence, error) {
	if strings.HasPrefix(spec, "@") {
		return r.event(ctx, flag, spec)
	}
	name, number, picked := cutLast(spec, '#') // a name of a function may contain #
	found, err := r.job.Occurrences(ctx, name)
	if errors.Is(err, criticalpaths.ErrNothing) {
		return nil, r.unknown(ctx, flag, name)
	}
	if err != nil || !picked {
		return found, err
	}
	n, err := strconv.Atoi(number)
	switch {
	case err != nil:
		return nil, console.Usagef("%s %s: behind # stands the number of an occurrence, from 1 to %d", flag, spec, len(found))
	case n < 1 || n > len(found):
		return nil, console.Usagef("%s %s: %s has the occurrences #1 to #%d", flag, spec, name, len(found))
	}
	return found[n-1 : n], nil
}

// event is the event @SEQ: of --from the event itself; of --to a finish from the start of its execution, or another
// event from as far back as it leads.
// One number names the whole execution of which it is the first or the last event.
func (r *runEvents) event(ctx context.Context, flag, spec string) ([]findings.Occurrence, error) {
	seq, err := strconv.ParseInt(spec[1:], 10, 64)
	if err != nil {
		return nil, console.Usagef("%s %s: behind @ stands the number of an event, as in the column seq of the table events", flag, spec)
	}
	o, err := r.job.At(ctx, seq)
	if errors.Is(err, criticalpaths.ErrNothing) {
		return nil, console.Usagef("%s %s: run %s has no such event; the column seq of the table events has their numbers", flag, spec, r.job.Run)
	}
	if err != nil {
		return nil, err
	}
	switch {
	// A path from the finish of an execution begins there, and not at its start.
	case flag == "--from" && seq == o.To:
		o.From, o.FromNs = o.To, o.ToNs
	case flag == "--to" && seq == o.From:
		o.To, o.ToNs, o.From, o.FromNs = o.From, o.FromNs, criticalpath.Start, r.startNs
	}
	return []findings.Occurrence{o}, nil
}

// unknown makes an error of a name that no execution has, and suggests similar names.
// It reads the names of all executions once more, which only a mistake costs.
func (r *runEvents) unknown(ctx context.Context, flag, name string) error {
	like, err := r.job.Like(ctx, name)
	switch {
	case err != nil:
		return err
	case len(like) > 0:
		return console.Usagef("%s %s: no such execution in run %s; it has %s", flag, name, r.job.Run, strings.Join(like[:min(len(like), 5)], ", "))
	case !strings.Contains(name, "."):
		return console.Usagef("%s %s: no such execution in run %s; name it COMPONENT.FUNCTION", flag, name, r.job.Run)
	}
	return console.Usagef("%s %s: no such execution in run %s; the columns component and function of the table executions have their names",
		flag, name, r.job.Run)
}

// first returns the execution that COMPONENT.FUNCTION#I names; without #I, the first one.
func (r *runEvents) first(ctx context.Context, flag, spec string) (findings.Occurrence, error) {
	found, err := r.executions(ctx, flag, spec)
	if err != nil {
		return findings.Occurrence{}, err
	}
	return found[0], nil
}

// single is the one execution that a specification names.
// More than one is wrong usage.
func (r *runEvents) single(ctx context.Context, flag, spec string) (findings.Occurrence, error) {
	found, err := r.executions(ctx, flag, spec)
	if err != nil {
		return findings.Occurrence{}, err
	}
	if len(found) > 1 {
		return findings.Occurrence{}, console.Usagef("%s %s: it has the occurrences #1 to #%d, say which", flag, spec, len(found))
	}
	return found[0], nil
}
