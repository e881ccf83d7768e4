package timeline

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/canvas"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Chart is a window laid out as a picture. Coordinates are those of the page, from its upper left corner.
type Chart struct {
	Width, Height Length    // of the page
	Lanes         []Lane    // from top to bottom
	Boxes         []Box     // by lane, level and place
	Arrows        []Arrow   // by the lanes of their ends, then by kind and time of sending
	Path          []Segment // by the time of their first event
	Rest          Rest      // what has no lane
	TooDeep       int64     // executions beyond the highest level, which are not drawn
	PathHidden    int64     // steps of the critical path on lifelines without a lane, which are not drawn
	Hidden        int64     // messages with an end that has no lane, which are not drawn

	window          *Window
	scale           scale   // of time, over the width of the lanes
	narrow          Length  // boxes of less width are joined
	laneOf          []int32 // by lifeline; -1 where it is not shown
	laneOfComponent []int   // by component: its first lane, or -1
	chosen          []Chosen
	strips          []strip // below the lanes
}

// What the parts of a picture measure.
const (
	rowHeight   = 17 * px // of a box, with a name in it
	lanePadding = 5 * px  // above and below the boxes of a lane, where arrows can be followed
	headHeight  = 78 * px // title, counts and the axis
	footHeight  = 34 * px // the legend
	noteHeight  = 16 * px // a line of what is left out
	margin      = 16 * px // around the page
	gap         = 10 * px // between a name and the axis
	leastBox    = px / 2  // the width below which boxes are joined at first
)

// Layout lays out a window and leaves it unchanged. The result depends on the rows and not on their order, so that the same
// window is the same picture. It takes time O(n log n) in the executions and messages.
func Layout(w *Window, o Options) *Chart {
	o = o.filled()
	c := &Chart{Width: Length(o.Width) * px, window: w, narrow: leastBox, chosen: o.Chosen[:min(len(o.Chosen), MostChosen)]}
	// First which lanes there are, in which order and how high.
	lanes, rest := w.choose(w.findLanes(), o.Lanes)
	w.order(lanes, o.Order)
	c.Lanes, c.Rest = lanes, rest
	c.pile()
	// Then the scale of time, which begins beside the longest name, and the boxes in the lanes.
	c.scale = scale{w.FromNs, w.ToNs, margin + max(c.nameWidth(), o.Names) + gap, c.Width - margin}
	c.stack(o.Boxes)
	c.sortBoxes()
	// Then the arrows between boxes, and the path over all of them.
	e := newEvents(w.Executions)
	c.Hidden = c.arrows(e, o.Boxes)
	c.segments(e)
	legend := c.legend()
	c.Height = c.bottom() + Length(len(c.notes())+legend[len(legend)-1].row)*noteHeight + footHeight
	return c
}

// LayoutRuns lays out the windows of several runs, which are of one length, on one scale.
func LayoutRuns(windows []*Window, o Options) (all []*Chart) {
	for _, w := range windows {
		c := Layout(w, o)
		all = append(all, c)
		o.Names = max(o.Names, c.nameWidth())
	}
	for i, c := range all {
		if c.nameWidth() < o.Names {
			all[i] = Layout(windows[i], o)
		}
	}
	return all
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
		// Only lanes of lifelines have events; those that only the path visits are found by their components.
		if l.lifeline != schema.NoCode {
			c.laneOf[l.lifeline] = int32(i)
		}
		if c.laneOfComponent[l.component] < 0 {
			c.laneOfComponent[l.component] = i
		}
	}
	c.addStrips()
}

// bottom returns the end of what has the axis of time above it.
func (c *Chart) bottom() Length {
	if n := len(c.strips); n > 0 {
		return c.strips[n-1].bottom
	}
	return c.floor()
}

// floor returns the end of the lowest lane.
func (c *Chart) floor() Length {
	if len(c.Lanes) == 0 {
		return headHeight + rowHeight
	}
	return c.Lanes[len(c.Lanes)-1].Bottom
}

