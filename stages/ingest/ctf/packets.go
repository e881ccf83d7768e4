package ctf

import "github.com/tracelake/tracelake/schema"

// A segment of TCP is known by its numbers, its flags and, where the tracer tells them, its ports: a sender uses a sequence
// number again after 4 GiB only, unless it repeats a segment. Tracers see it when it leaves the stack of one host and when it
// arrives in that of another, or of the same one.

// segment identifies a segment of TCP.
type segment struct {
	sequence, acknowledged uint32
	flags, from, to        uint16
}

// absent is in the registers of a packet that is not of TCP.
const absent = ^uint64(0)

// clearPacket empties the registers of a packet, of which the event in hand may fill none.
func (m *machine) clearPacket() {
	for reg := regSequenceNumber; reg <= regPortTo; reg++ {
		m.regs[reg] = absent
	}
}

// segment returns the segment that the event in hand is about, if it is about one.
func (s *stream) segment() (segment, bool) {
	v := &s.regs
	return segment{
		uint32(v[regSequenceNumber]), uint32(v[regAcknowledged]), uint16(v[regFlags]), uint16(v[regPorts]), uint16(v[regPortTo]),
	}, v[regSequenceNumber] != absent
}

// passSegment sends or receives a segment. One that is sent again before it arrives is the first one.
func (r *reader) passSegment(s *stream) error {
	k, is := s.segment()
	id, known := r.segments[k]
	out := s.event.role == rolePacketOut
	if !is || known && out {
		s.event.omitted++
		return nil
	}
	if out {
		id = r.nextIDs(1)
		r.segments[k] = id
		return r.putMessage(s, r.thread(s), r.aloneIn(s), r.packet[schema.Send], id)
	}
	if !known {
		id = r.nextIDs(1) // its sender is no host of the trace
	}
	delete(r.segments, k)
	return r.putMessage(s, r.thread(s), r.aloneIn(s), r.packet[schema.Receive], id)
}
