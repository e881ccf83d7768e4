package otf2

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
)

const (
	mostLabels = 1 << 16 // different pairs of communicator and tag that get labels of their own
	mostFlows  = 1 << 16 // flows that are kept although nothing is under way
)

// channel identifies messages that are received in the order in which they were sent.
type channel struct {
	from, to, comm uint64 // locations, communicator
	tag            uint64 // of MPI
}

// flow is the messages of a channel, counted from 0.
type flow struct {
	number         int64   // of the flow, from 0
	mark           uint32  // of its sends; that of its receives follows
	sent, received int64   // messages so far
	left           []int64 // messages before received whose receive was posted and has not finished yet
}

// place is a message of a flow.
type place struct{ flow, index int64 }

// exchanges gives every send and its receive the same identifier.
type exchanges struct {
	names  *names                        // of communicators, and who has which rank
	flows  map[channel]*flow             // by channel
	made   int64                         // flows
	most   int                           // flows before those with nothing under way are forgotten
	open   map[place]int64               // identifiers of messages of which one end was met
	ends   map[uint64]uint64             // the location that stands for another one in messages
	last   int64                         // identifier
	marks  []schema.MessageMark          // marks[0] is that of no message
	labels map[schema.MessageMark]uint32 // position of the mark of a send
	thread map[thread]int64              // identifiers of exchanges whose cause was met, by the thread created or ended
}

// newExchanges returns an empty set of exchanges.
func newExchanges(n *names) *exchanges {
	return &exchanges{
		names: n, flows: map[channel]*flow{}, most: mostFlows, open: map[place]int64{}, ends: n.ends(),
		marks: []schema.MessageMark{{}}, labels: map[schema.MessageMark]uint32{}, thread: map[thread]int64{},
	}
}

// flow is the flow of a channel.
func (x *exchanges) flow(c channel) *flow {
	if f := x.flows[c]; f != nil {
		return f
	}
	// A flow without messages under way can be forgotten: its next message gets a new number all the same.
	if len(x.flows) >= x.most {
		for c, f := range x.flows {
			if f.sent == f.received && len(f.left) == 0 {
				delete(x.flows, c)
			}
		}
		x.most = max(mostFlows, 2*len(x.flows))
	}
	// A tag that counts up would make a label a message; labels beyond the bound leave it out.
	label := x.names.communicator(c.comm)
	if len(x.marks) < 2*mostLabels {
		label = fmt.Sprintf("%s/%d", label, c.tag)
	}
	f := &flow{number: x.made, mark: x.mark("m", label)}
	x.made++
	x.flows[c] = f
	return f
}

// mark is the mark of what is sent; that of what is received follows.
func (x *exchanges) mark(series, label string) uint32 {
	return x.markOf(schema.MessageMark{Direction: schema.Send, Series: series, Label: label})
}

// threadMark is the mark of the cause of a thread's start, or of the end of waiting for it; that of what it causes follows.
func (x *exchanges) threadMark(label string) uint32 {
	return x.markOf(schema.MessageMark{Direction: schema.Send, Series: "t", Label: label, Coupling: schema.ByWakeup})
}

// markOf is the number of a mark of what is sent; that of what is received follows.
func (x *exchanges) markOf(m schema.MessageMark) uint32 {
	if mark, ok := x.labels[m]; ok {
		return mark
	}
	mark := uint32(len(x.marks))
	x.labels[m] = mark
	x.marks = append(x.marks, m)
	m.Direction = schema.Receive
	x.marks = append(x.marks, m)
	return mark
}

// send is the identifier of the next message of a flow.
func (x *exchanges) send(f *flow) int64 {
	f.sent++
	return x.identifier(place{f.number, f.sent - 1})
}

// receive is the identifier of the message that a receive gets when earlier receives of as many messages of the
// flow were posted and have not finished.
func (x *exchanges) receive(f *flow, earlier int) int64 {
	// left has the messages that receives before this one will get, in the order in which these were posted. So this
	// one gets the one after the first earlier of them.
	for len(f.left) <= earlier {
		f.left = append(f.left, f.received)
		f.received++
	}
	index := f.left[earlier]
	f.left = append(f.left[:earlier], f.left[earlier+1:]...)
	return x.identifier(place{f.number, index})
}

// identifier is that of a message, by the end that comes first the next free one.
func (x *exchanges) identifier(p place) int64 {
	if id, ok := x.open[p]; ok {
		delete(x.open, p)
		return id
	}
	id := x.next()
	x.open[p] = id
	return id
}

// next returns an identifier that was not used.
func (x *exchanges) next() int64 {
	x.last++
	return x.last - 1
}

// mpi reads the fields of a message: the rank of the other end in the communicator, the tag, and how long it is.
func (s *stream) mpi(f *fields) (peer, comm, tag, bytes uint64, known bool) {
	rank := f.word()
	comm = s.local.maps[mapComms].global(f.id())
	tag = f.word()
	if bytes = undefined; f.more() {
		bytes = f.number()
	}
	peer, known = s.r.exchanges.names.rank(comm, rank, s.id)
	return s.r.exchanges.end(peer), comm, tag, bytes, known
}

// send reads a send of MPI.
func (s *stream) send(f *fields, _ byte) error {
	x := s.r.exchanges
	peer, comm, tag, bytes, known := s.mpi(f)
	if f.bad {
		return errFields
	}
	if !known { // nobody can receive it
		return s.message(x.mark("m", x.names.communicator(comm)), x.next(), bytes, "send")
	}
	flow := x.flow(channel{x.end(s.id), peer, comm, tag})
	return s.message(flow.mark, x.send(flow), bytes, "send")
}

// receive reads the end of a receive of MPI.
func (s *stream) receive(f *fields, kind byte) error {
	x := s.r.exchanges
	peer, comm, tag, bytes, known := s.mpi(f)
	if f.bad {
		return errFields
	}
	s.received++
	earlier := 0
	if s.receives != nil {
		earlier = s.receives.countEarlier()
	}
	if !known {
		return s.message(x.mark("m", x.names.communicator(comm))+1, x.next(), bytes, "receive")
	}
	flow := x.flow(channel{peer, x.end(s.id), comm, tag})
	return s.message(flow.mark+1, x.receive(flow, earlier), bytes, "receive")
}
