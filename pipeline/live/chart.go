package live

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/hotness"
)

// chart makes rows of a view of the events that a parser makes of a trace, as they come. It repairs nothing: what a batch ingest completes at
// the end of the trace, nobody knows yet.
type chart struct {
	view   *View
	of     func(schema.EventKey) schema.EventKey // gives functions to other components; nil leaves them
	source int                                   // which of several
	unit   string                                // stands before the names of a source that is a unit of its own; "" where it is none
	keys   []rowKey                              // by key of the parser
	latest []int64                               // time of the last row of each lane
}

// underWay are messages that were sent, with the component that sent each. Sources of one view share them.
type underWay struct {
	senders map[sent]uint32
	oldest  []sent // in the order of their sending
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
func (c *chart) add(b *schema.Block, keys schema.KeyList, marks []schema.MessageMark) {
	for _, k := range schema.KeysSince(keys, len(c.keys)) {
		if c.of != nil {
			k = c.of(k)
		}
		if c.unit != "" {
			k.Component, k.Lifeline = c.unit+"/"+k.Component, c.unit+"/"+k.Lifeline
		}
		c.keys = append(c.keys, c.rowKey(k))
	}
	for i, at := range b.Key {
		direction, m := schema.NoMessage, sent{}
		if mark := b.Mark[i]; mark != schema.NoMark {
			direction, m = marks[mark].Direction, sent{marks[mark].Series, b.MessageID[i]}
			if c.unit != "" && m.series != schema.BetweenTraces {
				m.series = c.unit + "/" + m.series
			}
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
	lane, ok := c.view.Lane(c.source, k.Lifeline)
	key, also := c.view.Key(k.Component, k.Function)
	component, _ := c.view.Component(k.Component)
	return rowKey{lane, key, component, k.Kind, ok && also}
}

// message sees which component calls which: one that enters a call by a message was called by whoever sent it at the start of a call.
func (c *chart) message(k *rowKey, m sent, direction schema.Direction, timeNs int64) {
	u := &c.view.messages
	if direction == schema.Send && k.kind != schema.Exit { // a reply is no call
		if u.senders == nil {
			u.senders = make(map[sent]uint32)
		}
		u.senders[m] = k.component
		u.oldest = append(u.oldest, m)
		for len(u.oldest) > mostUnderWay {
			delete(u.senders, u.oldest[0])
			u.oldest = u.oldest[1:]
		}
		return
	}
	from, known := u.senders[m]
	if !known || k.kind != schema.Enter || direction != schema.Receive {
		return
	}
	delete(u.senders, m)
	if from != k.component {
		c.view.Add(hotness.Row{TimeNs: timeNs, Lane: from, Key: k.key, Kind: hotness.Connect})
	}
}
