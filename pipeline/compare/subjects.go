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
type Subject struct {
	Change   schema.Change
	Observed verdicts.Observed
	Awaited  string // of a transition: whom the component waits for in it, "component.function", or ""
	Function string // of a transition: the function that runs in it
	Initial  bool   // of a fragment: no message starts it
	within   bool   // of a transition: its fragment appeared or vanished as a whole, and stands in the tables for it
	behind   bool   // of a transition: most events right before it are of steps that the other side does not take
}

// pair is a subject of a group of components as its task finds it: without what the summaries say, which the last task
// looks up. It is a row of the table that hands it on; its change is the row of the same number in a table beside it.
type pair struct {
	Change  schema.Change `parquet:"-"`
	Awaited string        `parquet:"awaited,optional,dict"`
	Running string        `parquet:"running,optional,dict"`
	Initial bool          `parquet:"initial"`
	Within  bool          `parquet:"within"`
	Behind  bool          `parquet:"behind"`
	Taken   []int64       `parquet:"taken"` // of a transition: its number in every run, or matching.None
}

// withinLevel keeps the steps of fragments that one side lacks apart from those that are compared.
const withinLevel = "transition of a fragment of one side"

// subject looks up what the summaries of all runs say of a pair.
func (j *comparison) subject(p *pair) Subject {
	s := Subject{Change: p.Change, Awaited: p.Awaited, Function: p.Running, Initial: p.Initial, within: p.Within, behind: p.Behind}
	metric := metricKey{p.Change.Component, p.Change.Fragment, metricOf[p.Change.Metric]}
	s.Observed = j.observed(&p.Change, func(i int, m *model) verdicts.Run {
		switch {
		case p.Change.Level != schema.LevelTransition:
			return m.summaries.metrics[metric]
		case p.Taken[i] == matching.None:
			return verdicts.Run{}
		}
		return m.summaries.steps[stepKey{p.Change.Fragment, p.Taken[i]}]
	})
	if s.within {
		s.Observed.Level = withinLevel
	}
	return s
}

// observed is a subject whose runs say what of finds.
func (j *comparison) observed(c *schema.Change, of func(i int, m *model) verdicts.Run) verdicts.Observed {
	o := verdicts.Observed{Level: c.Level, Component: c.Component, Runs: make([]verdicts.Run, len(j.models))}
	for i, m := range j.models {
		o.Runs[i] = of(i, m)
	}
	return o
}

// addStep adds a step with its number in every run that takes it.
func (w *walk) addStep(c schema.Change, s matching.Step, behind bool) {
	w.pairs = append(w.pairs, pair{
		Change: c, Awaited: ofFirst(s, w.awaited), Running: ofFirst(s, w.running), Behind: behind, Taken: s.Taken,
	})
}

// addMetric adds a metric, or a fragment by its run times.
func (j *judge) addMetric(c schema.Change) {
	j.pairs = append(j.pairs, pair{Change: c, Initial: c.Level == schema.LevelFragment && j.initial(c.Fragment)})
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
	}, s, false)
	w.pairs[len(w.pairs)-1].Within = true
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
