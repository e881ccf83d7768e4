package language

import "slices"

// Witness returns a word that a accepts and b does not, and reports whether there is one: the first in the order of labels among the shortest. It
// searches the pairs of the deterministic automata of both sides breadth first, as far as the word is long.
func Witness(a, b *Automaton) (word []uint32, found bool) {
	w := witnesses{left: newSubsetAutomaton(Trim(a)), right: newSubsetAutomaton(b), known: make(map[[2]int32]bool)}
	if w.add([2]int32{w.left.startState(), w.right.startState()}, step{before: -1}) {
		return w.word(), true
	}
	for i := 0; i < len(w.pairs); i++ {
		s, t := w.pairs[i][0], w.pairs[i][1]
		labels, targets := w.left.transitionsOf(s)
		// A target of the left side is numbered already; following the right side may move what labels are read from.
		labels, targets = slices.Clone(labels), slices.Clone(targets)
		for k, l := range labels {
			if w.add([2]int32{targets[k], w.right.follow(t, l)}, step{i, l}) {
				return w.word(), true
			}
		}
	}
	return nil, false
}

// witnesses is a search for a word of the left language that is not in the right one.
type witnesses struct {
	left, right *subsetAutomaton
	known       map[[2]int32]bool
	pairs       [][2]int32 // a state of each side, in the order in which they are reached
	steps       []step     // by pair
}

// step is how a pair was reached.
type step struct {
	before int // position of the pair before it; -1 at the start
	label  uint32
}

// add adds a pair that was not reached before, and reports whether the word that leads there is in the left language alone.
func (w *witnesses) add(pair [2]int32, by step) bool {
	if pair[0] == noState || w.known[pair] {
		return false
	}
	w.known[pair] = true
	w.pairs, w.steps = append(w.pairs, pair), append(w.steps, by)
	return w.left.isAccepting(pair[0]) && (pair[1] == noState || !w.right.isAccepting(pair[1]))
}

// word is the word that leads to the pair that was added last.
func (w *witnesses) word() (labels []uint32) {
	for at := len(w.steps) - 1; w.steps[at].before >= 0; at = w.steps[at].before {
		labels = append(labels, w.steps[at].label)
	}
	slices.Reverse(labels)
	return labels
}
