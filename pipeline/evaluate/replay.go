package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
)

// edge is a symbol that leaves a state of a fragment. All fragments of a component share the initial state, so the first symbol
// of a word decides its fragment.
type edge struct {
	fragment string
	state    int64
	symbol   callstack.Symbol
}

type firstEdge struct {
	component schema.Code
	symbol    callstack.Symbol
}

// replayer takes the words of a trace through the automata of its run, as package samples does, and records by event what
// that package records by sample: faults move events, and the samples that change must be found from these.
type replayer struct {
	*trace
	events []event
	first  map[firstEdge]string
	next   map[edge]*schema.Transition
	steps  map[stepKey]uint32
	lines  []line
}

// event is a row of the table events.
type event struct {
	seq, timeNs                         int64
	component, lifeline, function, peer schema.Code
	kind                                schema.Kind
	direction                           schema.Direction
}

// line is how far a lifeline is in its word. A frame is the event of the enter.
type line struct {
	cut      callstack.Cutter[int32]
	fragment string
	state    int64
	word     []taken
}

// taken is an event of a word that may never end.
type taken struct {
	event int32
	step  uint32
}

// readTrace reads the trace of a run.
func (j *Job) readTrace(ctx context.Context, p *pairing, run int) (*trace, error) {
	names := new(schema.Names)
	events, err := j.readEvents(ctx, p.Runs[run], names)
	if err != nil {
		return nil, err
	}
	r := &replayer{trace: newTrace(len(events)), events: events, steps: p.steps[run]}
	r.learn(p, run, names)
	r.lines = make([]line, names.Lifelines.Len())
	for e := range events {
		ev := &events[e]
		r.timeNs[e], r.lifeline[e], r.columns.Kind[e] = ev.timeNs, ev.lifeline, ev.kind
		r.columns.Function[e] = p.functionCode(function{names.Components.Name(ev.component), names.Functions.Name(ev.function)})
		if err := r.take(int32(e)); err != nil {
			return nil, fmt.Errorf("run %s: %w", p.Runs[run], err)
		}
	}
	r.messages, err = j.readMessages(ctx, p.Runs[run], events)
	r.trace.measure(len(p.component))
	return r.trace, err
}

// readEvents reads the enters and exits of a run in trace order. A further message of an event is no event, and a regular event is of no execution.
func (j *Job) readEvents(ctx context.Context, run string, names *schema.Names) (all []event, err error) {
	rows := &schema.Events{Names: names}
	columns := []string{"seq", "time_ns", "component", "lifeline", "function", "kind", "direction", "peer", "execution_type"}
	err = j.Lake.ScanTable(ctx, "events", run, rows, lake.ScanOptions{Columns: columns}, func() error {
		lifetimes := names.LifetimesIn(rows.ExecutionType)
		for i, kind := range rows.Kind {
			if kind <= schema.Exit && !lifetimes.Has(i) {
				all = append(all, event{
					rows.Seq[i], rows.TimeNs[i], rows.Component[i], rows.Lifeline[i], rows.Function[i], rows.Peer[i], kind, rows.Direction[i],
				})
			}
		}
		return nil
	})
	slices.SortFunc(all, func(a, b event) int { return cmp.Compare(a.seq, b.seq) })
	return all, err
}

// readMessages reads the messages of a run, between places of events.
func (j *Job) readMessages(ctx context.Context, run string, events []event) (all []faults.Message, err error) {
	place := func(seq int64) (int32, bool) {
		i, is := slices.BinarySearchFunc(events, seq, func(e event, seq int64) int { return cmp.Compare(e.seq, seq) })
		return int32(i), is
	}
	rows := schema.NewMessages(new(schema.Names))
	err = j.Lake.ScanTable(ctx, "messages", run, rows, lake.ScanOptions{Columns: []string{"send_seq", "receive_seq"}}, func() error {
		for i := range rows.SendSeq {
			send, sent := place(rows.SendSeq[i])
			receive, received := place(rows.ReceiveSeq[i])
			if sent && received && send != receive {
				all = append(all, faults.Message{Send: send, Receive: receive})
			}
		}
		return nil
	})
	return all, err
}

func newTrace(n int) *trace {
	t := &trace{
		timeNs: make([]int64, n), subject: make([]uint32, n), previous: make([]int32, n), start: make([]int32, n), lifeline: make([]uint32, n),
		columns: faults.Columns{Function: make([]uint32, n), Kind: make([]schema.Kind, n), SinceCallNs: make([]int64, n)},
	}
	for e := range n {
		t.subject[e], t.previous[e], t.start[e], t.columns.SinceCallNs[e] = schema.NoCode, -1, -1, schema.NoValue
	}
	t.columns.Subject = t.subject
	return t
}

// learn indexes the automata of a run in the codes of its events.
func (r *replayer) learn(p *pairing, run int, names *schema.Names) {
	r.first, r.next = make(map[firstEdge]string), make(map[edge]*schema.Transition)
	for fragment, list := range p.automata[run] {
		for i := range list {
			t := &list[i]
			peer := schema.NoCode
			if t.Peer != "" {
				peer = names.Components.Code(t.Peer)
			}
			kind, direction := slices.Index(schema.KindWords, t.Kind), slices.Index(schema.DirectionWords, t.Direction)
			symbol := callstack.SymbolOf(names.Functions.Code(t.Function), schema.Kind(kind), schema.Direction(direction), peer)
			r.next[edge{fragment, t.Source, symbol}] = t
			if t.Source == 0 {
				r.first[firstEdge{names.Components.Code(t.Component), symbol}] = fragment
			}
		}
	}
}

// take follows an event.
func (r *replayer) take(e int32) error {
	ev := &r.events[e]
	l := &r.lines[ev.lifeline]
	var frame *int32
	step := callstack.Stray
	if ev.kind == schema.Enter {
		frame, step = l.cut.Enter(ev.function)
		*frame = e
	} else if frame, step = l.cut.Exit(ev.function); frame != nil {
		r.columns.SinceCallNs[e] = ev.timeNs - r.timeNs[*frame]
	}
	if step == callstack.Stray {
		r.columns.SinceCallNs[e] = schema.NoValue
		return nil
	}
	symbol := callstack.SymbolOf(ev.function, ev.kind, ev.direction, ev.peer)
	if step == callstack.Starts || step == callstack.Cuts {
		if step == callstack.Cuts {
			r.end(l)
		}
		l.state, l.fragment = 0, r.first[firstEdge{ev.component, symbol}]
	}
	t := r.next[edge{l.fragment, l.state, symbol}]
	if t == nil {
		// Only an unfinished word may leave its automaton.
		l.fragment, l.state, l.word = "", -1, l.word[:0]
		if step == callstack.Ends {
			return fmt.Errorf("no automaton accepts event %d: analyze the run again", ev.seq)
		}
		return nil
	}
	l.word = append(l.word, taken{e, r.steps[stepKey{l.fragment, t.Transition}]})
	l.state = t.Target
	if step == callstack.Ends {
		r.end(l)
	}
	return nil
}

// end notes the events of a word that is over.
func (r *replayer) end(l *line) {
	for i, w := range l.word {
		r.subject[w.event], r.start[w.event] = w.step, l.word[0].event
		if i > 0 {
			r.previous[w.event] = l.word[i-1].event
		}
	}
	l.word = l.word[:0]
}
