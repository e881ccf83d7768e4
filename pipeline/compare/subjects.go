package compare

import (
	"cmp"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// Subject is what a comparison looks at: how it is named and what the tests on its pooled samples say, and what the
// summaries of all runs say of it, baseline first.
type Subject struct {
	Change   schema.Change
	Observed verdicts.Observed
	Awaited  string // of a transition: whom the component waits for in it, "component.function", or ""
	Function string // of a transition: the function that runs in it
	Initial  bool   // of a fragment: no message starts it
	within   bool   // of a transition: its fragment appeared or vanished as a whole, and stands in the tables for it
	behind   bool   // of a transition: most events right before it are of steps that the other side does not take
}

// observed is a subject whose runs say what of finds.
func (j *judge) observed(c *schema.Change, of func(i int, m *model) verdicts.Run) verdicts.Observed {
	o := verdicts.Observed{Level: c.Level, Component: c.Component, Runs: make([]verdicts.Run, len(j.models))}
	for i, m := range j.models {
		o.Runs[i] = of(i, m)
	}
	return o
}

// addStep adds a step with what every run that takes it says.
func (w *walk) addStep(c schema.Change, s matching.Step, behind bool) {
	o := w.observed(&c, func(i int, m *model) verdicts.Run {
		if s.Taken[i] == matching.None {
			return verdicts.Run{}
		}
		return m.summaries.steps[stepKey{w.fragment, s.Taken[i]}]
	})
	w.subjects = append(w.subjects, Subject{
		Change: c, Observed: o, Awaited: ofFirst(s, w.awaited), Function: ofFirst(s, w.running), behind: behind,
	})
}

// addMetric adds a metric, or a fragment by its run times.
func (j *judge) addMetric(c schema.Change, k metricKey) {
	o := j.observed(&c, func(_ int, m *model) verdicts.Run { return m.summaries.metrics[k] })
	j.subjects = append(j.subjects, Subject{Change: c, Observed: o, Initial: c.Level == schema.LevelFragment && j.initial(c.Fragment)})
}

// withinLevel keeps the steps of fragments that one side lacks apart from those that are compared.
const withinLevel = "transition of a fragment of one side"

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
	}, s, false)
	added := &w.subjects[len(w.subjects)-1]
	added.within, added.Observed.Level = true, withinLevel
}

// initial says whether a fragment begins without a message, in the first run that has it.
func (j *judge) initial(fragment string) bool {
	for _, m := range j.models {
		if m.fragments[fragment] != nil {
			return m.initial(fragment)
		}
	}
	return false
}
