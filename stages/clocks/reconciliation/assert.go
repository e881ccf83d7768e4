package reconciliation

import "github.com/tracelake/tracelake/stages/checks/ccsl"

// Verdict is what became of a constraint in a run whose events are in one order already.
type Verdict struct {
	ccsl.Verdict
	Event int32 // that violates it, a number in the unit; -1 if none does
}

// Assert checks the trace of a unit against a specification, whose constraints are assertions then: verdicts of
// Spec.Constraints. Each event at which clocks tick is a step. Where together holds, as many events as have one time are
// a step: so coincident ticks of a reconciled run are one step.
func Assert(spec *ccsl.Spec, u *Unit, together bool) []Verdict {
	c := ccsl.NewChecker(spec, u.observed())
	var events []int32
	for event, step := range u.steps(together) {
		c.Step(step)
		events = append(events, event)
	}
	verdicts := make([]Verdict, len(spec.Constraints))
	for i, v := range c.Verdicts() {
		verdicts[i] = Verdict{v, gone}
		if v.Outcome == ccsl.Violated {
			verdicts[i].Event = events[v.Step]
		}
	}
	return verdicts
}
