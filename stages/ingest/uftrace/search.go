package uftrace

import (
	"encoding/binary"

	"github.com/tracelake/tracelake/schema"
)

const (
	dataMost = 4 << 10                // bytes of data after a record: 1 KiB of arguments is uftrace's bound
	pause    = 24 * 3600 * 1000000000 // ns that may pass before the next record

	mostLost  = 1 << 32 // records lost at once
	mostEvent = 1 << 24 // numbers of events
)

// searchRecord goes to the next place that looks like a record, every eighth byte from some bytes on. After a record with
// data it is counted if there is none within as many bytes as data have at most.
func (s *stream) searchRecord(from int, data bool) error {
	// 1. Within the bytes that data can have: the buffer must hold them all to be tried.
	most := dataMost
	// The buffer may be smaller than what is searched, when there are many threads and little memory.
	if data && s.r.room < 2*dataMost {
		most = s.r.room / 2
	}
	whole, err := s.fillBuffer(most)
	if err != nil {
		return err
	}
	if at := s.find(from, min(most, s.end-s.pos)); at >= 0 {
		s.pos += at
		return nil
	}
	// The file ends within data: nothing is lost.
	if data && !whole { // the rest is data
		s.pos = s.end
		return nil
	}
	if data {
		if err := s.r.reading.Bad(schema.BadRecord, s.at(errAfter)); err != nil {
			return err
		}
	}
	// 2. Beyond them, window by window, to the end of the file.
	for {
		// The places tried are dropped but for the last, where a record may have begun.
		tried := min(most, s.end-s.pos)
		s.pos = min(s.end, s.pos+max(8, (tried-recordBytes+8)&^7))
		if whole, err = s.fillBuffer(most); err != nil {
			return err
		}
		if at := s.find(0, min(most, s.end-s.pos)); at >= 0 {
			s.pos += at
			return nil
		}
		if !whole {
			s.pos = s.end
			return nil
		}
	}
}

// find returns the first place that looks like a record, or -1.
func (s *stream) find(from, to int) int {
	for at := from; at+recordBytes <= to; at += 8 {
		if s.looks(at) {
			return at
		}
	}
	return -1
}

// looks reports whether there is a record at a place. The address of a call is the best evidence: hardly any other eight bytes
// have that of a function where a record has it.
func (s *stream) looks(at int) bool {
	// A record is a time not before the last one and not too long after it, and the mark of a whole record.
	time := binary.LittleEndian.Uint64(s.buf[s.pos+at:])
	word := binary.LittleEndian.Uint64(s.buf[s.pos+at+8:])
	if word&checkBits != checkValue || time < uint64(s.time) || time > uint64(s.time)+pause {
		return false
	}
	address := word >> addressShift
	switch word & kindBits {
	case kindLost:
		return word&more == 0 && address < mostLost
	case kindEvent:
		return address < mostEvent
	}
	return s.known(address, int64(time))
}

// known reports whether an address has a symbol.
func (s *stream) known(address uint64, time int64) bool {
	// The index is of the session in hand; near a change the session must be asked.
	if value, found := s.addresses.Find(address); found && time < s.change {
		return value&1 == 0
	}
	now := s.runs[s.run].session
	if s.run+1 < len(s.runs) && s.runs[s.run+1].from <= time {
		now = s.runs[s.run+1].session
	}
	_, _, known := s.r.names.resolve(now, address, time)
	return known
}
