package reconcile

import (
	"fmt"

	"github.com/tracelake/tracelake/stages/checks/ccsl"
	"github.com/tracelake/tracelake/stages/clocks/reconciliation"
)

// orderUnits orders the events that matter, and prepares to merge the units.
func (j *Job) orderUnits(list []*collected) (*fusion, error) {
	units := make([]*reconciliation.Unit, len(list))
	for i, c := range list {
		units[i] = c.unit
	}
	f := &fusion{job: j}
	paired := reconciliation.Pair(units)
	for i, c := range list {
		f.streams = append(f.streams, j.newStream(i, c, paired.Apart[i]))
	}
	reconciliation.Keep(units, paired.Exchanges)
	m := reconciliation.NewModel(units)
	if j.Messages {
		m.AddMessages(paired.Exchanges)
	}
	if j.Spec != nil {
		if err := j.addSpecification(m); err != nil {
			return nil, err
		}
	}
	arranged, err := m.Arrange()
	if err != nil {
		return nil, err
	}
	arranged.Exclude()
	f.model, f.related = m, m.Relate(j.unitIndex(j.Reference))
	times := arranged.Correct(f.related.Lines)
	for i, s := range f.streams {
		s.track = times.Track(i, f.related.Lines[i])
	}
	f.seq = make([]int64, m.Events())
	f.outcome = Outcome{Constraints: m.Constraints, Unresolved: m.Unresolved, Ambiguous: paired.Ambiguous}
	for _, u := range f.related.Alone {
		f.outcome.Alone = append(f.outcome.Alone, j.Units[u].Name)
	}
	f.renameShared(list)
	return f, nil
}

// addSpecification adds the relations of the specification. A clock that is bound to nothing, and that
// nothing defines, is an error that says how to bind it.
func (j *Job) addSpecification(m *reconciliation.Model) error {
	unknown := m.Specify(j.Spec)
	if unknown == ccsl.NoClock {
		return nil
	}
	c := &j.Spec.Clocks[unknown]
	name := lastPart(c.Name)
	return fmt.Errorf("%s: no unit has a function %s for the clock %s: bind it to events of a unit, as in %s=%s:COMPONENT.FUNCTION> or %s=%s:!SERIES",
		c.At, name, c.Name, name, j.Units[0].Name, name, j.Units[0].Name)
}
