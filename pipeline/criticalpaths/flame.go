package criticalpaths

import (
	"context"
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/stages/timing/flame"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Flame sums up the critical paths of occurrences by call path, in one walk down the windows in which they lie: those of the share
// that took longest.
func (j *Job) Flame(ctx context.Context, occurrences []findings.Occurrence, share float64) (*flame.Graph, error) {
	occurrences = slowestOf(occurrences, share)
	c, err := chartwindow.Of(j.Lake, j.Run, chartwindow.Want{Parts: true}, j.Jobs)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	m, err := j.Lake.Table("executions", lake.Run(j.Run))
	if err != nil {
		return nil, err
	}
	finished, err := chartwindow.OpenFinished(j.Lake, m, new(schema.Names), "execution", "component", "function", "parent")
	if err != nil {
		return nil, err
	}
	defer finished.Close()
	b := flame.NewBuilder(j.Run)
	b.Graph.Paths = len(occurrences)
	var senders []string // by part
	tracer := &criticalpath.Tracer{
		Done: func(*criticalpath.Target, []criticalpath.Share, int64) {},
		Step: func(t *criticalpath.Target, s criticalpath.Step) {
			b.Spend(t.Group, t.From, t.To, s.Target, senders[s.Part], s.Idle, s.TargetNs-s.SourceNs)
		},
	}
	ranges := make([]chartwindow.Range, len(occurrences))
	for i := range occurrences {
		tracer.Add(targetOf(&occurrences[i], uint32(i)))
		ranges[i] = chartwindow.Range{Lo: lowestEvent(c, &occurrences[i]), Hi: occurrences[i].To + 1}
	}
	windows := c.Cover(ranges, j.edgesPerWindow())
	j.Progress.Expect(int64(len(windows)))
	above := int64(0) // the end of the windows so far
	if len(windows) > 0 {
		above = c.Span().Hi
	}
	err = c.Down(ctx, windows, func(w *window.Window) error {
		// Also those that finish between windows, whose calls may reach down into this one.
		if err := finished.In(chartwindow.Range{Lo: w.Lo, Hi: above}, func(i int) {
			if finished.Rows.Execution[i] < w.Hi {
				b.Add(finished.Rows, i)
			}
		}); err != nil {
			return err
		}
		above = w.Lo
		c.Describe(len(senders), func(names *schema.Names, p window.Part) {
			senders = append(senders, names.Components.Name(p.Sender))
		})
		tracer.Down(w, c.Parts())
		b.Leave(w)
		j.Progress.Advance(1)
		return nil
	})
	tracer.Finish()
	b.Finish()
	return b.Graph, err
}

// slowestOf returns the share of the occurrences that took longest, one at least, in the order of the occurrences.
func slowestOf(occurrences []findings.Occurrence, share float64) []findings.Occurrence {
	spans := make([]int64, len(occurrences))
	for i := range occurrences {
		spans[i] = occurrences[i].SpanNs()
	}
	slices.Sort(spans)
	least := spans[max(min(int(math.Ceil(float64(len(spans))*(1-share))), len(spans)-1), 0)]
	return slices.DeleteFunc(slices.Clone(occurrences), func(o findings.Occurrence) bool { return o.SpanNs() < least })
}
