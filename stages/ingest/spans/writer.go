package spans

import (
	"slices"
	"strconv"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/order"
)

// key is what the rows of a key have in common.
type key struct {
	service, slot, function uint32
	kind                    schema.Kind
}

// slots are the lifelines of a service.
type slots struct {
	free []uint32 // numbers given back, the lowest last
	used uint32
}

// take is the lowest number that is free, from 1.
func (s *slots) take() uint32 {
	if n := len(s.free); n > 0 {
		lowest := s.free[n-1]
		s.free = s.free[:n-1]
		return lowest
	}
	s.used++
	return s.used
}

func (s *slots) giveBack(slot uint32) {
	at, _ := slices.BinarySearchFunc(s.free, slot, func(a, b uint32) int { return int(int64(b) - int64(a)) })
	s.free = slices.Insert(s.free, at, slot)
}

// lifeline is what a stack has while it lasts.
type lifeline struct{ service, slot uint32 }

// writer makes blocks of rows in their order.
type writer struct {
	keys  []schema.EventKey
	keyOf map[key]uint32
	slots map[uint32]*slots  // by service
	open  map[int64]lifeline // by stack
	block *schema.Block
}

func newWriter() *writer {
	return &writer{keyOf: make(map[key]uint32), slots: make(map[uint32]*slots), open: make(map[int64]lifeline)}
}

// write passes all rows on.
func (w *writer) write(c *Collector, rows *order.Sorter[row], emit func(*schema.Block) (*schema.Block, error)) (err error) {
	if w.block, err = emit(nil); err != nil {
		return err
	}
	err = rows.Each(func(r *row) error {
		if r.kind == release {
			w.release(r.stack)
			return nil
		}
		w.add(r, w.keyFor(c, r))
		if len(w.block.TimeNs) < schema.BlockEvents {
			return nil
		}
		w.block, err = emit(w.block)
		return err
	})
	if err != nil {
		return err
	}
	_, err = emit(w.block)
	return err
}

func (w *writer) add(r *row, key uint32) {
	b := w.block
	if len(b.TimeNs) == 0 {
		b.Grow(schema.BlockEvents)
	}
	b.TimeNs = append(b.TimeNs, r.timeNs)
	b.Key = append(b.Key, key)
	b.Mark = append(b.Mark, uint32(r.mark))
	b.MessageID = append(b.MessageID, r.message)
}

// keyFor is the key of a row, on whose stack a lifeline is opened if it has none.
func (w *writer) keyFor(c *Collector, r *row) uint32 {
	l, known := w.open[r.stack]
	if !known {
		l = lifeline{r.service, w.slotsOf(r.service).take()}
		w.open[r.stack] = l
	}
	k := key{r.service, l.slot, r.function, r.kind}
	n, known := w.keyOf[k]
	if !known {
		n = uint32(len(w.keys))
		w.keyOf[k] = n
		service := c.names[r.service]
		w.keys = append(w.keys, schema.EventKey{
			Component: service, Lifeline: service + "/" + strconv.Itoa(int(l.slot)), Function: c.names[r.function], Kind: r.kind,
		})
	}
	return n
}

func (w *writer) slotsOf(service uint32) *slots {
	s := w.slots[service]
	if s == nil {
		s = new(slots)
		w.slots[service] = s
	}
	return s
}

// release gives the lifeline of a stack back.
func (w *writer) release(stack int64) {
	l := w.open[stack]
	delete(w.open, stack)
	w.slots[l.service].giveBack(l.slot)
}
