package window

import "github.com/tracelake/tracelake/schema"

// Flags say what a constraint is.
type Flags uint8

const (
	Message  Flags = 1 << iota // a message; without it, a part of a lifeline
	Critical                   // its bound is met exactly (Jonk et al. 2019, Definition 4)
	Idle                       // a part of a lifeline outside every execution: its target starts a root execution
)

// Edge is a timing constraint without its target, which is where it is found.
type Edge struct {
	Source     int64
	TargetNs   int64
	DurationNs int64  // from source to target
	BoundNs    int64  // schema.NoValue where none is known
	Part       uint32 // what its time counts for: a position in the parts of the chart
	Flags      Flags
}

// SourceNs is the time of the constraint's source.
func (e *Edge) SourceNs() int64 { return e.TargetNs - e.DurationNs }

// Part is what the time of constraints counts for.
type Part struct {
	Component schema.Code // of the target
	Function  schema.Code // NoCode where a lifeline is idle
	Sender    schema.Code // NoCode on a lifeline
	Label     schema.Code // NoCode on a lifeline, and where a message has none
	Message   bool
}

// Window holds the constraints whose targets have the sequence numbers from Lo to Hi-1.
type Window struct {
	Lo, Hi int64
	First  []uint32 // by target less Lo: the position of its first constraint; one more element than targets
	Edges  []Edge   // by target; of one target the lifeline comes first, then messages by source
}

// Into are the constraints that end at a target of the window.
func (w *Window) Into(target int64) []Edge {
	i := target - w.Lo
	return w.Edges[w.First[i]:w.First[i+1]]
}

// Has reports whether the window has the constraints into an event.
func (w *Window) Has(event int64) bool { return event >= w.Lo && event < w.Hi }
