package compare

import (
	"slices"

	"github.com/tracelake/tracelake/stages/behaviour/matching"
)

// flow is how often events led into the states of a fragment in one run. It says how a step is reached: whether what comes
// right before it is common to both sides or a functional change itself, behind which times are no longer comparable.
type flow struct {
	all, oneSided map[int64]int64 // by state; oneSided are events of steps that only one side takes
}

// count counts the events before every state, in every run.
func (w *walk) count(steps []matching.Step) {
	w.flows = make([]flow, len(w.automata))
	for i := range w.flows {
		w.flows[i] = flow{make(map[int64]int64), make(map[int64]int64)}
	}
	for _, s := range steps {
		base, cand := sides(w.judge, s.Taken)
		alone := !takes(base) || !takes(cand)
		for i, n := range s.Taken {
			if n == matching.None {
				continue
			}
			target, count := w.automata[i].Transitions[n].Target, w.counted[i].counts[n]
			w.flows[i].all[target] += count
			if alone {
				w.flows[i].oneSided[target] += count
			}
		}
	}
}

// takes reports whether any run of a side takes a step.
func takes(taken []int64) bool {
	return slices.ContainsFunc(taken, func(n int64) bool { return n != matching.None })
}

// followsFunctionalChange reports for each side whether a step of it stands right behind a functional change. The joint
// walk stops at functional changes, so none of its steps does.
func (w *walk) followsFunctionalChange(s matching.Step) (base, cand bool) {
	if w.Matching == matching.ByWalk {
		return false, false
	}
	baseFlows, candFlows := sides(w.judge, w.flows)
	baseAutomata, candAutomata := sides(w.judge, w.automata)
	baseTaken, candTaken := sides(w.judge, s.Taken)
	return mostlyOneSided(baseFlows, baseAutomata, baseTaken), mostlyOneSided(candFlows, candAutomata, candTaken)
}

// mostlyOneSided reports whether most events right before a step, in the runs of one side, are of steps that the other
// side does not take. No event comes before state 0, the start of all words.
func mostlyOneSided(flows []flow, automata []matching.Automaton, taken []int64) bool {
	var all, oneSided int64
	for i, n := range taken {
		if n == matching.None {
			continue
		}
		if source := automata[i].Transitions[n].Source; source != 0 {
			all += flows[i].all[source]
			oneSided += flows[i].oneSided[source]
		}
	}
	return 2*oneSided > all
}
