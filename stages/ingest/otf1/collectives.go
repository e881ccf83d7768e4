package otf1

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// operationDef is the definition of a collective operation.
type operationDef struct {
	name string // such as MPI_Barrier
	kind uint64 // see below
}

// Who waits for whom in a collective operation.
const (
	barrier  = 1 // everybody for everybody
	oneToAll = 2 // everybody for the root
	allToOne = 3 // the root for everybody
	allToAll = 4 // everybody for everybody
)

// collective is an operation of a process. It is told with the leave of the call in which it ended.
type collective struct {
	mark  uint32 // of the operation and its communicator, with what the process does in it; schema.NoMark: it couples nothing
	seat  int64  // of the process: see schema.Seat
	depth int    // open calls when it ended: the innermost of them is the one
}

// operation reads token NAME "name" TYPE type.
func (d *definitions) operation(f *fields) bool {
	var def operationDef
	token := f.hex("a collective operation")
	f.need("NM", "NAME")
	def.name = f.quoted("the name of the operation")
	f.need("Y", "TYPE")
	def.kind = f.hex("the type of the operation")
	return put(d, f, d.operations, token, def)
}

// collectiveBegin reads operation HANDLEID id COMM group ROOT root SENT bytes RECVD bytes [SCL scl].
func (r *reader) collectiveBegin(s *stream, f *fields) error {
	op := f.hex("a collective operation")
	f.need("H", "HANDLEID")
	id := f.hex("the number of the operation")
	c := r.collectiveRest(s, f, op)
	if f.fault != "" || f.more() {
		return r.bad(s, f, "nothing after a collective operation")
	}
	if ok, err := r.checkPlaced(s); !ok {
		return err
	}
	// Ends are told by the number, which a process uses again, so a map a process.
	// A trace without ends must not collect operations without end.
	if s.proc.begun == nil || len(s.proc.begun) >= mostHeld {
		s.proc.begun = make(map[uint64]collective)
	}
	s.proc.begun[id] = c
	return nil
}

// collectiveEnd reads the number of an operation that began.
func (r *reader) collectiveEnd(s *stream, f *fields) error {
	id := f.hex("the number of the operation")
	if f.fault != "" || f.more() {
		return r.bad(s, f, "nothing after the end of a collective operation")
	}
	// Without a process there is no list of what began.
	if ok, err := r.checkPlaced(s); !ok {
		return err
	}
	c, begun := s.proc.begun[id]
	if !begun {
		r.reading.Ledger.Add(schema.SkippedRecord, s.place(0, "the end of a collective operation that did not begin"))
		return nil
	}
	delete(s.proc.begun, id)
	r.endCollective(s, c)
	return nil
}

// collectiveWhole reads a record of both: operation COMM group ROOT root SENT bytes RECVD bytes DUR ticks [SCL scl].
func (r *reader) collectiveWhole(s *stream, f *fields) error {
	c := r.collectiveRest(s, f, f.hex("a collective operation"))
	if f.fault != "" || f.more() {
		return r.bad(s, f, "nothing after a collective operation")
	}
	if ok, err := r.checkPlaced(s); !ok {
		return err
	}
	r.endCollective(s, c)
	return nil
}

// collectiveRest reads COMM group ROOT root SENT bytes RECVD bytes [DUR ticks] [SCL scl]. The operation couples nothing where the
// process is alone, or where the trace does not say what it needs to, which is counted.
func (r *reader) collectiveRest(s *stream, f *fields, op uint64) (c collective) {
	f.need("C", "COMM")
	group := f.hex("a communicator")
	f.need("RT", "ROOT")
	root := f.hex("a process")
	f.need("S", "SENT")
	f.hex("the bytes sent")
	f.need("R", "RECVD")
	f.hex("the bytes received")
	if f.is("D", "DUR") {
		f.hex("a duration")
	}
	if f.is("X", "SCL") {
		f.hex("a place in the source code")
	}
	if f.fault != "" || s.proc == nil || !s.timed {
		return collective{}
	}
	members := r.definitions.members[group]
	def, defined := r.operations[op]
	// The rank of a process in its communicator is its place among the members.
	rank, own := slices.Index(members, s.token), s.token
	if rank < 0 { // a thread does it for its process
		own = r.processes[s.token].parent
		rank = slices.Index(members, own)
	}
	if !defined || rank < 0 || def.kind < barrier || def.kind > allToAll {
		r.reading.Ledger.Add(schema.SkippedRecord, s.place(0, "a collective operation of an unknown kind or communicator"))
		return collective{}
	}
	// Alone in its communicator a process waits for nobody.
	if len(members) > 1 {
		c = collective{mark: r.meeting(group, def, role(def, root == own)), seat: schema.Seat(uint32(rank), uint32(len(members)))}
	}
	return c
}

// role is what a process does in an operation.
func role(def operationDef, root bool) schema.Direction {
	switch {
	case def.name == "MPI_Scan" || def.name == "MPI_Exscan": // of type allToAll, but they wait for lower ranks only
		return schema.Scans
	case def.kind == oneToAll && root, def.kind == allToOne && !root:
		return schema.Gives
	case def.kind == oneToAll:
		return schema.Takes
	}
	return schema.Meets
}

// endCollective keeps an operation until the call in which it ended is left.
func (r *reader) endCollective(s *stream, c collective) {
	p := s.proc
	if c.mark == schema.NoMark {
		return
	}
	// Outside all calls there is no leave that could wait.
	if c.depth = len(p.calls); c.depth == 0 || len(p.met) >= mostHeld {
		r.reading.Ledger.Add(schema.SkippedRecord, func() string { return s.syntax(0, errors.New("a collective operation outside all calls")).Error() })
		return
	}
	p.met = append(p.met, c)
}

// tellCollectives adds the operations of the call that an exit has ended.
func (r *reader) tellCollectives(s *stream, exit uint32) error {
	// Operations of calls that are still open stay for their leaves.
	p := s.proc
	kept := p.met[:0]
	for _, c := range p.met {
		if c.depth <= len(p.calls) {
			kept = append(kept, c)
			continue
		}
		if err := r.add(s.timeNs, exit+uint32(schema.Message-schema.Exit), message{c.mark, c.seat}); err != nil {
			return err
		}
	}
	p.met = kept
	return nil
}

// meeting returns the mark of an operation, which no message has.
func (r *reader) meeting(group uint64, def operationDef, role schema.Direction) uint32 {
	name := r.names[communicators][group]
	if name == "" {
		name = fmt.Sprintf("communicator %d", group)
	}
	m := schema.MessageMark{Direction: role, Series: fmt.Sprintf("communicator %d", group), Label: def.name + " of " + name, Coupling: schema.ByCollective}
	mark, known := r.meetings[m]
	if !known {
		if r.meetings == nil {
			r.meetings = make(map[schema.MessageMark]uint32)
		}
		mark = uint32(len(r.marks))
		r.meetings[m] = mark
		r.marks = append(r.marks, m)
	}
	return mark
}
