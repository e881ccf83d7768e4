package automaton

// layers gives every state the length of the longest path to it, in transitions that are not back edges.
func (r *arranged) layers(back []bool) []int {
	layer := make([]int, len(r.states))
	open := make([]int, len(r.states)) // by state: transitions into it that are still to come
	for t, e := range r.ends {
		if !back[t] && e[0] != e[1] {
			open[e[1]]++
		}
	}
	// A state is ready when all states before it have their layers, as in a topological sort: O(states + transitions).
	var ready []int32
	for s := range r.states {
		if open[s] == 0 {
			ready = append(ready, int32(s))
		}
	}
	out := r.outgoing()
	for ; len(ready) > 0; ready = ready[1:] {
		s := ready[0]
		// Each transition from it moves its target behind it, and the last one of a target makes that ready.
		for _, t := range out[s] {
			to := r.ends[t][1]
			if back[t] || to == s {
				continue
			}
			layer[to] = max(layer[to], layer[s]+1)
			if open[to]--; open[to] == 0 {
				ready = append(ready, to)
			}
		}
	}
	return layer
}

// backEdges finds the transitions that a depth-first search from the initial state finds to lead to a state that is
// still open: without them there is no cycle. Self loops are not among them. States that the search does not
// reach are searched from in the order of their numbers.
func (r *arranged) backEdges() []bool {
	out := r.outgoing()
	back := make([]bool, len(r.transitions))
	// A state is 0 until the search meets it, open while it is on the stack, and closed when all behind it was seen.
	const open, closed = 1, 2
	colour := make([]uint8, len(r.states))
	next := make([]int, len(r.states)) // by state: the transition to try next
	// The stack is explicit: a fragment of 2,000 steps in a row would be as deep a recursion.
	var stack []int32
	// Round 0 begins at the initial state; the others begin at every state that is not reached yet.
	for first := range int32(len(r.states) + 1) {
		root := r.start
		if first > 0 {
			root = first - 1
		}
		if len(r.states) == 0 || colour[root] != 0 {
			continue
		}
		stack, colour[root] = append(stack, root), open
		for len(stack) > 0 {
			s := stack[len(stack)-1]
			// All transitions of the state were tried: the search goes back to the state that led to it.
			if next[s] == len(out[s]) {
				stack, colour[s] = stack[:len(stack)-1], closed
				continue
			}
			t := out[s][next[s]]
			next[s]++
			switch to := r.ends[t][1]; {
			case colour[to] == 0:
				stack, colour[to] = append(stack, to), open
			case colour[to] == open && to != s:
				back[t] = true
			}
		}
	}
	return back
}

// outgoing lists the transitions by their sources.
func (r *arranged) outgoing() [][]int32 {
	out := make([][]int32, len(r.states))
	for i, e := range r.ends {
		out[e[0]] = append(out[e[0]], int32(i))
	}
	return out
}

// Sizes of columns.
const (
	stateRadius = 13 * px
	columnGap   = 16 * px // between the nodes of two columns, where lines bend
	steepGap    = 34 * px // more, at most, where lines lead far up or down
)

// rows says for every layer in which row of the page it stands, so that no row is wider than the page, where that is
// possible. In the last third of a row the break is where the fewest transitions lead over it.
func (d *drawing) rows(width Length) []int {
	n := 0
	for _, l := range d.layer {
		n = max(n, l+1)
	}
	// 1. What layers need and what a break would cut.
	widths, over := d.layerWidths(n), d.crossings(n)
	row := make([]int, n)
	for from, number := 0, 0; from < n; number++ {
		// 2. As many layers as fit; at least one, since a layer that is wider than the page must stand somewhere.
		to, used := from, Length(0)
		for to < n && (to == from || used+widths[to] <= width) {
			used += widths[to]
			to++
		}
		// 3. In the last third of the row, the break moves to the left where fewer transitions lead over it there.
		if to < n {
			best := to
			for k := to - 1; k > from+(to-from)*2/3; k-- {
				if over[k] < over[best] {
					best = k
				}
			}
			to = best
		}
		for ; from < to; from++ {
			row[from] = number
		}
	}
	return row
}

// layerWidths is how wide each layer is together with the labels to its right.
func (d *drawing) layerWidths(n int) []Length {
	widths := make([]Length, n)
	for t := range d.transitions {
		// A label stands at the right of its own layer; that of a back edge, which is drawn from right to left, one layer before its source.
		// Both count, since a transition may still become tagged, which moves its label to its source.
		for _, layer := range []int{d.labelLayer(t), d.layer[d.ends[t][0]]} {
			widths[layer] = max(widths[layer], d.captions[t].width)
		}
	}
	for i := range widths {
		// The gaps are about those of place.go at half of the steepest slope: an estimate, as heights are not known yet.
		widths[i] += 2*stateRadius + 2*columnGap + steepGap/2
	}
	return widths
}

// labelLayer is the layer to whose right the label of a transition stands: next to its source.
func (d *drawing) labelLayer(t int) int {
	layer := d.layer[d.ends[t][0]]
	if d.back[t] {
		layer--
	}
	return layer
}

// crossings counts for every layer the transitions that lead from before it to it or beyond.
func (d *drawing) crossings(n int) []int {
	// Differences first, then their running sum: a transition over many layers costs no more than a short one.
	over := make([]int, n+1)
	for t, e := range d.ends {
		if from, to := d.layer[e[0]], d.layer[e[1]]; !d.back[t] && from < to {
			over[from+1]++
			over[to+1]--
		}
		// Layers from the source's next one up to the target's have a line that comes from before them.
	}
	for i := 1; i < n; i++ {
		over[i] += over[i-1]
	}
	return over
}

// Returns that are drawn as lines, and not as tags with the number of their target.
const (
	longestReturn = 4 // layers
	mostReturns   = 2 // to one state
)

// chooseTags finds the transitions whose line does not lead to their target, but ends in a tag that names it: those
// that lead to another row but the next, and back edges that are long or many.
func (d *drawing) chooseTags() {
	// 1. Tags by distance, and the number of returns to every state.
	returns := make([]int, len(d.states))
	for t, e := range d.ends {
		from, to := d.layer[e[0]], d.layer[e[1]]
		if d.back[t] {
			d.tagged[t] = d.row[from] != d.row[to] || from-to > longestReturn
			returns[e[1]]++
			// The next row is reached by a line around the edge of the page; what leads farther would cross whole rows.
		} else {
			d.tagged[t] = d.row[to] > d.row[from]+1
		}
	}
	// 2. Tags by number. A tagged transition is no back edge any more: its label stands to the right of its source.
	for t, e := range d.ends {
		if d.back[t] && returns[e[1]] > mostReturns {
			d.tagged[t] = true
		}
		if d.tagged[t] {
			d.back[t] = false
			d.captions[t].addTag(d.states[e[1]].Number)
		}
	}
}
