package spans

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/tracelake/tracelake/schema"
)

// growing parses spans while they are sent, for whoever watches them. A span is sent when it has ended, and its trace is whole when its root has:
// then all calls of the trace show, as they do when the whole is read. The root's services may be told of late, so a trace waits for a moment after
// the last span that came, and longer where its root did not come yet; what comes later still shows as a trace of its own. Clocks are taken as
// they are. It implements schema.Parser, whose Parse takes any bytes here.
type growing struct {
	collector *Collector
	parse     Parse
	length    func(p []byte) int // of the record at the beginning of some bytes
	rest      []byte             // of a record that is not whole
	trace     trace
	keys      []schema.EventKey
	keyOf     schema.Numbering[key]
	slots     map[uint32][]int64 // by service: when each of its lifelines was left

	waiting map[TraceID]*awaited
	oldest  []*awaited // of these, in the order in which they began
	fresh   []*awaited // that got spans since the last release
	spans   int        // that wait
	all     []row      // of what is released
}

// awaited is a trace that is not whole.
type awaited struct {
	spans  []Span
	rooted bool      // its root has come
	came   time.Time // when the last span did
	fresh  bool
}

const (
	rootedWait  = 300 * time.Millisecond // for what services other than that of the root tell of
	rootWait    = 10 * time.Second       // for the root
	mostWaiting = 1 << 17                // spans that wait; beyond, the oldest traces show as they are
)

var errRecord = errors.New("what is sent has no records")

// NewGrowing returns a parser of spans that are sent one after the other. Length finds how long the record is at the beginning of some bytes;
// it is 0 where that is not whole yet, and the bytes are none of the format where it is less.
func NewGrowing(options schema.ReadingOptions, parse Parse, length func(p []byte) int) schema.Parser {
	options.Attributes, options.Clocks.Mode = nil, schema.ClocksKeep
	g := &growing{parse: parse, slots: make(map[uint32][]int64), waiting: make(map[TraceID]*awaited), length: length}
	g.collector = newCollector(&schema.Reading{Options: options, Ledger: new(schema.Ledger)}, 0)
	g.collector.take = g.take
	g.trace = trace{collector: g.collector, numbers: make([]int64, 1)}
	return g
}

// Keys implements schema.Parser.
func (g *growing) Keys() schema.KeyList { return schema.EventKeys(g.keys) }

// Marks implements schema.Parser.
func (g *growing) Marks() []schema.MessageMark { return marks }

// Pending implements schema.Divisible.
func (g *growing) Pending() int { return len(g.rest) }

// Preamble implements schema.Divisible: spans need nothing.
func (g *growing) Preamble() []byte { return nil }

// Parse implements schema.Parser. Nothing shows before Release.
func (g *growing) Parse(data []byte, b *schema.Block) {
	g.rest = append(g.rest, data...)
	used, n := 0, 0
	for n = g.length(g.rest); n > 0; n = g.length(g.rest[used:]) {
		used += n
	}
	if used > 0 { // records one behind the other are a trace
		if err := g.parse(g.collector, bytes.NewReader(g.rest[:used]), "trace"); err != nil {
			b.Bad.Add(0, 1, err)
		}
	}
	if n < 0 { // nothing says where the next record begins
		b.Bad.Add(0, 1, errRecord)
		used = len(g.rest)
	}
	g.rest = append(g.rest[:0], g.rest[used:]...)
}

// take takes a span. The ends of links do not show.
func (g *growing) take(s Span) error {
	if s.isTie() {
		return nil
	}
	a := g.waiting[s.Trace]
	if a == nil {
		a = new(awaited)
		g.waiting[s.Trace] = a
		g.oldest = append(g.oldest, a)
	}
	a.spans = append(a.spans, s)
	a.rooted = a.rooted || s.Parent == 0
	if g.spans++; !a.fresh {
		a.fresh = true
		g.fresh = append(g.fresh, a)
	}
	return nil
}

// Release implements schema.Waiting.
func (g *growing) Release(now time.Time, b *schema.Block) {
	for _, a := range g.fresh {
		a.fresh, a.came = false, now
	}
	g.fresh = g.fresh[:0]
	kept := g.oldest[:0]
	for _, a := range g.oldest {
		waits := rootWait
		if a.rooted {
			waits = rootedWait
		}
		if now.Sub(a.came) < waits && g.spans <= mostWaiting {
			kept = append(kept, a)
			continue
		}
		g.play(a)
	}
	clear(g.oldest[len(kept):])
	if g.oldest = kept; len(g.all) == 0 {
		return
	}
	slices.SortStableFunc(g.all, func(x, y row) int { return cmp.Compare(x.orderNs, y.orderNs) })
	g.emit(b)
	g.all = g.all[:0]
}

// play makes rows of a trace.
func (g *growing) play(a *awaited) {
	t := &g.trace
	t.arrived = append(t.arrived[:0], a.spans...)
	delete(g.waiting, a.spans[0].Trace)
	g.spans -= len(a.spans)
	a.spans = nil
	if t.finish() == nil {
		g.all = append(g.all, t.made...)
	}
}

// emit appends events. A stack is on a lifeline of its service that is free from its first event on to its last one.
func (g *growing) emit(b *schema.Block) {
	type stay struct {
		slot   int
		lastNs int64
	}
	stays := make(map[int64]*stay)
	for i := range g.all {
		r := &g.all[i]
		if s := stays[r.stack]; s != nil {
			s.lastNs = max(s.lastNs, r.orderNs)
		} else {
			stays[r.stack] = &stay{slot: -1, lastNs: r.orderNs}
		}
	}
	for i := range g.all {
		r := &g.all[i]
		s := stays[r.stack]
		if s.slot < 0 {
			free := g.slots[r.service]
			if s.slot = slices.IndexFunc(free, func(left int64) bool { return left < r.orderNs }); s.slot < 0 {
				s.slot = len(free)
				free = append(free, math.MinInt64)
			}
			free[s.slot] = s.lastNs
			g.slots[r.service] = free
		}
		b.TimeNs = append(b.TimeNs, r.timeNs)
		b.Key = append(b.Key, g.key(key{r.service, uint32(s.slot), r.function, r.kind}))
		b.Mark, b.MessageID, b.Line = append(b.Mark, uint32(r.mark)), append(b.MessageID, r.message), append(b.Line, 0)
	}
}

// key returns the number of a key.
func (g *growing) key(k key) uint32 {
	n, isNew := g.keyOf.Add(k)
	if isNew {
		names := g.collector.names
		g.keys = append(g.keys, schema.EventKey{
			Component: names[k.service], Lifeline: names[k.service] + "/" + strconv.Itoa(int(k.slot)+1), Function: names[k.function], Kind: k.kind,
		})
	}
	return n
}
