package ltsdiff

import "slices"

// untangle splits the states that both the first side and others have, but no transition at which is
// common to them: into the state that is added and the one that is removed.
func (w *rewriter) untangle() bool {
	changed := false
	for s := range int32(len(w.states)) {
		if !w.gone[s] && w.states[s].Sides.Kind() == Unchanged && w.tangled(s) {
			w.split(s, ^Sides(1))
			w.split(s, 1)
			w.gone[s] = true
			changed = true
		}
	}
	return changed
}

func (w *rewriter) tangled(s int32) bool {
	var seen [3]bool
	for _, list := range [][]int32{w.at[fork][s], w.at[join][s]} {
		for _, n := range list {
			if seen[w.steps[n].Sides.Kind()] = true; seen[Unchanged] {
				return false
			}
		}
	}
	return seen[Added] && seen[Removed]
}

// split makes a state for some sides of a tangled one, which takes over their transitions.
func (w *rewriter) split(s int32, sides Sides) {
	c := w.states[s]
	c.Sides, c.Initial, c.Number = c.Sides&sides, c.Initial&sides, slices.Clone(c.Number)
	for side := range c.Number {
		if sides>>side&1 == 0 {
			c.Number[side] = None
		}
	}
	part := int32(len(w.states))
	w.states, w.gone = append(w.states, c), append(w.gone, false)
	w.at[fork], w.at[join] = append(w.at[fork], nil), append(w.at[join], nil)
	for _, v := range []view{join, fork} {
		for _, n := range slices.Clone(w.at[v][s]) {
			if step := w.steps[n]; step.Sides&sides != 0 {
				w.remove(n)
				if v == fork {
					step.Source = part
				} else {
					step.Target = part
				}
				w.add(step)
			}
		}
	}
}
