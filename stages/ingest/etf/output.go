package etf

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
)

// output holds back the last event, since the ends of dependencies that give it a message come behind it. An event has
// one message; further ones become rows of their own, of kind schema.Message.
type output struct {
	blocks.Output

	held         bool
	timeNs       int64 // of the event that is held
	key          uint32
	message      point  // its message, or noPoint
	messagesOnly uint32 // the key for its messages beyond the first
}

// noPoint is the message of an event that has none.
var noPoint = point{schema.NoMark, schema.NoValue}

// add takes an event without a message, and the key for its messages beyond the first.
// The event before it is complete by then, as the ends of dependencies are sorted right behind their event.
func (o *output) add(timeNs int64, key, messagesOnly uint32) error {
	err := o.flush()
	o.held, o.timeNs, o.key, o.messagesOnly, o.message = true, timeNs, key, messagesOnly, noPoint
	return err
}

// attach gives the event that is held a message.
// A second message flushes the event and becomes a row at the same time, behind it.
func (o *output) attach(p point) error {
	if o.message == noPoint {
		o.message = p
		return nil
	}
	err := o.flush()
	o.held, o.key, o.message = true, o.messagesOnly, p
	return err
}

// flush writes the event that is held.
func (o *output) flush() error {
	if !o.held {
		return nil
	}
	o.held = false
	return o.Put(o.timeNs, o.key, o.message.mark, o.message.message)
}

// finish writes the event that is held and gives the last block back.
func (o *output) finish() error {
	if err := o.flush(); err != nil {
		return err
	}
	return o.End()
}
