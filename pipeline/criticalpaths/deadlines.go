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

// ReferenceOccurrences is how many occurrences in time say what is usual; of more, so many are taken evenly.
const ReferenceOccurrences = 1024

// Explain tells why occurrences missed a deadline that others met.
func (j *Job) Explain(ctx context.Context, all []findings.Occurrence, opt deadlines.Options) (*findings.Verdicts, error) {
	c, err := chartwindow.Of(j.Lake, j.Run, chartwindow.Want{Parts: true, Bounds: true}, j.Jobs)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	var late, inTime []findings.Occurrence
	for _, o := range all {
		if o.SpanNs() > opt.DeadlineNs {
			late = append(late, o)
		} else {
			inTime = append(inTime, o)
		}
	}
	if inTime = evenly(inTime, ReferenceOccurrences); len(inTime) == 0 {
		return unexplained(c, late), nil
	}
	j.Progress.Expect(int64(len(inTime) + len(late)))
	v := &findings.Verdicts{Names: c.Names, Reference: len(inTime)}
	reference := deadlines.NewReference(opt)
	err = j.eachChart(ctx, c, inTime, func(_ findings.Occurrence, d *deadlines.Occurrence) { reference.Add(d) })
	if err != nil {
		return nil, err
	}
	var more surpluses
	err = j.eachChart(ctx, c, late, func(o findings.Occurrence, d *deadlines.Occurrence) {
		v.Missed = append(v.Missed, explain(reference, o, d, opt.DeadlineNs))
		more.add(reference.Compare(d))
	})
	slices.SortFunc(v.Missed, func(a, b findings.Missed) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.From, b.From))
	})
	v.Parts = c.Parts()
	v.Surpluses = more.sorted(v.Names, v.Parts)
	return v, err
}

// unexplained are the verdicts where no occurrence is in time.
func unexplained(c *chartwindow.Chart, late []findings.Occurrence) *findings.Verdicts {
	v := &findings.Verdicts{Names: c.Names}
	for _, o := range late {
		v.Missed = append(v.Missed, findings.Missed{Occurrence: o, Explanation: deadlines.Explanation{MakespanNs: o.SpanNs(), UnexplainedNs: o.SpanNs()}})
	}
	return v
}

// explain explains one occurrence. Work that others start by themselves takes place at its time, whatever the
// occurrence does. If late work of the occurrence had to wait for it, lowering what made the occurrence late seems to be
// of no use, though it would have come before. So where the causes do not suffice, what the occurrence
// caused itself is looked at alone: the time that it waited for others stays, but not the time of day.
func explain(r *deadlines.Reference, o findings.Occurrence, d *deadlines.Occurrence, deadlineNs int64) findings.Missed {
	x := r.Explain(d)
	if !x.Sufficient {
		own := *d
		if own.Edges = caused(d); len(own.Edges) < len(d.Edges) {
			if alone := r.Explain(&own); alone.Sufficient {
				return findings.Missed{Occurrence: o, Explanation: alone, Along: true}
			}
		}
	}
	return findings.Missed{Occurrence: o, Explanation: material(x, o.SpanNs()-deadlineNs)}
}

// caused are the constraints of an occurrence that lead on from its first event.
func caused(d *deadlines.Occurrence) (own []deadlines.Edge) {
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

// material leaves out what does not matter where the causes do not suffice: the deadline was missed for reasons beyond
// them, and every unusual step on the path has some gain, however small. What gains less than a hundredth of what
// is over is left out.
func material(x deadlines.Explanation, overNs int64) deadlines.Explanation {
	if !x.Sufficient {
		x.Causes = slices.DeleteFunc(x.Causes, func(c deadlines.Cause) bool { return c.GainNs < (overNs+99)/100 })
	}
	return x
}

// evenly takes n elements of a list, or all.
func evenly[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	some := make([]T, n)
	for i := range some {
		some[i] = list[i*len(list)/n]
	}
	return some
}

// eachChart calls f for every occurrence with the constraints that it depended on, the last occurrence first.
func (j *Job) eachChart(ctx context.Context, c *chartwindow.Chart, all []findings.Occurrence, f func(o findings.Occurrence, d *deadlines.Occurrence)) error {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b findings.Occurrence) int {
		return cmp.Or(cmp.Compare(b.To, a.To), cmp.Compare(b.From, a.From))
	})
	span := c.Span()
	perWindow := max((span.Hi-span.Lo)*j.edges()/max(c.Rows(), 1), 1) // sequence numbers
	for len(all) > 0 {
		n, r := batch(all, perWindow)
		if need := c.Rows() * (r.Hi - r.Lo) / max(span.Hi-span.Lo, 1) * edgeBytes; need > j.Memory {
			return fmt.Errorf("occurrence %d takes about %d MB to look at: raise --memory", all[0].Number, need>>20)
		}
		w := new(window.Window)
		if err := c.Load(ctx, r, w); err != nil {
			return err
		}
		for _, o := range all[:n] {
			d := dependencies(w, o)
			f(o, &d)
			j.Progress.Advance(1)
		}
		all = all[n:]
	}
	return nil
}

// edgeBytes is what a constraint takes in a window, its row group, and an occurrence.
const edgeBytes = 300

// batch is how many of the occurrences, the last first, fit into a window of about so many sequence numbers, and the
// window. It is one at least.
func batch(all []findings.Occurrence, most int64) (n int, r chartwindow.Range) {
	r = chartwindow.Range{Lo: all[0].From, Hi: all[0].To + 1}
	for n = 1; n < len(all) && r.Hi-min(r.Lo, all[n].From) <= most; n++ {
		r.Lo = min(r.Lo, all[n].From)
	}
	return n, r
}

// dependencies are the constraints from which the last event of an occurrence can be reached, critical or not.
func dependencies(w *window.Window, o findings.Occurrence) deadlines.Occurrence {
	d := deadlines.Occurrence{From: o.From, To: o.To, FromNs: o.FromNs, ToNs: o.ToNs}
	closure := criticalpath.NewClosure(targetOf(&o, 0), o.From)
	closure.All = true
	closure.Take = func(target int64, e *window.Edge, _ bool) {
		d.Edges = append(d.Edges, deadlines.Edge{
			Source: e.Source, Target: target, SourceNs: e.SourceNs(), TargetNs: e.TargetNs, BoundNs: e.BoundNs, Key: e.Part,
			Message: e.Flags&window.Message != 0, Idle: e.Flags&window.Idle != 0,
		})
	}
	closure.Down(w)
	slices.Reverse(d.Edges)
	return d
}
