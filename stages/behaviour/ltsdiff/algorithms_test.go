package ltsdiff

// Algorithm is a matcher that can be chosen by name.
type Algorithm struct {
	Name  string
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
