package ltsdiff

import "math"

// Pair is a left and a right state that correspond.
type Pair struct{ Left, Right int32 } // numbers of the states in their automata

// Matcher pairs states of two automata. No state is in two pairs, and the states of a pair agree in accepting. The
// merged automaton has its states in the order of the pairs.
type Matcher func(left, right *Automaton) []Pair

// LocalLandmarks matches by landmarks and growth on local scores.
func LocalLandmarks(refinements int) Matcher {
	return func(left, right *Automaton) []Pair { return Landmarks(Local(left, right, refinements)) }
}

// matching is a matching under construction.
type matching struct {
	left, right *Automaton
	partner     [2][]int32 // by side and state: its partner, or None
	pairs       []Pair     // in the order in which they were made; only while no pair is taken back
}

// newMatching returns a matching without pairs.
func newMatching(left, right *Automaton) *matching {
	return &matching{
		left: left, right: right, partner: [2][]int32{filledWithNone(int(left.States())), filledWithNone(int(right.States()))},
	}
}

// areFree reports whether two states have no partners yet.
func (m *matching) areFree(x, y int32) bool {
	return m.partner[0][x] == None && m.partner[1][y] == None
}

// areCombinable reports whether two states may be a pair: both accept or neither does.
func (m *matching) areCombinable(x, y int32) bool { return m.left.Accepting[x] == m.right.Accepting[y] }

// addPair pairs two free states.
func (m *matching) addPair(x, y int32) {
	m.partner[0][x], m.partner[1][y] = y, x
	m.pairs = append(m.pairs, Pair{x, y})
}

// startPair returns the pair of initial states with the highest score, the first on ties; ok is false if no two may
// be a pair.
func (s *Scores) startPair() (best Pair, ok bool) {
	top := math.Inf(-1)
	for x, initial := range s.left.Initial {
		for y, other := range s.right.Initial {
			if initial && other && s.At(int32(x), int32(y)) > top {
				best, top, ok = Pair{int32(x), int32(y)}, s.At(int32(x), int32(y)), true
			}
		}
	}
	return best, ok
}
