package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// messages adds the parts of the latency of messages from any component of any run to a component of the group.
func (j *judge) messages() {
	keys := slices.SortedFunc(maps.Keys(j.excerpts[0].numbers.messages), messageKey.compare)
	for _, k := range keys {
		j.addMessages(k)
	}
}

// addMessages adds one part of one kind of message. Nothing is tested here: the summaries of the runs decide.
func (j *judge) addMessages(k messageKey) {
	c := schema.Change{
		Level: schema.LevelMessage, Component: k.component, Subject: fmt.Sprintf("%s of %s from %s", k.part, k.function, k.peer),
		Metric: k.part, Function: k.function, Peer: k.peer, RunsBase: int64(len(j.Base)), RunsCand: int64(len(j.Cand)),
	}
	of := func(run int) verdicts.Run {
		e := &j.excerpts[run]
		return e.unpack(at(e.messages, e.ofMessages, k))
	}
	runs := make([]verdicts.Run, len(j.models))
	for i := range runs {
		runs[i] = of(i)
	}
	base, cand := sides(j, runs)
	c.NBase, c.TotalBaseNs = messageTotals(base)
	c.NCand, c.TotalCandNs = messageTotals(cand)
	c.AbsNs = c.TotalCandNs/max(c.RunsCand, 1) - c.TotalBaseNs/max(c.RunsBase, 1)
	c.Verdict = schema.Unchanged
	j.add(Subject{Change: c}, of)
}

// compare orders messages by what they are.
func (k messageKey) compare(o messageKey) int {
	return cmp.Or(cmp.Compare(k.component, o.component), cmp.Compare(k.function, o.function), cmp.Compare(k.peer, o.peer), cmp.Compare(k.part, o.part))
}

// compareMessages orders subjects that are messages as their keys.
func compareMessages(a, b Subject) int { return keyOfMessage(&a).compare(keyOfMessage(&b)) }

func keyOfMessage(s *Subject) messageKey {
	return messageKey{s.Change.Component, s.Change.Function, s.Change.Peer, s.Change.Metric}
}

// messageTotals adds up the messages of some runs and their time in ns.
func messageTotals(runs []verdicts.Run) (n, ns int64) {
	for _, r := range runs {
		n, ns = n+int64(r.Count), ns+int64(r.TotalNs)
	}
	return n, ns
}
