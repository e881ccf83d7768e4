package criticalpaths

import (
	"cmp"
	"context"
	"slices"

	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/stages/timing/whatif"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// WhatIf recomputes the schedule of the run with other durations, and says how long occurrences take in it and what is critical
// then. It goes up the chart for the new times, and down again for the critical paths of the windows in which occurrences lie; it
// keeps the front of the walk at each of these windows, so that on the way down a window is computed again instead of being kept.
func (j *Job) WhatIf(ctx context.Context, occurrences []findings.Occurrence, rules whatif.Rules) (*findings.WhatIf, error) {
	c, err := chartwindow.Of(j.Lake, j.Run, chartwindow.Want{Parts: true, Bounds: true}, j.Jobs)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	p := &replay{chart: c, rules: rules, occurrences: occurrences, fronts: make(map[int64]whatif.Front)}
	p.after = slices.Clone(occurrences)
	// What comes after the last occurrence changes nothing for any.
	last := int64(0)
	for i := range occurrences {
		last = max(last, occurrences[i].To)
	}
	windows := c.Windows(chartwindow.Range{Lo: c.Span().Lo, Hi: last + 1}, j.edgesPerWindow())
	crossings, err := c.Crossings(ctx, windows)
	if err != nil {
		return nil, err
	}
	p.schedule = whatif.New(rules, crossings)
	j.Progress.Expect(2 * int64(len(windows)))
	if err := p.up(ctx, windows, j.Progress.Advance); err != nil {
		return nil, err
	}
	found := &findings.WhatIf{Names: c.Names, Removed: len(rules.Removed)}
	found.Overtaking, found.Requests = p.schedule.Overtaking, p.schedule.Requests // before windows are computed again
	if err := p.down(ctx, windows, found, j.Progress.Advance); err != nil {
		return nil, err
	}
	found.Parts = c.Parts()
	for i := range occurrences {
		found.Before = append(found.Before, occurrences[i].SpanNs())
		found.After = append(found.After, p.after[i].SpanNs())
	}
	return found, nil
}

// replay is a schedule that is computed and followed back.
type replay struct {
	chart       *chartwindow.Chart
	rules       whatif.Rules
	schedule    *whatif.Schedule
	factors     []float64 // by part
	occurrences []findings.Occurrence
	after       []findings.Occurrence  // with their new times
	fronts      map[int64]whatif.Front // by the start of the windows in which occurrences lie
}

// end is the first or the last event of an occurrence.
type end struct {
	seq   int64
	at    int // position of the occurrence
	isEnd bool
}

// ends returns both events of all occurrences in the order of the trace.
func (p *replay) ends() []end {
	all := make([]end, 0, 2*len(p.occurrences))
	for i := range p.occurrences {
		all = append(all, end{p.occurrences[i].From, i, false}, end{p.occurrences[i].To, i, true})
	}
	slices.SortFunc(all, func(a, b end) int { return cmp.Compare(a.seq, b.seq) })
	return all
}

// factorsNow returns the factors of the parts that are known by now.
func (p *replay) factorsNow() []float64 {
	p.chart.Describe(len(p.factors), func(names *schema.Names, part window.Part) {
		p.factors = append(p.factors, p.rules.Factor(names, part))
	})
	return p.factors
}

// up computes the new times, and keeps those at which occurrences begin and end.
func (p *replay) up(ctx context.Context, windows []chartwindow.Range, advance func(int64)) error {
	ends, open := p.ends(), 0 // open: occurrences that have begun
	return p.chart.Up(ctx, windows, func(w *window.Window) error {
		if open > 0 || len(ends) > 0 && ends[0].seq < w.Hi {
			p.fronts[w.Lo] = p.schedule.Front()
		}
		p.schedule.Up(w, p.factorsNow())
		for ; len(ends) > 0 && ends[0].seq < w.Hi; ends = ends[1:] {
			e := ends[0]
			o := &p.after[e.at]
			into, by := &o.FromNs, 1
			if e.isEnd {
				into, by = &o.ToNs, -1
			}
			open += by
			// An event that no constraint in its window knows keeps its time.
			if e.seq >= w.Lo && p.schedule.Times[e.seq-w.Lo] != schema.NoValue {
				*into = p.schedule.Times[e.seq-w.Lo]
			}
		}
		advance(1)
		return nil
	})
}

// down follows the critical paths of all occurrences, as they were recorded and as they are in the new schedule.
func (p *replay) down(ctx context.Context, windows []chartwindow.Range, found *findings.WhatIf, advance func(int64)) error {
	recorded, planned := tracerInto(&found.Recorded, p.occurrences), tracerInto(&found.Planned, p.after)
	windows = slices.DeleteFunc(slices.Clone(windows), func(r chartwindow.Range) bool {
		_, is := p.fronts[r.Lo]
		return !is
	})
	err := p.chart.Down(ctx, windows, func(w *window.Window) error {
		recorded.Down(w, p.chart.Parts())
		p.schedule.Rewrite(w, p.factorsNow(), p.fronts[w.Lo])
		delete(p.fronts, w.Lo)
		planned.Down(w, p.chart.Parts())
		advance(1)
		return nil
	})
	recorded.Finish()
	planned.Finish()
	return err
}

// tracerInto returns a tracer that sums up the paths towards occurrences.
func tracerInto(sums *criticalpath.Composition, occurrences []findings.Occurrence) *criticalpath.Tracer {
	t := &criticalpath.Tracer{Done: func(_ *criticalpath.Target, shares []criticalpath.Share, _ int64) { sums.Add(0, shares) }}
	for i := range occurrences {
		t.Add(targetOf(&occurrences[i], 0))
	}
	return t
}
