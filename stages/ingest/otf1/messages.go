package otf1

import (
	"fmt"
	"math"

	"github.com/tracelake/tracelake/schema"
)

// series names the identifiers of messages.
const series = "m"

// message is a message as a row has it; without one its mark is schema.NoMark.
type message struct {
	mark uint32 // of the reader's marks
	id   int64  // number, or schema.NoValue
}

// channel identifies messages that are received in the order in which they were sent.
type channel struct{ from, to, communicator, tag uint64 }

// queue holds the numbers of messages that were only sent so far, or only received.
type queue struct {
	head, tail int32            // in the pool
	length     int32            // 0: empty
	direction  schema.Direction // of the ends that wait
}

// waiting is a member of a queue.
type waiting struct {
	id   int64 // number of the message
	next int32 // place of the next member in the pool; of the last one without meaning
}

// messages ties sends to receives.
type messages struct {
	queues  map[channel]*queue // by channel; an empty one may be missing
	pool    []waiting          // members of all queues
	free    []int32            // places of the pool to be used again
	numbers int64              // given so far
	markOf  map[markKey]uint32 // position of a mark

	meetings map[schema.MessageMark]uint32 // likewise, of collective operations
}

// markKey is what decides the mark of a message.
type markKey struct {
	direction    schema.Direction // send or receive
	communicator uint64           // token
	tag          uint64           // the greatest number for all tags beyond manyMarks
}

const (
	// Both bound memory where a trace has very many channels or tags; what is under way is never dropped.
	manyQueues = 1 << 16 // from so many on, empty ones are not kept
	manyMarks  = 1 << 16 // from so many on, labels do not tell the tag
)

// newMessages returns an empty set of messages under way.
func newMessages() messages {
	return messages{queues: make(map[channel]*queue), markOf: make(map[markKey]uint32)}
}

// exchange returns the number of a message: that of the oldest one of its channel whose other end came before,
// or a new one.
func (m *messages) exchange(c channel, direction schema.Direction) (id int64) {
	// All ends that wait in a queue are of one direction: if there were one of the other, the two would have been tied.
	q := m.queues[c]
	if q == nil {
		q = &queue{}
		m.queues[c] = q
	}
	// The other end comes later; until then this one waits at the end of the queue.
	if q.length == 0 || q.direction == direction {
		q.direction = direction
		m.numbers++
		m.push(q, m.numbers)
		return m.numbers
	}
	place := q.head
	id, q.head = m.pool[place].id, m.pool[place].next
	m.free = append(m.free, place)
	// Empty queues are kept for the next message of the channel, but not without bound.
	if q.length--; q.length == 0 && len(m.queues) > manyQueues {
		delete(m.queues, c)
	}
	return id
}

// push adds a message to the end of a queue.
func (m *messages) push(q *queue, id int64) {
	place := int32(len(m.pool))
	if n := len(m.free); n > 0 {
		place, m.free = m.free[n-1], m.free[:n-1]
	} else {
		m.pool = append(m.pool, waiting{})
	}
	m.pool[place].id = id
	if q.length == 0 {
		q.head = place
	} else {
		m.pool[q.tail].next = place
	}
	q.tail = place
	q.length++
}

// mark returns the mark of a message.
func (r *reader) mark(d *definitions, direction schema.Direction, communicator, tag uint64) uint32 {
	key := markKey{direction, communicator, tag}
	if mark, known := r.markOf[key]; known {
		return mark
	}
	// Marks must stay few: programs that use the tag as a counter get one label for all tags beyond manyMarks.
	tagged := !d.ours()
	if len(r.markOf) >= manyMarks && tagged {
		tagged, key.tag = false, math.MaxUint64
		if mark, known := r.markOf[key]; known {
			return mark
		}
	}
	// The label is the name of the communicator, with the tag behind it unless labels are this project's own.
	label := d.names[communicators][communicator]
	if label == "" {
		label = fmt.Sprintf("communicator %d", communicator)
	}
	if tagged {
		label = fmt.Sprintf("%s/%d", label, tag)
	}
	mark := uint32(len(r.marks))
	r.marks = append(r.marks, schema.MessageMark{Direction: direction, Series: series, Label: label})
	r.markOf[key] = mark
	return mark
}
