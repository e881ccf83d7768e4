package live

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/hotness"
)

// chart makes rows of a view of the events that a parser makes of a trace, as they come. It repairs nothing: what a batch ingest completes at
// the end of the trace, nobody knows yet.
type chart struct {
	view    *View
	of      func(schema.EventKey) schema.EventKey // gives functions to other components; nil leaves them
	keys    []rowKey                              // by key of the parser
	latest  []int64                               // time of the last row of each lane
	senders map[sent]uint32                       // messages under way, with the component that sent each
	oldest  []sent                                // of them, in the order of their sending
}

// rowKey is a key of the parser as the view has it.
type rowKey struct {
	lane, key, component uint32
	kind                 schema.Kind
	fits                 bool
}

// sent is a message.
type sent struct {
	series string
	id     int64
}

// mostUnderWay bounds the messages whose receive is waited for; the oldest are given up.
const mostUnderWay = 1 << 16

// add adds the events of a block.
func (c *chart) add(b *schema.Block, keys []schema.EventKey, marks []schema.MessageMark) {
	for _, k := range keys[len(c.keys):] {
		if c.of != nil {
			k = c.of(k)
		}
		c.keys = append(c.keys, c.rowKey(k))
	}
	for i, at := range b.Key {
		direction, m := schema.NoMessage, sent{}
		if mark := b.Mark[i]; mark != schema.NoMark {
			direction, m = marks[mark].Direction, sent{marks[mark].Series, b.MessageID[i]}
		}
		c.event(&c.keys[at], b.TimeNs[i], direction, m)
	}
}

// event adds an event.
func (c *chart) event(k *rowKey, timeNs int64, direction schema.Direction, m sent) {
	if !k.fits {
		c.view.Refused++
		return
	}
	// A lane goes forward: a clock that steps back would let a call end before it begins.
	for len(c.latest) <= int(k.lane) {
		c.latest = append(c.latest, -1<<63)
	}
	timeNs = max(timeNs, c.latest[k.lane])
	c.latest[k.lane] = timeNs
	if direction != schema.NoMessage {
		c.message(k, m, direction, timeNs)
	}
	r := hotness.Row{TimeNs: timeNs, Lane: k.lane, Key: k.key}
	switch {
	case k.kind == schema.Enter && direction == schema.Send:
		r.Kind = hotness.Away // the call of a component that is traced itself
	case k.kind == schema.Enter:
		r.Kind = hotness.Enter
	case k.kind == schema.Exit:
		r.Kind = hotness.Exit
	default:
		return
	}
	c.view.Add(r)
}

// rowKey numbers the names of a key.
func (c *chart) rowKey(k schema.EventKey) rowKey {
	lane, ok := c.view.Lane(k.Lifeline)
	key, also := c.view.Key(k.Component, k.Function)
	component, _ := c.view.Component(k.Component)
	return rowKey{lane, key, component, k.Kind, ok && also}
}

// message sees which component calls which: one that enters a call by a message was called by whoever sent it at the start of a call.
func (c *chart) message(k *rowKey, m sent, direction schema.Direction, timeNs int64) {
	if direction == schema.Send && k.kind != schema.Exit { // a reply is no call
		if c.senders == nil {
			c.senders = make(map[sent]uint32)
		}
		c.senders[m] = k.component
		c.oldest = append(c.oldest, m)
		for len(c.oldest) > mostUnderWay {
			delete(c.senders, c.oldest[0])
			c.oldest = c.oldest[1:]
		}
		return
	}
	from, known := c.senders[m]
	if !known || k.kind != schema.Enter || direction != schema.Receive {
		return
	}
	delete(c.senders, m)
	if from != k.component {
		c.view.Add(hotness.Row{TimeNs: timeNs, Lane: from, Key: k.key, Kind: hotness.Connect})
	}
}
