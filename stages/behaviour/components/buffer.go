package components

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Buffers say how messages wait between components: in order, each in the buffer of its receiver.
type Buffers struct {
	BySender bool // a receiver has a buffer for every sender, so that senders do not wait for each other
	Bound    int  // how many messages a buffer has room for; 0: for all
}

// Buffer is a buffer with the room that a trace needs there.
type Buffer struct {
	Receiver, Sender string // Sender is "" where a receiver has one buffer
	Size             int
}

// fifo is a buffer: messages wait from the head on.
type fifo struct {
	receiver, sender schema.Code // sender is schema.NoCode where a receiver has one buffer
	messages         []uint64
	head, size       int
}

// buffers are the buffers with their sizes.
func (s *System) buffers(queues []*fifo) (out []Buffer) {
	for _, q := range queues {
		b := Buffer{Receiver: s.component(q.receiver), Size: q.size}
		if s.opt.BySender {
			b.Sender = s.component(q.sender)
		}
		out = append(out, b)
	}
	slices.SortFunc(out, func(a, b Buffer) int {
		return cmp.Or(cmp.Compare(a.Receiver, b.Receiver), cmp.Compare(a.Sender, b.Sender))
	})
	return out
}

// sorted are the buffers by receiver and sender.
func (s *System) sorted() (queues []*fifo) {
	for _, q := range s.queues {
		queues = append(queues, q)
	}
	slices.SortFunc(queues, func(a, b *fifo) int {
		return cmp.Or(cmp.Compare(a.receiver, b.receiver), cmp.Compare(a.sender, b.sender))
	})
	return queues
}

func (s *System) queue(receiver, sender schema.Code) *fifo {
	if !s.opt.BySender {
		sender = schema.NoCode
	}
	key := uint64(receiver)<<32 | uint64(sender)
	q, known := s.queues[key]
	if !known {
		q = &fifo{receiver: receiver, sender: sender}
		s.queues[key] = q
	}
	return q
}

func (q *fifo) waiting() int { return len(q.messages) - q.head }

func (q *fifo) put(message uint64) {
	if q.head > len(q.messages)/2 {
		q.messages = q.messages[:copy(q.messages, q.messages[q.head:])]
		q.head = 0
	}
	q.messages = append(q.messages, message)
	q.size = max(q.size, q.waiting())
}

func (q *fifo) take() { q.head++ }
