// Package named resolves the names of executions and events that stand on a command line: COMPONENT.FUNCTION#I is an execution,
// @SEQ an event. What a name stands for is found in the lake; a name without an execution is wrong usage, with similar names.
package named

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// Events are those of an analyzed run.
type Events struct {
	Job     *criticalpaths.Job // reads the run's executions and constraints
	StartNs int64              // of the run, in nanoseconds of the trace's clock
	Note    func(string)       // is told which of several executions was taken; may be nil

	found map[string][]findings.Occurrence // by name, since a question may name a function twice
}

// Open opens an analyzed run and a progress bar. The caller must call done before it prints; to call it again does nothing. It takes no
// lease, since it only reads.
func Open(g *console.Globals, stderr io.Writer, run, what string) (r *Events, done func(), err error) {
	l, err := stores.Open(g.Lake, false)
	if err != nil {
		return nil, nil, err
	}
	if run, err = runs.Analyzed(l, run); err != nil {
		return nil, nil, err
	}
	r = &Events{Job: &criticalpaths.Job{Engine: &pipeline.Engine{Lake: l, Jobs: g.Jobs, Memory: g.TaskMemory()}, Run: run}}
	if r.StartNs, err = r.Job.StartNs(); err != nil {
		return nil, nil, err
	}
	meter, stop := g.Progress(stderr, what, false)
	r.Job.Progress = meter
	return r, sync.OnceFunc(stop), nil
}

// Executions returns the executions that a specification names: all of COMPONENT.FUNCTION, or one with #I or @SEQ. The flag is
// named in errors.
// Numbers count from 1 in the order of the starts; where no execution has the name without its number, it is part of the name. A function without its component is taken where only one has it. A name
// without an execution is wrong usage, and similar names are suggested.
func (r *Events) Executions(ctx context.Context, flag, spec string) ([]findings.Occurrence, error) {
	if strings.HasPrefix(spec, "@") {
		return r.event(ctx, flag, spec)
	}
	one, err := r.Cut(ctx, flag, spec)
	if err != nil || !one.Picked {
		return one.All, err
	}
	n, err := strconv.Atoi(one.Number)
	switch {
	case err != nil:
		return nil, console.Usagef("%s %s: behind # stands the number of an occurrence, from 1 to %d", flag, spec, len(one.All))
	case n < 1 || n > len(one.All):
		return nil, console.Usagef("%s %s: %s has the occurrences #1 to #%d", flag, spec, one.Name, len(one.All))
	}
	return one.All[n-1 : n], nil
}

// Specified is what a specification names that is no event.
type Specified struct {
	Name   string                // in full, COMPONENT.FUNCTION
	All    []findings.Occurrence // executions of that name
	Number string                // of the one that is picked
	Picked bool
}

// Cut separates the number of an occurrence from the name. Where no execution has the name before the number, as of ProfilerStep#14, it is
// part of the name.
func (r *Events) Cut(ctx context.Context, flag, spec string) (s Specified, err error) {
	s.Name, s.Number, s.Picked = cutNumber(spec)
	if s.Name, s.All, err = r.Function(ctx, flag, s.Name); err != nil && s.Picked {
		if name, all, none := r.Function(ctx, flag, spec); none == nil {
			return Specified{Name: name, All: all}, nil
		}
	}
	return s, err
}

// Function returns the full name COMPONENT.FUNCTION of a function that runs, and its executions. A function without its component
// is taken where only one has it.
func (r *Events) Function(ctx context.Context, flag, name string) (string, []findings.Occurrence, error) {
	found, err := r.occurrences(ctx, name)
	if errors.Is(err, criticalpaths.ErrNothing) {
		if name, err = r.meant(ctx, flag, name); err == nil {
			found, err = r.occurrences(ctx, name)
		}
	}
	return name, found, err
}

// occurrences returns those of a function, which are read once.
func (r *Events) occurrences(ctx context.Context, name string) ([]findings.Occurrence, error) {
	if found, known := r.found[name]; known {
		return slices.Clone(found), nil
	}
	found, err := r.Job.Occurrences(ctx, name)
	if err == nil {
		if r.found == nil {
			r.found = make(map[string][]findings.Occurrence)
		}
		r.found[name] = slices.Clone(found)
	}
	return found, err
}

