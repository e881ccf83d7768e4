package spans

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// row is an event before it has a lifeline. It holds no pointers, so that a Sorter takes it.
type row struct {
	orderNs, timeNs   int64  // the place in the order of events, and the time as the trace has it: see the package comment
	message           int64  // its number, or schema.NoValue
	stack             int64  // see stack.number
	service, function uint32 // codes of the collector
	slice             uint32 // into which the trace goes
	mark              uint8  // position in marks
	kind              schema.Kind
	last              bool // nothing more comes on its stack
	failed            bool // it is the start of a span that ended with an error
}

// compareRows sorts rows by their slice and their place. The sorter is stable, so rows of one place stay as the trace made them.
func compareRows(a, b *row) int {
	if a.slice != b.slice {
		return cmp.Compare(a.slice, b.slice)
	}
	return cmp.Compare(a.orderNs, b.orderNs)
}

// key is what the rows of a key have in common. A slot is the number of a lifeline of a service.
type key struct {
	service, slot, function uint32
	kind                    schema.Kind
}

// slots are the numbers of the lifelines of a service. A trace takes the lowest that is free and gives it back, so that the
// names of lifelines depend on how many requests are under way together, and hold from one run to the next.
type slots struct {
	free []uint32 // numbers given back, the lowest last
	used uint32
}

// take returns the lowest number that is free, from 1.
func (s *slots) take() uint32 {
	if n := len(s.free); n > 0 {
		lowest := s.free[n-1]
		s.free = s.free[:n-1]
		return lowest
	}
	s.used++
	return s.used
}

// giveBack frees a number.
// The list is as long as the most requests that were ever under way together, so inserting into it is cheap.
func (s *slots) giveBack(slot uint32) {
	at, _ := slices.BinarySearchFunc(s.free, slot, func(a, b uint32) int { return int(int64(b) - int64(a)) })
	s.free = slices.Insert(s.free, at, slot)
}

// lifeline is the lifeline of a stack while the stack lasts.
type lifeline struct{ service, slot uint32 }

// How many stacks and keys are found without a look into the maps.
const (
	recentStacks = 1 << 8
	fewKeys      = 1 << 6 // in the table of keys at first
	commonKeys   = 1 << 11
)

// openStack is a stack with its lifeline. Stacks count from 1, so that a zero is none.
type openStack struct {
	stack int64
	lifeline
}

// commonKey is a key with its number. Slots count from 1, so that a zero is none.
type commonKey struct {
	key
	number uint32
}

// writer makes blocks of rows, which come in the order of events of all traces. Most rows are of a stack and a key that were
// met lately, so small tables stand before the maps.
type writer struct {
	blocks.Output
	keys  []schema.EventKey
	keyOf schema.Numbering[key]
	slots map[uint32]*slots  // by service
	open  map[int64]lifeline // by stack

	recentStack [recentStacks]openStack
	common      []commonKey // as many as there are keys, or a few more: a power of two from fewKeys to commonKeys

	failed int64      // spans that ended with an error
	left   []lifeline // by the rows of leftNs, to be given back after them
	leftNs int64
}

// newWriter returns a writer that has met no rows.
func newWriter() *writer {
	return &writer{slots: make(map[uint32]*slots), open: make(map[int64]lifeline), common: make([]commonKey, fewKeys)}
}

// write passes all rows on.
func (w *writer) write(c *Collector, rows *extsort.Sorter[row], emit blocks.Emit) error {
	if err := w.Begin(emit); err != nil {
		return err
	}
	if err := rows.Each(func(r *row) error { return w.pass(c, r) }); err != nil {
		return err
	}
	return w.End()
}

// pass passes a row on.
// The rows of one time are all keyed before any lifeline that ended then is given to another stack.
func (w *writer) pass(c *Collector, r *row) error {
	if len(w.left) > 0 && r.orderNs > w.leftNs {
		w.release()
	}
	if c.tags != nil {
		name, set := c.plainName(r.function)
		if r.function = name; set != schema.NoAttributes && r.kind == schema.Enter {
			w.Claims = append(w.Claims, schema.ClaimRow{Row: int32(len(w.TimeNs)), Set: set, Resource: schema.NoResource})
		}
	}
	key := w.keyFor(c, r)
	if r.last {
		w.leave(r)
	}
	if r.failed {
		w.Notes = append(w.Notes, schema.Note{Row: int32(len(w.TimeNs)), About: schema.AboutEvent, Name: schema.NoteStatus, Value: schema.StatusError})
		w.failed++
	}
	return w.Put(r.timeNs, key, uint32(r.mark), r.message)
}

// keyFor returns the number of the key of a row.
// Both tables are direct-mapped: a row that meets another's entry replaces it, and the maps behind stay complete.
func (w *writer) keyFor(c *Collector, r *row) uint32 {
	near := &w.recentStack[uint64(r.stack)%recentStacks]
	if near.stack != r.stack {
		*near = openStack{r.stack, w.lifelineOf(r)}
	}
	k := key{r.service, near.slot, r.function, r.kind}
	common := &w.common[(k.slot*31+k.function*7+uint32(k.kind))&uint32(len(w.common)-1)]
	if common.key != k {
		*common = commonKey{k, w.number(c, k)}
	}
	return common.number
}

// lifelineOf returns the lifeline of the stack of a row, and opens one where the stack has none.
func (w *writer) lifelineOf(r *row) lifeline {
	l, known := w.open[r.stack]
	if !known {
		l = lifeline{r.service, w.slotsOf(r.service).take()}
		w.open[r.stack] = l
	}
	return l
}

// number returns the number of a key, which is added when it is new.
func (w *writer) number(c *Collector, k key) uint32 {
	n, isNew := w.keyOf.Add(k)
	if isNew {
		service := c.names[k.service]
		w.keys = append(w.keys, schema.EventKey{
			Component: service, Lifeline: service + "/" + strconv.Itoa(int(k.slot)), Function: c.names[k.function], Kind: k.kind,
		})
		if len(w.keys) > len(w.common) && len(w.common) < commonKeys {
			w.common = make([]commonKey, 2*len(w.common)) // what was in it shows again
		}
	}
	return n
}

// slotsOf returns the slots of a service.
func (w *writer) slotsOf(service uint32) *slots {
	s := w.slots[service]
	if s == nil {
		s = new(slots)
		w.slots[service] = s
	}
	return s
}

// leave forgets a stack with its last row. Its lifeline is free for what comes later, not for what comes at this very
// time, so that no order among traces shows.
func (w *writer) leave(r *row) {
	w.left, w.leftNs = append(w.left, w.open[r.stack]), r.orderNs
	delete(w.open, r.stack)
}

// release gives the lifelines back that were left.
func (w *writer) release() {
	for _, l := range w.left {
		w.slots[l.service].giveBack(l.slot)
	}
	w.left = w.left[:0]
}
