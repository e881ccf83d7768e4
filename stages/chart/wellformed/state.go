package wellformed

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// State is all that a Builder knows between two events of a trace and needs to go on: open calls, messages under way,
// counts. It is plain data in names, so that a Builder with other codes, in another process, goes on where one stopped.
// Its size is what is open at one time, and a moment for every lifeline.
type State struct {
	Begun      bool   // there was an event
	Seq        int64  // of the next event
	FollowsOn  bool   // the row before was an event, or a message of one: Lifeline, AtNs and Owner hold
	Lifeline   string // of the row before
	AtNs       int64  // its time
	Owner      int64  // the event that it is or belongs to
	Call       int64  // the enter of the execution that this event starts or finishes
	LastNs     int64  // time of the last event
	FirstNs    int64  // the least time
	EndNs      int64  // the greatest time
	Events     int64  // number of events so far
	Executions int64  // number of executions so far
	Exchanged  int64  // number of exchanges that were handed on

	Keys      []schema.EventKey    // that the rest refers to by position
	Marks     []schema.MessageMark // likewise; the first is that of no message
	Stacks    []Stack              // of lifelines with open calls, by name
	Exchanges []Exchange           // that are not complete; referred to by position, -1 is none
	Under     []int32              // exchanges under way, by the sequence number of their sends
	Last      []Moment             // of every lifeline that had one, by its code
	Leading   []int32              // keys of invented enters, in the order of their invention
	Untraced  []Untraced           // ends of messages whose other end is untraced
	Losses    []Loss               // so far, a count a reason
	File      string               // of the last event, for places that are found at the end
}

// Stack is the open calls of a lifeline, the outermost first.
type Stack struct {
	Lifeline string // by name
	Calls    []Call // from the outermost to the innermost
}

// Call is an open call.
type Call struct {
	Skipped   bool       // an exit below it came first: see package callstack
	Seq       int64      // of its enter
	Key       int32      // position in State.Keys
	Exchange  int32      // of the message at its enter
	Sent      bool       // it sent that message
	Callbacks []Callback // in the order of their starts
}

// Callback is an execution that started while the call waited.
type Callback struct{ Start, Origin Moment } // the enter, and the last event of the lifeline that called back

// Moment is an event of a lifeline.
type Moment struct {
	Seq, TimeNs int64 // of an enter or exit
	Key         int32 // position in State.Keys
}

// Exchange is a message whose pattern is not known yet.
type Exchange struct {
	Mark           int32 // of the send: position in State.Marks
	ID             int64 // number of the message, or schema.NoValue
	Send, Receive  End   // the receive holds once Received is true
	Request, Reply int32 // positions in State.Exchanges of those that it answers and that answer it; -1: none
	Returns        int64 // the start of the execution whose finish received it, or schema.NoValue
	Received       bool
	Replaced       bool // another message took its identifier while it was under way
	CallerOpen     bool // the execution that sent it at its start has not finished
	CalleeOpen     bool // the execution that it started has not finished
}

// End is the send or the receive of an exchange.
type End struct {
	Seq, TimeNs, Event int64 // of the row itself, and the number of the enter or exit that it belongs to
	Call               int64 // the enter of the execution that this event starts or finishes, or schema.NoValue
	Key                int32 // of the row: position in State.Keys
}

// Untraced is the traced end of a message whose other end is untraced, with the name of the placeholder there.
type Untraced struct {
	End  End    // the end that the trace has
	Mark int32  // position in State.Marks
	ID   int64  // of the message
	Sent bool   // End is the send
	Peer string // component of the placeholder
}

// SentLater reports whether a message of these identifiers is under way: received already and sent later, it may be.
func (s *State) SentLater(received map[MessageID]bool) bool {
	return slices.ContainsFunc(s.Under, func(i int32) bool { return received[s.id(i)] })
}

// exporter gives keys, marks and exchanges the positions that they have in a State.
type exporter struct {
	w         *Builder
	s         *State
	keys      schema.Numbering[uint32] // codes of the builder
	marks     schema.Numbering[uint32] // likewise; the first is that of no message
	exchanges map[int32]int32
}

// State returns what the Builder knows. Exchanges keep the order of their places.
func (w *Builder) State() *State {
	s := &State{
		Begun: w.begun, Seq: w.seq, LastNs: w.lastNs, FirstNs: w.firstNs, EndNs: w.endNs,
		Events: w.events, Executions: w.executions, Exchanged: w.exchanged, Losses: slices.Clone(w.losses),
		File: w.file,
	}
	if w.before != schema.NoCode {
		s.FollowsOn, s.Lifeline, s.AtNs, s.Owner, s.Call = true, w.codes.names.Lifelines.Name(w.before), w.beforeNs, w.owner, w.call
	}
	x := &exporter{w: w, s: s, exchanges: make(map[int32]int32)}
	x.mark(schema.NoMark)
	x.open()
	x.calls()
	for _, m := range w.last {
		if m.key != schema.NoCode {
			s.Last = append(s.Last, x.moment(m))
		}
	}
	for _, e := range w.leading {
		s.Leading = append(s.Leading, x.key(e.key))
	}
	for _, u := range w.untraced {
		s.Untraced = append(s.Untraced, Untraced{x.end(u.end), x.mark(u.mark), u.id, u.sent, w.codes.names.Components.Name(u.peer)})
	}
	for _, code := range x.keys.List {
		s.Keys = append(s.Keys, w.codes.nameOfKey(code))
	}
	for _, code := range x.marks.List {
		s.Marks = append(s.Marks, w.codes.nameOfMark(code))
	}
	return s
}

