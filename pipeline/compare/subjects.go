package compare

import (
	"cmp"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// Subject is what a comparison looks at: how it is named and what the tests on its pooled samples found, and what the
// summaries of all runs say of it, baseline first. It is a transition, a fragment, a metric, a part of the latency of
// messages, or a part of critical paths.
//
// What the runs say is either there run by run (Observed.Runs), or reduced to what the judgement needs (reduced), or packed to what
// costs are judged by (costs). A comparison reduces all but the run times of initial fragments, so that its memory does not grow
// with the number of runs.
type Subject struct {
	Change   schema.Change     // the row that the judgement completes
	Observed verdicts.Observed // what the runs say
	Awaited  string            // of a transition: whom the component waits for in it, "component.function", or ""
	Function string            // of a transition: the function that runs in it
	Initial  bool              // of a fragment: no message starts it
	within   bool              // of a transition: its fragment appeared or vanished as a whole, and stands in the tables for it
	follows  bool              // it is no part of its finding, but follows from it
	folded   bool              // its row is one with that of what it is under other names
	behind   bool              // of a transition: most events right before it are of steps that the other side does not take
	reduced  *verdicts.Reduction
	costs    []byte // see appendCost; where only costs are compared, in the place of Observed.Runs
}

// withinLevel keeps the steps of fragments that one side lacks apart from those that are compared.
const withinLevel = "transition of a fragment of one side"

// level is the level at which the subject is judged.
func (s *Subject) level() string {
	if s.within {
		return withinLevel
	}
	return s.Change.Level
}

// isKnown reports whether it is known what the runs say of the subject.
func (s *Subject) isKnown() bool { return s.reduced != nil || s.Observed.Runs != nil }

// reduction returns what judging needs of the runs, if it is known.
func (s *Subject) reduction(r *verdicts.Reducer) *verdicts.Reduction {
	if s.reduced == nil && s.Observed.Runs != nil {
		of := r.Reduce(&s.Observed)
		return &of
	}
	return s.reduced
}

// observed is a subject whose runs say what of finds.
func (j *comparison) observed(s *Subject, of func(run int) verdicts.Run) verdicts.Observed {
	o := verdicts.Observed{Level: s.level(), Component: s.Change.Component, Runs: make([]verdicts.Run, len(j.models))}
	for i := range o.Runs {
		o.Runs[i] = of(i)
	}
	return o
}

// add adds a subject of the portion at hand, for which of finds what a run says. It keeps the runs where whoever asked wants them.
func (j *judge) add(s Subject, of func(run int) verdicts.Run) {
	if j.reducer == nil && !j.costsOnly || s.Initial && j.reducer != nil {
		s.Observed = j.observed(&s, of)
	} else {
		s.Observed = verdicts.Observed{Level: s.level(), Component: s.Change.Component, Runs: j.runs[:0]}
		for i := range j.models {
			s.Observed.Runs = append(s.Observed.Runs, of(i))
		}
		j.runs = s.Observed.Runs // the same memory serves all subjects
	}
	if j.costsOnly {
		s.keepCosts(j.runs)
	}
	if j.reducer != nil {
		r := j.reducer.Reduce(&s.Observed)
		if s.reduced = &r; !s.Initial {
			s.Observed.Runs = nil
		}
	}
	j.subjects = append(j.subjects, &s)
}

// addStep adds a step with what every run that takes it says of it.
func (w *walk) addStep(c schema.Change, m matching.Step, behind, within bool) {
	s := Subject{Change: c, Awaited: w.ofFirst(m, (*shape).whom), behind: behind, within: within}
	w.add(s, func(run int) verdicts.Run {
		return w.excerpts[run].step(w.summaries[run], m.Taken[run])
	})
	added := w.subjects[len(w.subjects)-1]
	if added.Function = w.functionIn(m, added.reduced); !within {
		w.critical(&added.Change, c.Component, added.Function)
	}
}

// addMetric adds a metric, or a fragment by its run times.
func (j *judge) addMetric(c schema.Change) {
	k := metricKey{c.Component, c.Fragment, metricOf[c.Metric]}
	s := Subject{Change: c, Initial: c.Level == schema.LevelFragment && j.initial(c.Fragment)}
	j.add(s, func(run int) verdicts.Run {
		e := &j.excerpts[run]
		return e.unpack(at(e.metrics, e.ofMetrics, k))
	})
}

// addWithin adds a step of a fragment that one side lacks: it says what of the fragment's time is its own.
func (w *walk) addWithin(s matching.Step) {
	baseTaken, candTaken := sides(w.judge, s.Taken)
	baseAutomata, candAutomata := sides(w.judge, w.automata)
	t := cmp.Or(taken(baseAutomata, baseTaken), taken(candAutomata, candTaken))
	if t == nil {
		return // only older runs have it
	}
	w.addStep(schema.Change{
		Level: schema.LevelTransition, Component: w.first(w.fragment).Component, Fragment: w.fragment, Subject: label(t),
		Function: t.Function, Kind: t.Kind, Direction: t.Direction, Peer: t.Peer,
	}, s, false, true)
}

// initial reports whether a fragment begins without a message, in the first run that has it.
func (j *judge) initial(fragment string) bool {
	for _, m := range j.models {
		if m.fragments[fragment] != nil {
			return m.initial(fragment)
		}
	}
	return false
}
