package plan

import (
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/slack"
	"github.com/tracelake/tracelake/stages/timing/window"
)

var _ = declare(slackStage)

// slackStage is one task: how late an event may be depends on all events after it, in any bucket.
func slackStage(Options) pipeline.Stage {
	return pipeline.Stage{
		Name: "slack", Version: 1, Doc: "how late every event could be, and how early",
		Reads: []string{"constraints"}, Writes: []string{"slack"},
		Whole: true, BytesPerRow: walkBytes, Streamed: true, Run: runSlack,
	}
}

// runSlack walks down the chart for what lies behind every window, then up again for the slacks and urgent times of
// its events. It keeps the front of the walk at each window on the way down, so that on the way up a window can be
// computed again instead of being kept: two walks take the memory of one window and the fronts.
func runSlack(t *pipeline.Task) error {
	c, err := t.Chart(chartwindow.Want{Bounds: true})
	if err != nil {
		return err
	}
	defer c.Close()
	windows := c.Windows(c.Span(), chartwindow.Edges)
	var late, early []int64
	var back slack.Backward
	behind := make(map[int64]*slack.Backward, len(windows)) // by the start of the window
	err = c.Down(t.Context(), windows, func(w *window.Window) error {
		behind[w.Lo] = back.Snapshot()
		late = perEvent(late, w)
		back.Add(w, late)
		t.Advance(int64(len(w.Edges)) / 2)
		return nil
	})
	if err != nil {
		return err
	}
	rows := new(schema.Slack)
	out, err := t.Create("slack", rows)
	if err != nil {
		return err
	}
	forth := back.Forward()
	err = c.Up(t.Context(), windows, func(w *window.Window) error {
		late, early = perEvent(late, w), perEvent(early, w)
		behind[w.Lo].Add(w, late)
		if err := forth.Add(w, early); err != nil {
			return err
		}
		appendSlack(rows, w.Lo, late, early)
		t.Advance(int64(len(w.Edges)) / 2)
		return out.WriteFull(rows)
	})
	if err != nil {
		return err
	}
	return out.Close(rows)
}

// appendSlack appends the events from a sequence number on, with their slacks and urgent times. A number without an urgent time
// has no event: what is written for it the next one replaces.
func appendSlack(rows *schema.Slack, lo int64, late, early []int64) {
	n := len(rows.Seq)
	schema.Extend(rows, len(early))
	for i, ns := range early {
		rows.Seq[n], rows.SlackNs[n], rows.UrgentNs[n] = lo+int64(i), late[i], ns
		if ns != schema.NoValue {
			n++
		}
	}
	schema.Truncate(rows, n)
}

// perEvent makes s a slice with an element for every sequence number of a window, in its own memory where that suffices.
func perEvent(s []int64, w *window.Window) []int64 {
	n := int(w.Hi - w.Lo)
	return slices.Grow(s[:0], n)[:n]
}
