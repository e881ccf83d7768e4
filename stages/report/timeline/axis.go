package timeline

import "github.com/tracelake/tracelake/stages/report/texttab"

// tick is a mark on the time axis.
type tick struct {
	at    Length
	label string // "" for a small mark
}

// axis is where the marks of the time axis are, and what its numbers mean.
type axis struct {
	ticks []tick
	title string
}

// tickDistance is how far apart labelled ticks should be at least.
const tickDistance = 110 * px

// axis chooses marks at round times since the start of the run. Where these would need many digits, the labels
// count from the start of the window.
func (c *Chart) axis() axis {
	w := c.window
	span := w.ToNs - w.FromNs
	step := roundStep(span, int64((c.scale.right-c.scale.left)/tickDistance))
	zero, title := w.OriginNs, "time since the start of the run"
	if far := max(w.ToNs-w.OriginNs, w.OriginNs-w.FromNs); far/step >= 10_000 {
		zero, title = w.FromNs, "time since "+exactly(w.FromNs-w.OriginNs)
	}
	u := texttab.UnitOf(span)
	a := axis{title: title}
	small := max(step/5, 1) // 1, 2 and 5 times a power of ten divide by five down to 1 ns
	first := w.FromNs - zero
	if rest := ((first % small) + small) % small; rest > 0 {
		first += small - rest
	}
	for ns := first; ns <= w.ToNs-zero; ns += small {
		t := tick{at: c.scale.at(ns + zero)}
		if ns%step == 0 {
			t.label = u.Digits(ns) + " " + u.Symbol
		}
		a.ticks = append(a.ticks, t)
	}
	return a
}

// roundStep is the smallest of 1, 2 and 5 times a power of ten of which at most n fit into a span, in ns.
func roundStep(span, n int64) int64 {
	for step := int64(1); ; step *= 10 {
		for _, f := range []int64{1, 2, 5} {
			if span/(step*f) <= max(n, 1) {
				return step * f
			}
		}
	}
}
