package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/pages"
	"github.com/tracelake/tracelake/stages/report/timeline"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// mostLanes is how many components a window has.
const mostLanes = 10

// mostWindows is of how many root causes a file has the windows.
const mostWindows = 4

// windowReader reads windows of runs and draws them.
type windowReader struct {
	lake   *lake.Lake
	jobs   int
	memory int64 // bytes for the rows of a window, and for the constraints on a path
}

// of reads the windows that show the root causes of a comparison, the greatest first, as far as they fit. In each side that is the longest
// execution of the function, of the run in which it has the median length among the runs.
func (r *windowReader) of(ctx context.Context, found []schema.Finding, s *compare.Spec, budget *pages.Budget) (contents []pages.WindowContents, err error) {
	for i := range found {
		f := &found[i]
		if f.Minor || f.Function == "" {
			continue
		}
		if len(contents) == mostWindows {
			budget.Leave("root causes without their windows", 1)
			continue
		}
		w, err := r.pair(ctx, f.Component+"."+f.Function, s)
		if err != nil {
			return nil, err
		}
		if len(w.Sides) == 0 {
			continue
		}
		resource := pages.WindowResource(len(contents))
		fits, err := budget.Add(resource, w)
		if err != nil {
			return nil, err
		}
		if !fits {
			budget.Leave("root causes without their windows", 1)
			continue
		}
		budget.Use(len(w.Function) + len(resource) + 60) // its line in the contents
		contents = append(contents, pages.WindowContents{Finding: f.Finding, Function: w.Function, Resource: resource})
	}
	return contents, nil
}

// shown is an execution of a run.
type shown struct {
	run string
	findings.Occurrence
}

// pair reads the windows of both sides, which are equally long, so that lengths compare.
func (r *windowReader) pair(ctx context.Context, function string, s *compare.Spec) (*pages.Windows, error) {
	w := &pages.Windows{Function: function, Sides: []pages.Window{}}
	var sides [2]*shown
	longest := int64(1)
	for i, of := range [][]string{s.Base, s.Cand} {
		var err error
		if sides[i], err = r.typical(ctx, function, of); err != nil {
			return nil, err
		}
		if sides[i] != nil {
			longest = max(longest, sides[i].SpanNs())
		}
	}
	lanes, err := r.around(ctx, sides[:])
	if err != nil {
		return nil, err
	}
	for i, x := range sides {
		if x == nil {
			continue
		}
		margin := max(longest/10, 1)
		one, err := r.window(ctx, function, lanes, x, x.FromNs-margin, x.FromNs+longest+margin)
		if err != nil {
			return nil, err
		}
		if one != nil {
			one.Side = []string{"base", "cand"}[i]
			w.Sides = append(w.Sides, *one)
		}
	}
	return w, nil
}

// typical finds the longest execution of a function in each of some runs, and of these the median; nil where no run has the function.
func (r *windowReader) typical(ctx context.Context, function string, of []string) (*shown, error) {
	var all []shown
	for _, run := range of {
		job := &criticalpaths.Job{Engine: &pipeline.Engine{Lake: r.lake, Jobs: r.jobs, Memory: r.memory}, Run: run}
		x, err := job.Longest(ctx, function)
		if errors.Is(err, criticalpaths.ErrNothing) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, shown{run, x})
	}
	if len(all) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(all, func(a, b shown) int { return cmp.Compare(a.SpanNs(), b.SpanNs()) })
	return &all[(len(all)-1)/2], nil
}

// around finds the components in which something runs through all of some executions: their callers, what waits for them, and what runs
// beside them, the outermost first. Of many, those stay whose executions start last. Nil executions are passed over.
func (r *windowReader) around(ctx context.Context, executions []*shown) ([]string, error) {
	latest := make(map[string]int64) // start before that of the execution
	for _, x := range executions {
		if x == nil {
			continue
		}
		run, err := runs.Open(r.lake, x.run)
		if err != nil {
			return nil, err
		}
		part, err := run.Window(ctx, x.ToNs, x.ToNs, nil, r.memory)
		if most := new(runs.WindowTooLargeError); errors.As(err, &most) {
			continue
		}
		if err != nil {
			return nil, err
		}
		e := part.Executions
		for i := range e.StartNs {
			if e.StartNs[i] <= x.FromNs && e.FinishNs[i] >= x.ToNs {
				name := e.Names.Components.Name(e.Component[i])
				before, known := latest[name]
				if since := e.StartNs[i] - x.FromNs; !known || since > before {
					latest[name] = since
				}
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(latest), func(a, b string) int {
		return cmp.Or(cmp.Compare(latest[b], latest[a]), cmp.Compare(a, b))
	})
	names = names[:min(len(names), mostLanes)]
	slices.Reverse(names)
	return names, nil
}

// window reads and draws a window of some components, of all where none is named, with the critical path to the finish of an execution. It is nil where the window has too many rows for memory.
func (r *windowReader) window(ctx context.Context, function string, components []string, x *shown, fromNs, toNs int64) (*pages.Window, error) {
	run, err := runs.Open(r.lake, x.run)
	if err != nil {
		return nil, err
	}
	part, err := run.Window(ctx, fromNs, toNs, components, r.memory)
	if most := new(runs.WindowTooLargeError); errors.As(err, &most) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	w := &timeline.Window{
		Run: x.run, OriginNs: run.StartNs, FromNs: fromNs, ToNs: toNs, Executions: part.Executions, Messages: part.Messages,
	}
	job := &criticalpaths.Job{Engine: &pipeline.Engine{Lake: r.lake, Jobs: r.jobs, Memory: r.memory}, Run: x.run}
	path, err := job.Trace(ctx, x.Occurrence, criticalpaths.Ask{})
	if err != nil {
		return nil, err
	}
	w.Path = timeline.StepsOf(path, w)
	return &pages.Window{
		Run: x.run, Execution: fmt.Sprintf("%s#%d", function, x.Number), DurationNs: x.SpanNs(), FromNs: fromNs - run.StartNs, ToNs: toNs - run.StartNs,
		RunNs: run.DurationNs, Components: components, Picture: pages.Draw(w, function, components),
	}, nil
}
