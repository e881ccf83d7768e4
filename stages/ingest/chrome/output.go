package chrome

import "github.com/tracelake/tracelake/schema"

// output is the block in hand and its tables.
type output struct {
	emit  func(*schema.Block) (*schema.Block, error)
	block *schema.Block
	keys  []schema.EventKey
	marks []schema.MessageMark

	known map[schema.EventKey]uint32
	named map[schema.MessageMark]uint32
}

func newOutput() *output {
	return &output{
		marks: []schema.MessageMark{{}}, // NoMark
		known: make(map[schema.EventKey]uint32), named: make(map[schema.MessageMark]uint32),
	}
}

// begin takes the first block.
func (o *output) begin(emit func(*schema.Block) (*schema.Block, error)) (err error) {
	o.emit = emit
	return o.pass(nil)
}

// pass gives a block away for an empty one.
func (o *output) pass(full *schema.Block) (err error) {
	if o.block, err = o.emit(full); err == nil && o.block != nil {
		o.block.Grow(schema.BlockEvents)
	}
	return err
}

// spare is how many rows a block has left for the events of one time.
const spare = 1 << 11

// room passes a block on that is nearly full. It is called between times only, since rows of the time in hand may
// still get a message.
func (o *output) room() error {
	if len(o.block.TimeNs) < schema.BlockEvents-spare {
		return nil
	}
	return o.pass(o.block)
}

// add appends a row without a message and returns its position.
func (o *output) add(timeNs int64, key uint32) int {
	b := o.block
	b.TimeNs = append(b.TimeNs, timeNs)
	b.Key = append(b.Key, key)
	b.Mark = append(b.Mark, schema.NoMark)
	b.MessageID = append(b.MessageID, schema.NoValue)
	return len(b.TimeNs) - 1
}

// note puts a message on a row.
func (o *output) note(row int, m message) {
	o.block.Mark[row] = m.mark
	o.block.MessageID[row] = m.id
}

// key is the position of a key.
func (o *output) key(k schema.EventKey) uint32 {
	at, ok := o.known[k]
	if !ok {
		at = uint32(len(o.keys))
		o.keys = append(o.keys, k)
		o.known[k] = at
	}
	return at
}

// series is the series of all exchanges: the trace's own identifiers may come again for another exchange.
const series = "m"

// mark is the position of a mark.
func (o *output) mark(direction schema.Direction, label string) uint32 {
	m := schema.MessageMark{Direction: direction, Series: series, Label: label}
	at, ok := o.named[m]
	if !ok {
		at = uint32(len(o.marks))
		o.marks = append(o.marks, m)
		o.named[m] = at
	}
	return at
}
