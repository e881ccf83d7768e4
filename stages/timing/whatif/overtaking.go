package whatif

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// overtaking lets requests overtake each other. A lifeline serves the execution at hand before those it served in the recorded run, if it
// would be asked for it before them although in the recorded run it was not, and if it is idle then: the execution goes into a gap
// between those that are placed already, which keep their times. One that is still under way when the next one in the new order begins
// delays nobody, so that a time may be too short by as long as a request takes.
type overtaking struct {
	Overtaking int64 // requests that are served before one that was served before them
	Requests   int64 // all that start executions of an idle lifeline

	line   []uint32   // by event of the window: number of its lifeline, 0 where it is not known
	lines  []lifeline // by number; the first stands for none
	placed []int      // events of the window whose time depends on others than those that they are recorded to wait for
}

// turn is a root execution of a lifeline.
type turn struct {
	askedNs, recordedNs int64 // when it was asked for: in the new schedule, and in the recorded run
	startNs, endNs      int64 // in the new schedule
}

// mostTurns is how many executions a request may overtake at most.
const mostTurns = 32

// lifeline is what is known of a lifeline: the last of its root executions.
type lifeline struct {
	turns []turn // in the recorded order
	endNs int64  // the latest end of those before them
	mixed bool   // a request has overtaken another one
}

// copyLines returns what is known of all lifelines, in memory of its own.
func (o *overtaking) copyLines() []lifeline {
	lines := slices.Clone(o.lines)
	for i := range lines {
		lines[i].turns = slices.Clone(lines[i].turns)
	}
	return lines
}

// enterLines makes room for the events of a window.
func (o *overtaking) enterLines(n int) {
	o.line, o.placed = slices.Grow(o.line[:0], n)[:n], o.placed[:0]
	if len(o.lines) == 0 {
		o.lines = append(o.lines, lifeline{})
	}
}

// follow notes the lifeline of the i-th event of a window, whose time is known, and places it anew where it starts an execution that may
// overtake others. O(constraints into it).
func (s *Schedule) follow(w *window.Window, i int) {
	in := w.Edges[w.First[i]:w.First[i+1]]
	if s.line[i] = 0; len(in) == 0 {
		return
	}
	number, first := uint32(0), &in[0]
	if first.Flags&window.Message == 0 {
		number = s.lineOf(w, first.Source)
	}
	if number == 0 { // the first that is known of its lifeline
		number = uint32(len(s.lines))
		s.lines = append(s.lines, lifeline{endNs: schema.NoValue})
	}
	s.line[i] = number
	if first.Flags&(window.Idle|window.Message) != 0 {
		s.placeTurn(w, i, in, &s.lines[number])
	}
}

// lineOf returns the number of the lifeline of an event, 0 where it has none yet.
func (s *Schedule) lineOf(w *window.Window, event int64) uint32 {
	if j := event - w.Lo; j >= 0 {
		return s.line[j]
	}
	if h := s.heldAt(event); h != nil {
		return h.line
	}
	return 0
}

// placeTurn places the start of a root execution. Of several messages the one that is sent last asks for it; without any, its start does.
func (s *Schedule) placeTurn(w *window.Window, i int, in []window.Edge, l *lifeline) {
	t := turn{schema.NoValue, schema.NoValue, schema.NoValue, schema.NoValue}
	for k := range in {
		e := &in[k]
		if e.Source >= w.Lo+int64(i) { // of a damaged chart
			return
		}
		if e.Flags&window.Message != 0 {
			t.askedNs, t.recordedNs = max(t.askedNs, s.timeAt(w, e)), max(t.recordedNs, e.SourceNs())
		} else if n := len(l.turns); n > 0 {
			l.turns[n-1].endNs = s.timeAt(w, e)
		} else { // of the first execution, which no constraint starts
			l.endNs = s.timeAt(w, e)
		}
	}
	removed := len(s.spans) > 0 && s.until[i] != kept
	isRequest := t.recordedNs != schema.NoValue
	if !isRequest {
		t.askedNs, t.recordedNs = s.Times[i], in[0].TargetNs
	} else if !removed {
		s.Requests++
	}
	free, overtakes := l.freeAt(&t, isRequest)
	late := l.mixed && free > s.timeAt(w, &in[0]) // the execution that was served before this one has overtaken others
	switch {
	case removed:
	case !isRequest && late:
		s.placed = append(s.placed, i)
		s.Times[i] = max(s.Times[i], free)
	case isRequest && (late || overtakes):
		s.placed = append(s.placed, i)
		s.Times[i] = s.timeAfter(w, i, l, free)
	}
	if isRequest && !removed && overtakes {
		s.Overtaking++
		l.mixed = true
	}
	t.startNs, t.endNs = s.Times[i], s.Times[i]
	l.add(t)
}

// overtakes reports whether one execution is asked for before another one, although in the recorded run it was not.
func (t *turn) overtakes(other *turn) bool {
	return t.askedNs < other.askedNs && t.recordedNs >= other.recordedNs
}

// freeAt returns when all executions have ended that one cannot overtake, and whether there are others. Only requests overtake.
func (l *lifeline) freeAt(t *turn, isRequest bool) (ns int64, overtakes bool) {
	ns = l.endNs
	for k := range l.turns {
		if other := &l.turns[k]; isRequest && t.overtakes(other) {
			overtakes = true
		} else {
			ns = max(ns, other.endNs)
		}
	}
	return ns, overtakes
}

// timeAfter returns when an execution starts that may start once its lifeline is free: as soon as its messages come and no execution is
// under way that it overtakes.
func (s *Schedule) timeAfter(w *window.Window, i int, l *lifeline, freeNs int64) int64 {
	in := w.Edges[w.First[i]:w.First[i+1]]
	planned, recorded := schema.NoValue, schema.NoValue
	for k := range in {
		e := &in[k]
		from, bound := freeNs, s.boundOf(e)
		if e.Flags&window.Message != 0 {
			from = s.timeAt(w, e)
		}
		if len(s.spans) > 0 {
			bound = s.boundBeside(w, e, i, bound)
		}
		if from != schema.NoValue && bound != schema.NoValue {
			planned = max(planned, from+bound)
		}
		recorded = max(recorded, e.SourceNs()+max(e.BoundNs, 0))
	}
	planned += in[0].TargetNs - recorded
	for again := true; again; {
		again = false
		for k := range l.turns {
			if other := &l.turns[k]; planned >= other.startNs && planned < other.endNs {
				planned, again = other.endNs, true
			}
		}
	}
	return planned
}

// leadOn makes the message that comes last critical of an execution that was placed anew and that no constraint holds back: it waits for
// one that its constraints do not know.
func (s *Schedule) leadOn(in []window.Edge) {
	last := 0 // the end of the execution before it, where nothing asks for it
	for k := range in {
		e := &in[k]
		if e.Flags&window.Critical != 0 {
			return
		}
		if e.Flags&window.Message != 0 && (in[last].Flags&window.Message == 0 || e.DurationNs < in[last].DurationNs) {
			last = k
		}
	}
	in[last].Flags |= window.Critical
}

// add adds the last root execution.
func (l *lifeline) add(t turn) {
	if len(l.turns) == mostTurns {
		l.endNs = max(l.endNs, l.turns[0].endNs)
		l.turns = slices.Delete(l.turns, 0, 1)
	}
	l.turns = append(l.turns, t)
}
