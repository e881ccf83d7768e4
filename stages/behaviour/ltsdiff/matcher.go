package ltsdiff

import "math"

// Pair is a left and a right state that correspond.
type Pair struct{ Left, Right int32 }

// Matcher pairs states of two automata. No state is in two pairs, and the states of a pair agree in accepting. The
// merged automaton has its states in the order of the pairs.
type Matcher func(left, right *Automaton) []Pair

// Algorithm is a matcher that can be chosen by name.
type Algorithm struct {
	Name  string // as options and --matcher spell it
	Match Matcher
}

// Algorithms lists the matchers. fast is our own and the default; the others are LTSdiff as gLTSdiff and MIDS
// configure it.
var Algorithms = []Algorithm{
	{"fast", Fast},
	{"dynamic", Dynamic},
	{"lightweight", LocalLandmarks(1)},
	{"local5", LocalLandmarks(5)},
	{"heavyweight", GlobalAssignment},
	{"walkinshaw", GlobalLandmarks},
	{"assignment", LocalAssignment(1)},
}

// dynamicGlobal and dynamicLocal5 are the sizes in states of the larger automaton up to which Dynamic uses a method.
const (
	dynamicGlobal = 45
	dynamicLocal5 = 500
)

// Dynamic chooses by the size of the larger automaton: global scores and assignment up to 45 states, else
// landmarks with local scores after 5 refinements up to 500 states and after 1 beyond.
func Dynamic(left, right *Automaton) []Pair {
	switch n := max(left.States(), right.States()); {
	case n <= dynamicGlobal:
		return GlobalAssignment(left, right)
	case n <= dynamicLocal5:
		return LocalLandmarks(5)(left, right)
	}
	return LocalLandmarks(1)(left, right)
}

// LocalLandmarks matches by landmarks and growth on local scores.
func LocalLandmarks(refinements int) Matcher {
	return func(left, right *Automaton) []Pair { return Landmarks(Local(left, right, refinements)) }
}

// LocalAssignment matches by assignment on local scores; ties are decided by global ones.
func LocalAssignment(refinements int) Matcher {
	return func(left, right *Automaton) []Pair {
		return Assign(Local(left, right, refinements), Global(left, right))
	}
}

// GlobalLandmarks matches by landmarks and growth on global scores.
func GlobalLandmarks(left, right *Automaton) []Pair { return Landmarks(Global(left, right)) }

// GlobalAssignment matches by assignment on global scores.
func GlobalAssignment(left, right *Automaton) []Pair { return Assign(Global(left, right), nil) }

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
