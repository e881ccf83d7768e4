package componentcalls

import "github.com/tracelake/tracelake/schema"

// Rewrite fills out with the events of in, their calls between components made messages. In is the next block of the
// trace, made with the tables of the parser of that number.
func (c *Rewriter) Rewrite(in, out *schema.Block, number int, keys schema.KeyList, marks []schema.MessageMark) {
	s := c.update(number, keys, marks)
	out.Reset()
	out.Lines, out.Bad, out.Overflow, out.Broken = in.Lines, in.Bad, in.Overflow, in.Broken
	c.out = out
	c.places = c.places[:0]
	follow := len(in.Notes)+len(in.Claims)+len(in.Ends) > 0
	for i, k := range in.Key {
		ev := event{entry: &s.keys[k], timeNs: in.TimeNs[i], mark: s.marks[in.Mark[i]], id: in.MessageID[i]}
		if len(in.Line) > 0 {
			ev.line = in.Line[i]
		}
		at := c.rewriteEvent(&ev)
		if follow {
			c.places = append(c.places, at)
		}
	}
	c.annotate(in.Notes)
	for _, claim := range in.Claims {
		claim.Row = c.places[claim.Row].event
		c.out.Claims = append(c.out.Claims, claim)
	}
	for _, end := range in.Ends {
		end.Row = c.places[end.Row].event
		c.out.Ends = append(c.out.Ends, end)
	}
}

// event is the row of the trace in hand.
type event struct {
	*entry
	timeNs int64  // of the row
	mark   uint32 // of the Rewriter's marks
	id     int64  // number of its message, or schema.NoValue
	line   uint32 // of the block, 0 where the trace has no lines
}

// place is where a row of the trace went: the rows of the filled block that have its event and its own message.
type place struct{ event, message int32 }

// rewriteEvent adds the one row, or the two or three rows, that an event becomes.
func (c *Rewriter) rewriteEvent(ev *event) place {
	switch ev.kind {
	case schema.Enter:
		caller, crosses := ev.thread.caller(ev.component)
		f := ev.thread.stack.Enter(ev.number)
		f.component, f.crossed, f.caller = ev.component, crosses, caller
		if crosses {
			id := c.nextMessage()
			c.appendRow(ev, c.stubKey(ev.entry, caller), c.call, id)
			return c.appendOwn(ev, c.callee, id)
		}
	case schema.Exit:
		f, _ := ev.thread.stack.Exit(ev.number)
		if f != nil && f.crossed {
			id := c.nextMessage()
			at := c.appendOwn(ev, c.reply, id)
			c.appendRow(ev, c.stubKey(ev.entry, f.caller), c.caller, id)
			return at
		}
	case schema.Message:
		at := c.appendRow(ev, c.moreKey(ev.entry), ev.mark, ev.id)
		return place{at, at}
	}
	at := c.appendRow(ev, ev.entry.own, ev.mark, ev.id)
	return place{at, at}
}

// caller is the component at work on a thread, and whether a call of another one crosses from it.
func (t *thread) caller(component uint32) (caller uint32, crosses bool) {
	if t.stack.Idle() {
		return 0, false
	}
	caller = t.stack.At(t.stack.Depth() - 1).component
	return caller, caller != component
}

// nextMessage returns the number of the next message. Calls and returns share the numbers, in two series.
func (c *Rewriter) nextMessage() int64 {
	c.calls++
	return c.calls
}

// appendOwn puts the event on the lifeline of its component with a message of the crossing, and its own message behind.
func (c *Rewriter) appendOwn(ev *event, mark uint32, id int64) place {
	at := c.appendRow(ev, ev.entry.own, mark, id)
	if ev.mark == schema.NoMark {
		return place{at, at}
	}
	return place{at, c.appendRow(ev, c.moreKey(ev.entry), ev.mark, ev.id)}
}

// appendRow appends a row and returns its position.
func (c *Rewriter) appendRow(ev *event, key, mark uint32, id int64) int32 {
	b := c.out
	b.TimeNs = append(b.TimeNs, ev.timeNs)
	b.Key = append(b.Key, key)
	b.Mark = append(b.Mark, mark)
	b.MessageID = append(b.MessageID, id)
	b.Line = append(b.Line, ev.line)
	return int32(len(b.Key) - 1)
}

// annotate lets the notes of a block follow their events.
func (c *Rewriter) annotate(notes []schema.Note) {
	for _, n := range notes {
		switch {
		case n.Row == schema.NoRow:
		case n.About == schema.AboutMessage:
			n.Row = c.places[n.Row].message
		default:
			n.Row = c.places[n.Row].event
		}
		c.out.Notes = append(c.out.Notes, n)
	}
}
