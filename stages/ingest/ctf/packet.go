package ctf

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
)

const packetMagic = 0xC1FC1FC1

// packet goes to the next packet and reads its header and context; false at the end of the file, and where it is
// not known where the next packet begins.
func (s *stream) packet() (bool, error) {
	// The packet took the rest of the file.
	if s.size == endless {
		return false, nil
	}
	// The size is not known again until the header of the next packet is read; a fault in it ends the stream.
	s.start += s.size
	s.size = endless
	if err := s.window.drop(s.start); err != nil {
		return false, fmt.Errorf("%s: %w", s.file, err)
	}
	// All positions are bits from the start of the packet.
	s.pos, s.limit, s.cut = 0, unlimited, false
	s.look()
	for s.end == 0 {
		more, err := s.fill()
		if err != nil {
			return false, err
		}
		if !more || s.limit == 0 {
			return false, nil
		}
	}
	st, err := s.open()
	switch {
	case err != nil:
		return false, s.bad(schema.BadRecord, 0, err)
	case st != done && s.window.over:
		return false, s.bad(schema.TornRecord, 0, errTorn)
	case st != done:
		return false, s.bad(schema.BadRecord, 0, errBeyond)
	}
	s.in = true
	s.trace.losses(s)
	return true, nil
}

// open reads header and context, with as much of the file as that takes.
func (s *stream) open() (status, error) {
	for {
		st, err := s.header()
		if st != short || err != nil {
			return st, err
		}
		// The header is read from its start again, now that more of the file is in the window.
		s.pos = 0
		more, err := s.window.slide(s.start)
		s.look()
		if err != nil || !more {
			return bad, err
		}
	}
}

// header reads header and context of a packet, which say how long it is and what its stream is.
func (s *stream) header() (status, error) {
	t := s.trace.plan
	// Registers that the metadata do not fill must not hold values of the packet before.
	clear(s.regs[:])
	s.limit = unlimited
	if s.window.over {
		s.limit = s.end
	}
	if st := s.run(t.header); st != done {
		return st, nil
	}
	if err := s.identify(t); err != nil {
		return bad, err
	}
	if st := s.run(s.plan.context); st != done {
		return st, nil
	}
	return done, s.sizes()
}

// identify checks what the header says of the trace, and finds the description of the stream.
func (s *stream) identify(t *tracePlan) error {
	has := t.meta.header.field
	if m := s.regs[regMagic]; has("magic") && m != packetMagic {
		return fmt.Errorf("expected a packet, which begins with %#x, found %#x", uint32(packetMagic), m)
	}
	id := s.regs[regStream]
	if s.plan = t.streams[id]; s.plan == nil && !has("stream_id") && len(t.streams) == 1 {
		for _, only := range t.streams {
			s.plan = only
		}
	}
	if s.plan == nil {
		return fmt.Errorf("the packet is of stream %d, which the metadata do not describe", id)
	}
	return nil
}

// sizes takes from the context how long the packet is, when it begins and on which CPU.
func (s *stream) sizes() error {
	has := s.plan.class.packetContext.field
	content, packet := s.regs[regContent], s.regs[regPacket]
	// Either size stands for the other; without both the packet takes the rest of its file.
	if !has("packet_size") {
		packet = unlimited
		if has("content_size") {
			packet = (content + 7) &^ 7
		}
	}
	if !has("content_size") {
		content = packet
	}
	// A size that cannot be is an error of the packet, which ends the stream: where the next one begins is not known either.
	if packet%8 != 0 && packet != unlimited || content > packet || content < s.pos || packet > unlimited {
		return fmt.Errorf("a packet cannot have %d bits of content in %d bits, %d of them before its events", content, packet, s.pos)
	}
	s.limit = content
	if packet != unlimited {
		s.size = int64(packet / 8)
	} else if s.window.over {
		s.limit = min(s.limit, s.end)
	}
	// Streams without a CPU are told apart by their own numbers.
	s.cpu = s.number
	if has("cpu_id") {
		s.cpu = s.regs[regCPU]
	}
	if has("timestamp_begin") {
		s.cycles = s.regs[regBegin]
	}
	return nil
}
