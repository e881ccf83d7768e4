package otf1

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
	"github.com/tracelake/tracelake/stages/ingest/callkeys"
)

// fewTokens are the tokens that are looked up by position. Functions are numbered from 1 by the tracers.
const fewTokens = 1 << 16

// tables hold what occurs: processes and functions, and the keys of their events.
type tables struct {
	running        map[uint64]*process // processes that have had an event, by token
	called         []function          // functions that were entered or left
	few            []uint32            // position in called of a small token, plus 1
	many           map[uint64]uint32   // of the others
	callkeys.Table                     // three keys a function of a process; it has no map, since slot finds them
}

// process returns the process of a token.
func (r *reader) process(token uint64) *process {
	p := r.running[token]
	if p == nil {
		if r.running == nil {
			r.running = make(map[uint64]*process)
		}
		p = r.newProcess(token)
		r.running[token] = p
	}
	return p
}

// function returns the position of a function in called.
func (r *reader) function(token uint64) uint32 {
	// Asked once an event, so small tokens are an index and not a hash.
	if token < uint64(len(r.few)) && r.few[token] > 0 {
		return r.few[token] - 1
	}
	if fn, known := r.many[token]; known {
		return fn
	}
	fn := uint32(len(r.called))
	r.called = append(r.called, r.newFunction(token))
	// Great tokens are rare and would make the table as long as their number.
	if token >= fewTokens {
		if r.many == nil {
			r.many = make(map[uint64]uint32)
		}
		r.many[token] = fn
		return fn
	}
	for uint64(len(r.few)) <= token {
		r.few = append(r.few, 0)
	}
	r.few[token] = fn + 1
	return fn
}

// slot returns what a process knows of a function, with the keys of its events: enter, exit and message.
func (r *reader) slot(p *process, fn uint32) *slot {
	for len(p.slots) <= int(fn) {
		p.slots = append(p.slots, slot{})
	}
	s := &p.slots[fn]
	if s.key == 0 {
		s.key = r.newKeys(p, &r.called[fn])
	}
	return s
}

// newKeys adds the keys of a function in a process and returns the position of the first, plus 1.
func (r *reader) newKeys(p *process, f *function) uint32 { return r.Append(p.eventKey(f)) + 1 }

// idleKey is the key of the enter of a message's own call, outside any other.
func (r *reader) idleKey(p *process, d schema.Direction) uint32 {
	if key := &p.idle[d-schema.Send]; *key == 0 {
		*key = r.newKeys(p, &function{name: schema.DirectionWords[d]})
	}
	return p.idle[d-schema.Send] - 1
}

// output gathers the rows of a block.
type output struct {
	tables
	blocks.Output
	marks []schema.MessageMark // marks[0] is that of no message
}

// add adds a row. A full block is given back only now, so that the last row can still be given a message.
func (o *output) add(timeNs int64, key uint32, m message) error {
	if len(o.Key) == schema.BlockEvents {
		if err := o.Next(); err != nil {
			return err
		}
	}
	b := o.Block
	b.TimeNs = append(b.TimeNs, timeNs)
	b.Key = append(b.Key, key)
	b.Mark = append(b.Mark, m.mark)
	b.MessageID = append(b.MessageID, m.id)
	return nil
}

// extend gives the last row a message unless it has one.
func (o *output) extend(m message) bool {
	last := len(o.Mark) - 1
	if o.Mark[last] != schema.NoMark {
		return false
	}
	o.Mark[last], o.MessageID[last] = m.mark, m.id
	return true
}
