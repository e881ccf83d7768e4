package wellformed

import "github.com/tracelake/tracelake/schema"

// A component that waits for a blocking call does nothing by itself (Jonk et al. 2019, section III-A: the caller is
// waiting idly). Where it starts an execution in that time, and no message says why, it was called back by whoever
// is at work for it: the call that it waits for, or one that waits for in turn, down to the one that does not wait.
// Such messages go through libraries that are not traced. They are inferred, from the last event of that lifeline,
// once the call turns out to be blocking, and counted. Where all components are traced there are none (Options.Direct), and the
// chart is the paper's.

// callback is an execution that started on a lifeline that was waiting.
type callback struct {
	next          int32  // of the same call, or none
	start, origin moment // the enter, and the last event of the lifeline that called back
}

// moment is an event of a lifeline.
type moment struct {
	seq, timeNs int64 // of an enter or exit
	key         uint32
}

// callbacks keeps the callbacks into calls that are open, in reused places.
type callbacks struct {
	all  []callback // by number; those of one frame are linked by next
	free []int32    // numbers to be used again
}

// noteCallback remembers that an event which starts an execution came while the lifeline's innermost call waited.
func (w *Builder) noteCallback(ev *event, k *key) {
	if w.opt.Direct {
		return
	}
	s := &w.stacks[k.lifeline]
	if s.Idle() {
		w.bare[k.lifeline] = true
		return
	}
	f := s.At(s.Depth() - 1)
	if !w.isWaiting(f) {
		return
	}
	// A lifeline that would have called itself back is at work, so nothing is inferred.
	origin := w.workingLifeline(w.receiver(f.exchange))
	if origin == k.lifeline {
		return
	}
	c := callback{next: f.callbacks, start: moment{ev.seq, ev.timeNs, ev.code}, origin: w.last[origin]}
	f.callbacks = w.callbacks.add(c)
}

// isWaiting reports whether a call sent a message that an execution received which has neither replied nor finished.
func (w *Builder) isWaiting(f *frame) bool {
	if !f.sent || f.exchange == none {
		return false
	}
	e := &w.open.all[f.exchange]
	return e.received && e.calleeOpen && e.reply == none && !e.replaced
}

// mostHops bounds the search for the lifeline that is at work.
const mostHops = 1 << 12

// workingLifeline is the lifeline at work for a call that a lifeline handles.
func (w *Builder) workingLifeline(lifeline uint32) uint32 {
	// Damaged traces may have lifelines that wait for each other in a circle.
	for range mostHops {
		s := &w.stacks[lifeline]
		if s.Idle() {
			w.bare[lifeline] = true
			break
		}
		f := s.At(s.Depth() - 1)
		if !w.isWaiting(f) {
			break
		}
		lifeline = w.receiver(f.exchange)
	}
	return lifeline
}

// add stores a callback and returns its number.
func (c *callbacks) add(one callback) int32 {
	if n := len(c.free); n > 0 {
		i := c.free[n-1]
		c.free = c.free[:n-1]
		c.all[i] = one
		return i
	}
	c.all = append(c.all, one)
	return int32(len(c.all) - 1)
}

// emitCallbacks emits the callbacks into a call that ends, if it was a blocking one.
func (w *Builder) emitCallbacks(f *frame, blocking bool) {
	for i := f.callbacks; i != none; {
		c := w.callbacks.all[i]
		if blocking {
			// The inferred message takes a place like any other, so that emit writes it and frees the place again.
			x := w.open.place()
			w.open.all[x] = exchange{
				mark: schema.NoMark, id: schema.NoValue, request: none, reply: none, received: true,
				send: endOf(c.origin), receive: endOf(c.start),
			}
			w.emit(x, schema.Inferred)
			w.count(Loss{Reason: schema.InferredCallback, Count: 1, File: w.file, Seq: c.start.seq})
		}
		w.callbacks.free = append(w.callbacks.free, i)
		i = c.next
	}
	f.callbacks = none
}

// receiver is the lifeline that received a message.
func (w *Builder) receiver(x int32) uint32 {
	return w.codes.keys.List[w.open.all[x].receive.key].lifeline
}

// endOf makes the end of an inferred message of an event.
func endOf(m moment) end { return end{seq: m.seq, event: m.seq, timeNs: m.timeNs, key: m.key} }
