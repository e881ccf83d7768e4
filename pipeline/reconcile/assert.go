package reconcile

import (
	"context"
	"fmt"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
	"github.com/tracelake/tracelake/stages/clocks/reconciliation"
)

// Check is a run to check against a specification.
// It writes nothing: its result is for a report.
type Check struct {
	Lake     *lake.Lake        // where the run stands
	Run      string            // name of the run in the lake
	Spec     *ccsl.Spec        // what to check
	Bindings map[string]string // as those of Options, but without UNIT:
	Together bool              // events of one time are one step: coincidences need it
	Silent   bool              // clocks may tick nowhere; otherwise that is a *NothingError
}

// Assertion is the result for one constraint.
type Assertion struct {
	Name, Word, At string       // the constraint's name, its relation or expression, and its place in the specification
	Outcome        ccsl.Outcome // see ccsl.Outcome
	Seq            int64        // of the first event that violates it, or schema.NoValue
	TimeNs         int64        // of that event
	Reason         string       // a sentence; empty if the constraint holds
}

// Assert checks a run, in particular a reconciled one, against a specification whose constraints are
// assertions. Events that the ingest inserted are no ticks.
// The events at which no bound clock ticks are not kept, so that memory follows the ticks.
func Assert(ctx context.Context, check Check) ([]Assertion, error) {
	// A run is checked as the only unit of a reconciliation, so that bindings mean the same in both commands.
	j := Options{Spec: check.Spec, Units: []Unit{{Name: check.Run, Run: check.Run}}, Bindings: make(map[string]string), Silent: check.Silent}
	for clock, event := range check.Bindings {
		j.Bindings[clock] = check.Run + ":" + event
	}
	list, err := j.allBindings()
	if err != nil {
		return nil, err
	}
	// Positions are sequence numbers here, since the result names events of the run and not of a unit's trace.
	c := &collected{unit: &reconciliation.Unit{Name: check.Run}, rules: list, bySeq: true, pairs: make(map[[2]schema.Code]bool)}
	ev := schema.NewEvents()
	err = check.Lake.ScanEvents(ctx, check.Run, ev, lake.ScanOptions{}, func() error {
		c.addChunk(ev)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", check.Run, err)
	}
	// With one unit nothing is ambiguous; clocks whose path names another unit lose their ticks.
	c.keepNames()
	if err := j.settleUnits(list, []*collected{c}); err != nil {
		return nil, err
	}
	for _, b := range list {
		if len(c.unit.Ticks[b.clock]) == 0 && !check.Silent { // a constraint over it would be left out in silence
			return nil, j.nothing(&b, c)
		}
	}
	var assertions []Assertion
	for i, v := range reconciliation.Assert(check.Spec, c.unit, check.Together) {
		k := &check.Spec.Constraints[i]
		a := Assertion{Name: k.Name, Word: k.Word, At: k.At.String(), Outcome: v.Outcome, Seq: schema.NoValue, Reason: v.Reason}
		// Only a violated constraint has an event: one that is unchecked lacks a clock, not a tick.
		if v.Outcome == ccsl.Violated {
			a.Seq, a.TimeNs = c.unit.Position[v.Event], c.unit.TimeNs[v.Event]
		}
		assertions = append(assertions, a)
	}
	return assertions, nil
}