// open exports the exchanges that are not complete.
func (x *exporter) open() {
	free := make([]bool, len(x.w.open.all))
	for _, i := range x.w.open.free {
		free[i] = true
	}
	n := int32(0)
	for i := range x.w.open.all {
		if !free[i] {
			x.exchanges[int32(i)] = n
			n++
		}
	}
	for i := range x.w.open.all {
		if free[i] {
			continue
		}
		e := &x.w.open.all[i]
		out := Exchange{
			Mark: x.mark(e.mark), ID: e.id, Send: x.end(e.send), Request: x.exchange(e.request), Reply: x.exchange(e.reply),
			Returns: e.returns, Received: e.received, Replaced: e.replaced, CallerOpen: e.callerOpen, CalleeOpen: e.calleeOpen,
		}
		if e.received { // else it holds what was in its place before
			out.Receive = x.end(e.receive)
		}
		x.s.Exchanges = append(x.s.Exchanges, out)
	}
	x.w.under.each(func(e int32) { x.s.Under = append(x.s.Under, x.exchange(e)) })
	slices.SortFunc(x.s.Under, func(a, b int32) int { return cmp.Compare(x.s.Exchanges[a].Send.Seq, x.s.Exchanges[b].Send.Seq) })
}

// calls exports the call stacks.
func (x *exporter) calls() {
	for lifeline := range x.w.stacks {
		stack := &x.w.stacks[lifeline]
		if stack.Idle() {
			continue
		}
		out := Stack{Lifeline: x.w.codes.names.Lifelines.Name(uint32(lifeline))}
		for i := range stack.Depth() {
			f := stack.At(i)
			c := Call{Skipped: stack.Skipped(i), Seq: f.seq, Key: x.key(f.key), Exchange: x.exchange(f.exchange), Sent: f.sent}
			for at := f.callbacks; at != none; at = x.w.callbacks.all[at].next {
				one := x.w.callbacks.all[at]
				c.Callbacks = append(c.Callbacks, Callback{x.moment(one.start), x.moment(one.origin)})
			}
			out.Calls = append(out.Calls, c)
		}
		x.s.Stacks = append(x.s.Stacks, out)
	}
	slices.SortFunc(x.s.Stacks, func(a, b Stack) int { return cmp.Compare(a.Lifeline, b.Lifeline) })
}

// key is the position of a key, which it adds when it is new.
func (x *exporter) key(code uint32) int32 { return int32(x.keys.Number(code)) }

// mark is the position of a mark, likewise.
func (x *exporter) mark(code uint32) int32 { return int32(x.marks.Number(code)) }

// exchange is the position of an exchange, or -1 for none.
func (x *exporter) exchange(i int32) int32 {
	if at, open := x.exchanges[i]; open && i != none {
		return at
	}
	return none
}

func (x *exporter) end(e end) End { return End{e.seq, e.timeNs, e.event, e.call, x.key(e.key)} }

func (x *exporter) moment(m moment) Moment { return Moment{m.seq, m.timeNs, x.key(m.key)} }

// Restore lets a Builder that has seen nothing go on from a state.
func (w *Builder) Restore(s *State) {
	w.begun, w.seq, w.lastNs, w.firstNs, w.endNs = s.Begun, s.Seq, s.LastNs, s.FirstNs, s.EndNs
	w.events, w.executions, w.exchanged, w.losses = s.Events, s.Executions, s.Exchanged, slices.Clone(s.Losses)
	w.file = s.File
	keys, marks := make([]uint32, len(s.Keys)), make([]uint32, len(s.Marks))
	for i, k := range s.Keys {
		keys[i] = w.addKey(w.codes.key(k))
	}
	for i, m := range s.Marks {
		marks[i] = w.codes.mark(m)
	}
	moment := func(m Moment) moment { return moment{m.Seq, m.TimeNs, keys[m.Key]} }
	end := func(e End) end { return end{e.Seq, e.TimeNs, e.Event, e.Call, -1, keys[e.Key]} } // its row was handed on
	if s.FollowsOn {
		w.before, w.beforeNs, w.owner, w.call = w.codes.names.Lifelines.Code(s.Lifeline), s.AtNs, s.Owner, s.Call
	}
	for _, m := range s.Last {
		w.last[w.codes.keys.List[keys[m.Key]].lifeline] = moment(m)
	}
	for i := range s.Exchanges {
		e := &s.Exchanges[i]
		one := exchange{
			mark: marks[e.Mark], id: e.ID, send: end(e.Send), request: e.Request, reply: e.Reply, returns: e.Returns,
			received: e.Received, replaced: e.Replaced, callerOpen: e.CallerOpen, calleeOpen: e.CalleeOpen,
		}
		if e.Received {
			one.receive = end(e.Receive)
		}
		w.open.all = append(w.open.all, one)
	}
	for _, i := range s.Under {
		e := &w.open.all[i]
		w.under.put(w.codes.marks.List[e.mark].series, e.id, i)
	}
	for _, stack := range s.Stacks {
		for _, c := range stack.Calls {
			k := w.codes.keys.List[keys[c.Key]]
			f := w.stacks[k.lifeline].Reopen(k.function, c.Skipped)
			*f = frame{seq: c.Seq, key: keys[c.Key], exchange: c.Exchange, sent: c.Sent, callbacks: none}
			for _, one := range slices.Backward(c.Callbacks) {
				f.callbacks = w.callbacks.add(callback{next: f.callbacks, start: moment(one.Start), origin: moment(one.Origin)})
			}
		}
	}
	for _, k := range s.Leading {
		w.leading = append(w.leading, invented{seq: -w.stride * int64(len(w.leading)+1), key: keys[k]})
	}
	for _, u := range s.Untraced {
		w.untraced = append(w.untraced, untracedEnd{end(u.End), marks[u.Mark], u.ID, u.Sent, w.codes.placeholder(u.Peer, uint32(w.placed))})
	}
}
