package etf

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
)

// output holds back the last event, since the ends of dependencies that give it a message come behind it. An event has
// one message; further ones become rows of their own, of kind schema.Message.
type output struct {
	blocks.Output // the block in hand

	held         bool                   // an event waits to be written
	timeNs       int64                  // of the event that is held
	key          uint32                 // of the event that is held
	message      point                  // its message, or noPoint
	messagesOnly uint32                 // the key for its messages beyond the first
	claim        schema.ClaimRow        // what claim the event begins
	claims       bool                   // the event is that of claim
	ends         []schema.DependencyEnd // of dependencies at the event that is held
}

// noPoint is the message of an event that has none.
var noPoint = point{mark: schema.NoMark, message: schema.NoValue}

// add takes an event without a message, and the key for its messages beyond the first.
// The event before it is complete by then, as the ends of dependencies are sorted right behind their event.
func (o *output) add(timeNs int64, key, messagesOnly uint32) error {
	err := o.flush()
	o.held, o.timeNs, o.key, o.messagesOnly, o.message, o.claims = true, timeNs, key, messagesOnly, noPoint, false
	return err
}

// mark says that the event that is held begins a claim, or is a regular event.
func (o *output) mark(c schema.ClaimRow) { o.claim, o.claims = c, true }

// attach gives the event that is held an end of a dependency, and its message where the dependency is one.
// A second message flushes the event and becomes a row at the same time, behind it.
func (o *output) attach(p point) error {
	var err error
	switch {
	// An end that is no message is kept as an end alone.
	case p.mark == schema.NoMark:
	case o.message == noPoint:
		o.message = p
	default:
		err = o.flush()
		o.held, o.key, o.message, o.claims = true, o.messagesOnly, p, false
	}
	o.ends = append(o.ends, schema.DependencyEnd{Target: p.target, Dependency: p.message})
	return err
}

// flush writes the event that is held.
func (o *output) flush() error {
	if !o.held {
		return nil
	}
	o.held = false
	// Rows of claims and ends are known now: the event is the next one of the block.
	row := int32(len(o.TimeNs))
	if o.claims {
		o.claim.Row = row
		o.Claims = append(o.Claims, o.claim)
	}
	for _, end := range o.ends {
		end.Row = row
		o.Ends = append(o.Ends, end)
	}
	o.ends = o.ends[:0]
	return o.Put(o.timeNs, o.key, o.message.mark, o.message.message)
}

// finish writes the event that is held and gives the last block back.
func (o *output) finish() error {
	if err := o.flush(); err != nil {
		return err
	}
	return o.End()
}
