package wellformed

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
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
	pairs := w.pairUntraced()
	slices.SortFunc(pairs, func(a, b untracedPair) int { return cmp.Compare(a.from(), b.from()) })
	lanes := make(map[uint32][]untracedLane) // by component
	var rows []placeholderRow
	for i := range pairs {
		p := &pairs[i]
		all := lanes[p.peer()]
		lane := firstFitting(all, p)
		if lane < 0 {
			lane, all = len(all), append(all, nil)
		}
		all[lane] = append(all[lane], p.to())
		lanes[p.peer()] = all
		rows = w.execute(rows, p, lane)
	}
	w.place(rows)
}

// untracedLane is where the open executions of a lifeline of a placeholder finish, the outermost first. Executions that overlap
// and do not nest are on lifelines of their own.
type untracedLane []int64

// fits closes what has finished when an execution starts, and reports whether that lies within what is still open.
func (l *untracedLane) fits(p *untracedPair) bool {
	for n := len(*l); n > 0 && (*l)[n-1] < p.from(); n-- {
		*l = (*l)[:n-1]
	}
	n := len(*l)
	return n == 0 || p.to() < (*l)[n-1]
}

// firstFitting returns the first lifeline that has room for an execution, or -1.
func firstFitting(lanes []untracedLane, p *untracedPair) int {
	for i := range lanes {
		if lanes[i].fits(p) {
			return i
		}
	}
	return -1
}

// untracedPair is the two ends of a placeholder's execution. One of them may be no end at all.
type untracedPair struct{ enter, exit untracedEnd }

// peer returns the placeholder.
func (p *untracedPair) peer() uint32 { return max(p.enter.peer, p.exit.peer) }

// from returns the sequence number of the traced event at which the execution starts, and to of the one at which it finishes.
func (p *untracedPair) from() int64 {
	if p.enter.mark == schema.NoMark {
		return p.exit.seq
	}
	return p.enter.seq
}

func (p *untracedPair) to() int64 {
	if p.exit.mark == schema.NoMark {
		return p.enter.seq
	}
	return p.exit.seq
}

// startsUntraced reports whether a placeholder starts to execute at an end: one that received at an enter and sends at an exit
// executes between them.
func (w *Builder) startsUntraced(l *untracedEnd) bool {
	return w.codes.keys.List[l.key].kind != schema.Exit
}

// pairUntraced pairs the ends of messages into executions. A request and its reply at the start and the finish of one execution of
// the traced component belong together. Of the others the start that came first is closed first: a component that nobody saw is
// taken to answer its requests in their order.
func (w *Builder) pairUntraced() (pairs []untracedPair) {
	starts := w.ownStarts()
	taken := make(map[int]bool, len(starts))
	for _, at := range starts {
		taken[at] = true
	}
	waiting := make(map[uint32][]int) // by component: starts without a finish so far
	for i := range w.untraced {
		l := &w.untraced[i]
		open := waiting[l.peer]
		switch at, own := starts[i]; {
		case own:
			pairs = append(pairs, untracedPair{w.untraced[at], *l})
		case w.startsUntraced(l):
			if !taken[i] {
				waiting[l.peer] = append(open, i)
			}
		case len(open) > 0:
			pairs = append(pairs, untracedPair{w.untraced[open[0]], *l})
			waiting[l.peer] = open[1:]
		default:
			pairs = append(pairs, untracedPair{exit: *l})
		}
	}
	for _, peer := range slices.Sorted(maps.Keys(waiting)) {
		for _, i := range waiting[peer] {
			pairs = append(pairs, untracedPair{enter: w.untraced[i]})
		}
	}
	return pairs
}

// ownStarts finds, for the ends at which placeholders finish, those of the same execution of a traced component in the other
// direction. Ends are known by their positions in untraced.
func (w *Builder) ownStarts() map[int]int {
	type way struct {
		peer uint32
		call int64
		sent bool
	}
	open, starts := make(map[way]int), make(map[int]int)
	for i := range w.untraced {
		l := &w.untraced[i]
		if l.call == schema.NoValue {
			continue
		}
		if w.startsUntraced(l) {
			open[way{l.peer, l.call, l.sent}] = i
			continue
		}
		k := way{l.peer, l.call, !l.sent}
		if at, is := open[k]; is {
			starts[i] = at
			delete(open, k)
		}
	}
	return starts
}

// placeholderRow is an invented event with the message of an untraced end, if it has one.
type placeholderRow struct {
	seq, timeNs int64
	key         uint32
	of          untracedEnd
	message     bool
}

// execute adds the two events of one placeholder execution on a lifeline of the placeholder. Sequence numbers put a send before its
// receive: two before the traced event for a placeholder that sends, two after for one that receives.
func (w *Builder) execute(rows []placeholderRow, p *untracedPair, lane int) []placeholderRow {
	enter, exit := p.enter, p.exit
	hasEnter, hasExit := enter.mark != schema.NoMark, exit.mark != schema.NoMark
	if !hasEnter {
		enter = exit
	}
	if !hasExit {
		exit = enter
	}
	name := w.codes.names.Components.Name(enter.peer)
	function, lifeline := strings.TrimSuffix(strings.TrimPrefix(name, "untraced("), ")"), name
	if lane > 0 {
		lifeline += "/" + strconv.Itoa(lane+1)
	}
	k := schema.EventKey{Component: name, Lifeline: lifeline, Function: function, Kind: schema.Enter, Synthetic: true}
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
		Series:    w.codes.names.Series.Name(m.series), Label: w.codes.names.Messages.Name(m.label), Coupling: m.coupling,
	})
}

// exchangeWith emits the message between a traced end and its placeholder. Its pattern is that of a message without a reply:
// what an untraced component does in between is not known.
func (w *Builder) exchangeWith(r placeholderRow) {
	other := end{seq: r.seq, timeNs: r.timeNs, event: r.seq, key: r.key}
	e := exchange{mark: r.of.mark, id: r.of.id, request: none, reply: none, received: true, send: r.of.end, receive: other}
	if !r.of.sent {
		e.send, e.receive = other, r.of.end
	}
	x := w.open.place()
	w.open.all[x] = e
	w.emit(x, w.oneWay(e.mark))
}
