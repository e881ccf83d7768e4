package samples

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Replayer takes the words of a partition through its automata. A use is Start, Add for every batch of
// the trace, Finish; a Replayer may be used again for the next range.
//
// The rows of a transition are as many as its count, so each has its place before the replay starts,
// and no sort is needed.
type Replayer struct {
	net   *network
	names *schema.Names
	lines []line // by lifeline

	occurrences []int64 // by fragment: words that began so far
	rg          Range
	base        int64   // rows before the range
	filled      []int64 // rows so far, by transition of the range
	grid        []row   // the rows of the range
}

// row is a row of schema.Samples without what its transition says. Rows are put together before they are
// divided into columns, because their places are far from each other: so each costs one miss of
// the cache and not five.
type row struct{ occurrence, time, previous, called, start int64 }

// line is how far a lifeline is in its word.
type line struct {
	cut        callstack.Cutter[int64] // a frame is the time of the enter
	at         uint32                  // the last transition, or none once an event was refused
	group      uint32                  // the fragment
	refused    int64                   // seq of that event
	occurrence int64
	start      int64 // time of the first event
	previous   int64 // time of the last event
	samples    []sample
}

// sample is a row that is kept until its word ends.
type sample struct {
	transition             uint32
	time, previous, called int64
}

// NewReplayer returns a replayer for the automata with the given transitions: all those of a partition,
// in any order. Their names must be those of the events to come.
func NewReplayer(names *schema.Names, transitions []schema.Transition) (*Replayer, error) {
	net, err := newNetwork(names, transitions)
	if err != nil {
		return nil, err
	}
	return &Replayer{net: net, names: names}, nil
}

// Start begins to collect the samples of a range.
func (r *Replayer) Start(rg Range) {
	r.rg = rg
	r.base = r.net.offset[rg.From]
	r.filled = make([]int64, rg.To-rg.From)
	r.occurrences = make([]int64, len(r.net.fragments))
	for i := range r.lines {
		r.lines[i] = line{samples: r.lines[i].samples[:0]}
	}
	r.grid = resize(r.grid, r.net.offset[rg.To]-r.base)
}

// Add takes the next events of the trace. An error means that the automata are not of this trace.
func (r *Replayer) Add(ev *schema.Events) error {
	r.widen()
	for i, kind := range ev.Kind {
		if kind == schema.Message {
			continue
		}
		l := &r.lines[ev.Lifeline[i]]
		called := schema.NoValue
		frame, step := (*int64)(nil), callstack.Stray
		if kind == schema.Enter {
			frame, step = l.cut.Enter(ev.Function[i])
			*frame = ev.TimeNs[i]
		} else if frame, step = l.cut.Exit(ev.Function[i]); frame != nil {
			called = *frame
		}
		if step == callstack.Stray {
			continue
		}
		if step == callstack.Cuts {
			if err := r.end(l); err != nil {
				return err
			}
		}
		r.take(l, ev, i, step, called)
		if step == callstack.Ends {
			if err := r.end(l); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *Replayer) widen() {
	if n := r.names.Lifelines.Len(); n > len(r.lines) {
		r.lines = append(r.lines, make([]line, n-len(r.lines))...)
	}
}

// take follows an event of a word. The samples of a word that the automata refuse may be needed never,
// because the word is unfinished; so this waits for the end.
func (r *Replayer) take(l *line, ev *schema.Events, i int, step callstack.Step, called int64) {
	time := ev.TimeNs[i]
	symbol := callstack.SymbolOf(ev.Function[i], ev.Kind[i], ev.Direction[i], ev.Peer[i])
	s := sample{time: time, previous: schema.NoValue, called: schema.NoValue}
	switch step {
	case callstack.Starts, callstack.Cuts:
		l.start = time
		s.transition = r.net.start(ev.Component[i], symbol)
		if s.transition != none {
			l.group = r.net.transitions[s.transition].group
			l.occurrence = r.occurrences[l.group]
			r.occurrences[l.group]++
		}
	default:
		if l.at == none {
			return
		}
		s.previous = time - l.previous
		t := &r.net.transitions[l.at]
		s.transition = r.net.find(t.next, t.target, symbol)
	}
	if called != schema.NoValue {
		s.called = time - called
	}
	if s.transition == none {
		l.refused = ev.Seq[i]
	}
	l.at, l.previous = s.transition, time
	if r.rg.holds(s.transition) {
		l.samples = append(l.samples, s)
	}
}

// end writes the samples of the word of a lifeline.
func (r *Replayer) end(l *line) error {
	if l.at == none {
		return fmt.Errorf("samples: no automaton accepts event %d", l.refused)
	}
	for i := range l.samples {
		s := &l.samples[i]
		filled := &r.filled[int(s.transition)-r.rg.From]
		at := r.net.offset[s.transition] + *filled
		if at == r.net.offset[s.transition+1] {
			return r.miscounted(s.transition, *filled+1)
		}
		*filled++
		r.grid[at-r.base] = row{l.occurrence, s.time, s.previous, s.called, s.time - l.start}
	}
	l.samples = l.samples[:0]
	return nil
}

// Finish returns the samples of the range, sorted by fragment, transition and occurrence. An error
// means that the automata are not of this trace.
func (r *Replayer) Finish() (*schema.Samples, error) {
	for i, n := range r.filled {
		if t := uint32(r.rg.From + i); n != r.net.count(t) {
			return nil, r.miscounted(t, n)
		}
	}
	r.sortOverlaps()
	return r.columns(), nil
}

// sortOverlaps brings the rows of a transition into the order of their occurrences. They are written in the
// order in which words end, which is another one only where the lifelines of a component overlap.
func (r *Replayer) sortOverlaps() {
	byOccurrence := func(a, b row) int { return cmp.Compare(a.occurrence, b.occurrence) }
	for i, n := range r.filled {
		at := r.net.offset[r.rg.From+i] - r.base
		if rows := r.grid[at : at+n]; !slices.IsSortedFunc(rows, byOccurrence) {
			slices.SortFunc(rows, byOccurrence)
		}
	}
}

func (r *Replayer) miscounted(t uint32, got int64) error {
	name := r.names.Fragments.Name(r.net.fragments[r.net.transitions[t].group])
	return fmt.Errorf("samples: transition %d of fragment %q was taken %d times, its count is %d",
		r.net.number[t], name, got, r.net.count(t))
}
