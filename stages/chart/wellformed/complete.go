package wellformed

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// invented is an event before the start of the trace.
type invented struct {
	seq int64  // below 0
	key uint32 // of the enter
}

// inventEnter opens and at once closes the call of an exit that has no enter: its enter stands at the
// start of the trace, before those invented earlier (Jonk et al. 2019, section IV-B: reversed order).
func (w *Builder) inventEnter(ev *event) *frame {
	seq := -w.stride * int64(len(w.leading)+1)
	enter := w.codes.counterpart(ev.code)
	w.leading = append(w.leading, invented{seq: seq, key: enter})
	return &frame{seq: seq, timeNs: w.firstNs, key: enter, exchange: none, callbacks: none}
}

// openCall is a call that the trace leaves open.
type openCall struct {
	frame
	lifeline uint32
}

// openCalls lists the calls left open, the one entered last first.
func (w *Builder) openCalls() []openCall {
	var calls []openCall
	for lifeline := range w.stacks {
		for i := range w.stacks[lifeline].Depth() {
			calls = append(calls, openCall{*w.stacks[lifeline].At(i), uint32(lifeline)})
		}
	}
	slices.SortFunc(calls, func(a, b openCall) int { return cmp.Compare(b.seq, a.seq) })
	return calls
}

// closeCalls gives every open call an exit at the end of the trace, or takes its enter out.
func (w *Builder) closeCalls() {
	// Innermost calls end first, so exits nest as the enters do.
	for _, call := range w.openCalls() {
		k := w.codes.keys.List[call.key]
		w.ledger.Add(schema.OpenAtEnd, func() string { return w.eventPosition(call.seq) })
		if w.opt.Discard {
			w.discardEnter(&call.frame, k.bucket)
			continue
		}
		w.emitCallbacks(&call.frame, w.isWaiting(&call.frame))
		if call.exchange != none {
			w.releaseCall(&call.frame)
		}
		w.appendInvented(k.bucket, w.endNs, w.codes.counterpart(call.key))
		w.executions++
	}
}

// appendInvented adds an invented event at the end of a bucket.
func (w *Builder) appendInvented(bucket uint32, timeNs int64, code uint32) {
	w.parts[bucket].rows.add(row{w.seq, timeNs, schema.NoValue, code, schema.NoMark, schema.NoCode})
	w.seq += w.stride
	w.events++
}

// discardEnter takes the enter of an open call out of the trace, and its message with it.
func (w *Builder) discardEnter(f *frame, bucket uint32) {
	w.parts[bucket].drops = append(w.parts[bucket].drops, f.seq)
	w.events--
	w.annotations.discard(f.seq)
	if f.exchange == none {
		w.forgetUntraced(f.seq)
		return
	}
	// The message goes with the enter: it must neither be received nor be replied to any more.
	e := &w.open.all[f.exchange]
	w.unbind(f.exchange)
	switch {
	case e.replaced: // its identifier is another's by now
	case !e.received:
		w.under.take(w.codes.marks.List[e.mark].series, e.id)
	case e.unsent:
		w.ahead.take(w.codes.marks.List[e.mark].series, e.id)
	case f.sent:
		w.setPeer(&e.receive, schema.NoCode, AtEnd)
	default:
		w.setPeer(&e.send, schema.NoCode, AtEnd)
	}
	e.received, e.replaced, e.callerOpen, e.calleeOpen = false, true, false, false
}

// forgetUntraced takes back that an event is the traced end of a message, so that it gets no placeholder.
func (w *Builder) forgetUntraced(seq int64) {
	at, found := slices.BinarySearchFunc(w.untraced, seq, func(l untracedEnd, seq int64) int { return cmp.Compare(l.seq, seq) })
	if found {
		w.untraced = slices.Delete(w.untraced, at, at+1)
	}
}

// Outcome holds what is known only at the end of the trace, beside the rows that were handed on.
type Outcome struct {
	Leading    []*Rows     // by bucket: enters invented before the start of the trace, in order
	Late       [][]Patch   // by bucket: peers of rows that were handed on before they were known
	Drops      [][]int64   // by bucket, ascending: sequence numbers of rows to leave out
	CodeTables *CodeTables // names and marks behind the codes of all rows
	Buckets    int         // of traced components; one more holds placeholders
	StartNs    int64       // the least time of the trace
	EndNs      int64       // the greatest time of the trace; invented exits have it
	Events     int64       // rows, invented ones included
	Early      Early       // messages that were received before they were sent, and were not expected to be
	Exchanges  int64       // messages with both ends, placeholders and inferred ones included
	Calls      int64       // executions

	Annotations []schema.Annotation // of the events that are left, and of the trace
}

// Finish completes the trace and hands on the rows that are left.
func (w *Builder) Finish() *Outcome {
	// The order matters: closing calls settles exchanges; those still under way after it were never received; and only
	// then are all untraced ends known.
	w.resumeAll()
	w.TellLosses()
	w.closeCalls()
	w.neverSent()
	w.unreceived()
	w.placeholders()
	w.endCouplings()
	w.TellLosses() // of calls that were open
	for bucket := range w.parts {
		for w.parts[bucket].rows.Len() > 0 {
			w.handOn(bucket)
		}
		if len(w.messages[bucket].list) > 0 {
			w.handOnExchanges(w.messages, bucket, w.sink.TakeExchanges)
		}
		if len(w.arrivals[bucket].list) > 0 {
			w.handOnExchanges(w.arrivals, bucket, w.sink.TakeArrivals)
		}
	}
	leading := w.leadingRows()
	out := &Outcome{
		Leading: leading, CodeTables: w.codes.tables(), Buckets: w.placed,
		StartNs: w.firstNs, EndNs: w.endNs, Events: w.events, Exchanges: w.exchanged, Calls: w.executions, Early: w.found,
		Annotations: w.annotations.kept(),
	}
	for i := range w.parts {
		slices.Sort(w.parts[i].drops)
		out.Late, out.Drops = append(out.Late, w.parts[i].late), append(out.Drops, w.parts[i].drops)
	}
	return out
}

// leadingRows spreads the enters invented before the start of the trace over their buckets.
func (w *Builder) leadingRows() []*Rows {
	leading := make([]*Rows, len(w.parts))
	for i := range leading {
		leading[i] = NewRows(0)
	}
	// The one invented last stands first.
	for i := len(w.leading) - 1; i >= 0; i-- {
		e := w.leading[i]
		bucket := w.codes.keys.List[e.key].bucket
		leading[bucket].add(row{e.seq, w.firstNs, schema.NoValue, e.key, schema.NoMark, schema.NoCode})
		w.events++
	}
	return leading
}

// eventPosition names an event by its number in the trace, for losses that are found at the end.
func (w *Builder) eventPosition(seq int64) string {
	return fmt.Sprintf("%s: event %d", w.file, seq/w.stride)
}
