package lake_test

import (
	"errors"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// counted is a meter.
type counted int64

func (c *counted) Advance(rows int64) { *c += counted(rows) }

// TestScanChosen reads the rows of a choice in the order of the trace, and as many last row groups as there are buckets.
func TestScanChosen(t *testing.T) {
	for _, size := range []struct{ events, buckets, groupRows int }{{0, 2, 10}, {3, 1, 10}, {50, 3, 7}, {5000, 5, 64}, {200_000, 4, 1 << 14}} {
		l := lakeOfEvents(t, size.events, size.buckets, size.groupRows)
		for _, modulus := range []int64{1, 5, 777} {
			ev, lasts, rows := schema.NewEvents(), 0, counted(0)
			choice := lake.Choice{Columns: []string{"time_ns", "function"}, Rows: func(ev *schema.Events, _ int, last bool, wanted []int) []int {
				if last {
					lasts++
				}
				for i, timeNs := range ev.TimeNs {
					if timeNs/10%modulus == 0 && len(ev.Kind) == 0 {
						wanted = append(wanted, i)
					}
				}
				return wanted
			}}
			next := int64(-3)
			o := lake.ScanOptions{Columns: []string{"component", "function", "time_ns"}, Meter: &rows}
			err := l.ScanChosen(t.Context(), "r", ev, choice, o, func() error {
				for i, seq := range ev.Seq {
					for next%modulus != 0 {
						next++
					}
					expect.Equal(t, seq, next, "%+v: the event that comes next", size)
					expect.Equal(t, ev.TimeNs[i], 10*seq, "its time")
					expect.Equal(t, ev.Names.Components.Name(ev.Component[i])+ev.Names.Functions.Name(ev.Function[i]), nameOf(seq), "its component and function")
					next++
				}
				return nil
			})
			expect.OK(t, err)
			for next%modulus != 0 {
				next++
			}
			expect.Equal(t, next >= int64(size.events-3), true, "%+v: all were read, up to %d", size, next)
			expect.Equal(t, int(rows), size.events, "%+v: rows that were counted", size)
			if size.events > 100 {
				expect.Equal(t, lasts, size.buckets, "%+v: last row groups", size)
			}
		}
	}
	enough := errors.New("enough")
	all := lake.Choice{Columns: []string{"kind"}, Rows: func(_ *schema.Events, _ int, _ bool, wanted []int) []int { return append(wanted, 0) }}
	err := lakeOfEvents(t, 50, 2, 7).ScanChosen(t.Context(), "r", schema.NewEvents(), all, lake.ScanOptions{}, func() error { return enough })
	expect.Equal(t, errors.Is(err, enough), true, "the scan stops at an error: %v", err)
}

// nameOf is the component and the function of an event of lakeOfEvents.
func nameOf(seq int64) string {
	ev := schema.NewEvents()
	addEvent(ev, seq)
	return ev.Names.Components.Name(0) + ev.Names.Functions.Name(0)
}
