package ctf

import (
	"errors"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/schema"
)

// stream reads the events of one file, packet by packet.
type stream struct {
	trace   *source         // that it is of
	file    string          // its name, for positions
	closer  io.Closer       // closes the file
	reading *schema.Reading // counts losses
	heard   func() error    // returns an error when a reading beforehand shall end; nil in any other
	byLine  bool            // it stands for lines of a text, and start is the number of the line
	clocks  *clocks         // of all traces; nil where times are those of the trace
	window  *window         // what is in memory
	machine

	in     bool        // a packet
	start  int64       // of the packet in the file
	size   int64       // of the packet in bytes, endless where nobody tells it
	cut    bool        // the file ends in the packet's content
	plan   *streamPlan // of the packet in hand
	cycles uint64      // the clock
	cpu    uint64      // of the packet in hand
	number uint64      // of the stream in its trace: what stands for the CPU where the trace does not tell it

	// The event in hand.
	ns    int64
	event *plan // nil before the first

	lastTid, lastPid uint64 // of the event before that has a thread in its context
	lastThread       int32  // of lastTid and lastPid; -1: none

	cpuState *cpuState // of the CPU stateOf; nil before the first
	stateOf  uint64
}

// endless is the size of a packet that takes the rest of its file.
const endless = int64(1) << 58

var (
	errTorn    = errors.New("the file ends within a packet")
	errBeyond  = errors.New("an event reaches past the end of its packet")
	errNoEvent = errors.New("an event takes no bits")
)

// bad counts what is no record of the format, at a bit of the packet.
func (s *stream) bad(reason schema.Reason, at uint64, err error) error {
	return s.reading.Bad(reason, &schema.SyntaxError{File: s.file, Offset: s.start + int64(at/8), Err: err})
}

// position is where the event in hand ends.
func (s *stream) position() string {
	if s.byLine {
		return fmt.Sprintf("%s:%d", s.file, s.start)
	}
	return fmt.Sprintf("%s@%#x", s.file, s.start+int64(s.pos/8))
}

// next goes to the next event that has a role; false at the end of the file.
func (s *stream) next() (bool, error) {
	for {
		if !s.in {
			if more, err := s.packet(); err != nil || !more {
				return false, err
			}
		}
		// An event is decoded from the same place again after the window has moved.
		from := s.pos
		st := s.decode()
		switch {
		case st == done && s.event == nil:
			s.in = false // the packet has no more events
		case st == done && s.pos == from:
			s.in = false
			if err := s.bad(schema.BadRecord, from, errNoEvent); err != nil {
				return false, err
			}
		case st == done:
			if s.event.role != roleNone && s.clock() {
				return true, nil
			}
		default:
			s.pos = from
			if err := s.stuck(st); err != nil {
				return false, err
			}
		}
	}
}

// clock reports whether the time of the event in hand fits.
func (s *stream) clock() (ok bool) {
	if s.ns, ok = s.plan.clock.at(s.cycles); !ok {
		s.reading.Ledger.Add(schema.UnsupportedTime, s.position)
	} else if s.clocks != nil {
		s.ns = s.clocks.correct(s.trace, s.ns)
	}
	return ok
}

// stuck moves the window on where an event goes beyond it, and gives the packet up where that does not help.
func (s *stream) stuck(st status) error {
	// The window ends before the event: with more of the file the same event may be whole.
	if st == short {
		more, err := s.fill()
		if err != nil || more {
			return err
		}
	}
	s.in = false
	switch {
	case st == unknown:
		return s.bad(schema.UnknownRecord, s.pos, fmt.Errorf("event %d is not described", s.regs[regID]))
	case s.cut || s.size == endless && s.window.over:
		return s.bad(schema.TornRecord, s.pos, errTorn)
	}
	return s.bad(schema.BadRecord, s.pos, errBeyond)
}

