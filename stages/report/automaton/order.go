package automaton

import (
	"cmp"
	"slices"
)

// sweeps is how often the columns are ordered by their neighbours; swapped are columns up to this size swapped pair
// by pair as well.
const (
	sweeps      = 12
	mostSwapped = 40
)

// order orders the nodes of every column so that few lines cross. It begins with the order in which a depth-first
// search meets the nodes, and keeps the best order that it sees.
func (d *drawing) order() {
	// 1. The order in which the search meets nodes keeps what belongs together side by side.
	d.firstOrder()
	position := make([]int32, len(d.nodes))
	d.number(position)
	best, fewest := d.copyColumns(), d.allCrossings(position)
	// 2. Sweeps to the right and to the left in turn; a sweep may be worse than the one before, so the best order is kept.
	for i := 0; i < sweeps && fewest > 0; i++ {
		if i%2 == 0 {
			for c := 1; c < len(d.columns); c++ {
				d.orderColumn(c, d.left, position)
			}
		} else {
			for c := len(d.columns) - 2; c >= 0; c-- {
				d.orderColumn(c, d.right, position)
			}
		}
		for c := range d.columns {
			d.swapNeighbours(c, position)
		}
		if n := d.allCrossings(position); n < fewest {
			best, fewest = d.copyColumns(), n
		}
	}
	d.columns = best
}

// firstOrder fills the columns depth-first from the initial state, then from the others.
func (d *drawing) firstOrder() {
	met := make([]bool, len(d.nodes))
	// meet puts a node on the stack at its first time, from where it is appended to its column.
	var stack []int32
	meet := func(n int32) {
		if !met[n] {
			met[n] = true
			stack = append(stack, n)
		}
	}
	for first := range int32(len(d.states) + 1) {
		root := d.start
		if first > 0 {
			root = first - 1
		}
		if len(d.states) > 0 {
			meet(root)
		}
		for len(stack) > 0 {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			d.columns[d.nodes[n].column] = append(d.columns[d.nodes[n].column], n)
			// Backward, so that the first neighbour is on top of the stack and is met first.
			for _, next := range slices.Backward(d.right[n]) {
				meet(next)
			}
		}
	}
}

// number notes the position of every node in its column.
func (d *drawing) number(position []int32) {
	for _, column := range d.columns {
		for i, n := range column {
			position[n] = int32(i)
		}
	}
}

// copyColumns copies an order, to return to it where no later one is better.
func (d *drawing) copyColumns() [][]int32 {
	columns := make([][]int32, len(d.columns))
	for c := range columns {
		columns[c] = slices.Clone(d.columns[c])
	}
	return columns
}

// orderColumn sorts a column by the mean position of its nodes' neighbours on one side. Nodes without neighbours
// there stay where they are.
func (d *drawing) orderColumn(c int, neighbours [][]int32, position []int32) {
	column := d.columns[c]
	mean := func(n int32) (sum, count int64) {
		for _, m := range neighbours[n] {
			sum, count = sum+int64(position[m]), count+1
		}
		return sum, count
	}
	// Only nodes with neighbours move, and only among their own places. Means are compared as fractions, crosswise, so that no
	// rounding decides.
	var slots []int
	var moving []int32
	for i, n := range column {
		if len(neighbours[n]) > 0 {
			slots, moving = append(slots, i), append(moving, n)
		}
	}
	slices.SortStableFunc(moving, func(a, b int32) int {
		sumA, countA := mean(a)
		sumB, countB := mean(b)
		return cmp.Compare(sumA*countB, sumB*countA)
	})
	for i, slot := range slots {
		column[slot] = moving[i]
		position[moving[i]] = int32(slot)
	}
	// Positions are renewed as a whole: the next column is ordered by them.
	for i, n := range column {
		position[n] = int32(i)
	}
}

// swapNeighbours swaps nodes that stand together while that takes crossings away.
func (d *drawing) swapNeighbours(c int, position []int32) {
	column := d.columns[c]
	if len(column) > mostSwapped {
		return
	}
	for i := 1; i < len(column); i++ {
		a, b := column[i-1], column[i]
		// Only crossings between the lines of these two change when they swap: both sides of the column are counted.
		now := pairCrossings(d.left[a], d.left[b], position) + pairCrossings(d.right[a], d.right[b], position)
		then := pairCrossings(d.left[b], d.left[a], position) + pairCrossings(d.right[b], d.right[a], position)
		if then < now {
			column[i-1], column[i] = b, a
			position[a], position[b] = int32(i), int32(i-1)
		}
	}
}

// pairCrossings counts the crossings of the lines of a node with those of the one below it.
func pairCrossings(upper, lower, position []int32) (n int) {
	for _, u := range upper {
		for _, l := range lower {
			if position[u] > position[l] {
				n++
			}
		}
	}
	return n
}

// allCrossings counts the crossings of all lines: the inversions between one column and the next, with a Fenwick tree
// (Barth, Jünger, Mutzel, Graph Drawing 2002). It takes O(lines log nodes), where comparing all pairs of lines takes their square.
func (d *drawing) allCrossings(position []int32) (n int) {
	for c := 1; c < len(d.columns); c++ {
		tree := make([]int, len(d.columns[c])+1)
		seen := 0
		for _, from := range d.columns[c-1] {
			// A line crosses those of nodes above that end below it: of the lines seen, all but those that end at its place or above.
			ends := make([]int, 0, len(d.right[from]))
			for _, to := range d.right[from] {
				ends = append(ends, int(position[to])+1)
			}
			// Lines from one node do not cross each other, so all are counted before any is entered.
			for _, end := range ends {
				n += seen - prefix(tree, end)
			}
			for _, end := range ends {
				seen++
				for i := end; i < len(tree); i += i & -i {
					tree[i]++
				}
			}
		}
	}
	return n
}

// prefix is how many of the tree's entries are at most i.
func prefix(tree []int, i int) (n int) {
	for ; i > 0; i -= i & -i {
		n += tree[i]
	}
	return n
}
