package window

import "github.com/tracelake/tracelake/schema"

// Flags classify a constraint.
type Flags uint8

const (
	Message  Flags = 1 << iota // a message, or another coupling of two lifelines; otherwise a part of a lifeline
	Critical                   // its bound is met exactly (Jonk et al. 2019, Definition 4)
	Idle                       // a part of a lifeline outside every execution: its target starts a root execution
)

// Edge is a timing constraint without its target, under which it is stored.
type Edge struct {
	Source     int64  // sequence number
	TargetNs   int64  // time of the target
	DurationNs int64  // from source to target
	BoundNs    int64  // schema.NoValue where none is known
	Part       uint32 // position in the parts of the chart: what its time is spent on
	Flags      Flags  // of what kind the constraint is
}

// SourceNs returns the time of the constraint's source.
func (e *Edge) SourceNs() int64 { return e.TargetNs - e.DurationNs }

// Part is what the time of constraints is spent on.
type Part struct {
	Component schema.Code // of the target
	Function  schema.Code // NoCode where a lifeline is idle
	Sender    schema.Code // NoCode on a lifeline
	Label     schema.Code // NoCode on a lifeline, and where a message has none
	Message   bool        // whether it is a message, or another coupling of two lifelines
	// Kind is which one, of the parts of a chart; sums of several runs know no more than Message.
	Kind schema.ConstraintKind
}

// Window holds the constraints whose targets have the sequence numbers from Lo to Hi-1.
type Window struct {
	Lo, Hi int64    // sequence numbers of its first target, and after its last
	First  []uint32 // by target less Lo: position of its first constraint; one entry more than targets
	Edges  []Edge   // by target; within one target the lifeline first, then messages by source
}

// Crossing is an event from which constraints lead beyond the window in which it lies.
type Crossing struct {
	Event int64 // sequence number
	Last  int64 // the last target of these constraints
}

// Into returns the constraints that end at a target of the window. The slice is the window's own.
func (w *Window) Into(target int64) []Edge {
	i := target - w.Lo
	return w.Edges[w.First[i]:w.First[i+1]]
}

// Has reports whether the window has the constraints into an event.
func (w *Window) Has(event int64) bool { return event >= w.Lo && event < w.Hi }