// Name returns the full name COMPONENT.FUNCTION of a function that runs, as Function does, without looking for all its executions.
func (r *Events) Name(ctx context.Context, flag, name string) (string, error) {
	if runs, err := r.Job.Runs(ctx, name); err != nil || runs {
		return name, err
	}
	return r.meant(ctx, flag, name)
}

// cutNumber separates the number of an occurrence from a name, as in COMPONENT.FUNCTION#12. Names may contain #, as those of the
// processes of MPI do: what has a point behind its last # has no number.
func cutNumber(spec string) (name, number string, numbered bool) {
	i := strings.LastIndexByte(spec, '#')
	if i < 0 || strings.Contains(spec[i:], ".") {
		return spec, "", false
	}
	return spec[:i], spec[i+1:], true
}

// event is the event @SEQ: of --from the event itself; of --to a finish from the start of its execution, or another
// event from as far back as it leads.
// One number names the whole execution of which it is the first or the last event.
func (r *Events) event(ctx context.Context, flag, spec string) ([]findings.Occurrence, error) {
	seq, err := strconv.ParseInt(spec[1:], 10, 64)
	if err != nil {
		return nil, console.Usagef("%s %s: behind @ stands the number of an event, as in the column seq of the table events", flag, spec)
	}
	o, err := r.Job.At(ctx, seq)
	if errors.Is(err, criticalpaths.ErrNothing) {
		return nil, console.Usagef("%s %s: run %s has no such event; the column seq of the table events has their numbers", flag, spec, r.Job.Run)
	}
	if err != nil {
		return nil, err
	}
	switch {
	// A path from the finish of an execution begins there, and not at its start.
	case flag == "--from" && seq == o.To:
		o.From, o.FromNs = o.To, o.ToNs
	case flag == "--to" && seq == o.From:
		o.To, o.ToNs, o.From, o.FromNs = o.From, o.FromNs, criticalpath.Start, r.StartNs
	}
	return []findings.Occurrence{o}, nil
}

// meant returns the name COMPONENT.FUNCTION that a name stands for which no execution has.
func (r *Events) meant(ctx context.Context, flag, name string) (string, error) {
	like, err := r.Job.Like(ctx, name)
	if err != nil {
		return "", err
	}
	if only := onlyOfFunction(name, like); only != "" {
		return only, nil
	}
	return "", r.unknown(flag, name, like)
}

// onlyOfFunction returns the only one of some names COMPONENT.FUNCTION whose function is a name, or "".
func onlyOfFunction(name string, like []string) (only string) {
	for _, of := range like {
		if strings.HasSuffix(of, "."+name) {
			if only != "" {
				return ""
			}
			only = of
		}
	}
	return only
}

// unknown makes an error of a name that no execution has, and suggests similar names.
func (r *Events) unknown(flag, name string, like []string) error {
	switch {
	case len(like) > 0:
		return console.Usagef("%s %s: no such execution in run %s; it has %s", flag, name, r.Job.Run, strings.Join(like[:min(len(like), 5)], ", "))
	case !strings.Contains(name, "."):
		return console.Usagef("%s %s: no such execution in run %s; name it COMPONENT.FUNCTION", flag, name, r.Job.Run)
	}
	return console.Usagef("%s %s: no such execution in run %s; the columns component and function of the table executions have their names",
		flag, name, r.Job.Run)
}

// First returns the execution that COMPONENT.FUNCTION#I names; without #I, the first one, which it says where there are several.
func (r *Events) First(ctx context.Context, flag, spec string) (findings.Occurrence, error) {
	found, err := r.Executions(ctx, flag, spec)
	if err != nil {
		return findings.Occurrence{}, err
	}
	if len(found) > 1 && r.Note != nil {
		r.Note(fmt.Sprintf("%s %s: took #1 of its %s executions; write %s#2 for the second", flag, spec, texttab.Count(len(found)), spec))
	}
	return found[0], nil
}

// Single is the one execution that a specification names.
// More than one is wrong usage.
func (r *Events) Single(ctx context.Context, flag, spec string) (findings.Occurrence, error) {
	found, err := r.Executions(ctx, flag, spec)
	if err != nil {
		return findings.Occurrence{}, err
	}
	if len(found) > 1 {
		return findings.Occurrence{}, console.Usagef("%s %s: it has the occurrences #1 to #%d, say which", flag, spec, len(found))
	}
	return found[0], nil
}
