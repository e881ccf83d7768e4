package wellformed

import (
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Options choose among the heuristics of Jonk et al. 2019, sections IV-B and IV-C.
type Options struct {
	Discard bool // leave unpaired enters and exits out instead of inventing their counterparts
	Insert  bool // invent a placeholder at the untraced end of a message instead of ignoring it
	Direct  bool // infer no callbacks: what starts while its lifeline waits was called back by nobody
	// A receive that stands before its send is put behind it, if that is at most so much later; 0: never. It does not hold for
	// blocks with notes, claims or ends of dependencies, nor for slices of a trace.
	ReorderNs int64
}

// insertStride is the distance of sequence numbers where placeholders may have to stand between two events:
// two before and two after each.
const insertStride = 8

// Sink takes the rows that are finished and gives out empty ones, which may be used before: a taker that is done with rows
// resets them and lets Fresh return them again, so that a run needs memory for a few row groups only.
type Sink interface {
	// Take takes the next rows of a bucket. The builder keeps nothing of them.
	Take(bucket int, rows *Rows)
	// Fresh returns empty rows.
	Fresh() *Rows
	// TakeExchanges takes complete exchanges whose senders are in a bucket; FreshExchanges is like Fresh.
	TakeExchanges(bucket int, x *Exchanges)
	// TakeArrivals takes the same exchanges once more, those whose receivers are in a bucket.
	TakeArrivals(bucket int, x *Exchanges)
	// TakeCouplings takes couplings whose waiting events are in a bucket.
	TakeCouplings(bucket int, x *Exchanges)
	FreshExchanges() *Exchanges
}

// Builder makes a trace well-formed. Feed it every block in trace order, then call Finish.
type Builder struct {
	opt      Options
	codes    *codebook                // run-wide numbers of names, keys and marks
	sink     Sink                     // takes finished rows
	ledger   *schema.Ledger           // counts what is repaired or left out
	groups   Groups                   // rows and exchanges that the sink gets at a time
	parts    []part                   // by bucket; placeholders have one of their own
	placed   int                      // the bucket of placeholders
	messages []*Exchanges             // by bucket of the sender
	arrivals []*Exchanges             // the same by bucket of the receiver
	stacks   []callstack.Stack[frame] // by lifeline
	open     exchanges                // messages whose pattern is not known yet
	under    *inflight                // those of them that were not received, by identifier
	ahead    *inflight                // those that were received and not sent; nil unless some are expected
	expected Early                    // messages whose receive comes before their send
	found    Early                    // those that were not expected
	loose    looseReceives            // receives without a send so far
	relation relation
	leading  []invented    // enters before the start of the trace
	untraced []untracedEnd // ends of messages whose other end is untraced

	seq, stride    int64
	begun          bool   // there was an event
	owner, call    int64  // of the row before: see event
	before         uint32 // lifeline of the row before
	beforeNs       int64  // its time
	lastNs         int64  // of the row before, on any lifeline
	firstNs, endNs int64  // the least and the greatest time so far
	file           string // that the block in hand is of, for positions of losses
	line           int64  // of the block's first line, from 1

	exchanged, executions, events int64 // so far, for Outcome

	last        []moment // by lifeline: its last enter or exit
	ended       []moment // by lifeline: the enter of the call that ended last
	losses      []Loss   // so far, in the order of their first
	slice       bool     // the events are a slice of a trace: see Cut
	watching    bool     // they are those before the slice
	bare        []bool   // by lifeline: it was asked for the call at work, and had none open
	strays      strays   // what a slice did not find in itself
	callbacks   callbacks
	annotations annotations
	couplings   couplings
	reorder     *reorder // nil where rows keep their order
}

// part is one bucket's rows that are not yet handed on.
type part struct {
	rows  *Rows   // in trace order
	base  int64   // rows handed on before
	late  []Patch // of rows handed on before
	drops []int64 // sequence numbers of rows that do not stay
}

// Patch sets the peer of a row that was handed on before the message of its event was received. It is applied to the files
// of the bucket at the end of the ingest.
type Patch struct {
	Seq   int64  // sequence number of the row
	Known int64  // of the event that showed the peer, or AtEnd
	Peer  uint32 // code of a component, or schema.NoCode to take the peer away
}

// AtEnd is where something became known that only the end of the trace shows.
const AtEnd int64 = math.MaxInt64

// frame is an open call.
type frame struct {
	seq       int64  // sequence number of the enter
	timeNs    int64  // of the enter
	key       uint32 // of the enter, in run-wide codes
	exchange  int32  // of the message at its enter
	callbacks int32  // the last execution that started while it waited
	sent      bool   // it sent that message
}

// Groups are how many rows, and how many exchanges, the sink takes at a time.
type Groups struct{ Rows, Messages int }

// New returns a builder that places lifelines in buckets 0 to buckets-1 by place, and placeholders of
// untraced components in bucket number buckets. It hands rows to the sink a group at a time and
// keeps back some more, so that most messages find their sender still there.
func New(opt Options, buckets int, groups Groups, place Place, sink Sink, led *schema.Ledger) *Builder {
	w := &Builder{
		opt: opt, codes: newCodebook(place), sink: sink, groups: groups, under: newInflight(), ledger: led, stride: 1, before: schema.NoCode,
		placed: buckets,
	}
	if opt.Insert {
		w.stride = insertStride
	}
	if opt.ReorderNs > 0 {
		w.reorder = &reorder{windowNs: opt.ReorderNs, still: make(map[uint32]*standstill)}
	}
	w.makeRoom(buckets)
	return w
}

// makeRoom makes the parts of all buckets up to one.
func (w *Builder) makeRoom(bucket int) {
	for len(w.parts) <= bucket {
		w.parts = append(w.parts, part{rows: w.sink.Fresh()})
		w.messages = append(w.messages, w.sink.FreshExchanges())
		w.arrivals = append(w.arrivals, w.sink.FreshExchanges())
	}
}

// Events returns the number of events so far, invented ones included.
func (w *Builder) Events() int64 { return w.events }

// CodeTables is a snapshot of the codes of the rows handed on so far.
func (w *Builder) CodeTables() *CodeTables { return w.codes.tables() }

// Source is the code tables of one parser, with what they are in the builder's codes.
type Source struct {
	keys     schema.KeyList
	names    codedNames // of keys that are coded
	marks    []schema.MessageMark
	keyCode  []uint32
	markCode []uint32
}

// Update announces how far the tables of the parser have grown. They may be snapshots.
func (s *Source) Update(keys schema.KeyList, marks []schema.MessageMark) {
	s.keys, s.marks = keys, marks
	for range keys.Len() - len(s.keyCode) {
		s.keyCode = append(s.keyCode, schema.NoCode)
	}
	for len(s.markCode) < len(marks) {
		s.markCode = append(s.markCode, schema.NoCode)
	}
}

// Keys is how many keys the parser has announced.
func (s *Source) Keys() int { return len(s.keyCode) }

// keyOf translates a key of a parser. Every key is translated once for each parser; new lifelines get a stack.
func (w *Builder) keyOf(s *Source, local uint32) uint32 {
	code := s.keyCode[local]
	if code == schema.NoCode {
		code = w.newKey(s, local)
		s.keyCode[local] = code
	}
	return code
}

// newKey returns the code of a key of a parser.
func (w *Builder) newKey(s *Source, local uint32) uint32 {
	if coded, is := s.keys.(schema.CodedKeys); is {
		return w.addKey(w.codes.coded(&s.names, &coded, local))
	}
	return w.addKey(w.codes.key(s.keys.At(local)))
}

// addKey makes what is needed for a key and returns its code. A lifeline that is new gets a stack, a bucket that is new gets its part.
func (w *Builder) addKey(code uint32) uint32 {
	for len(w.stacks) < w.codes.names.Lifelines.Len() {
		w.stacks = append(w.stacks, callstack.Stack[frame]{})
		w.last, w.ended = append(w.last, moment{key: schema.NoCode}), append(w.ended, moment{key: schema.NoCode})
		w.bare = append(w.bare, false)
	}
	w.makeRoom(int(w.codes.keys.List[code].bucket))
	return code
}

// markOf translates a message mark of a parser.
func (w *Builder) markOf(s *Source, local uint32) uint32 {
	code := s.markCode[local]
	if code == schema.NoCode {
		code = w.codes.mark(s.marks[local])
		s.markCode[local] = code
	}
	return code
}

// Add adds the next block of the trace; firstLine is the number of its first line in file, or 0 where the trace
// has no lines: then losses name events by their position in the trace.
func (w *Builder) Add(b *schema.Block, s *Source, file string, firstLine int64) {
	w.annotations.expect(b)
	reordered := w.reorder != nil && !w.annotations.coming
	if !reordered {
		w.resumeAll()
	}
	w.file, w.line = file, firstLine
	for i, local := range b.Key {
		ev := event{code: w.keyOf(s, local), timeNs: b.TimeNs[i], id: b.MessageID[i]}
		if firstLine > 0 {
			ev.line = b.Line[i]
		}
		if b.Mark[i] != schema.NoMark {
			ev.mark = w.markOf(s, b.Mark[i])
		}
		if reordered {
			w.arrive(&ev)
			continue
		}
		w.watchTime(&ev)
		w.weave(&ev)
		w.annotations.place(ev.owner)
	}
	w.annotations.take(b, s)
}

// weave adds a row, and says what event it is or belongs to.
func (w *Builder) weave(ev *event) {
	switch {
	case w.isCoupling(ev):
		w.couple(ev)
		ev.owner = w.owner
	case w.isStandaloneMessage(ev):
		w.addStandaloneMessage(ev)
	default:
		w.assignSeq(ev)
		w.addEvent(ev)
	}
}

// event is the row in hand.
type event struct {
	seq, timeNs, id int64  // id: number of its message, or schema.NoValue
	owner           int64  // seq of the enter or exit that its message belongs to
	call            int64  // seq of the enter of the execution that this one starts or finishes, or schema.NoValue
	code, mark      uint32 // key and mark in run-wide codes
	line            uint32 // of the block, from 0
}

// isCoupling reports whether a row is no event but a part of a coupling of the event before it.
func (w *Builder) isCoupling(ev *event) bool {
	return ev.mark != schema.NoMark && schema.Couples(w.codes.marks.List[ev.mark].direction)
}

// assignSeq gives the event its sequence number.
func (w *Builder) assignSeq(ev *event) {
	ev.seq = w.seq
	w.seq += w.stride
}

// watchTime watches over the times of the rows, in the order of the trace.
func (w *Builder) watchTime(ev *event) {
	if w.isCoupling(ev) {
		return // its time is that of an event
	}
	if !w.begun {
		w.begun = true
		w.firstNs, w.endNs, w.lastNs = ev.timeNs, ev.timeNs, ev.timeNs
		return
	}
	if ev.timeNs < w.lastNs {
		ev.seq = w.seq // which it gets unless its lifeline stands still
		w.countLoss(schema.TimeBackwards, ev)
		w.firstNs = min(w.firstNs, ev.timeNs)
	}
	w.lastNs = ev.timeNs
	w.endNs = max(w.endNs, ev.timeNs)
}

// addEvent places one event: on the call stack, in its message exchange, and in the rows of its bucket.
func (w *Builder) addEvent(ev *event) {
	ev.owner = ev.seq
	k := &w.codes.keys.List[ev.code]
	p := &w.parts[k.bucket]
	// 1. The call stack. An exit that does not stay in the trace leaves nothing that a message could be behind.
	place := p.base + int64(p.rows.Len())
	var closed *frame
	if k.kind == schema.Exit {
		if closed = w.leave(k, ev); closed == nil {
			w.before = schema.NoCode
			return
		}
	}
	// 2. The message: its exchange, and the component at its other end if that is known.
	w.assignOwner(ev, k, closed)
	x, peer, sent := none, schema.NoCode, false
	if ev.mark != schema.NoMark {
		if sent = w.codes.marks.List[ev.mark].direction == schema.Send; sent {
			x, peer = w.send(ev, k, place)
		} else {
			x, peer = w.receive(ev, k, place)
		}
	}
	// 3. What the call stack and the exchange mean for each other: patterns depend on when executions finish.
	switch k.kind {
	case schema.Enter:
		if ev.mark == schema.NoMark || sent {
			w.noteCallback(ev, k)
		}
		f := w.stacks[k.lifeline].Enter(k.function)
		f.seq, f.timeNs, f.key, f.exchange, f.sent, f.callbacks = ev.seq, ev.timeNs, ev.code, x, sent, none
		w.holdExchange(x, sent)
	case schema.Exit:
		w.ended[k.lifeline] = moment{closed.seq, closed.timeNs, closed.key}
		w.finishExecution(closed, x, sent)
	default:
		w.settleReceived(x)
	}
	if k.kind <= schema.Exit {
		w.last[k.lifeline] = moment{ev.seq, ev.timeNs, ev.code}
	}
	// 4. The row.
	r := p.rows.next()
	r.seq, r.timeNs, r.messageID, r.key, r.mark, r.peer = ev.seq, ev.timeNs, ev.id, ev.code, ev.mark, peer
	w.events++
	// A quarter of a group stays behind, in which most receives still find the row of their send.
	if p.rows.Len() >= w.groups.Rows+w.groups.Rows/4 && !w.slice {
		w.handOn(int(k.bucket))
	}
}

// assignOwner says which event the message of a row belongs to: a further message to the event before it, any other to the
// row itself. A row that is neither an event nor a message is nothing that a message could be behind. An exit finishes closed.
func (w *Builder) assignOwner(ev *event, k *key, closed *frame) {
	if k.kind == schema.Message && !w.followsEvent(k.lifeline, ev.timeNs) {
		w.before, ev.call = schema.NoCode, schema.NoValue
		return
	}
	if k.kind != schema.Message {
		w.owner, w.call = ev.seq, ev.seq
	}
	if closed != nil {
		w.call = closed.seq
	}
	w.before, w.beforeNs, ev.owner, ev.call = k.lifeline, ev.timeNs, w.owner, w.call
}

// leave closes the call that an exit ends. It returns nil when the exit does not stay in the trace.
func (w *Builder) leave(k *key, ev *event) *frame {
	closed, skipped := w.stacks[k.lifeline].Exit(k.function)
	if skipped > 0 {
		w.countLoss(schema.InterleavedCall, ev)
	}
	if closed == nil {
		w.countLoss(schema.UnmatchedExit, ev)
		w.noteReach(k)
		if w.opt.Discard {
			w.annotations.discard(ev.seq)
			return nil
		}
		closed = w.inventEnter(ev)
	}
	w.executions++
	return closed
}

// handOn gives the oldest row group of a bucket to the sink.
func (w *Builder) handOn(bucket int) {
	p := &w.parts[bucket]
	// Rows that are kept back move to fresh memory, since the sink owns what it gets.
	full, rest := p.rows, w.sink.Fresh()
	if full.Len() > w.groups.Rows {
		full.split(w.groups.Rows, rest)
	}
	p.base += int64(full.Len())
	p.rows = rest
	w.sink.Take(bucket, full)
}
