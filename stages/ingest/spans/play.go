package spans

import "github.com/tracelake/tracelake/schema"

// exchange is the messages between a span and its parent, by their numbers from 1; 0 stands for one that is not sent yet.
type exchange struct{ request, reply int64 }

// play goes through the starts and ends of the trace in their order, makes rows of them, and hands the rows to the sorter of
// all traces.
// Rows are gathered first, since only at the end is it known which row is the last of its stack.
func (t *trace) play() error {
	t.exchange = resize(t.exchange, len(t.spans))
	t.stacks.clear(len(t.spans))
	t.made = t.made[:0]
	for i := range t.moments {
		if m := &t.moments[i]; m.ends {
			t.leave(m.span, m.ns)
		} else {
			t.enter(m.span, m.ns)
		}
	}
	for i := range t.stacks.all {
		t.made[t.stacks.all[i].last].last = true
	}
	if t.rows == nil { // whoever watches takes them as they are
		return nil
	}
	for i := range t.made {
		if err := t.rows.Add(t.made[i]); err != nil {
			return err
		}
	}
	return nil
}

// enter makes the rows of the start of a span: its receipt of a message, and the messages that it sends then.
func (t *trace) enter(i int32, ns int64) {
	s, p := &t.spans[i], t.parent[i]
	t.push(i)
	if l := &t.links[i]; l.sent == called && t.stacks.of[i] != t.stacks.of[p] {
		*l = link{sent: inside, replied: true, label: inferred}
	}
	l := t.links[i]
	if l.sent == inside {
		t.exchange[i].request = t.number()
		t.add(p, ns, max(t.spans[p].StartNs, s.StartNs), schema.Message, l.mark(schema.Send), t.exchange[i].request)
	}
	out := event{trace: t, span: i, ns: ns, timeNs: s.StartNs, kind: schema.Enter}
	if id := t.exchange[i].request; id != 0 {
		out.message(l.mark(schema.Receive), id)
	}
	for c := t.first[i]; c != noSpan; c = t.next[c] {
		if t.links[c].sent == atStart {
			t.exchange[c].request = t.number()
			out.message(t.links[c].mark(schema.Send), t.exchange[c].request)
		}
	}
	out.finish()
	t.tell(i, ns, s.StartNs, false)
}

// leave makes the rows of the end of a span: its reply, the replies to what it sent at its start, and the messages that
// it sends to those who start later.
// A message to a child that starts later is sent only if its receipt comes behind in the order of events; otherwise
// clocks differ too much and neither end is written.
func (t *trace) leave(i int32, ns int64) {
	s, p, l := &t.spans[i], t.parent[i], t.links[i]
	out := event{trace: t, span: i, ns: ns, timeNs: s.EndNs, kind: schema.Exit}
	if l.replied {
		t.exchange[i].reply = t.number()
		out.message(l.replyMark(schema.Send), t.exchange[i].reply)
	}
	for c := t.first[i]; c != noSpan; c = t.next[c] {
		switch l := t.links[c]; {
		case l.sent == atStart && l.replied:
			out.message(l.replyMark(schema.Receive), t.exchange[c].reply)
		case l.sent == atEnd && t.enters[c].after(t.exits[i]):
			t.exchange[c].request = t.number()
			out.message(l.mark(schema.Send), t.exchange[c].request)
		}
	}
	out.finish()
	t.tell(i, ns, s.EndNs, true)
	t.pop(i)
	if l.sent == inside && l.replied {
		t.add(p, ns, max(t.spans[p].StartNs, s.EndNs), schema.Message, l.replyMark(schema.Receive), t.exchange[i].reply)
	}
}

// after reports whether an event comes after another.
func (p place) after(o place) bool { return p.ns > o.ns || p.ns == o.ns && p.rank > o.rank }

// number returns the number of a new message. Messages are numbered by slice.
func (t *trace) number() int64 {
	t.numbers[t.slice]++
	return t.numbers[t.slice]
}

// add makes a row on the lifeline of a span: of its start or end, or of a message in between, which is that of the
// innermost open call.
func (t *trace) add(i int32, ns, timeNs int64, kind schema.Kind, mark uint8, id int64) {
	s := &t.stacks.all[t.stacks.of[i]]
	if kind == schema.Message {
		i = s.top
	}
	s.last = int32(len(t.made))
	t.made = append(t.made, row{
		slice: t.slice, orderNs: ns, timeNs: timeNs, message: id, stack: s.number, service: t.spans[i].Service, function: t.spans[i].Name, mark: mark, kind: kind,
		failed: kind == schema.Enter && t.spans[i].Failed,
	})
}

// event makes the rows of a start or an end. An event has one row for each of its messages, and one if it has none.
type event struct {
	trace      *trace
	span       int32
	ns, timeNs int64
	kind       schema.Kind
}

// message adds a message. The first goes with the event itself, others stand in rows behind it.
func (e *event) message(mark uint8, id int64) {
	e.trace.add(e.span, e.ns, e.timeNs, e.kind, mark, id)
	e.kind = schema.Message
}

// finish adds the event if no message did.
func (e *event) finish() {
	if e.kind != schema.Message {
		e.message(uint8(schema.NoMark), schema.NoValue)
	}
}
