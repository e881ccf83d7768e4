package plan

import (
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// CriticalStepsStage is the name of the stage that is in the plan only where it is asked for: its table has more rows than all others.
const CriticalStepsStage = "critical_steps"

var _ = declare(criticalStepsStage)

// criticalStepsStage is divided as compositionsStage is: both follow the same paths. Its rows come in the order of the walk, which
// goes down the windows of a slice, and are written as they come, so that no path need fit in memory.
func criticalStepsStage(o Options) pipeline.Stage {
	if !o.Steps {
		return pipeline.Stage{}
	}
	return pipeline.Stage{
		Name: CriticalStepsStage, Version: 2, Doc: "lists the steps of the critical path of every root execution (only with --stage critical_steps)",
		Reads: []string{"constraints", "executions"}, Writes: []string{"critical_steps", "call_paths"},
		SliceRows: sliceConstraints, BytesPerRow: walkBytes, Streamed: true, Run: runCriticalSteps, Finish: mergeCriticalSteps,
	}
}

// callPathsOfSlices is the table of call paths that slices hand to the finishing task.
const callPathsOfSlices = "slice_call_paths"

// stepWalk is a walk whose steps are written.
type stepWalk struct {
	*pathWalk
	chart *chartwindow.Chart
	parts []window.Part // those of the chart that are known so far
	rows  *schema.CriticalSteps
	out   *pipeline.Output
	err   error // of writing
}

// stepsAtOnce is after how many steps those that fill row groups are written.
const stepsAtOnce = 1 << 16

// newStepWalk starts the table of a walk. The names are to be those of the executions.
func newStepWalk(t *pipeline.Task, c *chartwindow.Chart, names *schema.Names) (w *stepWalk, err error) {
	w = &stepWalk{pathWalk: newPathWalk(names), chart: c, rows: schema.NewCriticalSteps(c.Names)}
	w.paths = criticalpath.NewCallPaths(names, &c.Names.CallPaths)
	w.tracer.Done = func(*criticalpath.Target, []criticalpath.Share, int64) {}
	w.tracer.Step = w.takeStep
	w.out, err = t.CreateSlice("critical_steps", w.rows)
	return w, err
}

// takeStep adds a step to the table.
func (w *stepWalk) takeStep(root *criticalpath.Target, s criticalpath.Step) {
	if int(s.Part) >= len(w.parts) {
		w.parts = w.chart.Parts()
	}
	p, r := &w.parts[s.Part], w.rows
	r.Root = append(r.Root, root.From)
	r.Step = append(r.Step, s.Number)
	r.Category = append(r.Category, s.Category)
	r.Component = append(r.Component, p.Component)
	r.Function = append(r.Function, p.Function)
	r.Sender = append(r.Sender, p.Sender)
	r.Label = append(r.Label, p.Label)
	r.Busy = append(r.Busy, s.Busy)
	r.CallPath = append(r.CallPath, w.paths.Of(&s))
	r.StartNs = append(r.StartNs, s.SourceNs)
	r.DurationNs = append(r.DurationNs, s.TargetNs-s.SourceNs)
	if len(r.Root)%stepsAtOnce == 0 && w.err == nil {
		w.err = w.out.WriteFull(r)
	}
}

// close writes the last steps.
func (w *stepWalk) close() error {
	if w.err != nil {
		return w.err
	}
	return w.out.Close(w.rows)
}

// columnsOfCallPaths are the columns of executions that call paths need.
var columnsOfCallPaths = []string{"execution", "component", "function", "parent", "role"}

// runCriticalSteps follows the critical paths of the root executions that end in a slice.
func runCriticalSteps(t *pipeline.Task) error {
	c, err := t.Chart(chartwindow.Want{Parts: true})
	if err != nil {
		return err
	}
	defer c.Close()
	w, err := newStepWalk(t, c, new(schema.Names))
	if err != nil {
		return err
	}
	crossing, err := pipeline.Shared(t, func(t *pipeline.Task) (*crossingExecutions, error) { return findCrossing(t, c) })
	if err != nil {
		return err
	}
	crossing.enter(w.paths, sliceOf(t, c).Hi, w.names)
	if w.roots, err = t.Finished(w.names, append(columnsOfCallPaths, "start_ns", "finish_ns", "depth", "fragment", "execution_type")...); err != nil {
		return err
	}
	defer w.roots.Close()
	if err := w.down(t, c); err != nil {
		return err
	}
	if err := w.close(); err != nil {
		return err
	}
	paths := schema.NewCallPaths(w.names)
	w.paths.AppendTo(paths)
	if err := t.Write(callPathsOfSlices, paths); err != nil {
		return err
	}
	return pipeline.WriteRows(t, longRoots, w.long)
}

// crossingExecutions are those that begin in one slice and finish in another, in the order of their finish within a bucket. All slices
// share them, so that none has to read what lies above it.
type crossingExecutions struct {
	rows    *schema.Executions
	replies map[int64]int64 // by event that sends a reply: first event of the blocking call that receives it
}

// findCrossing goes through all executions of a run once. One slice needs nothing.
func findCrossing(t *pipeline.Task, c *chartwindow.Chart) (*crossingExecutions, error) {
	found := &crossingExecutions{schema.NewExecutions(new(schema.Names)), make(map[int64]int64)}
	_, of := t.Slice()
	if of < 2 {
		return found, nil
	}
	all, err := t.Finished(found.rows.Names, columnsOfCallPaths...)
	if err != nil {
		return nil, err
	}
	defer all.Close()
	span, ends := c.Span(), make([]int64, of-1)
	for i := range ends {
		ends[i] = span.Lo + (span.Hi-span.Lo)*int64(i+1)/int64(of)
	}
	err = all.In(span, func(i int) {
		x := all.Rows
		if at, _ := slices.BinarySearch(ends, x.Execution[i]+1); at < len(ends) && ends[at] <= x.FinishSeq[i] {
			found.add(x, i)
		}
	})
	if err != nil {
		return nil, err
	}
	return found, found.findCallers(t, c)
}

// findCallers finds who receives the replies that blocking calls wait for: what a slice knows from constraints in it, but not of a call
// that ends above it.
func (c *crossingExecutions) findCallers(t *pipeline.Task, chart *chartwindow.Chart) error {
	calls, byLast := make(map[int64]int64), make(map[int64]int) // by last event: first event of a blocking call; row of a root
	var ends []chartwindow.Range
	for i, last := range c.rows.FinishSeq {
		if c.rows.Role[i] == schema.BlockingCall {
			calls[last] = c.rows.Execution[i]
			ends = append(ends, chartwindow.Range{Lo: last, Hi: last + 1})
		}
		if c.rows.Parent[i] == schema.NoValue {
			byLast[last] = i
		}
	}
	return chart.Down(t.Context(), chart.Cover(ends, chartwindow.Edges), func(w *window.Window) error {
		for last, first := range calls {
			if !w.Has(last) {
				continue
			}
			for _, e := range w.Into(last) {
				if e.Flags&window.Message == 0 || e.Source >= last {
					continue
				}
				c.replies[e.Source] = first
				if i, crosses := byLast[e.Source]; crosses && first < c.rows.Execution[i] {
					c.rows.Parent[i] = first
				}
			}
		}
		return nil
	})
}

// add keeps an execution, as far as call paths need it.
func (c *crossingExecutions) add(x *schema.Executions, i int) {
	c.rows.Execution = append(c.rows.Execution, x.Execution[i])
	c.rows.FinishSeq = append(c.rows.FinishSeq, x.FinishSeq[i])
	c.rows.Parent = append(c.rows.Parent, x.Parent[i])
	c.rows.Component = append(c.rows.Component, x.Component[i])
	c.rows.Function = append(c.rows.Function, x.Function[i])
	c.rows.Role = append(c.rows.Role, x.Role[i])
}

// enter tells call paths of the executions that are open at the end of a slice. Names are those of the call paths.
func (c *crossingExecutions) enter(paths *criticalpath.CallPaths, hi int64, names *schema.Names) {
	paths.Enter(hi, hi)
	one := crossingExecutions{rows: schema.NewExecutions(names)}
	for i, first := range c.rows.Execution {
		if first >= hi || c.rows.FinishSeq[i] < hi {
			continue
		}
		one.add(c.rows, i)
		last := len(one.rows.Component) - 1
		one.rows.Component[last] = names.Components.Code(c.rows.Names.Components.Name(c.rows.Component[i]))
		one.rows.Function[last] = names.Functions.Code(c.rows.Names.Functions.Name(c.rows.Function[i]))
		paths.Add(one.rows, last)
	}
	paths.Resolve(nil)
	for sent, first := range c.replies {
		if sent < hi {
			paths.Replies(sent, first)
		}
	}
}

// mergeCriticalSteps follows the paths that are longer than slices, and unites the call paths of all.
func mergeCriticalSteps(t *pipeline.Task) error {
	long, err := pipeline.StagedRows[longRoot](t, longRoots)
	if err != nil {
		return err
	}
	c, err := t.Chart(chartwindow.Want{Parts: true})
	if err != nil {
		return err
	}
	defer c.Close()
	m, rows := criticalpath.NewCallPathMerger(c.Names), schema.NewCallPaths(c.Names)
	if err := t.ScanStaged(callPathsOfSlices, rows, func() { m.Add(rows) }); err != nil {
		return err
	}
	if len(long) > 0 {
		if err := followLongSteps(t, c, long, m); err != nil {
			return err
		}
	}
	return t.Write("call_paths", m.Rows())
}

// followLongSteps writes the steps of long roots, and adds their call paths.
func followLongSteps(t *pipeline.Task, c *chartwindow.Chart, long []longRoot, m *criticalpath.CallPathMerger) error {
	w, err := newStepWalk(t, c, c.Names)
	if err != nil {
		return err
	}
	if w.roots, err = t.Finished(c.Names, append(columnsOfCallPaths, "depth")...); err != nil {
		return err
	}
	defer w.roots.Close()
	hi := int64(0) // the end of the walk
	for _, r := range long {
		hi = max(hi, r.To+1)
	}
	above := &crossingExecutions{schema.NewExecutions(c.Names), make(map[int64]int64)}
	if err := w.roots.In(chartwindow.Range{Lo: hi, Hi: c.Span().Hi}, func(i int) {
		if w.roots.Rows.Execution[i] < hi {
			above.add(w.roots.Rows, i)
		}
	}); err != nil {
		return err
	}
	if err := above.findCallers(t, c); err != nil {
		return err
	}
	above.enter(w.paths, hi, c.Names)
	if err := w.followLong(t, c, long); err != nil {
		return err
	}
	if err := w.close(); err != nil {
		return err
	}
	paths := schema.NewCallPaths(c.Names)
	w.paths.AppendTo(paths)
	m.Add(paths)
	return nil
}
