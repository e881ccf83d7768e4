package chrome

import "github.com/tracelake/tracelake/stages/ingest/extsort"

// fanouts counts the receipts of every message that is sent. A flow may end more than once: the launch of a CUDA graph has one
// s and an f at every kernel. Each end is an exchange of its own, so the number of them is needed where the s is played.
//
// The events of flows go through a sorter of their own, by identifier, in bounded memory: identifiers are as many as
// messages, and any of them may come again at the end of the trace. Only sendings with several receipts are kept.
type fanouts struct {
	sorter *extsort.Sorter[flowEvent]
	early  map[uint64]int64    // flows of one s and one f, which comes first: with the number of the exchange, 0 before the f
	isPart bool                // a sending without a receipt may have one in another trace, and is noted, too
	counts map[flowEvent]int32 // receipts of a sending, where they are not one; what is not set in the key
}

// flowEvent is an event of a flow.
type flowEvent struct {
	id     uint64
	timeNs int64
	what   what // send, forward or receive
}

// byFlow sorts events of flows by identifier and then by time; of equal times the order of the file is kept.
func byFlow(a, b *flowEvent) int {
	switch {
	case a.id < b.id:
		return -1
	case a.id > b.id:
		return 1
	case a.timeNs < b.timeNs:
		return -1
	case a.timeNs > b.timeNs:
		return 1
	}
	return 0
}

// count counts the receipts, once all events are known.
func (f *fanouts) count() error {
	var t flowCount
	f.counts, f.early = make(map[flowEvent]int32), make(map[uint64]int64)
	if err := f.sorter.Each(func(e *flowEvent) error {
		if e.id != t.at.id || e.timeNs != t.at.timeNs {
			t.settleEarly()
		}
		if e.id != t.at.id {
			f.keep(&t)
			t = flowCount{}
		}
		t.tally(e)
		t.at = flowEvent{id: e.id, timeNs: e.timeNs}
		if e.what != send {
			t.receive(e.what)
		}
		if e.what == send || e.what == forward {
			t.keep(f.counts, f.isPart)
			t.sent, t.isSent, t.receipts, t.early = t.at, true, t.early, 0
		}
		return nil
	}); err != nil {
		return err
	}
	t.settleEarly()
	f.keep(&t)
	return nil
}

// keep notes what is unusual about the flow of an identifier. Clocks that are apart let an f come before its s; which s it
// belongs to is sure where there is one of each.
func (f *fanouts) keep(t *flowCount) {
	t.keep(f.counts, f.isPart)
	if t.sends == 1 && t.ends == 1 && t.endNs < t.sendNs {
		f.early[t.at.id] = 0
	}
}

// of returns how many receipts a sending has.
func (f *fanouts) of(id uint64, timeNs int64) int32 {
	if n, known := f.counts[flowEvent{id: id, timeNs: timeNs}]; known {
		return n
	}
	return 1
}

// flowCount is the state of the count within the events of one identifier.
type flowCount struct {
	at            flowEvent // the event in hand
	sends, ends   int       // events of the flow that send, and that receive
	sendNs, endNs int64     // the last of each
	sent          flowEvent // the last sending
	isSent        bool
	receipts      int32 // of the last sending
	early         int32 // receipts at this time that a sending at the same time may stand behind: see orderFlows
}

// tally counts the events of a flow.
func (t *flowCount) tally(e *flowEvent) {
	if e.what == send || e.what == forward {
		t.sends++
		t.sendNs = e.timeNs
	}
	if e.what != send {
		t.ends++
		t.endNs = e.timeNs
	}
}

// receive counts a receipt. The first receipt of a message is its own; a further one may be that of a message that is
// sent at this time and stands behind it in the file.
func (t *flowCount) receive(what what) {
	if t.isSent && (t.receipts == 0 || what == forward) {
		t.receipts++
	} else {
		t.early++
	}
}

// settleEarly gives receipts that no sending of their time stands behind to the one before them.
func (t *flowCount) settleEarly() {
	t.receipts += t.early
	t.early = 0
}

// keep notes the count of the last sending.
func (t *flowCount) keep(counts map[flowEvent]int32, isPart bool) {
	if t.isSent && (t.receipts > 1 || t.receipts == 0 && isPart) {
		counts[t.sent] = t.receipts
	}
}
