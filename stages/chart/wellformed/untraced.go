package wellformed

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// untracedEnd is the traced end of a message whose other end is untraced.
type untracedEnd struct {
	end
	mark uint32 // of the traced end; 0: no end at all
	id   int64  // number of the message, or schema.NoValue
	sent bool   // the traced end sent it
	peer uint32 // the placeholder component
}

// noteUntraced notes an unmatched end and returns the placeholder component at the other end, or
// NoCode where untraced components are ignored.
func (w *Builder) noteUntraced(at end, mark uint32, id int64) uint32 {
	if !w.opt.Insert || w.watching { // the other end may be traced, before what is watched
		return schema.NoCode
	}
	peer := w.codes.placeholder("untraced("+w.baseName(at, mark)+")", uint32(w.placed))
	sent := w.codes.marks.List[mark].direction == schema.Send
	w.untraced = append(w.untraced, untracedEnd{end: at, mark: mark, id: id, sent: sent, peer: peer})
	return peer
}

// baseName is the function that a placeholder executes: the message label less the suffix that distinguishes a call from a
// reply (g1 for g1call and g1reply, Jonk et al. 2019, Fig. 5), or the function of the traced end where
// messages have no labels of their own.
func (w *Builder) baseName(at end, code uint32) string {
	m := w.codes.marks.List[code]
	label := w.codes.names.Messages.Name(m.label)
	if label == "" || label == w.codes.names.Series.Name(m.series) {
		return w.codes.names.Functions.Name(w.codes.keys.List[at.key].function)
	}
	for _, suffix := range []string{"call", "reply", "trigger", "trig", "request", "response"} {
		if base := strings.TrimRight(strings.TrimSuffix(label, suffix), "_-."); base != label && base != "" {
			return base
		}
	}
	return label
}

// placeholder returns the code of a placeholder component, in the bucket after those of traced components.
func (c *codebook) placeholder(name string, bucket uint32) uint32 {
	code := c.names.Components.Code(name)
	if int(code) == len(c.buckets) {
		c.buckets = append(c.buckets, bucket)
	}
	return code
}

// unreceived deals with the messages still under way when the trace ends.
func (w *Builder) unreceived() {
	var left []int32
	w.under.each(func(x int32) { left = append(left, x) })
	slices.SortFunc(left, func(a, b int32) int { return cmp.Compare(w.open.all[a].send.seq, w.open.all[b].send.seq) })
	for _, x := range left {
		e := w.open.all[x]
		w.collectEarly(&e)
		w.ledger.Add(schema.UnmatchedSend, func() string { return w.eventPosition(e.send.seq) })
		if peer := w.noteUntraced(e.send, e.mark, e.id); peer != schema.NoCode {
			w.setPeer(&e.send, peer, AtEnd)
		}
		if e.request != none {
			w.emit(e.request, schema.NonBlocking)
		} else {
			w.unbind(x)
		}
	}
}

// neverSent deals with the messages that were expected to be sent late, and were not.
func (w *Builder) neverSent() {
	if w.expected == nil {
		return
	}
	var left []int32
	w.ahead.each(func(x int32) { left = append(left, x) })
	slices.SortFunc(left, func(a, b int32) int { return cmp.Compare(w.open.all[a].receive.seq, w.open.all[b].receive.seq) })
	for _, x := range left {
		e := w.open.all[x]
		w.ledger.Add(schema.UnmatchedReceive, func() string { return w.eventPosition(e.receive.seq) })
		if peer := w.noteUntraced(e.receive, e.mark, e.id); peer != schema.NoCode {
			w.setPeer(&e.receive, peer, AtEnd)
		}
		w.unbind(x)
	}
}

