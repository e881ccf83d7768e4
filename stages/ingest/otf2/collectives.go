package otf2

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
)

// collective is an operation that a location has ended within an open call, whose leave tells of it.
type collective struct {
	depth int    // open calls when it ended: the innermost of them is the one
	mark  uint32 // of the operation and its communicator, with what the process does in it
	seat  int64  // of the process: see schema.Seat
}

// operation is what an operation is called, and who waits for whom.
type operation struct {
	name string    // as MPI calls it, without MPI_
	flow direction // who waits for whom
}

// direction says between whom the data of an operation go.
type direction uint8

const (
	allToAll  direction = iota // everybody waits for everybody
	rootToAll                  // everybody waits for the root
	allToRoot                  // the root waits for everybody
	prefix                     // everybody waits for those of lower ranks
)

// operations are those of OTF2 by their number. Those from 16 on make and free handles of windows and communicators.
var operations = [...]operation{
	{"barrier", allToAll}, {"bcast", rootToAll}, {"gather", allToRoot}, {"gatherv", allToRoot}, {"scatter", rootToAll}, {"scatterv", rootToAll},
	{"allgather", allToAll}, {"allgatherv", allToAll}, {"alltoall", allToAll}, {"alltoallv", allToAll}, {"alltoallw", allToAll},
	{"allreduce", allToAll}, {"reduce", allToRoot}, {"reduce_scatter", allToAll}, {"reduce_scatter_block", allToAll}, {"scan", prefix}, {"exscan", prefix},
	{"create_handle", allToAll}, {"destroy_handle", allToAll}, {"allocate", allToAll}, {"deallocate", allToAll},
	{"create_handle_and_allocate", allToAll}, {"destroy_handle_and_deallocate", allToAll},
}

// role is what a process does in an operation.
func (o *operation) role(root bool) schema.Direction {
	switch {
	case o.flow == prefix:
		return schema.Scans
	case o.flow == rootToAll && root:
		return schema.Gives
	case o.flow == rootToAll: // all but the root only receive
		return schema.Takes
	case o.flow == allToRoot && !root: // it sends and goes on
		return schema.Gives
	}
	return schema.Meets // also the root of a gather: those who give wait for nobody, so its start holds none of them up
}

// begins reads the beginning of a collective operation, of which the end says everything.
func (s *stream) begins(*fields, byte) error { return nil }

// meets reads the end of a collective operation: operation, communicator, root, bytes sent and received.
func (s *stream) meets(f *fields, kind byte) error {
	op := f.u8()
	comm := s.local.maps[mapComms].global(f.id())
	root := f.id() // a rank in the communicator
	if f.bad {
		return errFields
	}
	x := s.r.exchanges
	rank, size, known := x.names.seat(comm, x.end(s.id))
	// Alone in its communicator a process waits for nobody.
	if known && size == 1 {
		return nil
	}
	if !known || int(op) >= len(operations) || len(s.stack) == 0 {
		s.skipped.add(kind, s.from)
		return nil
	}
	o := &operations[op]
	s.held = append(s.held, collective{
		// Told when the call ends, whose leave says how long the process waited.
		len(s.stack), x.meeting(comm, o.name, o.role(root == uint64(rank))), schema.Seat(rank, size),
	})
	return nil
}

// tellCollectives passes on the operations of the call that has ended with an exit of a key.
func (s *stream) tellCollectives(exit uint32) error {
	kept := s.held[:0]
	for _, c := range s.held {
		if c.depth <= len(s.stack) {
			kept = append(kept, c)
			continue
		}
		if err := s.r.out.Put(s.ns, exit+uint32(schema.Message-schema.Exit), c.mark, c.seat); err != nil {
			return err
		}
	}
	s.held = kept
	return nil
}

// rankIn is a location in a communicator.
type rankIn struct{ comm, location uint64 } // both global

// seat is the rank of a location in a communicator, and how many it has.
func (n *names) seat(comm, location uint64) (rank, size uint32, known bool) {
	if n.seats == nil {
		n.seats, n.sizes = make(map[rankIn]uint32), make(map[uint64]uint32)
	}
	// The ranks of a communicator are looked up once, in time linear in them.
	size, known = n.sizes[comm]
	if !known {
		g := n.groups[n.comms[comm].group]
		size = uint32(len(g.members))
		if g.kind == groupCommSelf {
			size = 1
		}
		n.sizes[comm] = size
		for rank := range g.members {
			if at, found := n.rank(comm, uint64(rank), location); found {
				n.seats[rankIn{comm, at}] = uint32(rank)
			}
		}
	}
	if size == 1 { // alone in it, whatever its number is elsewhere
		return 0, 1, true
	}
	rank, known = n.seats[rankIn{comm, location}]
	if !known {
		n.undefined("rank in communicator", comm)
	}
	return rank, size, known
}

// meeting is the mark of an operation, which no message has.
func (x *exchanges) meeting(comm uint64, operation string, role schema.Direction) uint32 {
	name := x.names.communicator(comm)
	m := schema.MessageMark{Direction: role, Series: fmt.Sprintf("communicator %d", int64(comm)), Label: operation + " of " + name, Coupling: schema.ByCollective}
	mark, known := x.labels[m]
	if !known {
		mark = uint32(len(x.marks))
		x.labels[m] = mark
		x.marks = append(x.marks, m)
	}
	return mark
}
