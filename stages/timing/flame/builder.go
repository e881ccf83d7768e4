package flame

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Names of frames outside of functions.
const (
	Idle    = "[idle]"
	Unknown = "[unknown]" // an execution that the table executions lacks
	From    = "[message from "
)

// Builder finds the call paths of the steps of critical paths, while the caller goes down the windows of a chart: in each of them,
// Add for all executions that finish in it or above it, Spend for all steps, and Leave.
type Builder struct {
	Graph *Graph

	open     map[int64]execution // by first event: those that a path that is not complete may ask for
	finishes map[int64]int64     // their first events by their last
	pending  []*occurrence       // whose call paths are not known
	byNumber map[uint32]*occurrence
}

// execution is an execution whose frame may be asked for.
type execution struct {
	finish, parent int64 // last event; first event of the caller on the lifeline, schema.NoValue of a root
	caller         int64 // of a root: the event whose message starts it; schema.NoValue: none is known
	name           string
}

// occurrence is the time of one path.
type occurrence struct {
	from, to int64
	spent    []spent
	frames   map[int64]int // by first event of executions: those that were asked for
}

// spent is the time of a step.
type spent struct {
	inner  int64  // first event of the execution; schema.NoValue: none
	sender string // of a message
	idle   bool
	ns     int64
}

// NewBuilder returns a builder of a graph without paths.
func NewBuilder(name string) *Builder {
	return &Builder{Graph: New(name), open: make(map[int64]execution), finishes: make(map[int64]int64), byNumber: make(map[uint32]*occurrence)}
}

// Add adds an execution that finishes in the window at hand or between it and the one before, and begins below the end of the window.
func (b *Builder) Add(x *schema.Executions, i int) {
	name := x.Names.Components.Name(x.Component[i]) + "." + x.Names.Functions.Name(x.Function[i])
	b.open[x.Execution[i]] = execution{finish: x.FinishSeq[i], parent: x.Parent[i], caller: schema.NoValue, name: name}
	b.finishes[x.FinishSeq[i]] = x.Execution[i]
}

// Spend adds the time of a step that ends with an event, on the path towards the numbered occurrence from one event to another. Sender
// is the component whose message the event waits for, "" where it waits for its lifeline, which may have been idle.
func (b *Builder) Spend(number uint32, from, to, event int64, sender string, idle bool, ns int64) {
	o := b.byNumber[number]
	if o == nil {
		o = &occurrence{from: from, to: to, frames: make(map[int64]int)}
		b.byNumber[number] = o
		b.pending = append(b.pending, o)
	}
	if ns > 0 {
		o.spent = append(o.spent, spent{b.innermost(event, sender != ""), sender, idle, ns})
	}
}

// innermost returns the first event of the execution to which a step belongs that ends with an event.
func (b *Builder) innermost(event int64, byMessage bool) int64 {
	if start, finishes := b.finishes[event]; finishes {
		return start
	}
	if x, known := b.open[event]; known && !byMessage {
		return x.parent // the execution begins here, so the step is its caller's
	}
	return event
}

// Leave ends a window: it notes who starts root executions of the window, and finds the call paths of occurrences that begin in it.
func (b *Builder) Leave(w *window.Window) {
	highest := schema.NoValue // the end of occurrences that reach below the window
	for start, x := range b.open {
		if x.parent == schema.NoValue && w.Has(start) {
			for _, e := range w.Into(start) {
				if e.Flags&window.Message != 0 {
					x.caller = e.Source
				}
			}
			b.open[start] = x
		}
	}
	left := b.pending[:0]
	for _, o := range b.pending {
		if o.from < w.Lo {
			left = append(left, o)
			highest = max(highest, o.to)
			continue
		}
		b.place(o)
	}
	b.pending = left
	for start, x := range b.open {
		if start > highest && start >= w.Lo {
			delete(b.open, start)
			delete(b.finishes, x.finish)
		}
	}
}

// Finish finds the call paths of all occurrences that are left.
func (b *Builder) Finish() {
	for _, o := range b.pending {
		b.place(o)
	}
	b.pending = nil
}

// place adds the time of an occurrence to the frames of its call paths.
func (b *Builder) place(o *occurrence) {
	for _, s := range o.spent {
		frame := 0
		switch {
		case s.idle:
			frame = b.Graph.Over(0, Idle)
		case s.inner == schema.NoValue:
			frame = b.Graph.Over(0, Unknown)
		default:
			frame = b.frameOf(o, s.inner)
		}
		if s.sender != "" {
			frame = b.Graph.Over(frame, From+s.sender+"]")
		}
		b.Graph.Frames[frame].Ns += s.ns
	}
	o.spent, o.frames = nil, nil
}

// frameOf returns the frame of an execution in the call paths of an occurrence. What began before the occurrence is below it, and
// stands at the bottom where a path passes it all the same.
func (b *Builder) frameOf(o *occurrence, start int64) int {
	if frame, known := o.frames[start]; known {
		return frame
	}
	x, known := b.open[start]
	if !known {
		return b.Graph.Over(0, Unknown)
	}
	below := 0
	if next := b.callerOf(x); next >= o.from && next < start {
		below = b.frameOf(o, next)
	}
	frame := b.Graph.Over(below, x.name)
	o.frames[start] = frame
	return frame
}

// callerOf returns the first event of the execution that calls another one, schema.NoValue for none: the one below it on its lifeline,
// or the one that sends the message that starts it.
func (b *Builder) callerOf(x execution) int64 {
	if x.parent != schema.NoValue || x.caller == schema.NoValue {
		return x.parent
	}
	if _, begins := b.open[x.caller]; begins {
		return x.caller
	}
	if sender, finishes := b.finishes[x.caller]; finishes {
		return b.open[sender].parent
	}
	return schema.NoValue
}