// placeholders executes the placeholders: at every untraced end an event of the same time, with an enter
// before an exit that lacks one and an exit after an enter that lacks one, of no duration.
func (w *Builder) placeholders() {
	slices.SortFunc(w.untraced, func(a, b untracedEnd) int { return cmp.Compare(a.seq, b.seq) })
	// An untraced component that received at an enter and sends at an exit executes between them, so its ends are
	// paired like calls: an exit closes the open enter that came last.
	waiting := make(map[uint32][]untracedEnd) // open placeholder executions by component
	var pairs [][2]untracedEnd
	for _, l := range w.untraced {
		open, exit := waiting[l.peer], w.codes.keys.List[l.key].kind == schema.Exit
		if exit && len(open) > 0 {
			pairs = append(pairs, [2]untracedEnd{open[len(open)-1], l})
			waiting[l.peer] = open[:len(open)-1]
			continue
		}
		if !exit {
			waiting[l.peer] = append(open, l)
			continue
		}
		pairs = append(pairs, [2]untracedEnd{{}, l})
	}
	// Enters that are left have no exit. They are sorted, since the order of a map must not show in the rows.
	for _, peer := range slices.Sorted(maps.Keys(waiting)) {
		for _, l := range waiting[peer] {
			pairs = append(pairs, [2]untracedEnd{l, {}})
		}
	}
	var rows []placeholderRow
	for _, pair := range pairs {
		rows = w.execute(rows, pair[0], pair[1])
	}
	w.place(rows)
}

// placeholderRow is an invented event with the message of an untraced end, if it has one.
type placeholderRow struct {
	seq, timeNs int64
	key         uint32
	of          untracedEnd
	message     bool
}

// execute adds the two events of one placeholder execution. Sequence numbers put a send before its receive:
// two before the traced event for a placeholder that sends, two after for one that receives.
func (w *Builder) execute(rows []placeholderRow, enter, exit untracedEnd) []placeholderRow {
	hasEnter, hasExit := enter.mark != schema.NoMark, exit.mark != schema.NoMark
	if !hasEnter {
		enter = exit
	}
	if !hasExit {
		exit = enter
	}
	name := w.codes.names.Components.Name(enter.peer)
	function := strings.TrimSuffix(strings.TrimPrefix(name, "untraced("), ")")
	k := schema.EventKey{Component: name, Lifeline: name, Function: function, Kind: schema.Enter, Synthetic: true}
	rows = append(rows, placeholderRow{enter.seq + offset(&enter, 0), enter.timeNs, w.codes.key(k), enter, hasEnter})
	k.Kind = schema.Exit
	w.executions++
	return append(rows, placeholderRow{exit.seq + offset(&exit, 1), exit.timeNs, w.codes.key(k), exit, hasExit})
}

// offset returns how far from the traced event a placeholder's enter (position 0) or exit (1) stands in the sequence.
func offset(l *untracedEnd, position int64) int64 {
	if l.sent {
		return 1 + position // the placeholder receives
	}
	return -2 + position
}

// place puts the placeholders' events into the last bucket and their exchanges among the messages.
func (w *Builder) place(rows []placeholderRow) {
	slices.SortFunc(rows, func(a, b placeholderRow) int { return cmp.Compare(a.seq, b.seq) })
	p := &w.parts[w.placed]
	for _, r := range rows {
		mark, id, peer := schema.NoMark, schema.NoValue, schema.NoCode
		if r.message {
			mark, id, peer = w.mirror(r.of.mark), r.of.id, w.codes.keys.List[r.of.end.key].component
			w.exchangeWith(r)
		}
		p.rows.add(row{r.seq, r.timeNs, id, r.key, mark, peer})
		w.events++
		if p.rows.Len() >= w.groups.Rows {
			w.handOn(w.placed)
		}
	}
}

// mirror is the mark of the other end of a message.
func (w *Builder) mirror(code uint32) uint32 {
	m := w.codes.marks.List[code]
	return w.codes.mark(schema.MessageMark{
		Direction: schema.Send + schema.Receive - m.direction,
		Series:    w.codes.names.Series.Name(m.series), Label: w.codes.names.Messages.Name(m.label),
	})
}

// exchangeWith emits the message between a traced end and its placeholder. Its pattern is left at trigger:
// what an untraced component does in between is not known.
func (w *Builder) exchangeWith(r placeholderRow) {
	other := end{seq: r.seq, timeNs: r.timeNs, event: r.seq, key: r.key}
	e := exchange{mark: r.of.mark, id: r.of.id, request: none, reply: none, received: true, send: r.of.end, receive: other}
	if !r.of.sent {
		e.send, e.receive = other, r.of.end
	}
	x := w.open.place()
	w.open.all[x] = e
	w.emit(x, schema.Trigger)
}
