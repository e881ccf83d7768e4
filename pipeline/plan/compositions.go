package plan

import (
	"errors"
	"math"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
)

var _ = declare(compositionsStage)

// compositionsStage cuts the time of a run into slices, since critical paths lead from any component to any other: a slice has the
// paths of the root executions that end in it, which lead down into the slices below. What they have in common are sums.
func compositionsStage(Options) pipeline.Stage {
	return pipeline.Stage{
		Name: "compositions", Version: 3, Doc: "follows the critical path of every root execution: where its time goes",
		Reads: []string{"constraints", "executions"}, Writes: []string{"compositions"},
		SliceRows: sliceConstraints, BytesPerRow: walkBytes, Streamed: true, Run: runCompositions, Finish: mergeCompositions,
	}
}

// sliceConstraints is the number of constraints of a slice. A slice reads the row groups at its ends together with its
// neighbours, one of sixteen or so, and a little beyond its lower end.
const sliceConstraints = 1 << 24

// The tables that slices hand to the finishing task.
const (
	compositionsOfSlices = "slice_compositions"
	longRoots            = "long_roots"
)

// longRoot is a root execution that begins more than a slice before the one in which it ends. Its path is followed by the
// finishing task, so that what a slice reads is bounded.
type longRoot struct {
	Fragment string `parquet:"fragment,dict"`
	Initial  bool   `parquet:"initial"` // no message starts it
	From     int64  `parquet:"from"`    // sequence numbers of its ends, then their times in ns
	To       int64  `parquet:"to"`
	FromNs   int64  `parquet:"from_ns"`
	ToNs     int64  `parquet:"to_ns"`
}

// runCompositions follows the critical paths of the root executions that end in a slice, all at once.
func runCompositions(t *pipeline.Task) error {
	c, err := t.Chart(chartwindow.Want{Parts: true})
	if err != nil {
		return err
	}
	defer c.Close()
	w := newPathWalk(new(schema.Names))
	if err := w.followSlice(t, c); err != nil {
		return err
	}
	if err := t.Write(compositionsOfSlices, w.rows(c)); err != nil {
		return err
	}
	return pipeline.WriteRows(t, longRoots, w.long)
}

// pathWalk is the walk over a slice. Paths are summed by the fragment of their root as soon as they are complete, so that
// only the open ones take memory.
type pathWalk struct {
	names   *schema.Names // of the roots
	roots   *chartwindow.Finished
	initial []bool // by code of a fragment: no message starts its root
	long    []longRoot
	tracer  criticalpath.Tracer
	sums    criticalpath.Composition // by code of a fragment
	paths   *criticalpath.CallPaths  // of all executions that finish in windows; nil where they are not wanted
}

// newPathWalk returns a walk that has no roots yet. The names are to be those of the roots.
func newPathWalk(names *schema.Names) *pathWalk {
	w := &pathWalk{names: names}
	w.tracer.Done = func(target *criticalpath.Target, shares []criticalpath.Share, _ int64) {
		w.sums.Add(target.Group, shares)
	}
	return w
}

// rows returns the sums. They have the dictionary of the chart, whose codes the parts of the paths have.
func (w *pathWalk) rows(c *chartwindow.Chart) *schema.Compositions {
	rows := schema.NewCompositions(c.Names)
	for _, f := range w.names.Fragments.Sorted() {
		if int(f) < len(w.initial) {
			w.sums.AppendTo(rows, f, c.Names.Fragments.Code(w.names.Fragments.Name(f)), w.initial[f], c.Parts())
		}
	}
	return rows
}

// followSlice follows the paths of the roots that end in the slice of a task.
func (w *pathWalk) followSlice(t *pipeline.Task, c *chartwindow.Chart) (err error) {
	if w.roots, err = t.Finished(w.names, "execution", "start_ns", "finish_ns", "depth", "fragment", "role", "execution_type"); err != nil {
		return err
	}
	defer w.roots.Close()
	w.roots.OnlyRoots()
	return w.down(t, c)
}

// errComplete ends a walk below a slice when no path is open.
var errComplete = errors.New("all paths are complete")

// down goes down through a slice and, for the paths that leave it, at most as far again. In every window the roots that end
// in it join the open paths, then all go down through it. Paths that no constraint leads on end there.
func (w *pathWalk) down(t *pipeline.Task, c *chartwindow.Chart) error {
	span, slice := c.Span(), sliceOf(t, c)
	lowest := max(span.Lo, slice.Lo-(slice.Hi-slice.Lo))
	err := c.Down(t.Context(), c.Windows(chartwindow.Range{Lo: lowest, Hi: slice.Hi}, chartwindow.Edges), func(win *window.Window) error {
		if win.Hi <= slice.Lo && w.tracer.Open() == 0 {
			return errComplete
		}
		if err := w.enter(win, slice.Lo, lowest); err != nil {
			return err
		}
		w.tracer.Down(win, c.Parts())
		if win.Hi > slice.Lo {
			t.Advance(int64(len(win.Edges)))
		}
		return nil
	})
	if err != nil && !errors.Is(err, errComplete) {
		return err
	}
	w.tracer.Finish()
	return nil
}

