package reconcile

import (
	"maps"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
	"github.com/tracelake/tracelake/stages/clocks/reconciliation"
)

// The tables that the task of a unit hands to the last one. They are staged and never committed.
const (
	unitEventsTable = "unit_events"
	unitTicksTable  = "unit_ticks"
	unitEndsTable   = "unit_ends"
	unitNamesTable  = "unit_names"
)

// stagedEvent is an event at which a clock ticks, or a message is sent or received.
type stagedEvent struct {
	Position int64 `parquet:"position,delta"` // in the trace of the unit
	TimeNs   int64 `parquet:"time_ns,delta"`  // on its clock
}

// stagedTick is a tick of a clock at an event, by the number of the event in the unit.
type stagedTick struct {
	Clock int32 `parquet:"clock"`
	Event int32 `parquet:"event"`
}

// stagedEnd is a reconciliation.End.
type stagedEnd struct {
	ID        int64 `parquet:"id"`
	Nth       int64 `parquet:"nth"`
	Event     int32 `parquet:"event"`
	Series    int32 `parquet:"series"`
	Direction int32 `parquet:"direction"`
}

// stagedName is a name that the unit has, in the order of its codes.
type stagedName struct {
	Of   int32  `parquet:"of"` // ofComponent and the others
	Name string `parquet:"name"`
}

// What the names are of.
const (
	ofComponent int32 = iota
	ofLifeline
	ofSeries
	ofExecuted
	ofLabel
)

// stage writes what was found in a unit.
func (c *collected) stage(t *pipeline.Task) error {
	u := c.unit
	events := make([]stagedEvent, len(u.Position))
	for i := range events {
		events[i] = stagedEvent{u.Position[i], u.TimeNs[i]}
	}
	if err := pipeline.WriteRows(t, unitEventsTable, events); err != nil {
		return err
	}
	var ticks []stagedTick
	for _, clock := range slices.Sorted(maps.Keys(u.Ticks)) {
		for _, event := range u.Ticks[clock] {
			ticks = append(ticks, stagedTick{int32(clock), event})
		}
	}
	if err := pipeline.WriteRows(t, unitTicksTable, ticks); err != nil {
		return err
	}
	ends := make([]stagedEnd, len(u.Ends))
	for i, e := range u.Ends {
		ends[i] = stagedEnd{e.ID, e.Nth, e.Event, int32(e.Series), int32(e.Direction)}
	}
	if err := pipeline.WriteRows(t, unitEndsTable, ends); err != nil {
		return err
	}
	var names []stagedName
	for of, list := range [...][]string{ofComponent: c.components, ofLifeline: c.lifelines, ofSeries: u.Series, ofExecuted: c.executed, ofLabel: c.labels} {
		for _, name := range list {
			names = append(names, stagedName{int32(of), name})
		}
	}
	return pipeline.WriteRows(t, unitNamesTable, names)
}

// stagedUnits reads what the tasks of all units found, and decides which units clocks are bound to.
func (o *Options) stagedUnits(t *pipeline.Task) ([]*collected, error) {
	list, err := o.allBindings()
	if err != nil {
		return nil, err
	}
	units := make([]*collected, len(o.Units))
	for i, u := range o.Units {
		if units[i], err = stagedUnit(t, i, u.Name); err != nil {
			return nil, err
		}
	}
	return units, o.settleUnits(list, units)
}

// stagedUnit reads what the task of a unit found.
func stagedUnit(t *pipeline.Task, part int, name string) (*collected, error) {
	u := &reconciliation.Unit{Name: name}
	c := &collected{unit: u}
	events, err := pipeline.PartRows[stagedEvent](t, part, unitEventsTable)
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		u.Position, u.TimeNs = append(u.Position, e.Position), append(u.TimeNs, e.TimeNs)
	}
	ticks, err := pipeline.PartRows[stagedTick](t, part, unitTicksTable)
	if err != nil {
		return nil, err
	}
	for _, tick := range ticks {
		u.Tick(ccsl.ClockID(tick.Clock), tick.Event)
	}
	ends, err := pipeline.PartRows[stagedEnd](t, part, unitEndsTable)
	if err != nil {
		return nil, err
	}
	for _, e := range ends {
		u.Ends = append(u.Ends, reconciliation.End{ID: e.ID, Nth: e.Nth, Event: e.Event, Series: uint32(e.Series), Direction: schema.Direction(e.Direction)})
	}
	names, err := pipeline.PartRows[stagedName](t, part, unitNamesTable)
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		to := [...]*[]string{ofComponent: &c.components, ofLifeline: &c.lifelines, ofSeries: &u.Series, ofExecuted: &c.executed, ofLabel: &c.labels}[n.Of]
		*to = append(*to, n.Name)
	}
	return c, nil
}
