package compare

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// matchBytes is what pairing the automata of two runs takes for each of their transitions: 3.9 GB for one word of a million letters.
const matchBytes = 2000

// canMatch returns an error for automata whose pairing takes more than all memory, of which tasks have half, or than a portion takes
// in any case. Pairs of runs are taken in turn, so the two largest count.
func (w *walk) canMatch() error {
	sizes := make([]int, len(w.automata))
	for i := range w.automata {
		sizes[i] = len(w.automata[i].Transitions)
	}
	slices.Sort(sizes)
	n := 0
	for _, size := range sizes[max(0, len(sizes)-2):] {
		n += size
	}
	if need := int64(n) * matchBytes; need/2 > max(w.memory, leastBytes) {
		return fmt.Errorf("the automata of %s have %d transitions in two runs, which take about %d MB to pair: give it more with --memory",
			w.fragment, n, need>>20)
	}
	return nil
}

// steps pairs the automata of a fragment of all runs, and goes through their common steps in the order of the match.
func (j *judge) steps(name string, each func(*walk, matching.Step)) error {
	w := walk{judge: j, fragment: name, automata: make([]matching.Automaton, len(j.models)), counted: make([]automaton, len(j.models))}
	w.sampled, w.summaries = make([]transitionSamples, len(j.models)), make([][]packed, len(j.models))
	for i := range j.models {
		e := &j.excerpts[i]
		w.counted[i], w.summaries[i] = e.automata[name], e.ofSteps[name]
		if e.samples != nil {
			w.sampled[i] = transitionSamples{e.samples.values[name], e.samples.step[name]}
		}
		w.automata[i] = matching.Automaton{Fragment: name, Transitions: w.counted[i].transitions()}
	}
	if err := w.canMatch(); err != nil {
		return err
	}
	matched, err := j.Matching.Match(w.automata)
	if err != nil {
		return err
	}
	w.count(matched.Steps)
	for _, s := range matched.Steps {
		each(&w, s)
	}
	return nil
}

// walk is the way through the steps of a fragment. Its slices have an element for every run, those of older runs last; a run
// without the fragment has an automaton without transitions.
type walk struct {
	*judge
	fragment string
	automata []matching.Automaton // by run
	counted  []automaton          // the same with the counts of their transitions
	flows    []flow               // by run

	sampled   []transitionSamples // by run
	summaries [][]packed          // by run and transition
}

// transitionSamples are the samples of the transitions of a fragment in one run: in the normalisation to judge by, and since the event before.
type transitionSamples struct{ values, step pieces }

// step compares one step, with the samples of all runs that take it, and notes which transitions it is.
func (w *walk) step(s matching.Step) {
	baseTaken, candTaken := sides(w.judge, s.Taken)
	baseAutomata, candAutomata := sides(w.judge, w.automata)
	left, right := taken(baseAutomata, baseTaken), taken(candAutomata, candTaken)
	t, component := cmp.Or(left, right), w.first(w.fragment).Component
	if t == nil {
		return // only older runs take it
	}
	subject := samplechanges.Subject{
		Level: schema.LevelTransition, Component: component, Fragment: w.fragment, Subject: label(t),
		Function: t.Function, Kind: t.Kind, Direction: t.Direction, Peer: t.Peer, Normalisation: w.Options.Normalisation,
		Transition: number(left), CandTransition: number(right), CandFragment: w.counterpart(w.fragment).fragment,
	}
	base, cand := w.pool(s)
	c := w.judge.pooled.Compare(subject, base, cand, w.ofFirst(s, (*shape).whom))
	if subject.Normalisation == schema.NormFragmentAbsolute {
		if c.PositionNs = c.MedianBaseNs; left == nil {
			c.PositionNs = c.MedianCandNs
		}
	}
	w.addStep(c, s, base.Behind || cand.Behind, false)
	m := match(w.fragment, t, left, right)
	m.CandFragment = subject.CandFragment
	w.matches = append(w.matches, m)
}

