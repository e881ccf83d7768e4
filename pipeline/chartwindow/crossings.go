package chartwindow

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Crossings finds the events whose constraints lead from one of some windows into a later one, or from below all windows, in the
// order of the events. A walk up the windows keeps these and no others, which it cannot know by itself. The windows are those of
// one range as Windows cuts it. Two columns are read.
func (c *Chart) Crossings(ctx context.Context, windows []Range) ([]window.Crossing, error) {
	if len(windows) < 2 {
		return nil, nil
	}
	var mu sync.Mutex
	var all []window.Crossing
	err := c.each(ctx, func(f *file) error {
		some, err := f.crossings(c, windows)
		mu.Lock()
		defer mu.Unlock()
		all = append(all, some...)
		return err
	})
	slices.SortFunc(all, func(a, b window.Crossing) int {
		return cmp.Or(cmp.Compare(a.Event, b.Event), cmp.Compare(b.Last, a.Last))
	})
	return slices.CompactFunc(all, func(a, b window.Crossing) bool { return a.Event == b.Event }), err
}

// crossings finds those of one file. Consecutive rows of a lifeline follow each other closely, so nearly all constraints end in the
// window in which they begin.
func (f *file) crossings(c *Chart, windows []Range) (some []window.Crossing, err error) {
	rows := schema.NewConstraints(new(schema.Names))
	in, err := f.readers[0].reader.Beside(rows, "target_seq", "source_seq")
	if err != nil {
		return nil, err
	}
	lo, step, hi := windows[0].Lo, windows[0].Hi-windows[0].Lo, windows[len(windows)-1].Hi
	for i, g := range f.groups {
		if g.lo >= hi || g.hi <= lo {
			continue
		}
		if err := in.Read(i); err != nil {
			return nil, err
		}
		// The window of the targets at hand, which ascend.
		var at Range
		for k, target := range rows.Target {
			if target >= at.Hi {
				at.Lo = lo + (target-lo)/step*step
				at.Hi = at.Lo + step
			}
			if source := rows.Source[k]; source < at.Lo && target < hi {
				some = append(some, window.Crossing{Event: source, Last: target})
			}
		}
	}
	return some, nil
}

// Describe calls f for the parts from a number on, with the names of the chart. It may be called while Up or Down bring windows.
func (c *Chart) Describe(from int, f func(names *schema.Names, p window.Part)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, p := range c.parts.List[from:] {
		f(c.Names, p)
	}
}
