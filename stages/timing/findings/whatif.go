package findings

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// WhatIf is a run as it was recorded and as it would have been with other durations.
type WhatIf struct {
	Names *schema.Names // of the codes in Parts
	Parts []window.Part // what the keys of both sums stand for
	// Before and After are how long every occurrence took and would take, in ns, in the order of the occurrences.
	Before, After []int64
	// Recorded and Planned are what the critical paths of all occurrences spend their time on, in one group each.
	Recorded, Planned criticalpath.Composition
	Removed           int   // executions that were asked to be left out
	Overtaking        int64 // requests that would be served before one that was served before them
	Requests          int64 // all that start executions of an idle lifeline
}
