package kieker

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

const (
	mostFlows = 1 << 14 // traces that are known at a time; the oldest are forgotten
	mostCalls = 1 << 14 // whole calls of a trace that wait for the one around them
)

// growing parses a stream while it is being sent, for whoever watches it. Before and After events show as they come. A whole call is logged at its
// end, the outermost one of a trace last: then all calls of the trace show. Messages between traces do not. It implements schema.Parser, whose Parse
// takes any bytes here.
type growing struct {
	*folder
	in    binaryReader
	calls *calls
	block *schema.Block
	rest  []byte // of an item that is not whole
	named []byte // all entries of the registry
	stuck bool   // nothing more can be read

	flows   map[int64]*flow // by trace
	oldest  []int64         // of them, in the order of their first records
	streams uint32
}

// flow is a trace that is under way.
type flow struct {
	host    uint32 // of TraceMetadata
	thread  int64
	known   bool // it has a thread
	stream  uint32
	group   uint32
	running bool // it is on a lifeline
	open    []open
	whole   []record
}

// newGrowing returns a parser of a stream that grows.
func newGrowing(options schema.ReadingOptions) schema.Parser {
	r := newReader(&schema.Reading{Options: options, Ledger: new(schema.Ledger)})
	g := &growing{folder: newFolder(r, schema.Trace{}), calls: &calls{names: r.names, by: cmp.Or(options.Component, byClass)}, flows: make(map[int64]*flow)}
	g.in = binaryReader{f: g.folder}
	g.folder.place = g.in.at
	r.keep = g.add
	return g
}

// Keys implements schema.Parser.
func (g *growing) Keys() schema.KeyList { return schema.EventKeys(g.r.writer.keys) }

// Marks implements schema.Parser.
func (g *growing) Marks() []schema.MessageMark { return g.r.writer.marks.List }

// Parse implements schema.Parser. It keeps what is not whole for the next call.
func (g *growing) Parse(data []byte, b *schema.Block) {
	if g.stuck {
		return
	}
	g.block = b
	g.rest = append(g.rest, data...)
	used := 0
	for {
		next, err := nextItem(g.rest[used:], g.layout)
		if err != nil {
			b.Bad.Add(0, 1, err)
			g.stuck, g.rest = true, nil
			return
		}
		if next.size == 0 {
			break
		}
		if next.entry {
			g.name(next.number, slices.Clone(next.text))
			g.named = append(g.named, g.rest[used:used+next.size]...)
		} else if l := g.classes[next.number]; l.kind != skipped {
			g.in.take(l, g.rest[used+headBytes:used+next.size]) // nothing fails that is not strict
		}
		used += next.size
	}
	g.rest = append(g.rest[:0], g.rest[used:]...)
}

// Pending implements schema.Divisible.
func (g *growing) Pending() int {
	if g.stuck {
		return -1
	}
	return len(g.rest)
}

// Preamble implements schema.Divisible: the registry so far.
func (g *growing) Preamble() []byte { return slices.Clone(g.named) }

// layout returns the fields of a class.
func (g *growing) layout(number int64) (layout, error) {
	l := g.classes[number]
	if l.fields == "" {
		return l, errRest
	}
	return l, nil
}

// add takes a record.
func (g *growing) add(r record) error {
	f := g.flowOf(r.trace)
	g.calls.host = g.r.log.host
	switch {
	case r.kind == trace:
		f.host, f.thread, f.known = r.word, r.other, r.other >= 0
	case r.kind == execution:
		if !g.r.names.signatures[r.name].entered {
			g.execution(f, r)
		}
	case g.leaves(r.kind):
	case r.kind == enter || r.kind == startComp:
		place := g.calls.of(&r, f.host)
		f.open = append(f.open, open{match: matchOf(&r), place: place})
		g.put(f, f.host, event{time: r.time, place: place, kind: schema.Enter})
	case r.kind == exit || r.kind == failure || r.kind == endComp || r.kind == failedComp:
		g.exit(f, &r)
	}
	return nil
}

// leaves reports whether a log that has events of operations and of components has another one for the same call, as far as is known.
func (g *growing) leaves(k kind) bool {
	if !g.r.log.operations || !g.r.log.components {
		return false
	}
	ofComponent := k == startComp || k == endComp || k == failedComp
	return ofComponent != (g.calls.by == byComponent)
}

// flowOf returns the flow of a trace.
func (g *growing) flowOf(trace int64) *flow {
	f := g.flows[trace]
	if f == nil {
		if len(g.oldest) >= mostFlows {
			old := g.flows[g.oldest[0]]
			if old.running {
				g.r.writer.leave(&event{stream: old.stream, group: old.group, flags: leftOpen}, g.r.writer.live[old.stream])
			}
			delete(g.flows, g.oldest[0])
			g.oldest = g.oldest[1:]
		}
		f = &flow{stream: g.streams}
		g.streams++
		g.flows[trace], g.oldest = f, append(g.oldest, trace)
	}
	return f
}

// exit ends the innermost call that matches.
func (g *growing) exit(f *flow, r *record) {
	at := len(f.open) - 1
	for match, last := matchOf(r), max(0, len(f.open)-searchDepth); at >= last && f.open[at].match != match; {
		at--
	}
	e := event{time: r.time, kind: schema.Exit}
	if at < 0 || f.open[at].match != matchOf(r) {
		e.place = g.calls.of(r, f.host)
	} else {
		e.place = f.open[at].place
		f.open = append(f.open[:at], f.open[at+1:]...)
	}
	g.put(f, f.host, e)
}

// execution takes a whole call. One that lies in no other shows with all that lie in it.
func (g *growing) execution(f *flow, r record) {
	f.whole = append(f.whole, r)
	if r.order >= 0 && r.height > 0 && len(f.whole) < mostCalls {
		return
	}
	slices.SortStableFunc(f.whole, func(a, b record) int { return compareRecords(&a, &b) })
	for i := range f.whole {
		w := &f.whole[i]
		for len(f.open) > 0 && f.open[len(f.open)-1].height >= w.height {
			g.pop(f)
		}
		place := g.calls.of(w, w.word)
		f.open = append(f.open, open{end: w.other, place: place, height: w.height})
		g.put(f, w.word, event{time: w.time, place: place, kind: schema.Enter})
	}
	for len(f.open) > 0 {
		g.pop(f)
	}
	f.whole = f.whole[:0]
}

// pop ends the innermost whole call.
func (g *growing) pop(f *flow) {
	top := f.open[len(f.open)-1]
	f.open = f.open[:len(f.open)-1]
	g.put(f, 0, event{time: top.end, place: top.place, kind: schema.Exit})
}

// put appends an event to the block. A trace without open calls gives its lifeline back.
func (g *growing) put(f *flow, host uint32, e event) {
	w := g.r.writer
	if !f.running {
		f.group, f.running = w.group(g.groupOf(f, host), g.calls), true
	}
	e.stream, e.group = f.stream, f.group
	w.calls = g.calls
	l := w.lifeline(&e)
	b := g.block
	b.TimeNs, b.Key = append(b.TimeNs, e.time), append(b.Key, w.key(l, &e))
	b.Mark, b.MessageID, b.Line = append(b.Mark, schema.NoMark), append(b.MessageID, schema.NoValue), append(b.Line, 0)
	if len(f.open) == 0 {
		w.leave(&e, l)
		f.running = false
	}
}

// groupOf identifies the lifelines that a trace may be on.
func (g *growing) groupOf(f *flow, host uint32) groupID {
	if f.known {
		return groupID{f.host, f.thread, true}
	}
	return groupID{host: host}
}
