package kieker

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
)

// series is that of the identifiers of all messages.
const series = "remote"

// writer makes blocks of the events, which come in the order of time. Only now are lifelines given, as which streams run side
// by side shows in this order alone.
type writer struct {
	blocks.Output
	ledger *schema.Ledger
	calls  *calls

	groups    []*lifelineGroup
	groupOf   map[groupID]uint32
	live      map[uint32]*lifeline // by stream
	line      *lifeline            // that of the last event
	stream    uint32               // that of the last event
	lifelines uint32

	keys     []schema.EventKey
	keyOf    schema.Numbering[uint64]
	recent   []recentKey // a power of two, which grows with the keys up to mostRecent
	shift    uint        // 64 without the binary logarithm of its length
	marks    schema.Numbering[schema.MessageMark]
	underway map[sender]exchange
	messages int64
}

// How many keys are found without a look into the map: at first, and where there are as many.
const (
	fewRecent  = 1 << 6
	mostRecent = 1 << 12
)

// recentKey is a key that was used lately: its number, and what it is of, as writer.key packs it. 0 is none.
type recentKey struct {
	of     uint64
	number uint32
}

// sender identifies a message: the trace that sends it, and the order index there.
type sender struct {
	trace int64
	order int32
}

// exchange is a message of which one end was seen.
type exchange struct {
	id        int64
	direction schema.Direction
	label     uint32 // number of the technology
}

func newWriter(ledger *schema.Ledger) *writer {
	w := &writer{
		ledger: ledger, groupOf: make(map[groupID]uint32), live: make(map[uint32]*lifeline),
		underway: make(map[sender]exchange), recent: make([]recentKey, fewRecent), shift: 64 - 6,
	}
	w.marks.Number(schema.MessageMark{}) // schema.NoMark
	return w
}

// begin makes ready for events. A unit of time that the log does not give is noted.
func (w *writer) begin(c *calls, emit blocks.Emit, unitKnown bool) error {
	w.calls = c
	err := w.Begin(emit)
	if err == nil && !unitKnown {
		w.Notes = append(w.Notes, schema.Note{
			Row: schema.NoRow, About: schema.AboutTrace, Name: "time_unit", Value: "NANOSECONDS, assumed: the log has no metadata record",
		})
	}
	return err
}

// add takes the next event. The note of a failure goes to the row that the event gets, so it comes before Put, which may
// give the block away.
func (w *writer) add(e *event) error {
	l := w.lifeline(e)
	key, mark, id := w.key(l, e), schema.NoMark, schema.NoValue
	if e.direction != schema.NoMessage {
		mark, id = w.message(e)
	}
	if e.flags&failed != 0 {
		w.Notes = append(w.Notes, schema.Note{
			Row: int32(len(w.TimeNs)), About: schema.AboutEvent, Name: "failed", Value: w.calls.names.causes[e.word],
		})
	}
	if e.hasAttributes() && e.word != schema.NoAttributes {
		w.Claims = append(w.Claims, schema.ClaimRow{Row: int32(len(w.TimeNs)), Set: e.word, Resource: schema.NoResource})
	}
	if e.flags&lastOfStream != 0 {
		w.leave(e, l)
	}
	return w.Put(e.time, key, mark, id)
}

// end passes on the last block, even without rows: it may hold the note of the unit.
func (w *writer) end() error { return w.EndAny() }

// key returns the number of the key of an event. Lifeline, place and kind are packed into one number, which a table of recent
// keys finds before the map.
// The one that is added keeps 0 free. Thirty bits are left for lifelines and 32 for places. The table is direct-mapped
// by a multiplicative hash (Knuth, TAOCP 3, section 6.4).
func (w *writer) key(l *lifeline, e *event) uint32 {
	of := uint64(l.code)<<34 | uint64(e.place)<<2 | uint64(e.kind) + 1
	r := &w.recent[(of*0x9e3779b97f4a7c15)>>w.shift]
	if r.of == of {
		return r.number
	}
	i, isNew := w.keyOf.Add(of)
	if isNew {
		at := w.calls.places[e.place]
		w.keys = append(w.keys, schema.EventKey{Component: at.component, Lifeline: l.name, Function: at.function, Kind: e.kind})
		if len(w.keys) > len(w.recent) && len(w.recent) < mostRecent {
			w.recent, w.shift = make([]recentKey, 2*len(w.recent)), w.shift-1 // what was in it shows again
		}
	}
	*r = recentKey{of, i}
	return i
}

// message returns the mark and the number of the message of an event. The two ends come in any order, since hosts have clocks
// of their own.
// An end that comes twice in one direction starts a new message. Ends whose other end never comes stay in the map.
func (w *writer) message(e *event) (mark uint32, id int64) {
	at := sender{e.sender, e.senderOrder}
	x, known := w.underway[at]
	if known && x.direction != e.direction {
		delete(w.underway, at)
	} else {
		x = exchange{w.messages, e.direction, 0}
		w.messages++
		if e.direction == schema.Send {
			x.label = e.word
		}
		w.underway[at] = x
	}
	label := w.calls.names.causes[x.label]
	if label == "" {
		label = series
	}
	return w.marks.Number(schema.MessageMark{Direction: e.direction, Series: series, Label: label}), x.id
}
