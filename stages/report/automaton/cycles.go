package automaton

// backEdges finds the transitions that a depth-first search from the initial state finds to lead to a state that is
// still open: without them there is no cycle. Self loops are not among them. States that the search does not
// reach are searched from in the order of their numbers.
func (r *arranged) backEdges() []bool {
	out := r.outgoing()
	back := make([]bool, len(r.transitions))
	const open, closed = 1, 2
	colour := make([]uint8, len(r.states))
	next := make([]int, len(r.states)) // by state: the transition to try next
	var stack []int32
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
