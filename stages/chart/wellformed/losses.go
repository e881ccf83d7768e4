package wellformed

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
)

// countLoss counts a loss at the line, or else at the event, in hand.
func (w *Builder) countLoss(r schema.Reason, ev *event) {
	loss := Loss{Reason: r, Count: 1, File: w.file, Seq: ev.seq}
	if w.line > 0 {
		loss.Line = w.line + int64(ev.line)
	}
	w.count(loss)
}

// count counts a loss, whose place holds if it is the first for its reason.
func (w *Builder) count(loss Loss) {
	for i := range w.losses {
		if w.losses[i].Reason == loss.Reason {
			w.losses[i].Count += loss.Count
			return
		}
	}
	w.losses = append(w.losses, loss)
}

// Loss counts the events that were repaired or left out for a reason, with the place of the first.
type Loss struct {
	Reason schema.Reason // a word of the ledger
	Count  int64         // of events
	File   string        // as the trace is named; "" where there is one file
	Line   int64         // from 1, or 0 where the trace has no lines
	Seq    int64         // sequence number of the event
}

// position names the place for people. Without lines it is the number of the event in the trace, of which sequence numbers
// are a stride apart.
func (l *Loss) position(stride int64) string {
	if l.Line == 0 {
		return fmt.Sprintf("%s: event %d", l.File, l.Seq/stride)
	}
	return fmt.Sprintf("%s:%d", l.File, l.Line)
}

// TellLosses enters what was counted on the way into the ledger. Finish does so itself.
func (w *Builder) TellLosses() {
	for i := range w.losses {
		l := &w.losses[i]
		w.ledger.AddMany(l.Reason, l.Count, func() string { return l.position(w.stride) })
	}
	w.losses = nil
}
