package language

// Equal reports whether two automata accept the same language, by the method of Hopcroft and Karp: states of either
// that one word reaches are put into one class, until an accepting and a rejecting one meet or nothing is left to
// follow. Automata that are not deterministic are made so as far as the search goes. A search takes no more steps than there
// are states, so time is nearly linear in what it visits.
func Equal(a, b *Automaton) bool {
	e := equivalence{left: newSubsetAutomaton(a), right: newSubsetAutomaton(b)}
	if !e.mergePair(e.left.startState(), e.right.startState()) {
		return false
	}
	for i := 0; i < len(e.queue); i++ {
		if !e.followPair(e.queue[i]) {
			return false
		}
	}
	return true
}

// equivalence is a search for a word that one side accepts and the other does not.
type equivalence struct {
	left, right *subsetAutomaton
	parent      []int32    // union-find: 0 is noState, then the states of both sides alternate
	queue       [][2]int32 // pairs to follow
}

// followPair follows all labels from a pair of states, and reports whether no difference was found.
func (e *equivalence) followPair(pair [2]int32) bool {
	ll, lt := transitionsOrNone(e.left, pair[0])
	rl, rt := transitionsOrNone(e.right, pair[1])
	for i, j := 0, 0; i < len(ll) || j < len(rl); {
		l, r := noState, noState
		switch {
		case j == len(rl) || i < len(ll) && ll[i] < rl[j]:
			l = lt[i]
			i++
		case i == len(ll) || rl[j] < ll[i]:
			r = rt[j]
			j++
		default:
			l, r = lt[i], rt[j]
			i, j = i+1, j+1
		}
		if !e.mergePair(l, r) {
			return false
		}
	}
	return true
}

// mergePair puts two states that one word reaches into one class, and queues them if they were in two. It
// returns false if only one of them accepts.
func (e *equivalence) mergePair(l, r int32) bool {
	if (l != noState && e.left.isAccepting(l)) != (r != noState && e.right.isAccepting(r)) {
		return false
	}
	x, y := e.findClass(max(2*l+1, 0)), e.findClass(2*r+2) // of noState both are 0
	if x != y {
		e.parent[max(x, y)] = min(x, y)
		e.queue = append(e.queue, [2]int32{l, r})
	}
	return true
}

// findClass returns the class of a state and halves the path to it.
func (e *equivalence) findClass(x int32) int32 {
	for n := int32(len(e.parent)); n <= x; n++ {
		e.parent = append(e.parent, n)
	}
	for e.parent[x] != x {
		e.parent[x] = e.parent[e.parent[x]]
		x = e.parent[x]
	}
	return x
}

// transitionsOrNone returns the transitions of a state, none for noState.
func transitionsOrNone(d *subsetAutomaton, s int32) ([]uint32, []int32) {
	if s == noState {
		return nil, nil
	}
	return d.transitionsOf(s)
}
