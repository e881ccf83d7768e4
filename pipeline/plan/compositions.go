package plan

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
)

var _ = declare(compositionsStage)

// compositionsStage is one task: critical paths lead from any component to any other.
func compositionsStage(Options) pipeline.Stage {
	return pipeline.Stage{
		Name: "compositions", Version: 1, Doc: "follows the critical path of every root execution: where its time goes",
		Reads: []string{"constraints", "executions"}, Writes: []string{"compositions"},
		Whole: true, BytesPerRow: walkBytes, Streamed: true, Run: runCompositions,
	}
}

// runCompositions follows the critical paths of all root executions, from the end of the run to its start, all at once: a
// path is taken up in the window in which its root ends and followed down until the root's first event.
func runCompositions(t *pipeline.Task) error {
	c, err := t.Chart(chartwindow.Want{Parts: true})
	if err != nil {
		return err
	}
	defer c.Close()
	names := new(schema.Names)
	roots, err := t.Finished(names, "execution", "start_ns", "finish_ns", "depth", "fragment", "role")
	if err != nil {
		return err
	}
	defer roots.Close()
	// 1. Paths are summed by the fragment of their root as soon as they are complete, so that only the open ones take memory.
	var sums criticalpath.Composition
	var initial []bool // by code of a fragment: no message starts its root
	tracer := new(criticalpath.Tracer)
	tracer.Done = func(target *criticalpath.Target, shares []criticalpath.Share, _ int64) {
		sums.Add(target.Group, shares)
	}
	// 2. In every window, from the last to the first, the roots that end in it join the open paths, then all go down through it.
	var targets []criticalpath.Target
	err = c.Down(t.Context(), c.Windows(c.Span(), chartwindow.Edges), func(w *window.Window) error {
		targets = targets[:0]
		err := roots.In(chartwindow.Range{Lo: w.Lo, Hi: w.Hi}, func(i int) {
			x := roots.Rows
			if x.Depth[i] != 0 {
				return
			}
			targets = append(targets, criticalpath.Target{
				From: x.Execution[i], To: x.FinishSeq[i], FromNs: x.StartNs[i], ToNs: x.FinishNs[i], Group: x.Fragment[i],
			})
			for len(initial) <= int(x.Fragment[i]) {
				initial = append(initial, false)
			}
			initial[x.Fragment[i]] = x.Role[i] != schema.SyncHandler && x.Role[i] != schema.TriggerHandle
		})
		if err != nil {
			return err
		}
		tracer.Add(targets...)
		tracer.Down(w, c.Parts())
		t.Advance(int64(len(w.Edges)))
		return nil
	})
	if err != nil {
		return err
	}
	// 3. Paths that no constraint leads on end here. Rows come in the order of the fragments' names, in the dictionary of the
	// constraints, whose codes the parts of the paths have.
	tracer.Finish()
	for len(initial) < names.Fragments.Len() { // fragments that no root is of
		initial = append(initial, false)
	}
	rows := schema.NewCompositions(c.Names)
	parts := c.Parts()
	for _, f := range names.Fragments.Sorted() {
		sums.AppendTo(rows, f, c.Names.Fragments.Code(names.Fragments.Name(f)), initial[f], parts)
	}
	return t.Write("compositions", rows)
}
