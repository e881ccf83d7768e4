package chrome

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
)

// output is the block in hand with the tables of keys and marks.
type output struct {
	blocks.Output
	keys  schema.CodedKeys
	names map[string]uint32 // of components and functions in keys
	marks schema.Numbering[schema.MessageMark]
}

// newOutput returns an output whose first mark is that of schema.NoMark.
func newOutput() *output {
	o := &output{names: make(map[string]uint32)}
	o.marks.Number(schema.MessageMark{})
	return o
}

// nameNumber returns the number of a component or function in keys.
func (o *output) nameNumber(name string) uint32 {
	number, known := o.names[name]
	if !known {
		number = o.keys.AddName(name)
		o.names[name] = number
	}
	return number
}

// spare is how many rows a block has left for the events of one time.
const spare = 1 << 11

// room hands a block on that is nearly full. It is called between times only, since rows of the time in hand may still get a
// message.
// The events of one time that exceed the spare rows grow the block's slices; at most 256 records are played between
// two calls, so they never exceed it by much.
func (o *output) room() error {
	if len(o.TimeNs) < schema.BlockEvents-spare {
		return nil
	}
	return o.Next()
}

// add appends a row without a message and returns its position.
// The position holds until the next call of room.
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

// series is the series of all exchanges: the trace's own identifiers may come again for another exchange.
const series = "m"

// mark returns the number of the mark of one end of a message.
func (o *output) mark(direction schema.Direction, label string) uint32 {
	return o.marks.Number(schema.MessageMark{Direction: direction, Series: series, Label: label})
}