// fill moves the window on to the byte in hand. It reports whether there is anything new to read.
func (s *stream) fill() (bool, error) {
	if s.heard != nil {
		if err := s.heard(); err != nil {
			return false, err
		}
	}
	more, err := s.window.slide(s.start + int64(s.pos/8))
	s.look()
	if err != nil {
		return false, fmt.Errorf("%s: %w", s.file, err)
	}
	return more || s.window.over && s.cutShort(), nil
}

// look points the machine to the part of the packet that the window holds.
func (s *stream) look() {
	// delta is what must be added to a byte of the packet to find it in the window.
	w := s.window
	s.buf, s.delta = w.buf, int(s.start-w.from)
	s.end = uint64(max(0, w.until()-s.start)) * 8
}

// cutShort makes the end of the file that of the packet's content; true where it was not so before.
func (s *stream) cutShort() bool {
	if s.end >= s.limit {
		return false
	}
	s.cut = s.limit != unlimited
	s.limit = s.end
	return true
}

// decode reads the event that comes next: its place, its plan and its clock. The event is nil at the end of the
// packet's content.
func (s *stream) decode() status {
	align := s.plan.align
	// Events begin at multiples of the alignment, which is a power of two.
	at := (s.pos + align - 1) &^ (align - 1)
	s.event = nil
	if at >= s.limit {
		return s.endOfContent()
	}
	// One load or two say which event it is; a flat one needs no program, and most traces have few others.
	// Where the packet or the window ends within it, its program says what comes first.
	if f, b := s.flatAt(at); f != nil && at+f.bits <= min(s.end, s.limit) {
		s.flat(f, at, b)
		return done
	}
	s.pos = at
	return s.general()
}

// flatAt returns the event at a place and its bytes; nil where not all of it is at known distances, or its number is beyond the window.
func (s *stream) flatAt(at uint64) (*flat, []byte) {
	room, t := min(s.end, s.limit), &s.plan.short
	if t.id == nil || at+t.id.end > room {
		return nil, nil
	}
	b := s.buf[int(at>>3)+s.delta:]
	id := t.id.load(b)
	if long := &s.plan.long; long.id != nil && id == s.plan.escape {
		if t = long; at+t.id.end > room {
			return nil, nil
		}
		id = t.id.load(b)
	}
	if id >= uint64(len(t.direct)) {
		return nil, nil
	}
	return t.direct[id], b
}

// endOfContent ends a packet. Where the file was too short for it, that is a loss.
func (s *stream) endOfContent() status {
	if s.cut {
		return bad
	}
	return done
}

// flat reads an event at known distances, all of which is there.
func (s *stream) flat(f *flat, at uint64, b []byte) {
	// The time has fewer bits than the clock, so it is completed from the time before.
	s.cycles = restore(s.cycles, f.time.load(b), f.timeBits)
	if f.plan.role.isPacket() {
		s.clearPacket()
	}
	// Only fields that mean something are loaded.
	for i := range f.probes {
		p := &f.probes[i]
		if p.text {
			s.regs[p.reg] = at>>3 + uint64(p.at)
		} else {
			s.regs[p.reg] = p.load(b)
		}
	}
	s.pos = at + f.bits
	s.event = f.plan
	f.plan.count++
}

// general runs the programs of an event.
func (s *stream) general() status {
	s.timeBits = 0
	if st := s.run(s.plan.header); st != done {
		return st
	}
	p := s.plan.single
	if s.plan.numbered {
		p = s.plan.events[s.regs[regID]]
	}
	if p == nil {
		return unknown
	}
	if p.role.isPacket() {
		s.clearPacket()
	}
	// Fields of the body may show clocks too, so the header's time is kept aside.
	low, width := s.regs[regTime], s.timeBits
	if st := s.run(p.body); st != done {
		return st
	}
	// The clock moves only once the whole event is decoded: it may be decoded again after the window has moved.
	if width != 0 {
		s.cycles = restore(s.cycles, low, width)
	}
	s.event = p
	p.count++
	return done
}
