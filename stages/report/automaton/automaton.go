package automaton

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Side is the side of a comparison that has a state or a transition.
type Side uint8

const (
	Both Side = iota // unchanged; without a comparison, everything is
	Base             // removed: only the baseline has it
	Cand             // added: only the candidate has it
)

// Automaton is an automaton to draw.
type Automaton struct {
	Title, Subtitle string       // both lines above the drawing
	Compared        bool         // there are two sides; without it, only the times of the baseline are looked at
	Additive        bool         // times are those since the event before, which add up along a chain
	States          []State      // in any order
	Transitions     []Transition // in any order; several may connect the same states
}

// State is a state. Numbers are unique.
type State struct {
	Number             int64 // by which transitions name it
	Initial, Accepting bool  // whether paths may begin and end there
	Side               Side  // which side has it
}

// Transition is a transition between the states of two numbers.
type Transition struct {
	Source, Target int64      // numbers of states
	Label          string     // its event, such as "exit Curl_poll"
	Note           string     // more of it, such as "sends to lib_multi_c"; may be empty
	Side           Side       // which side has it
	Base, Cand     Times      // without a comparison, Base has all
	Histogram      *Histogram // nil: made of the samples
	Changed        bool       // its timing changed
	Follows        bool       // it changed because another step did: it waits for that, or comes behind it
	PerRun         string     // of a changed one: the cost of all of its times in a root execution on both sides; may be empty
	Verdict        string     // how, such as "slower"
	Steps          int        // transitions that Fold put together into this one; 0 or 1: a plain transition
	Step           int        // of a comparison: 1 + its position in Comparison.Steps; else 0
}

// Times are the time samples of one side. The median need not be that of the samples: what is judged may be a time
// since another event than what is shown.
type Times struct {
	Count     int64   // how often the transition was taken, with or without a time
	MedianNs  int64   // schema.NoValue where none is known
	SamplesNs []int64 // in ns, in any order
}

// compare is a total order on transitions, but for those that look the same.
func (t *Transition) compare(u *Transition) int {
	// The ends come first, so that the transitions between two states stand together; what is seen decides among those.
	// Booleans and the words on cost come last: they decide only between transitions that differ in nothing else.
	return cmp.Or(cmp.Compare(t.Source, u.Source), cmp.Compare(t.Target, u.Target), strings.Compare(t.Label, u.Label),
		strings.Compare(t.Note, u.Note), cmp.Compare(t.Side, u.Side), t.Base.compare(&u.Base), t.Cand.compare(&u.Cand),
		strings.Compare(t.Verdict, u.Verdict), cmp.Compare(t.Steps, u.Steps), slices.Compare(t.Histogram.flat(), u.Histogram.flat()),
		cmp.Compare(truth(t.Changed), truth(u.Changed)), cmp.Compare(truth(t.Follows), truth(u.Follows)), strings.Compare(t.PerRun, u.PerRun), cmp.Compare(t.Step, u.Step))
}

// compare orders times by what is seen of them.
func (t *Times) compare(u *Times) int {
	return cmp.Or(cmp.Compare(t.Count, u.Count), cmp.Compare(t.MedianNs, u.MedianNs))
}

// truth returns 1 for true, to order booleans.
func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// arranged is the automaton sorted: states by number, transitions by all that is seen of them.
type arranged struct {
	*Automaton  // as it was given, for title and options
	states      []State
	transitions []Transition
	ends        [][2]int32 // by transition: positions of its source and target in states
	start       int32      // the state to begin at
}

// arrange sorts a copy and checks it.
func arrange(a *Automaton) (*arranged, error) {
	r := &arranged{Automaton: a, states: slices.Clone(a.States), transitions: slices.Clone(a.Transitions)}
	slices.SortFunc(r.states, func(x, y State) int { return cmp.Compare(x.Number, y.Number) })
	// 1. States by number; of several initial ones the first is where the layout begins.
	// The loop goes down, so that the last initial state that it meets, and keeps, is the one with the smallest number.
	at := make(map[int64]int32, len(r.states)) // from a state's number to its position
	for i := len(r.states) - 1; i >= 0; i-- {
		if _, twice := at[r.states[i].Number]; twice {
			return nil, fmt.Errorf("%s: two states have the number %d", a.Title, r.states[i].Number)
		}
		at[r.states[i].Number] = int32(i)
		if r.states[i].Initial {
			r.start = int32(i)
		}
	}
	// 2. Transitions by all that is seen of them, so that the picture does not depend on the order of the input.
	for i := range r.transitions {
		// Histograms are made before sorting, since they are a part of what is compared.
		r.transitions[i].Histogram = r.transitions[i].histogram()
	}
	slices.SortFunc(r.transitions, func(x, y Transition) int { return x.compare(&y) })
	// 3. Numbers become positions, and each must exist.
	r.ends = make([][2]int32, len(r.transitions))
	for i := range r.transitions {
		t := &r.transitions[i]
		// Position 0 of a pair is the source, position 1 the target.
		for k, number := range []int64{t.Source, t.Target} {
			position, known := at[number]
			if !known {
				return nil, fmt.Errorf("%s: a transition %q has an end at state %d, which does not exist", a.Title, t.Label, number)
			}
			r.ends[i][k] = position
		}
	}
	return r, nil
}

// median is the median in words, "" where none is known.
func (t *Times) median() string {
	if t.MedianNs == schema.NoValue || t.Count == 0 {
		return ""
	}
	return texttab.Duration(t.MedianNs)
}