// ofFirst returns what is known of a step in the first automaton that takes it.
func (w *walk) ofFirst(s matching.Step, known func(of *shape, transition int64) string) string {
	return w.ofFirstFrom(s, 0, len(s.Taken), known)
}

// ofFirstFrom is the same of the automata of some runs, by their positions.
func (w *walk) ofFirstFrom(s matching.Step, from, to int, known func(of *shape, transition int64) string) string {
	for i := from; i < to; i++ {
		if n := s.Taken[i]; n != matching.None {
			return known(w.counted[i].shape, n)
		}
	}
	return ""
}

// functionIn returns the function that runs in a step. Where one function runs in it in the baseline and another one in the candidate, because
// a callee is called from elsewhere, it is that of the side which spends more in it: a function that hardly runs in the step is not the one to
// look at. Functions of fragments that moved have the names of the baseline.
func (w *walk) functionIn(s matching.Step, r *verdicts.Reduction) string {
	function := w.ofFirst(s, (*shape).function)
	if r == nil || r.TotalCand <= r.TotalBase || w.counterpart(w.fragment).fragment != "" {
		return function
	}
	n := len(w.Base)
	return cmp.Or(w.ofFirstFrom(s, n, n+len(w.Cand), (*shape).function), function)
}

// whom returns whom the component waits for in a transition, or "".
func (s *shape) whom(transition int64) string { return s.awaited[transition] }

// function returns the function that runs in a transition, or "".
func (s *shape) function(transition int64) string { return s.running[transition] }

// taken is the transition of a step in the first automaton that takes it.
func taken(automata []matching.Automaton, numbers []int64) *schema.Transition {
	for i, n := range numbers {
		if n != matching.None {
			return &automata[i].Transitions[n]
		}
	}
	return nil
}

// number is that of a transition, or null in the tables where a side does not take the step.
func number(t *schema.Transition) *int64 {
	if t == nil {
		return nil
	}
	return &t.Transition
}

// label is a step in words.
func label(t *schema.Transition) string {
	text := t.Kind + " " + t.Function
	switch t.Direction {
	case schema.DirectionWords[schema.Send]:
		return text + " send to " + t.Peer
	case schema.DirectionWords[schema.Receive]:
		return text + " receive from " + t.Peer
	}
	return text
}

// match is the row of the table matches for a step: left in the baseline, right in the candidate; one of them may be nil.
func match(fragment string, t, left, right *schema.Transition) schema.Match {
	m := schema.Match{
		Fragment: fragment, Level: schema.LevelTransition, Function: t.Function, Kind: t.Kind, Direction: t.Direction, Peer: t.Peer,
		Status: schema.InBoth,
	}
	if left != nil {
		m.BaseTransition, m.BaseSource, m.BaseTarget = &left.Transition, &left.Source, &left.Target
	} else {
		m.Status = schema.InCand
	}
	if right != nil {
		m.CandTransition, m.CandSource, m.CandTarget = &right.Transition, &right.Source, &right.Target
	} else {
		m.Status = schema.InBase
	}
	return m
}

// pool puts together a step's samples of all runs of each side, which hold until the next subject. Without samples it says only how many runs there are.
func (w *walk) pool(s matching.Step) (base, cand samplechanges.Side) {
	base.Runs, cand.Runs = len(w.Base), len(w.Cand)
	base.Behind, cand.Behind = w.followsFunctionalChange(s)
	if w.summariesOnly {
		return base, cand
	}
	base.Values, cand.Values = w.base[:0], w.cand[:0]
	for i, n := range s.Taken[:base.Runs+cand.Runs] {
		if n == matching.None {
			continue
		}
		side, of := &base, &w.sampled[i]
		if i >= base.Runs {
			side = &cand
		}
		side.Values = append(side.Values, of.values.of(n)...)
		side.StepNs = append(side.StepNs, of.step.of(n)...)
	}
	w.base, w.cand = base.Values, cand.Values
	return base, cand
}
