package uftrace

import "github.com/tracelake/tracelake/schema"

// output fills blocks with events.
type output struct {
	emit  func(*schema.Block) (*schema.Block, error)
	block *schema.Block
}

func (o *output) begin(emit func(*schema.Block) (*schema.Block, error)) error {
	o.emit = emit
	return o.next(nil)
}

// next passes the block on and takes an empty one.
func (o *output) next(full *schema.Block) error {
	var err error
	if o.block, err = o.emit(full); err == nil {
		o.block.Grow(schema.BlockEvents)
	}
	return err
}

// add takes an event.
func (o *output) add(time int64, key uint32) error {
	b := o.block
	b.TimeNs = append(b.TimeNs, time)
	b.Key = append(b.Key, key)
	b.Mark = append(b.Mark, schema.NoMark)
	b.MessageID = append(b.MessageID, schema.NoValue)
	if len(b.TimeNs) == schema.BlockEvents {
		return o.next(b)
	}
	return nil
}

func (o *output) end() error {
	if len(o.block.TimeNs) == 0 {
		return nil
	}
	_, err := o.emit(o.block)
	return err
}
