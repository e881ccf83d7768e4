package automaton

import "slices"

// relaxations is how often all columns are set by their neighbours.
const relaxations = 16

// heights sets the height of every node's line within its row of the page: each column stands as near to where its
// neighbours want it as the order and the distances of its nodes let it, by least squares (the pool-adjacent-violators
// algorithm, which is exact). Long lines weigh more, so they are straight.
func (d *drawing) heights() {
	// 1. Every column on its own, without regard to its neighbours.
	for _, column := range d.columns {
		d.stack(column)
	}
	// 2. One pass to the right and two to the left in turn; in the second half both neighbours count.
	for i := range relaxations {
		switch i % 3 {
		case 0:
			for _, column := range d.columns {
				d.relax(column, true, i > relaxations/2)
			}
		default:
			for c := len(d.columns) - 1; c >= 0; c-- {
				d.relax(d.columns[c], i > relaxations/2, true)
			}
		}
	}
	// 3. A last pass by both sides, and small moves that make lines level.
	for _, column := range d.columns {
		d.relax(column, true, true)
	}
	d.straighten()
}

// stack sets a column one below the other, around 0.
func (d *drawing) stack(column []int32) {
	// The distances first, then all are shifted by half of the whole, so that columns of different heights are centred.
	y := Length(0)
	for i, n := range column {
		if i > 0 {
			y += d.distance(column[i-1], n)
		}
		d.nodes[n].y = y
	}
	for _, n := range column {
		d.nodes[n].y -= y / 2
	}
}

// distance is how far the lines of two nodes are apart that stand one below the other.
func (d *drawing) distance(upper, lower int32) Length {
	u, l := &d.nodes[upper], &d.nodes[lower]
	// 14 px keep texts apart; lines may run closer to each other.
	gap := 14 * px
	if u.kind == bendNode && l.kind == bendNode {
		gap = 4 * px
	}
	return u.below + gap + l.above
}

// block is a run of nodes that stand at their minimum distances.
type block struct {
	first  int   // the position in the column of its first node
	sum    int64 // weights times the wishes for the first node
	weight int64 // of all its nodes
}

// at returns the height of the first node that is best for the whole block: the weighted mean of the wishes.
func (b *block) at() Length { return Length(b.sum / b.weight) }

// relax sets the heights of one column by the neighbours on the sides asked for.
func (d *drawing) relax(column []int32, left, right bool) {
	// 1. Wishes are brought to the first node of a block by the offsets, so that a block has one unknown: the height of its first node.
	offsets := make([]Length, len(column)+1) // of each node below the first
	blocks := make([]block, 0, len(column))
	for i, n := range column {
		if i > 0 {
			offsets[i] = offsets[i-1] + d.distance(column[i-1], n)
		}
		wish, weight := d.wish(n, left, right)
		b := block{i, int64(wish-offsets[i]) * weight, weight}
		// A block that would stand above the one before it joins it: each node joins once, so that a column takes O(n).
		for len(blocks) > 0 && blocks[len(blocks)-1].at() > b.at() {
			above := blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
			b = block{above.first, above.sum + b.sum, above.weight + b.weight}
		}
		blocks = append(blocks, b)
	}
	// 2. Every node stands at its block's height and its own offset.
	for i, b := range blocks {
		end := len(column)
		if i+1 < len(blocks) {
			end = blocks[i+1].first
		}
		for k := b.first; k < end; k++ {
			d.nodes[column[k]].y = b.at() + offsets[k]
		}
	}
}

// wish is where a node would stand, and how much that counts. Neighbours in another row of the page have no say.
func (d *drawing) wish(n int32, left, right bool) (Length, int64) {
	var sum, weight int64
	count := func(neighbours []int32) {
		for _, m := range neighbours {
			// A neighbour in another row is drawn elsewhere: its height says nothing about this row.
			if d.rowOf(m) == d.rowOf(n) {
				w := d.pull(n, m)
				sum, weight = sum+int64(d.nodes[m].y)*w, weight+w
			}
		}
	}
	if left {
		count(d.left[n])
	}
	if right {
		count(d.right[n])
	}
	// A node without neighbours on these sides wishes to stay where it is, with the least weight.
	if weight == 0 {
		return d.nodes[n].y, 1
	}
	return Length(sum / weight), weight
}

// pull is the weight of a piece of a line: 8 between bends, 2 at a label, 1 between others (after Gansner et al., IEEE
// TSE 19(3), 1993, section 4).
func (d *drawing) pull(n, m int32) int64 {
	switch a, b := d.nodes[n].kind, d.nodes[m].kind; {
	case a == bendNode && b == bendNode:
		return 8
	case a == bendNode || b == bendNode:
		return 2
	}
	return 1
}

// rowOf returns the row of the page in which a node stands. States have the even columns, what is between them the odd ones.
func (d *drawing) rowOf(n int32) int { return d.row[d.nodes[n].column/2] }

// straighten makes every line level between two states, or to the end of its row, where there is room for that. It lifts
// or lowers states and lines by a little where they follow each other without a fork.
func (d *drawing) straighten() {
	above, below := d.neighboursInColumn()
	// room is how far a node may move up and down before it comes too near to the node above or below it.
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
	// Twice, since a state that moved gives room to its lines, and lines to their states.
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
	endless = 1 << 40 * px // farther than any picture reaches, and small enough that sums of heights fit 64 bits
	snapped = 60 * px      // how far a state or a line moves at most to be level with the other
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
	// States move by snap alone; what is between them is labels and bends.
	inner := slices.DeleteFunc(slices.Clone(route), func(n int32) bool { return d.nodes[n].kind == stateNode })
	// A row ends where the next node stands in another one: heights of different rows do not compare.
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
	// What all nodes of the run can reach: the lowest of the upper bounds and the highest of the lower ones.
	high, low := Length(-endless), Length(endless)
	for _, n := range run {
		h, l := room(n)
		high, low = max(high, h), min(low, l)
		heights = append(heights, d.nodes[n].y)
	}
	// No height suits all: the run keeps its bends.
	if high > low {
		return
	}
	// The median moves the fewest of them; the room that there is bounds it.
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
	// The left side is tried first: with one line in and one line out, the line in becomes level.
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