// stack makes boxes. While there are more than most, it doubles the width below which boxes are joined.
func (c *Chart) stack(most int) {
	s := stacker{w: c.window, x: c.window.Executions, scale: c.scale, laneOf: c.laneOf}
	rows := s.order()
	// Doubling ends: at the width of the page all boxes of a level and parent are one.
	for s.narrow = c.narrow; ; s.narrow *= 2 {
		s.stack(rows)
		if len(s.boxes) <= most || s.narrow >= c.Width {
			break
		}
	}
	c.Boxes, c.TooDeep, c.narrow = s.boxes, s.deepest, s.narrow
}

// sortBoxes sorts the boxes by lane, level and place, and renumbers the positions of parents. The path is marked by binary
// search in this order.
func (c *Chart) sortBoxes() {
	order := make([]int, len(c.Boxes))
	for i := range order {
		order[i] = i
	}
	// Parents come on lower levels, but not before all of their callees: positions are translated afterwards.
	slices.SortFunc(order, func(i, j int) int {
		x, y := &c.Boxes[i], &c.Boxes[j]
		return cmp.Or(cmp.Compare(x.Lane, y.Lane), cmp.Compare(x.Level, y.Level), cmp.Compare(x.Left, y.Left),
			cmp.Compare(x.Right, y.Right), cmp.Compare(i, j))
	})
	// place is the inverse of order: where each box has gone, for the parents.
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
	at    Length // on the axis
	label string // empty for a small mark
}

// axis has the marks of the time axis, and says from when its numbers count.
type axis struct {
	ticks []tick
	title string
}

// tickDistance is the distance that labelled ticks should have at least: the width of a label with some air.
const tickDistance = 110 * px

// axis chooses marks at round times since the start of the run. Where these would need many digits, the labels
// count from the start of the window.
func (c *Chart) axis() axis {
	w := c.window
	span := w.ToNs - w.FromNs
	// 1. The distance of labelled marks: a round step, as many as have room.
	step := roundStep(span, int64((c.scale.right-c.scale.left)/tickDistance))
	zero, title := w.OriginNs, "time since the start of the run"
	if far := max(w.ToNs-w.OriginNs, w.OriginNs-w.FromNs); far/step >= 10_000 {
		zero, title = w.FromNs, "time since "+texttab.Exact(w.FromNs-w.OriginNs)
	}
	// 2. The marks, five small ones to a labelled one.
	u := texttab.UnitOf(span)
	// Go's remainder has the sign of the dividend; the first mark is at or after the start of the window also before zero.
	a := axis{title: title}
	small := max(step/5, 1) // 1, 2 and 5 times a power of ten divide by five down to 1 ns
	first := w.FromNs - zero
	if rest := ((first % small) + small) % small; rest > 0 {
		first += small - rest
	}
	for ns := first; ns <= w.ToNs-zero; ns += small {
		t := tick{at: c.scale.at(ns + zero)}
		if ns%step == 0 {
			t.label = u.Digits(ns) + " " + u.Name
		}
		a.ticks = append(a.ticks, t)
	}
	return a
}

// roundStep returns the smallest of 1, 2 and 5 times a power of ten nanoseconds that fits into a span at most n times.
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

const px = canvas.Px // a pixel

// scale maps times to places on the axis. Every intermediate result is converted explicitly, so that no compiler fuses the
// operations: the same window has the same bytes on every machine.
type scale struct {
	fromNs, toNs int64  // the window, in trace time
	left, right  Length // the ends of the axis
}

// at returns the place of a time, which need not lie in the window.
func (s scale) at(ns int64) Length {
	share := float64(ns-s.fromNs) / float64(s.toNs-s.fromNs)
	return s.left + Length(float64(share*float64(s.right-s.left))+0.5)
}

// clip returns the place of a time in the window, or else the nearest end of the axis.
func (s scale) clip(ns int64) Length { return s.at(min(max(ns, s.fromNs), s.toNs)) }
