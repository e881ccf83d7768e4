package blocks

import "github.com/tracelake/tracelake/schema"

// Emit takes a full block, nil at first, and returns an empty one: the argument of schema.Reader.Read.
type Emit = func(full *schema.Block) (empty *schema.Block, err error)

// Output is the block in hand. A reader may change its rows until the next Put or Next.
type Output struct {
	*schema.Block
	emit Emit
}

// Begin fetches the first block.
func (o *Output) Begin(emit Emit) error {
	o.emit = emit
	return o.Next()
}

// Next gives the block in hand back and fetches an empty one. Room for all rows of a block is made once one was full: most files that are
// read by the hundred have few.
func (o *Output) Next() (err error) {
	full := o.Block != nil
	if o.Block, err = o.emit(o.Block); err == nil && full {
		o.Grow(schema.BlockEvents)
	}
	return err
}

// Put adds a row, and gives the block back if that filled it. Mark is schema.NoMark and id schema.NoValue for an event
// without a message.
func (o *Output) Put(timeNs int64, key, mark uint32, id int64) error {
	b := o.Block
	b.TimeNs = append(b.TimeNs, timeNs)
	b.Key = append(b.Key, key)
	b.Mark = append(b.Mark, mark)
	b.MessageID = append(b.MessageID, id)
	if len(b.TimeNs) >= schema.BlockEvents {
		return o.Next()
	}
	return nil
}

// End gives the last block back, unless it is empty.
func (o *Output) End() error {
	if len(o.TimeNs) == 0 {
		return nil
	}
	return o.EndAny()
}

// EndAny gives the last block back, with rows or without, as where it has notes of the trace.
func (o *Output) EndAny() error {
	_, err := o.emit(o.Block)
	return err
}

// Describe gives the row that comes next a set of attributes: one of an execution, whose start it is, or of another event. The empty set says nothing.
func (o *Output) Describe(set schema.AttributeSet, execution bool) {
	if set == schema.NoAttributes {
		return
	}
	of := schema.RegularEvent
	if execution {
		of = schema.NoResource
	}
	o.Claims = append(o.Claims, schema.ClaimRow{Row: int32(len(o.Key)), Set: set, Resource: of})
}

// Calls is the output of a reader of which few events have messages. It adds two columns a row, and the two of messages for all
// rows since the last message at once.
type Calls struct{ out Output }

// Describe gives the row that comes next a set of attributes: see Output.Describe.
func (c *Calls) Describe(set schema.AttributeSet, execution bool) { c.out.Describe(set, execution) }

// Begin fetches the first block.
func (c *Calls) Begin(emit Emit) error { return c.out.Begin(emit) }

// Put adds an event, and gives the block back if that filled it.
func (c *Calls) Put(timeNs int64, key uint32) error {
	b := c.out.Block
	b.TimeNs = append(b.TimeNs, timeNs)
	b.Key = append(b.Key, key)
	if len(b.Key) < schema.BlockEvents {
		return nil
	}
	c.fillMessages()
	return c.out.Next()
}

// PutMessage adds a row that has a message, and gives the block back if that filled it.
func (c *Calls) PutMessage(timeNs int64, key, mark uint32, id int64) error {
	c.fillMessages()
	return c.out.Put(timeNs, key, mark, id)
}

// fillMessages gives the rows that lack it no message.
func (c *Calls) fillMessages() {
	b := c.out.Block
	// Two columns are filled in one go, which is faster than two appends an event.
	for range len(b.Key) - len(b.Mark) {
		b.Mark = append(b.Mark, schema.NoMark)
		b.MessageID = append(b.MessageID, schema.NoValue)
	}
}

// End gives the last block back, unless it is empty.
func (c *Calls) End() error {
	c.fillMessages()
	return c.out.End()
}
