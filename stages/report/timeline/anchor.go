package timeline

import "github.com/tracelake/tracelake/schema"

// anchor is the side of the box that an event enters or leaves.
type anchor struct {
	top, bottom Length // of the box
}

// anchor finds the box of an event and its lane, -1 if it has none.
func (c *Chart) anchor(e *events, component schema.Code, seq int64) (anchor, int) {
	at, _, found := e.find(component, seq)
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

// meet is where an arrow leaves one box and reaches the other: at the edges that face each other.
func (c *Chart) meet(from, to anchor) (leaves, reaches Length) {
	switch {
	case from.bottom <= to.top:
		return from.bottom, to.top
	case to.bottom <= from.top:
		return from.top, to.bottom
	}
	return (from.top + from.bottom) / 2, (to.top + to.bottom) / 2
}

// edge is the lower edge of the boxes of a level, which is the upper one of those a level below.
func (c *Chart) edge(lane, level int) Length {
	l := &c.Lanes[lane]
	return l.Bottom - lanePadding - Length(min(level, l.Levels))*rowHeight
}
