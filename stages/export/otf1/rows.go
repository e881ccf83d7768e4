package otf1

import (
	"cmp"
	"math"

	"github.com/tracelake/tracelake/schema"
)

// row is an event that waits, or is about to be written.
type row struct {
	timeNs   int64       // of the run, not yet raised to that of the row before
	receive  int64       // of a send: the position of its receive; notYet before it was met, also of a receive before its send; never where nobody waits
	process  uint32      // token of the lifeline
	function uint32      // token in the group of its component
	label    uint32      // 0: no message
	other    uint32      // process at the other end of the message
	tag      uint32      // see exchanges
	peer     uint32      // group of the component at the other end
	id       identifier  // of a row that waits
	kind     schema.Kind // enter, exit or a further message
	send     bool        // the message is sent, not received
}

const (
	never  int64 = -1            // nobody waits for a receive
	notYet int64 = math.MaxInt64 // the receive was not met so far
)

// add queues an event, and writes those that need wait no more.
func (w *Writer) add(ev *schema.Events, i int) {
	w.queue = append(w.queue, row{})
	r := &w.queue[len(w.queue)-1]
	r.timeNs, r.kind, r.receive = ev.TimeNs[i], ev.Kind[i], never
	r.process = tokenOf(w.lifeline, ev.Lifeline[i], &w.processes, &w.names.Lifelines)
	group := tokenOf(w.component, ev.Component[i], &w.groups, &w.names.Components)
	r.function = w.functionToken(ev.Function[i], group)
	w.settleIn(group, r.process)
	if d := ev.Direction[i]; d != schema.NoMessage {
		r.send = d == schema.Send
		r.label = tokenOf(w.label, ev.Message[i], &w.labels, &w.names.Messages)
		w.join(r.label, r.process)
		w.exchange(ev, i, r)
	}
	// A send waits for its receive, or by clocks that are apart a receive for its send, so that its record can name the receiver; the window bounds how many events wait behind it.
	w.drain(len(w.queue) - w.head - cmp.Or(w.Window, defaultWindow))
}

// drain writes rows from the head of the queue up to the first that has to wait. The first impatient rows do not wait.
func (w *Writer) drain(impatient int) {
	for ; w.head < len(w.queue); w.head++ {
		r := &w.queue[w.head]
		if r.receive == notYet {
			if impatient <= 0 {
				break
			}
			if r.send {
				w.guess(r)
			} else {
				w.forsake(r)
			}
		}
		impatient--
		if r.receive >= 0 {
			w.settle(r)
		}
		w.write(r)
		if len(w.buf) >= full {
			w.flush()
		}
	}
	// The front is moved away once it is half of the queue, which costs one move a row.
	if w.head < len(w.queue) && w.head < len(w.queue)/2 {
		return
	}
	w.first += int64(w.head)
	w.queue = w.queue[:copy(w.queue, w.queue[w.head:])]
	w.head = 0
}
