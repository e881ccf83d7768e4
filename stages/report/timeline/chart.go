package timeline

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Chart is a window laid out as a picture.
type Chart struct {
	Width, Height Length
	Lanes         []Lane // from top to bottom
	Boxes         []Box  // by lane, level and place
	Arrows        []Arrow
	Path          []Segment
	Rest          Rest
	TooDeep       int64 // executions beyond the highest level
	Hidden        int64 // messages with an end that has no lane

	window          *Window
	scale           scale
	narrow          Length  // boxes of less are put together
	laneOf          []int32 // by lifeline; -1 where it is not shown
	laneOfComponent []int   // by component: its first lane, or -1
}

// What the parts of a picture measure.
const (
	rowHeight   = 17 * px
	lanePadding = 5 * px
	headHeight  = 78 * px // title, counts and the axis
	footHeight  = 34 * px // the legend
	noteHeight  = 16 * px // a line of what is left out
	margin      = 16 * px
	gap         = 10 * px // between a name and the axis
	leastBox    = px / 2
)

// Layout lays a window out. It changes nothing of the window.
func Layout(w *Window, o Options) *Chart {
	// (1) which lanes there are, (2) in which order and how high, (3) boxes in them, (4) arrows between them, (5) the
	// path over all.
	o = o.filled()
	c := &Chart{Width: Length(o.Width) * px, window: w, narrow: leastBox}
	lanes, rest := w.choose(w.findLanes(), o.Lanes)
	w.order(lanes)
	c.Lanes, c.Rest = lanes, rest
	c.pile()
	c.scale = scale{w.FromNs, w.ToNs, margin + c.nameWidth() + gap, c.Width - margin}
	c.stack(o.Boxes)
	c.sortBoxes()
	e := newEvents(w.Executions)
	c.Hidden = c.arrows(e, o.Boxes)
	c.segments(e)
	c.Height = c.bottom() + Length(len(c.notes()))*noteHeight + footHeight
	return c
}

// pile gives every lane its height, and finds the lanes of lifelines and components.
func (c *Chart) pile() {
	names := c.window.names()
	c.laneOf = slices.Repeat([]int32{-1}, names.Lifelines.Len())
	c.laneOfComponent = slices.Repeat([]int{-1}, names.Components.Len())
	y := headHeight
	for i := range c.Lanes {
		l := &c.Lanes[i]
		l.Top, l.Bottom = y, y+Length(l.Levels)*rowHeight+2*lanePadding
		y = l.Bottom
		if l.lifeline != schema.NoCode {
			c.laneOf[l.lifeline] = int32(i)
		}
		if c.laneOfComponent[l.component] < 0 {
			c.laneOfComponent[l.component] = i
		}
	}
}

// bottom is where the lanes end.
func (c *Chart) bottom() Length {
	if len(c.Lanes) == 0 {
		return headHeight + rowHeight
	}
	return c.Lanes[len(c.Lanes)-1].Bottom
}

// stack makes boxes, and wider ones until there are few enough.
func (c *Chart) stack(most int) {
	s := stacker{x: c.window.Executions, scale: c.scale, laneOf: c.laneOf}
	rows := s.order()
	for s.narrow = c.narrow; ; s.narrow *= 2 {
		s.stack(rows)
		if len(s.boxes) <= most || s.narrow >= c.Width {
			break
		}
	}
	c.Boxes, c.TooDeep, c.narrow = s.boxes, s.deepest, s.narrow
}

// sortBoxes brings the boxes into their final order, the positions of parents too.
func (c *Chart) sortBoxes() {
	order := make([]int, len(c.Boxes))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		x, y := &c.Boxes[i], &c.Boxes[j]
		return cmp.Or(cmp.Compare(x.Lane, y.Lane), cmp.Compare(x.Level, y.Level), cmp.Compare(x.Left, y.Left),
			cmp.Compare(x.Right, y.Right), cmp.Compare(i, j))
	})
	place := make([]int, len(order))
	sorted := make([]Box, len(order))
	for at, i := range order {
		place[i], sorted[at] = at, c.Boxes[i]
	}
	for i := range sorted {
		if p := sorted[i].Parent; p >= 0 {
			sorted[i].Parent = place[p]
		}
	}
	c.Boxes = sorted
}

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

// Length is a length or a coordinate of a picture.
type Length = canvas.Length

const px = canvas.Px

// scale turns times into places on the axis. Its arithmetic is in steps that no compiler may fuse, for the same reason.
type scale struct {
	fromNs, toNs int64
	left, right  Length
}

// at is the place of a time, which need not be in the window.
func (s scale) at(ns int64) Length {
	share := float64(ns-s.fromNs) / float64(s.toNs-s.fromNs)
	return s.left + Length(float64(share*float64(s.right-s.left))+0.5)
}

// clip is the place of a time, or of the end of the window that is nearest to it.
func (s scale) clip(ns int64) Length { return s.at(min(max(ns, s.fromNs), s.toNs)) }
