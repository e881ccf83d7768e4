package samples

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Replayer takes the words of a partition through its automata. A use is Start, Add for every batch of
// the trace, Finish; a Replayer may be used again for the next range. Close ends it.
//
// The rows of a transition are as many as its count, so each has its place before the replay starts,
// and no sort is needed.
type Replayer struct {
	// Given says, of every enter of the events to come, which occurrence of its service fragment it starts, where the partition has
	// only some lifelines of its components; nil: all words of a component come, and the replayer counts them.
	Given []int64

	net      *network
	names    *schema.Names
	words    []lifelineWord // by lifeline: the word under way
	counting bool           // the samples are counted and not kept

	occurrences []int64 // by fragment: words that began so far
	occurrence  int64   // given for the last enter
	rg          Range
	base        int64     // rows before the range
	filled      []int64   // by transition of the range: rows so far
	grid        []gridRow // rows of the range
}

// gridRow is a row of schema.Samples without what its transition says; times in ns. Rows are completed
// before they are divided into columns, because their places are far from each other: each costs one
// cache miss and not five.
type gridRow struct{ occurrence, time, previous, called, start int64 }

// lifelineWord is the progress of a lifeline in its current word.
type lifelineWord struct {
	cut        callstack.Cutter[int64] // a frame is the time of the enter, ns
	at         uint32                  // last transition, or none once an event was refused
	group      uint32                  // position of the fragment
	refused    int64                   // seq of that event
	occurrence int64                   // number of the word among those of its fragment
	start      int64                   // time of the first event, ns
	previous   int64                   // time of the last event, ns
	samples    []pendingSample         // samples of the word; written when it ends
}

// pendingSample is a row that is kept until its word ends: unfinished words have no samples.
type pendingSample struct {
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
	for i := range r.words {
		r.words[i] = lifelineWord{samples: r.words[i].samples[:0]}
	}
	if !r.counting {
		r.grid = takeGrid(r.grid, r.net.offset[rg.To]-r.base)
	}
}

// StartCounting begins to count the samples of a partition that has only some of the lifelines of its components: the counts of
// the automata are those of all lifelines.
func (r *Replayer) StartCounting() {
	r.counting = true
	r.Start(Range{From: 0, To: len(r.net.transitions)})
}

// EndCounting makes room for what was counted, and for no more.
func (r *Replayer) EndCounting() {
	r.counting = false
	for i, n := range r.filled {
		r.net.offset[i+1] = r.net.offset[i] + n
	}
}

// Add takes the next events of the trace. An error means that the automata are not of this trace.
func (r *Replayer) Add(ev *schema.Events) error {
	r.words = schema.GrowTo(r.words, r.names.Lifelines.Len())
	lifetimes := r.names.LifetimesIn(ev.ExecutionType)
	for i, kind := range ev.Kind {
		if kind > schema.Exit {
			continue
		}
		if lifetimes.Has(i) {
			if kind == schema.Enter && r.Given != nil {
				r.Given = r.Given[1:]
			}
			continue
		}
		l := &r.words[ev.Lifeline[i]]
		called := schema.NoValue
		frame, step := (*int64)(nil), callstack.Stray
		if kind == schema.Enter {
			frame, step = l.cut.Enter(ev.Function[i])
			*frame = ev.TimeNs[i]
			if r.Given != nil {
				r.occurrence, r.Given = r.Given[0], r.Given[1:]
			}
		} else if frame, step = l.cut.Exit(ev.Function[i]); frame != nil {
			called = *frame
		}
		if step == callstack.Stray {
			continue
		}
		if step == callstack.Cuts {
			if err := r.endWord(l); err != nil {
				return err
			}
		}
		r.takeEvent(l, ev, i, step, called)
		if step == callstack.Ends {
			if err := r.endWord(l); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeEvent follows an event of a word (Hilbig 2023, Algorithm 1). A word that the automata refuse is no
// error before it ends, because it may be unfinished.
func (r *Replayer) takeEvent(l *lifelineWord, ev *schema.Events, i int, step callstack.Step, called int64) {
	time := ev.TimeNs[i]
	symbol := callstack.SymbolOf(ev.Function[i], ev.Kind[i], ev.Direction[i], ev.Peer[i])
	s := pendingSample{time: time, previous: schema.NoValue, called: schema.NoValue}
	switch step {
	case callstack.Starts, callstack.Cuts:
		l.start = time
		s.transition = r.net.startTransition(ev.Component[i], symbol)
		if s.transition != none {
			l.group = r.net.transitions[s.transition].group
			l.occurrence = r.occurrences[l.group]
			if r.Given != nil {
				l.occurrence = r.occurrence
			}
			r.occurrences[l.group]++
		}
	default:
		if l.at == none {
			return
		}
		s.previous = time - l.previous
		t := &r.net.transitions[l.at]
		s.transition = r.net.findTransition(t.next, t.target, symbol)
	}
	if called != schema.NoValue {
		s.called = time - called
	}
	if s.transition == none {
		l.refused = ev.Seq[i]
	}
	l.at, l.previous = s.transition, time
	if r.rg.contains(s.transition) {
		l.samples = append(l.samples, s)
	}
}

// endWord writes the samples of the word of a lifeline.
func (r *Replayer) endWord(l *lifelineWord) error {
	if l.at == none {
		return fmt.Errorf("samples: no automaton accepts event %d", l.refused)
	}
	for i := range l.samples {
		s := &l.samples[i]
		filled := &r.filled[int(s.transition)-r.rg.From]
		if r.counting {
			*filled++
			continue
		}
		at := r.net.offset[s.transition] + *filled
		if at == r.net.offset[s.transition+1] {
			return r.countError(s.transition, *filled+1)
		}
		*filled++
		r.grid[at-r.base] = gridRow{l.occurrence, s.time, s.previous, s.called, s.time - l.start}
	}
	l.samples = l.samples[:0]
	return nil
}

// Finish appends the samples of the range to a table, sorted by fragment, transition and occurrence. Whenever a batch is
// together it calls flush, which may take any rows out. An error of the replayer means that the automata are not of this
// trace.
func (r *Replayer) Finish(out *schema.Samples, flush func() error) error {
	for i, n := range r.filled {
		if t := uint32(r.rg.From + i); n != r.net.countOf(t) {
			return r.countError(t, n)
		}
	}
	r.sortOverlaps()
	return r.appendRows(out, flush)
}

// sortOverlaps brings the rows of a transition into the order of their occurrences. They are written in the
// order in which words end, which is another one only where the lifelines of a component overlap.
func (r *Replayer) sortOverlaps() {
	byOccurrence := func(a, b gridRow) int { return cmp.Compare(a.occurrence, b.occurrence) }
	for i, n := range r.filled {
		at := r.net.offset[r.rg.From+i] - r.base
		if rows := r.grid[at : at+n]; !slices.IsSortedFunc(rows, byOccurrence) {
			slices.SortFunc(rows, byOccurrence)
		}
	}
}

// countError is the error that a transition was taken more or less often than its count says.
func (r *Replayer) countError(t uint32, got int64) error {
	name := r.names.Fragments.Name(r.net.fragments[r.net.transitions[t].group])
	return fmt.Errorf("samples: transition %d of fragment %q was taken %d times, its count is %d",
		r.net.number[t], name, got, r.net.countOf(t))
}
