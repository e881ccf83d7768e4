package automaton

import "slices"

// straighten makes every line level between two states, or to the end of its row, where there is room for that. It lifts
// or lowers states and lines by a little where they follow each other without a fork.
func (d *drawing) straighten() {
	above, below := d.neighboursInColumn()
	room := func(n int32) (high, low Length) {
		high, low = d.nodes[n].y-endless, d.nodes[n].y+endless
		if a := above[n]; a >= 0 {
			high = d.nodes[a].y + d.distance(a, n)
		}
		if b := below[n]; b >= 0 {
			low = d.nodes[b].y - d.distance(n, b)
		}
		return high, low
	}
	for range 2 {
		for _, column := range d.columns {
			for _, n := range column {
				switch d.nodes[n].kind {
				case stateNode:
					d.snap(n, room)
				case labelNode:
					for _, run := range d.levelRuns(d.route[d.nodes[n].of]) {
						d.level(run, room)
					}
				}
			}
		}
	}
}

const (
	endless = 1 << 40 * px
	snapped = 60 * px // how far a state or a line moves at most to be level with the other
)

// neighboursInColumn are the nodes above and below each node, or -1.
func (d *drawing) neighboursInColumn() (above, below []int32) {
	above, below = make([]int32, len(d.nodes)), make([]int32, len(d.nodes))
	for _, column := range d.columns {
		for i, n := range column {
			above[n], below[n] = -1, -1
			if i > 0 {
				above[n], below[column[i-1]] = column[i-1], n
			}
		}
	}
	return above, below
}

// levelRuns are the pieces of a route between states, cut where a row of the page ends.
func (d *drawing) levelRuns(route []int32) (runs [][]int32) {
	inner := slices.DeleteFunc(slices.Clone(route), func(n int32) bool { return d.nodes[n].kind == stateNode })
	for len(inner) > 0 {
		end := 1
		for end < len(inner) && d.rowOf(inner[end]) == d.rowOf(inner[0]) {
			end++
		}
		runs, inner = append(runs, inner[:end]), inner[end:]
	}
	return runs
}

// level gives nodes one height, as near as it can to that of the state before or to the middle one of theirs.
func (d *drawing) level(run []int32, room func(int32) (high, low Length)) {
	var heights []Length
	high, low := Length(-endless), Length(endless)
	for _, n := range run {
		h, l := room(n)
		high, low = max(high, h), min(low, l)
		heights = append(heights, d.nodes[n].y)
	}
	if high > low {
		return
	}
	slices.Sort(heights)
	y := min(max(d.wanted(run[0], heights[len(heights)/2]), high), low)
	for _, n := range run {
		d.nodes[n].y = y
	}
}

// wanted is the height of the state at the left of a line if nothing else leads from it to the right and it is near.
func (d *drawing) wanted(n int32, y Length) Length {
	state := d.left[n][0]
	if s := &d.nodes[state]; s.kind == stateNode && len(d.right[state]) == 1 && max(s.y-y, y-s.y) <= snapped && d.rowOf(n) == d.rowOf(state) {
		return s.y
	}
	return y
}

// snap moves a state to the height of the one line at one of its sides.
func (d *drawing) snap(s int32, room func(int32) (high, low Length)) {
	for _, side := range [][]int32{d.left[s], d.right[s]} {
		if len(side) != 1 || d.rowOf(side[0]) != d.rowOf(s) {
			continue
		}
		y := d.nodes[side[0]].y
		if high, low := room(s); y < high || y > low || max(y-d.nodes[s].y, d.nodes[s].y-y) > snapped {
			continue
		}
		d.nodes[s].y = y
		return
	}
}
