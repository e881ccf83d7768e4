package plan

import (
	"cmp"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
)

// GainsStage is the name of the stage that is in the plan only where it is asked for: who asks what would be gained needs it, and
// a nightly analysis does not.
const GainsStage = "gains"

var _ = declare(gainsStage)

// gainsStage is divided as compositionsStage is: both follow the same paths.
func gainsStage(o Options) pipeline.Stage {
	if !o.Gains {
		return pipeline.Stage{}
	}
	return pipeline.Stage{
		Name: GainsStage, Version: 2, Doc: "says what root executions would gain from faster functions (only with --stage gains)",
		Reads: []string{"constraints", "executions"}, Writes: []string{"gains"},
		SliceRows: sliceConstraints, BytesPerRow: walkBytes, Streamed: true, Run: runGains, Finish: mergeGains,
	}
}

// gainsOfSlices is the table that slices hand to the finishing task.
const gainsOfSlices = "slice_gains"

// newGainWalk returns a walk whose paths are summed up as gains, by code of the fragment of their root.
func newGainWalk(names *schema.Names) (w *pathWalk, gains *criticalpath.Gains) {
	w, gains = newPathWalk(names), new(criticalpath.Gains)
	w.tracer.Done = func(*criticalpath.Target, []criticalpath.Share, int64) {}
	w.tracer.Route = func(target *criticalpath.Target, r *criticalpath.Route) { gains.Add(target.Group, r) }
	return w, gains
}

// gainRows returns the gains of a walk. They have the dictionary of the chart, whose codes the parts of the paths have.
func (w *pathWalk) gainRows(c *chartwindow.Chart, gains *criticalpath.Gains) *schema.Gains {
	rows := schema.NewGains(c.Names)
	for _, f := range w.names.Fragments.Sorted() {
		if int(f) < len(w.initial) {
			gains.AppendTo(rows, f, c.Names.Fragments.Code(w.names.Fragments.Name(f)), w.initial[f], c.Parts())
		}
	}
	return rows
}

// runGains follows the critical paths of the root executions that end in a slice, with their detours.
func runGains(t *pipeline.Task) error {
	c, err := t.Chart(chartwindow.Want{Parts: true, Bounds: true})
	if err != nil {
		return err
	}
	defer c.Close()
	w, gains := newGainWalk(new(schema.Names))
	if err := w.followSlice(t, c); err != nil {
		return err
	}
	return cmp.Or(t.Write(gainsOfSlices, w.gainRows(c, gains)), pipeline.WriteRows(t, longRoots, w.long))
}

// mergeGains adds up what all slices found, and what the paths find that are longer than slices.
func mergeGains(t *pipeline.Task) error {
	long, err := pipeline.StagedRows[longRoot](t, longRoots)
	if err != nil {
		return err
	}
	c, err := t.Chart(chartwindow.Want{Parts: true, Bounds: true})
	if err != nil {
		return err
	}
	defer c.Close()
	m, rows := criticalpath.NewGainMerger(c.Names), schema.NewGains(c.Names)
	if err := t.ScanStaged(gainsOfSlices, rows, func() { m.Add(rows) }); err != nil {
		return err
	}
	if len(long) > 0 {
		w, gains := newGainWalk(c.Names)
		if err := w.followLong(t, c, long); err != nil {
			return err
		}
		m.Add(w.gainRows(c, gains))
	}
	return t.Write("gains", m.Rows())
}
