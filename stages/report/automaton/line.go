package automaton

import (
	"bufio"
	"fmt"
	"slices"
)

// corner is a point of a line. The way to it from the point before is straight, or an S that leaves and arrives level.
type corner struct {
	x, y  Length
	curve bool // the piece that leads here is an S; false: it is straight
}

// line is the way of a transition, from its source to its target, to its tag, or round and back to its source.
func (p *Picture) line(t int32) []corner {
	from, to := p.ends[t][0], p.ends[t][1]
	switch {
	case p.tagged[t]:
		// It ends where its tag begins, behind the text of the caption.
		left, _, y := p.at(p.label[t])
		end := left + p.captions[t].width - p.captions[t].tagWidth()
		return append(p.outOf(from, p.label[t]), corner{x: end, y: y})
	case from == to:
		return p.loop(t)
	}
	route := p.route[t]
	var way []corner
	for i := 1; i < len(route); i++ {
		way = p.join(way, t, route[i-1], route[i], i == len(route)-1)
	}
	// Columns without width give the same corner twice.
	way = slices.CompactFunc(way, func(a, b corner) bool { return a.x == b.x && a.y == b.y })
	// Routes lead from left to right; a back edge is drawn towards its source and turned round.
	if p.back[t] {
		return reversed(way)
	}
	return way
}

// outOf leads from a state to the node at its right.
func (p *Picture) outOf(state, n int32) []corner {
	_, right, y := p.circle(state)
	_, edge, _ := p.at(state)
	left, _, end := p.at(n)
	return []corner{{x: right, y: y}, {x: edge, y: y}, {x: left, y: end, curve: true}}
}

// join leads from a node, through its column, to the next one, and returns way with these corners behind it. Nothing of way
// means that the line begins, at the border of a state. The last node of a route is a state.
func (p *Picture) join(way []corner, t, from, to int32, last bool) []corner {
	_, right, y := p.at(from)
	left, _, end := p.at(to)
	if way == nil {
		_, border, _ := p.circle(from)
		way = append(way, corner{x: border, y: y})
	}
	way = append(way, corner{x: right, y: y})
	// A piece to another row goes round the right edge of the page.
	if p.rowOf(from) != p.rowOf(to) {
		way = append(way, p.overTheEdge(t, from, left, end)...)
	} else {
		// Lines run straight before a state, so that the head of an arrow points level into its border.
		if last {
			left -= arrowSpace
		}
		// A back edge, which is turned round, ends at this state: there its head needs the straight piece.
		if p.nodes[from].kind == stateNode && p.back[t] {
			way = append(way, corner{x: right + arrowSpace, y: y})
		}
		way = append(way, corner{x: left, y: end, curve: true})
	}
	if last {
		left, _, _ = p.circle(to)
		way = append(way, corner{x: left, y: end})
	}
	return way
}

// overTheEdge leads from the right end of a row to the left end of the next, each line in a track of its own, so that
// lines which arrive in the order in which they leave do not cross.
func (p *Picture) overTheEdge(t, from int32, left, end Length) []corner {
	row := &p.rows[p.rowOf(from)]
	// 1. Which of the row's tracks is this line's: they are dealt out from top to bottom where lines leave.
	number, of := Length(0), Length(len(row.leaving))
	for i, l := range row.leaving {
		if l.transition == t && l.from == from {
			number = Length(i)
		}
	}
	// 2. Out to the right, down to the space between the rows, back to the left, and into the next row. The uppermost line takes
	// the outermost track on the right and the innermost on the left.
	_, _, y := p.at(from)
	right := row.right + trackSpace + track*(of-1-number)
	back := left - trackSpace - arrowSpace - track*number
	under := row.bottom + rowGap/3 + track*(of-1-number)
	return []corner{{x: right, y: y}, {x: right, y: under}, {x: back, y: under}, {x: back, y: end}, {x: left, y: end}}
}

// loop leads from a state out, below its label's text, and back.
func (p *Picture) loop(t int32) []corner {
	const rise, inset = 6 * px, 150 // where the circle is left: 6 px above its middle, 1.5 px inside its width
	_, right, y := p.circle(p.ends[t][0])
	left, _, end := p.at(p.label[t])
	far := left + p.captions[t].width
	return []corner{
		{x: right - inset, y: y - rise}, {x: left, y: end - hairpin, curve: true}, {x: far, y: end - hairpin},
		{x: far, y: end}, {x: left, y: end}, {x: right + arrowSpace, y: y + rise, curve: true}, {x: right - inset, y: y + rise},
	}
}

// reversed returns the corners from the other end.
func reversed(way []corner) []corner {
	back := make([]corner, len(way))
	for i := range way {
		back[len(way)-1-i].x, back[len(way)-1-i].y = way[i].x, way[i].y
		// A corner knows the piece that leads to it; backwards, that piece leads to the corner before.
		if i > 0 {
			back[len(way)-i].curve = way[i].curve
		}
	}
	return back
}

// bend is the radius of corners between straight pieces.
const bend = 4 * px

// writePath writes the commands of a line, cut short at its end by the length of the arrow's head. Right angles are rounded;
// an S is a Bézier curve whose control points lie in the middle between its ends, so that it leaves and arrives level.
func writePath(w *bufio.Writer, way []corner, short Length) {
	fmt.Fprintf(w, "M%v %v", way[0].x, way[0].y)
	for i := 1; i < len(way); i++ {
		from, at := way[i-1], way[i]
		if i == len(way)-1 {
			at.x -= towards(from.x, at.x) * short
		}
		switch {
		case at.curve && from.y != at.y:
			middle := (from.x + at.x) / 2
			fmt.Fprintf(w, "C%v %v %v %v %v %v", middle, from.y, middle, at.y, at.x, at.y)
		case i < len(way)-1 && turns(from, at, way[i+1]):
			next := way[i+1]
			fmt.Fprintf(w, "L%v %v", at.x-towards(from.x, at.x)*bend, at.y-towards(from.y, at.y)*bend)
			fmt.Fprintf(w, "Q%v %v %v %v", at.x, at.y, at.x+towards(at.x, next.x)*bend, at.y+towards(at.y, next.y)*bend)
		case at != from:
			fmt.Fprintf(w, "L%v %v", at.x, at.y)
		}
	}
}

// turns reports whether two straight pieces meet at a right angle.
func turns(from, at, next corner) bool {
	return !at.curve && !next.curve && ((from.x == at.x) != (at.x == next.x))
}

// towards returns the direction from one coordinate to another: 1, 0 or -1.
func towards(from, to Length) Length {
	switch {
	case from < to:
		return 1
	case from > to:
		return -1
	}
	return 0
}
