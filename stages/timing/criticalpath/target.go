package criticalpath

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Target is an occurrence: a critical path is asked for towards the event To. It ends at From or, where it passes From
// by, at its time.
type Target struct {
	From, To     int64
	FromNs, ToNs int64
	Group        uint32 // free for the user
}

// Start is a From for a path that is to go as far as it leads.
const Start = schema.NoValue

// beginsAfter reports whether the path towards the target begins after a constraint. Of events at the time of From only those
// behind it belong to the path, and what leads to them from it without taking time.
func (t *Target) beginsAfter(e *window.Edge) bool {
	if t.From == Start || e.TargetNs > t.FromNs {
		return false
	}
	return e.TargetNs < t.FromNs || e.DurationNs > 0 || e.Source < t.From
}

// Key says what time is spent on: a part of the chart, as what, and for contention, on which component a message
// waited.
type Key struct {
	Part     uint32
	Category schema.Category
	Busy     schema.Code // NoCode: no contention
}

// Share is the time that a path spends on something.
type Share struct {
	Key
	Ns    int64
	Steps int64
}

// Step is a constraint on a path, or the part of it behind the start.
type Step struct {
	Source, Target     int64
	SourceNs, TargetNs int64
	Message            bool
	Key
}
