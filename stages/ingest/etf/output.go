package etf

import "github.com/tracelake/tracelake/schema"

// output passes on events a block at a time. It holds the last one back, which may still get a message.
type output struct {
	*schema.Block
	emit func(*schema.Block) (*schema.Block, error)

	held bool
	ns   int64
	key  uint32 // of the event that is held
	bare uint32 // of its messages beyond the first; see key
	at   point
}

// noPoint is no message.
var noPoint = point{schema.NoMark, schema.NoValue}

// next passes the block on and takes an empty one; at first there is none to pass on.
func (o *output) next() (err error) {
	if o.Block, err = o.emit(o.Block); err == nil && o.Block != nil {
		o.Grow(schema.BlockEvents)
	}
	return err
}

// add takes an event without a message. Further messages of it have a key of their own.
func (o *output) add(ns int64, key, messages uint32) error {
	err := o.flush()
	o.held, o.ns, o.key, o.bare, o.at = true, ns, key, messages, noPoint
	return err
}

// attach gives the event in hand a message; those beyond the first are events of their own.
func (o *output) attach(p point) error {
	if o.at == noPoint {
		o.at = p
		return nil
	}
	err := o.flush()
	o.held, o.key, o.at = true, o.bare, p
	return err
}

// flush lets go of the event in hand.
func (o *output) flush() error {
	if !o.held {
		return nil
	}
	o.held = false
	o.TimeNs = append(o.TimeNs, o.ns)
	o.Key = append(o.Key, o.key)
	o.Mark = append(o.Mark, o.at.mark)
	o.MessageID = append(o.MessageID, o.at.message)
	if len(o.TimeNs) >= schema.BlockEvents {
		return o.next()
	}
	return nil
}

// finish passes on the last block.
func (o *output) finish() error {
	if err := o.flush(); err != nil {
		return err
	}
	_, err := o.emit(o.Block)
	return err
}
