package criticalpaths

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/deadlines"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// ReferenceOccurrences is the greatest number of occurrences in time that define what is usual; if there
// are more, this number is taken evenly.
// Thresholds are quartiles, which a thousand values fix well enough, and each occurrence costs a reading of its
// window.
const ReferenceOccurrences = 1024

// Explain finds why occurrences missed a deadline that others met. The chart is read twice: for the
// reference, and for the late ones.
func (j *Job) Explain(ctx context.Context, all []findings.Occurrence, opt deadlines.Options) (*findings.Verdicts, error) {
	c, err := chartwindow.Of(j.Lake, j.Run, chartwindow.Want{Parts: true, Bounds: true}, j.Jobs)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	// 1. Divide the occurrences by the deadline.
	var late, inTime []findings.Occurrence
	for _, o := range all {
		if o.SpanNs() > opt.DeadlineNs {
			late = append(late, o)
		} else {
			inTime = append(inTime, o)
		}
	}
	if inTime = takeEvenly(inTime, ReferenceOccurrences); len(inTime) == 0 {
		return unexplained(c, late), nil
	}
	j.Progress.Expect(int64(len(inTime) + len(late)))
	// 2. Learn what is usual from those in time.
	v := &findings.Verdicts{Names: c.Names, Reference: len(inTime)}
	reference := deadlines.NewReference(opt)
	err = j.eachChart(ctx, c, inTime, func(_ findings.Occurrence, d *deadlines.Occurrence) { reference.Add(d) })
	if err != nil {
		return nil, err
	}
	// 3. Explain each late one, and compare it with the usual ones.
	var more surpluses
	err = j.eachChart(ctx, c, late, func(o findings.Occurrence, d *deadlines.Occurrence) {
		v.Missed = append(v.Missed, explainOne(reference, o, d, opt.DeadlineNs))
		more.addComparison(reference.Compare(d))
	})
	// 4. Windows are read from the end of the trace, so that the verdicts must be sorted.
	slices.SortFunc(v.Missed, func(a, b findings.Missed) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.From, b.From))
	})
	v.Parts = c.Parts()
	v.Surpluses = more.sortedByExcess(v.Names, v.Parts)
	return v, err
}

// unexplained returns the verdicts if no occurrence is in time: there is nothing to compare with.
// Each gets its whole time as unexplained, so that a report still lists it.
func unexplained(c *chartwindow.Chart, late []findings.Occurrence) *findings.Verdicts {
	v := &findings.Verdicts{Names: c.Names}
	for _, o := range late {
		v.Missed = append(v.Missed, findings.Missed{Occurrence: o, Explanation: deadlines.Explanation{MakespanNs: o.SpanNs(), UnexplainedNs: o.SpanNs()}})
	}
	return v
}

// explainOne explains one occurrence. Work that others start by themselves takes place at its time,
// whatever the occurrence does. If late work of the occurrence had to wait for it, lowering what made the
// occurrence late seems useless, although it would have come before. So where the causes do not suffice,
// what the occurrence caused itself is examined alone: the time that it waited for others stays, but not
// the time of day.
func explainOne(r *deadlines.Reference, o findings.Occurrence, d *deadlines.Occurrence, deadlineNs int64) findings.Missed {
	// First as it was recorded: with everything that held the occurrence up.
	x := r.Explain(d)
	if !x.Sufficient {
		own := *d
		// Where all of it is caused by the occurrence a second try would find the same.
		if own.Edges = causedEdges(d); len(own.Edges) < len(d.Edges) {
			if alone := r.Explain(&own); alone.Sufficient {
				return findings.Missed{Occurrence: o, Explanation: alone, Along: true}
			}
		}
	}
	return findings.Missed{Occurrence: o, Explanation: materialCauses(x, o.SpanNs()-deadlineNs)}
}

// causedEdges returns the constraints of an occurrence on paths from its first event.
// Linear in the constraints, but for a binary search each.
func causedEdges(d *deadlines.Occurrence) (own []deadlines.Edge) {
	// Targets ascend, so that the list is sorted and a search in it takes O(log n).
	reached := []int64{d.From} // ascending, as the targets are
	for _, e := range d.Edges {
		if _, is := slices.BinarySearch(reached, e.Source); !is {
			continue
		}
		own = append(own, e)
		if e.Target != reached[len(reached)-1] {
			reached = append(reached, e.Target)
		}
	}
	return own
}

