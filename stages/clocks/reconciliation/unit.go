package reconciliation

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// Unit is what matters of the trace of a unit: the events at which a clock ticks, or a message is sent or received.
type Unit struct {
	Name     string
	Position []int64                  // of these events in the trace, from 0, ascending
	TimeNs   []int64                  // of these events on the unit's clock
	Ticks    map[ccsl.ClockID][]int32 // by clock, the events at which it ticks: positions in Position, ascending
	Ends     []End                    // of messages, in the order of the trace
	Series   []string                 // the names behind End.Series
}

// End is the sending or the receipt of a message.
type End struct {
	ID        int64
	Nth       int64  // which one of its series and direction it is in the unit, from 1
	Event     int32  // position in Unit.Position
	Series    uint32 // position in Unit.Series
	Direction schema.Direction
}

// Event notes an event and returns its number. Events are noted in the order of the trace.
func (u *Unit) Event(position, timeNs int64) int32 {
	if n := len(u.Position); n > 0 && u.Position[n-1] == position {
		return int32(n - 1)
	}
	u.Position = append(u.Position, position)
	u.TimeNs = append(u.TimeNs, timeNs)
	return int32(len(u.Position) - 1)
}

// Tick notes that a clock ticks at an event. It ticks once at most.
func (u *Unit) Tick(clock ccsl.ClockID, event int32) {
	if u.Ticks == nil {
		u.Ticks = make(map[ccsl.ClockID][]int32)
	}
	if t := u.Ticks[clock]; len(t) == 0 || t[len(t)-1] != event {
		u.Ticks[clock] = append(t, event)
	}
}

// Bind notes that the unit has a clock, whether it ticks or not.
func (u *Unit) Bind(clock ccsl.ClockID) {
	if u.Ticks == nil {
		u.Ticks = make(map[ccsl.ClockID][]int32)
	}
	if _, bound := u.Ticks[clock]; !bound {
		u.Ticks[clock] = nil
	}
}

// Keep forgets the events at which no clock ticks, and which are no end of a message between units: those that stay in
// the unit order nothing. Events are numbered anew.
func Keep(units []*Unit, exchanges []Exchange) {
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
		u.compact(kept[i])
	}
}

// gone is the number of an event that was forgotten.
const gone int32 = -1

func (u *Unit) compact(kept []bool) {
	number, n := make([]int32, len(kept)), int32(0)
	for e, keep := range kept {
		number[e] = gone
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
