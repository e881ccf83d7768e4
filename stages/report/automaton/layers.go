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
	var ready []int32
	for s := range r.states {
		if open[s] == 0 {
			ready = append(ready, int32(s))
		}
	}
	out := r.outgoing()
	for ; len(ready) > 0; ready = ready[1:] {
		s := ready[0]
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
