package findings

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Towards says how much longer the steps on the ways to the last event of an occurrence could take before it would move.
type Towards struct {
	Names  *schema.Names // of the codes in Parts
	Parts  []window.Part // by Spare.Part
	Spares []Spare       // the least first
}

// Spare is the time that steps of a kind have to spare.
type Spare struct {
	Part     uint32
	LeastNs  int64 // of the step that has the least
	At       int64 // sequence number of that step's target, the last one of several
	Steps    int64 // timing constraints of the kind on ways to the event
	Critical int64 // those with nothing to spare
	TotalNs  int64 // their durations
}
