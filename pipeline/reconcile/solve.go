package reconcile

import (
	"fmt"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
	"github.com/tracelake/tracelake/stages/clocks/reconciliation"
)

// orderUnits orders the events that matter, and prepares to merge the units.
func (o *Options) orderUnits(t *pipeline.Task, list []*collected) (*fusion, error) {
	// 1. Find the messages between units by their identifiers.
	units := make([]*reconciliation.Unit, len(list))
	// 2. Prepare the second reading while the positions of all ends are still known.
	for i, c := range list {
		units[i] = c.unit
	}
	f := &fusion{options: o, task: t}
	paired := reconciliation.Pair(units)
	for i, c := range list {
		f.streams = append(f.streams, o.newStream(i, c, paired.Apart[i]))
	}
	// 3. Forget the ends that order nothing between units: nearly all of them.
	reconciliation.Keep(units, paired.Exchanges)
	// 4. Collect relations from messages and from the specification.
	m := reconciliation.NewModel(units)
	if o.Messages {
		m.AddMessages(paired.Exchanges)
	}
	if o.Spec != nil {
		if err := o.addSpecification(m); err != nil {
			return nil, err
		}
	}
	// 5. Order them, or explain why that is impossible.
	arranged, err := m.Arrange()
	if err != nil {
		return nil, err
	}
	// 6. What exclusions leave open goes into the report.
	if err := arranged.Exclude(); err != nil {
		return nil, err
	}
	// 7. Relate the clocks to the reference, and correct times that contradict the order.
	f.model, f.related = m, m.Relate(o.unitIndex(o.Reference))
	times := arranged.Correct(f.related.Curves)
	f.coupled = arranged.Couple()
	for i, s := range f.streams {
		s.track = times.Track(i, f.related.Curves[i])
	}
	// 8. The merge fills in the sequence numbers of the instants.
	f.seq = make([]int64, m.Events())
	f.outcome = Outcome{Constraints: m.Constraints, Unresolved: m.Unresolved, Judgements: arranged.Judge(), Ambiguous: paired.Ambiguous}
	for _, u := range f.related.Alone {
		f.outcome.Alone = append(f.outcome.Alone, o.Units[u].Name)
	}
	f.renameShared(list)
	return f, nil
}

// addSpecification adds the relations of the specification. A clock that is bound to nothing, and that
// nothing defines, is an error that says how to bind it.
func (o *Options) addSpecification(m *reconciliation.Model) error {
	unknown := m.SpecifyBut(o.Spec, o.isAsserted)
	// The error shows both forms of a binding, since the reader may not know either.
	if unknown == ccsl.NoClock {
		return nil
	}
	c := &o.Spec.Clocks[unknown]
	name := lastPart(c.Name)
	return fmt.Errorf("%s: no unit has a function %s for the clock %s: bind it to events of a unit, as in %s=%s:COMPONENT.FUNCTION> or %s=%s:!SERIES",
		c.At, name, c.Name, name, o.Units[0].Name, name, o.Units[0].Name)
}
