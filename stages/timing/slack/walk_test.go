package slack_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/slack"
	"github.com/tracelake/tracelake/stages/timing/window"
	"github.com/tracelake/tracelake/testdata/expect"
)

// story is two lifelines. 1 sends to 3 and gets an answer at 6; bounds in brackets, ? where none is known.
//
//	lifeline 1   1 @10 ----------[30]---------> 6 @100 --[5]--> 7 @110
//	              \[20]                       /[40]
//	lifeline 2   2 @15 --[?]--> 3 @40 --[10]--> 4 @50
//
// The message from 4 takes 50. By hand: slack of 6 is 10 - 5, of 4 it is 50 - 40 + 5, of 3 the same, of 1 the least
// of 90 - 30 + 5 and 30 - 20 + 15; no constraint with a bound leaves 2. Urgent: 3 is at max(10 + 20, 15 + 0), 4 at
// 40, 6 at max(10 + 30, 40 + 40), 7 at 85. 5 is a gap.
func story() *chart {
	c := newChart()
	for seq, ns := range map[int64]int64{1: 10, 2: 15, 3: 40, 4: 50, 6: 100, 7: 110} {
		c.event(seq, ns)
	}
	slices.Sort(c.events)
	c.edge(2, 3, schema.NoValue, 0)
	c.edge(1, 3, 20, window.Message)
	c.edge(3, 4, 10, window.Critical)
	c.edge(1, 6, 30, 0)
	c.edge(4, 6, 40, window.Message)
	c.edge(6, 7, 5, 0)
	return c
}

func TestStory(t *testing.T) {
	wantSlacks := []int64{25, 0, 15, 15, 0, 5, 0}
	wantUrgents := []int64{10, 15, 30, 40, schema.NoValue, 80, 85}
	for size := int64(1); size <= 8; size++ {
		slacks, urgents, _, _ := walk(t, story().every(size))
		if !slices.Equal(slacks, wantSlacks) {
			t.Errorf("windows of %d: slacks %d, want %d", size, slacks, wantSlacks)
		}
		if !slices.Equal(urgents, wantUrgents) {
			t.Errorf("windows of %d: urgent times %d, want %d", size, urgents, wantUrgents)
		}
	}
}

// A walk over a part of a chart sees constraints from below it, and one that leaves a window out loses its slacks.
func TestSourcesOutsideTheWalk(t *testing.T) {
	windows := story().windows(3, 4, 6) // 1 and 2, 3, 4 and 5, 6 and 7
	_, urgents, _, _ := walk(t, windows[1:])
	expect.Equal(t, fmt.Sprint(urgents), fmt.Sprint([]int64{30, 40, schema.NoValue, 80, 85}), "urgent times")
	slacks, urgents, _, _ := walk(t, []*window.Window{windows[0], windows[1], windows[3]})
	expect.Equal(t, fmt.Sprint(slacks, urgents), "[10 0 0 77 77 5 0] [10 15 30 77 77 90 95]", "without the window of 4 and 5, which keeps 77")
}

func TestOtherWindowsUpwards(t *testing.T) {
	windows := story().windows(4)
	for name, up := range map[string][]*window.Window{
		"wrong order":     {windows[1]},
		"another border":  story().windows(3),
		"other low end":   {{Lo: 2, Hi: 4}},
		"other high end":  {windows[0], {Lo: 4, Hi: 7, First: make([]uint32, 4)}},
		"one window more": {windows[0], windows[1], windows[1]},
	} {
		b, out := new(slack.Backward), make([]int64, 7)
		b.Add(windows[1], out)
		b.Add(windows[0], out)
		f := b.Forward()
		var err error
		for _, w := range up {
			if err = f.Add(w, out); err != nil {
				break
			}
		}
		expect.Refused(t, err, "walk up the windows that you walked down", "%s: error", name)
	}
}
