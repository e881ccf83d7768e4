package chrome

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
)

// output is the block in hand with the tables of keys and marks.
type output struct {
	blocks.Output
	keys  []schema.EventKey
	marks []schema.MessageMark // the first is that of schema.NoMark

	keyOf  map[schema.EventKey]uint32
	markOf map[schema.MessageMark]uint32
}

func newOutput() *output {
	return &output{
		marks: []schema.MessageMark{{}}, keyOf: make(map[schema.EventKey]uint32), markOf: make(map[schema.MessageMark]uint32),
	}
}

// spare is how many rows a block has left for the events of one time.
const spare = 1 << 11

// room hands a block on that is nearly full. It is called between times only, since rows of the time in hand may still get a
// message.
func (o *output) room() error {
	if len(o.TimeNs) < schema.BlockEvents-spare {
		return nil
	}
	return o.Next()
}

// add appends a row without a message and returns its position.
func (o *output) add(timeNs int64, key uint32) int {
	b := o.Block
	b.TimeNs = append(b.TimeNs, timeNs)
	b.Key = append(b.Key, key)
	b.Mark = append(b.Mark, schema.NoMark)
	b.MessageID = append(b.MessageID, schema.NoValue)
	return len(b.TimeNs) - 1
}

// note puts a message on a row of the block in hand.
func (o *output) note(row int, m message) {
	o.Mark[row] = m.mark
	o.MessageID[row] = m.id
}

// key returns the number of a key, which is added when it is new.
func (o *output) key(k schema.EventKey) uint32 {
	at, ok := o.keyOf[k]
	if !ok {
		at = uint32(len(o.keys))
		o.keys = append(o.keys, k)
		o.keyOf[k] = at
	}
	return at
}

// series is the series of all exchanges: the trace's own identifiers may come again for another exchange.
const series = "m"

// mark returns the number of a mark, which is added when it is new.
func (o *output) mark(direction schema.Direction, label string) uint32 {
	m := schema.MessageMark{Direction: direction, Series: series, Label: label}
	at, ok := o.markOf[m]
	if !ok {
		at = uint32(len(o.marks))
		o.marks = append(o.marks, m)
		o.markOf[m] = at
	}
	return at
}
