package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// messages adds the parts of the latency of messages between any two components of any run. They belong to two components,
// and so to no group.
func (j *judge) messages() {
	all := make(map[messageKey]bool)
	for _, m := range j.models {
		for k := range m.summaries.messages {
			all[k] = true
		}
	}
	keys := slices.SortedFunc(maps.Keys(all), func(a, b messageKey) int {
		return cmp.Or(cmp.Compare(a.component, b.component), cmp.Compare(a.function, b.function), cmp.Compare(a.peer, b.peer), cmp.Compare(a.part, b.part))
	})
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
	o := j.observed(&c, func(_ int, m *model) verdicts.Run { return m.summaries.messages[k] })
	base, cand := sides(j, o.Runs)
	c.NBase, c.TotalBaseNs = messageTotals(base)
	c.NCand, c.TotalCandNs = messageTotals(cand)
	c.AbsNs = c.TotalCandNs/max(c.RunsCand, 1) - c.TotalBaseNs/max(c.RunsBase, 1)
	c.Verdict = schema.Unchanged
	j.whole = append(j.whole, Subject{Change: c, Observed: o})
}

// messageTotals adds up the messages of some runs and their time in ns.
func messageTotals(runs []verdicts.Run) (n, ns int64) {
	for _, r := range runs {
		n, ns = n+int64(r.Count), ns+int64(r.TotalNs)
	}
	return n, ns
}
