package criticalpaths

import (
	"cmp"
	"context"
	"slices"

	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/stages/timing/slack"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Towards finds the spare time of what lies on ways from the start of an occurrence on to its last event, by kind of step. The chart is swept
// once.
func (j *Job) Towards(ctx context.Context, o findings.Occurrence) (*findings.Towards, error) {
	c, err := chartwindow.Of(j.Lake, j.Run, chartwindow.Want{Parts: true, Bounds: true}, j.Jobs)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	low := lowestEvent(c, &o)
	walk, byPart := slack.NewToward(low, o.To), []findings.Spare(nil)
	windows := c.Cover([]chartwindow.Range{{Lo: low, Hi: o.To + 1}}, j.edgesPerWindow())
	j.Progress.Expect(int64(len(windows)))
	err = c.Down(ctx, windows, func(w *window.Window) error {
		walk.Down(w, func(target int64, e *window.Edge, spareNs int64) {
			byPart = schema.GrowTo(byPart, int(e.Part)+1)
			s := &byPart[e.Part]
			if s.Steps == 0 || spareNs < s.LeastNs {
				s.Part, s.LeastNs, s.At = e.Part, spareNs, target
			}
			s.Steps++
			s.TotalNs += e.DurationNs
			if spareNs == 0 {
				s.Critical++
			}
		})
		j.Progress.Advance(1)
		return nil
	})
	out := &findings.Towards{Names: c.Names, Parts: c.Parts()}
	out.Spares = slices.DeleteFunc(byPart, func(s findings.Spare) bool { return s.Steps == 0 })
	// Parts are numbered by many cores, so events decide between those of equal slack; a target can have steps of two kinds.
	slices.SortFunc(out.Spares, func(a, b findings.Spare) int {
		p, q := &out.Parts[a.Part], &out.Parts[b.Part]
		return cmp.Or(cmp.Compare(a.LeastNs, b.LeastNs), cmp.Compare(b.TotalNs, a.TotalNs), cmp.Compare(a.At, b.At), cmp.Compare(p.Kind, q.Kind),
			cmp.Compare(c.Names.Components.Name(p.Sender), c.Names.Components.Name(q.Sender)), cmp.Compare(c.Names.Messages.Name(p.Label), c.Names.Messages.Name(q.Label)))
	})
	return out, err
}