// materialCauses leaves out what does not matter where the causes do not suffice: the deadline was missed
// for reasons beyond them, and every unusual step on the path has some gain, however small. A gain below
// a hundredth of the excess is left out.
func materialCauses(x deadlines.Explanation, overNs int64) deadlines.Explanation {
	if !x.Sufficient {
		x.Causes = slices.DeleteFunc(x.Causes, func(c deadlines.Cause) bool { return c.GainNs < (overNs+99)/100 })
	}
	return x
}

// takeEvenly returns n elements of a list at even distances, or all.
func takeEvenly[T any](list []T, n int) []T {
	if len(list) <= n {
		// Few enough: none is left out.
		return list
	}
	some := make([]T, n)
	for i := range some {
		some[i] = list[i*len(list)/n]
	}
	return some
}

// eachChart calls f for every occurrence with the constraints on which it depended, the last occurrence
// first. Near occurrences share one window of the chart.
func (j *Job) eachChart(ctx context.Context, c *chartwindow.Chart, all []findings.Occurrence, f func(o findings.Occurrence, d *deadlines.Occurrence)) error {
	all = slices.Clone(all)
	// The last occurrence first: windows are walked from the end of the chart.
	slices.SortFunc(all, func(a, b findings.Occurrence) int {
		return cmp.Or(cmp.Compare(b.To, a.To), cmp.Compare(b.From, a.From))
	})
	// Sequence numbers stand for constraints at the chart's average density.
	span := c.Span()
	perWindow := max((span.Hi-span.Lo)*j.edgesPerWindow()/max(c.Rows(), 1), 1) // sequence numbers
	for len(all) > 0 {
		// 1. Occurrences that lie near each other share a window.
		n, r := batchOf(all, perWindow)
		// 2. One very long occurrence may not fit: then the user must decide.
		if need := c.Rows() * (r.Hi - r.Lo) / max(span.Hi-span.Lo, 1) * edgeBytes; need > j.Memory {
			return fmt.Errorf("occurrence %d takes about %d MB to look at: raise --memory", all[0].Number, need>>20)
		}
		// 3. Read the window, once for all of its occurrences.
		w := new(window.Window)
		if err := c.Load(ctx, r, w); err != nil {
			return err
		}
		for _, o := range all[:n] {
			// Each occurrence is searched in the window on its own, and forgotten after f.
			d := dependenciesOf(w, o)
			f(o, &d)
			j.Progress.Advance(1)
		}
		all = all[n:]
	}
	return nil
}

// edgeBytes is the memory for a constraint in a window, its row group, and an occurrence.
// 40 bytes for the constraint, the rest for columns that are being decoded and for copies of it in occurrences.
const edgeBytes = 300

// batchOf returns how many of the occurrences, the last first, fit into a window of about that many
// sequence numbers, at least one, and the window.
func batchOf(all []findings.Occurrence, most int64) (n int, r chartwindow.Range) {
	r = chartwindow.Range{Lo: all[0].From, Hi: all[0].To + 1}
	for n = 1; n < len(all) && r.Hi-min(r.Lo, all[n].From) <= most; n++ {
		r.Lo = min(r.Lo, all[n].From)
	}
	return n, r
}

// dependenciesOf returns the constraints from which the last event of an occurrence can be reached,
// critical or not.
func dependenciesOf(w *window.Window, o findings.Occurrence) deadlines.Occurrence {
	d := deadlines.Occurrence{From: o.From, To: o.To, FromNs: o.FromNs, ToNs: o.ToNs}
	// Nothing before From is needed, so that the search costs one bit for each event of the occurrence.
	closure := criticalpath.NewClosure(targetOf(&o, 0), o.From)
	// Lowering a bound may make another constraint critical, so that all of them are needed.
	closure.All = true
	closure.Take = func(target int64, e *window.Edge, _ bool) {
		d.Edges = append(d.Edges, deadlines.Edge{
			Source: e.Source, Target: target, SourceNs: e.SourceNs(), TargetNs: e.TargetNs, BoundNs: e.BoundNs, Key: e.Part,
			Message: e.Flags&window.Message != 0, Idle: e.Flags&window.Idle != 0,
		})
	}
	closure.Down(w)
	// The walk goes down; an occurrence has its constraints by ascending target.
	slices.Reverse(d.Edges)
	return d
}