// enter adds the roots that end in a window, as far as it lies in the slice.
func (w *pathWalk) enter(win *window.Window, sliceLo, lowest int64) error {
	if w.paths == nil {
		return w.roots.In(chartwindow.Range{Lo: max(win.Lo, sliceLo), Hi: win.Hi}, func(i int) { w.addRoot(i, lowest) })
	}
	w.paths.Enter(win.Lo, win.Hi)
	defer w.paths.Resolve(win)
	return w.roots.In(chartwindow.Range{Lo: win.Lo, Hi: win.Hi}, func(i int) {
		w.paths.Add(w.roots.Rows, i)
		if w.roots.Rows.FinishSeq[i] >= sliceLo {
			w.addRoot(i, lowest)
		}
	})
}

// sliceOf is the range of events of a task.
func sliceOf(t *pipeline.Task, c *chartwindow.Chart) chartwindow.Range {
	number, of := t.Slice()
	span := c.Span()
	at := func(i int) int64 { return span.Lo + (span.Hi-span.Lo)*int64(i)/int64(of) }
	return chartwindow.Range{Lo: at(number), Hi: at(number + 1)}
}

// addRoot adds an execution if it is a root, and not a lifetime, which is nobody's work. One that begins below the lowest event of the walk is left over.
func (w *pathWalk) addRoot(i int, lowest int64) {
	x := w.roots.Rows
	if x.Depth[i] != 0 || w.isLifetime(i) {
		return
	}
	initial := x.Role[i] != schema.SyncHandler && x.Role[i] != schema.TriggerHandle
	if x.Execution[i] < lowest {
		w.long = append(w.long, longRoot{w.names.Fragments.Name(x.Fragment[i]), initial, x.Execution[i], x.FinishSeq[i], x.StartNs[i], x.FinishNs[i]})
		return
	}
	w.add(criticalpath.Target{
		From: x.Execution[i], To: x.FinishSeq[i], FromNs: x.StartNs[i], ToNs: x.FinishNs[i], Group: x.Fragment[i],
	}, initial)
}

// isLifetime reports whether a root is a lifetime.
func (w *pathWalk) isLifetime(i int) bool {
	x := w.roots.Rows
	if x.Type[i] == schema.NoCode {
		return false
	}
	lifetimes := x.Names.LifetimesIn(x.Type)
	return lifetimes.Has(i)
}

// add adds the end of a root whose path is wanted.
func (w *pathWalk) add(root criticalpath.Target, initial bool) {
	w.tracer.Add(root)
	w.initial = schema.GrowTo(w.initial, int(root.Group)+1)
	w.initial[root.Group] = initial
}

// mergeCompositions adds up what all slices found, and what the paths find that are longer than slices.
func mergeCompositions(t *pipeline.Task) error {
	long, err := pipeline.StagedRows[longRoot](t, longRoots)
	if err != nil {
		return err
	}
	c, err := t.Chart(chartwindow.Want{Parts: true})
	if err != nil {
		return err
	}
	defer c.Close()
	m, rows := criticalpath.NewMerger(c.Names), schema.NewCompositions(c.Names)
	if err := t.ScanStaged(compositionsOfSlices, rows, func() { m.Add(rows) }); err != nil {
		return err
	}
	if len(long) > 0 {
		w := newPathWalk(c.Names)
		if err := w.followLong(t, c, long); err != nil {
			return err
		}
		m.Add(w.rows(c))
	}
	return t.Write("compositions", m.Rows())
}

// followLong follows the paths of long roots in one walk down the chart, from the last end to the first start. The names of the walk
// are those of the chart.
func (w *pathWalk) followLong(t *pipeline.Task, c *chartwindow.Chart, long []longRoot) error {
	cover := chartwindow.Range{Lo: long[0].From, Hi: long[0].To + 1}
	for _, r := range long {
		cover.Lo, cover.Hi = min(cover.Lo, r.From), max(cover.Hi, r.To+1)
		fragment := w.names.Fragments.Code(r.Fragment)
		w.add(criticalpath.Target{From: r.From, To: r.To, FromNs: r.FromNs, ToNs: r.ToNs, Group: fragment}, r.Initial)
	}
	err := c.Down(t.Context(), c.Windows(cover, chartwindow.Edges), func(win *window.Window) error {
		if w.paths != nil {
			if err := w.enter(win, math.MaxInt64, cover.Lo); err != nil { // roots are there already
				return err
			}
		}
		w.tracer.Down(win, c.Parts())
		return nil
	})
	w.tracer.Finish()
	return err
}
