package timeline

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Arrow is a message, or several messages that would cover each other.
type Arrow struct {
	From, To             int    // positions of the lanes
	SendNs, ReceiveNs    int64  // in trace time; of several messages the first sending and the last receipt
	Left, LeftY          Length // at the send event, or where the window begins
	Right, RightY        Length // at the receive event, or where the window ends
	Count                int64  // messages
	Message              int    // the row in Messages of the first one
	Kind                 arrowKind
	CutAtStart, CutAtEnd bool // the send event is before the window, the receive event after it
	Crowd                int  // arrows that begin in the same column of the picture, this one included
}

// arrowKind says what an arrow stands for.
type arrowKind uint8

const (
	sent     arrowKind = iota // a message of the trace
	inferred                  // a callback that nobody saw
	coupled                   // a coupling that is no message: of a clock constraint, a collective operation, a link, a wake-up
)

// kindOf returns what a row of the messages of a window stands for.
func kindOf(m *schema.Messages, i int) arrowKind {
	switch {
	case m.ReceiverFunction[i] == schema.NoCode:
		return coupled
	case m.Pattern[i] == schema.Inferred:
		return inferred
	}
	return sent
}

// arrows makes the arrows between lanes and counts the messages with an end that has no lane. While there are more than most
// arrows, it doubles the distance below which equal arrows are bundled.
func (c *Chart) arrows(e *events, most int) (hidden int64) {
	m := c.window.Messages
	for _, row := range bySend(m) {
		i := int(row)
		a := Arrow{SendNs: m.SendNs[i], ReceiveNs: m.ReceiveNs[i], Count: 1, Message: i, Kind: kindOf(m, i)}
		var from, received anchor
		from, a.From = c.anchor(e, m.Sender[i], m.SendSeq[i])
		received, a.To = c.anchor(e, m.Receiver[i], m.ReceiveSeq[i])
		if a.From < 0 || a.To < 0 {
			hidden++
			continue
		}
		a.LeftY, a.RightY = c.meet(from, received)
		c.cut(&a)
		c.Arrows = append(c.Arrows, a)
	}
	for narrow := max(c.narrow, px); ; narrow *= 2 {
		c.Arrows = bundle(c.Arrows, narrow)
		if len(c.Arrows) <= most || narrow >= c.Width {
			break
		}
	}
	findCrowds(c.Arrows)
	return hidden
}

// cut shortens an arrow to the window, along its own slope.
func (c *Chart) cut(a *Arrow) {
	w, span := c.window, float64(a.ReceiveNs-a.SendNs)
	along := func(ns int64) Length {
		// Converted step by step, as in scale: the same bytes on every machine.
		return a.LeftY + Length(float64(float64(ns-a.SendNs)/span*float64(a.RightY-a.LeftY)))
	}
	a.CutAtStart, a.CutAtEnd = a.SendNs < w.FromNs, a.ReceiveNs > w.ToNs
	left, right := a.LeftY, a.RightY
	if a.CutAtStart && span > 0 {
		left = along(w.FromNs)
	}
	if a.CutAtEnd && span > 0 {
		right = along(w.ToNs)
	}
	a.LeftY, a.RightY = left, right
	a.Left, a.Right = c.scale.clip(a.SendNs), c.scale.clip(a.ReceiveNs)
}

// bundle joins consecutive arrows of a kind between the same lanes whose ends are less than narrow apart. It reuses the slice.
// The one that is kept has the earliest send and the latest receipt of those that it stands for.
func bundle(arrows []Arrow, narrow Length) []Arrow {
	slices.SortStableFunc(arrows, func(x, y Arrow) int {
		return cmp.Or(cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.SendNs, y.SendNs))
	})
	kept := arrows[:0]
	for _, a := range arrows {
		if n := len(kept); n > 0 {
			// Both ends are compared: arrows that begin together may end far apart.
			last := &kept[n-1]
			if last.From == a.From && last.To == a.To && last.Kind == a.Kind && a.Left-last.Left < narrow && abs(a.Right-last.Right) < narrow {
				last.Count += a.Count
				last.ReceiveNs = max(last.ReceiveNs, a.ReceiveNs)
				continue
			}
		}
		kept = append(kept, a)
	}
	return kept
}

// column is the width of a column of the picture, in which the heads of only a few arrows have room. Crowded arrows are drawn
// fainter.
const column = 8 * px

// findCrowds counts for every arrow how many begin in the same column of the picture.
func findCrowds(arrows []Arrow) {
	order := make([]int, len(arrows))
	for i := range order {
		order[i] = i
	}
	of := func(i int) Length { return arrows[i].Left / column }
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(of(i), of(j)) })
	// Equal columns stand in a row of the order; every arrow of the row gets its length.
	for first, next := 0, 0; first < len(order); first = next {
		for next = first; next < len(order) && of(order[next]) == of(order[first]); next++ {
		}
		for _, i := range order[first:next] {
			arrows[i].Crowd = next - first
		}
	}
}

// abs returns a length without its sign.
func abs(l Length) Length { return max(l, -l) }

// anchor is the side of the box that an event enters or leaves.
type anchor struct {
	top, bottom Length // of the box
}

// anchor finds the box of an event and its lane, -1 if it has none.
func (c *Chart) anchor(e *events, component schema.Code, seq int64) (anchor, int) {
	at, _, found := e.find(component, seq)
	// An event of no execution in the window is drawn at the floor of its component's first lane.
	if !found {
		lane := c.laneOfComponent[component]
		if lane < 0 {
			return anchor{}, -1
		}
		return anchor{c.edge(lane, 1), c.edge(lane, 0)}, lane
	}
	lane := int(c.laneOf[e.x.Lifeline[at.row]])
	if lane < 0 {
		return anchor{}, -1
	}
	depth := int(e.x.Depth[at.row])
	return anchor{c.edge(lane, depth+1), c.edge(lane, depth)}, lane
}

// meet returns where an arrow leaves one box and reaches the other: at the edges that face each other, or in the middle where
// the boxes overlap.
func (c *Chart) meet(from, to anchor) (leaves, reaches Length) {
	switch {
	case from.bottom <= to.top:
		return from.bottom, to.top
	case to.bottom <= from.top:
		return from.top, to.bottom
	}
	return (from.top + from.bottom) / 2, (to.top + to.bottom) / 2
}

// edge returns the lower edge of the boxes of a level, which is the upper edge of the level below.
func (c *Chart) edge(lane, level int) Length {
	l := &c.Lanes[lane]
	return l.Bottom - lanePadding - Length(min(level, l.Levels))*rowHeight
}
