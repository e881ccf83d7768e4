package reconciliation

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// Unit holds what ordering needs of a unit's trace: the events at which a clock ticks, or a message is
// sent or received.
// It holds 16 bytes an event, 4 a tick and 32 an end.
type Unit struct {
	Name     string                   // unique among the units
	Position []int64                  // of these events in the trace, from 0, ascending
	TimeNs   []int64                  // of these events on the unit's clock
	Ticks    map[ccsl.ClockID][]int32 // by clock, the events at which it ticks: positions in Position, ascending
	Ends     []End                    // of messages, in the order of the trace
	Series   []string                 // the names behind End.Series
}

// End is the sending or the receipt of a message.
type End struct {
	ID        int64            // of the message, as the trace numbers it
	Nth       int64            // which one of its series and direction it is in the unit, from 1
	Event     int32            // position in Unit.Position
	Series    uint32           // position in Unit.Series
	Direction schema.Direction // whether it is the sending
}

// Event adds an event and returns its number. Events must be added in the order of the trace.
func (u *Unit) Event(position, timeNs int64) int32 {
	if n := len(u.Position); n > 0 && u.Position[n-1] == position {
		return int32(n - 1)
	}
	u.Position = append(u.Position, position)
	u.TimeNs = append(u.TimeNs, timeNs)
	return int32(len(u.Position) - 1)
}

// Tick records that a clock ticks at an event, once at most.
func (u *Unit) Tick(clock ccsl.ClockID, event int32) {
	u.Bind(clock)
	if t := u.Ticks[clock]; len(t) == 0 || t[len(t)-1] != event {
		u.Ticks[clock] = append(t, event)
	}
}

// Bind records that the unit has a clock, whether it ticks or not.
func (u *Unit) Bind(clock ccsl.ClockID) {
	if u.Ticks == nil {
		u.Ticks = make(map[ccsl.ClockID][]int32)
	}
	if _, has := u.Ticks[clock]; !has {
		u.Ticks[clock] = nil // without ticks so far
	}
}

// Keep drops the events at which no clock ticks and that are no end of a message between units: messages
// within a unit order nothing that its trace does not order. Events are numbered anew.
func Keep(units []*Unit, exchanges []Exchange) {
	// 1. Mark what is needed, 2. drop the rest in place.
	kept := make([][]bool, len(units))
	for i, u := range units {
		kept[i] = make([]bool, len(u.Position))
		for _, ticks := range u.Ticks {
			for _, e := range ticks {
				kept[i][e] = true
			}
		}
	}
	for _, x := range exchanges {
		kept[x.Sender][units[x.Sender].Ends[x.Send].Event] = true
		kept[x.Receiver][units[x.Receiver].Ends[x.Receive].Event] = true
	}
	for i, u := range units {
		u.compactEvents(kept[i])
	}
}

// noEvent is the number of an event that was dropped.
const noEvent int32 = -1

// compactEvents drops the events that are not kept, in place.
func (u *Unit) compactEvents(kept []bool) {
	number, n := make([]int32, len(kept)), int32(0)
	for e, keep := range kept {
		number[e] = noEvent
		if keep {
			number[e] = n
			u.Position[n], u.TimeNs[n] = u.Position[e], u.TimeNs[e]
			n++
		}
	}
	u.Position, u.TimeNs = u.Position[:n], u.TimeNs[:n]
	for _, ticks := range u.Ticks {
		for i, e := range ticks {
			ticks[i] = number[e]
		}
	}
	for i := range u.Ends {
		u.Ends[i].Event = number[u.Ends[i].Event]
	}
}

// Verdict is the result of a constraint on a run whose events are in one order already.
type Verdict struct {
	ccsl.Verdict
	Event int32 // number in the unit of the event that violates it; -1 if none does
}

// Assert checks the trace of a unit against a specification, whose constraints are assertions then. The
// verdicts are in the order of Spec.Constraints. Each event at which clocks tick is a step. With
// together, all events of one time are one step, so that coincident ticks of a reconciled run are one
// step.
func Assert(spec *ccsl.Spec, u *Unit, together bool) []Verdict {
	c := ccsl.NewChecker(spec, u.observedClocks())
	var events []int32
	for event, step := range u.eachStep(together) {
		c.Step(step)
		events = append(events, event)
	}
	verdicts := make([]Verdict, len(spec.Constraints))
	for i, v := range c.Verdicts() {
		verdicts[i] = Verdict{v, noEvent}
		if v.Outcome == ccsl.Violated {
			verdicts[i].Event = events[v.Step]
		}
	}
	return verdicts
}
