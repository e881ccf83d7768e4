package uftrace

import (
	"encoding/binary"
	"math"

	"github.com/tracelake/tracelake/schema"
)

// takeCall passes on an entry or an exit.
func (s *stream) takeCall(time int64, word uint64) error {
	address := word >> addressShift
	if word&kindBits == kindEntry {
		key := s.key(address, time)
		s.open = append(s.open, openCall{address, key})
		return s.r.out.Put(time, key)
	}
	// The key of an exit is that of its enter plus 1: both were numbered as a pair.
	// The usual exit: of the innermost call, whose keys are a pair, so nothing is looked up.
	last := len(s.open) - 1
	if last >= 0 && s.open[last].address == address && s.open[last].key != lostCall {
		key := s.open[last].key
		s.open = s.open[:last]
		return s.r.out.Put(time, key+1)
	}
	return s.strayExit(time, address)
}

// strayExit passes on an exit that is not of the innermost open call, unless its enter is known to be lost.
func (s *stream) strayExit(time int64, address uint64) error {
	// An exit whose enter was lost would pair with another call of the function: it is left out and counted.
	if s.leave(address) {
		// The lowest bit of an address's key says that it has no symbol; key returns it without that bit.
		s.r.reading.Ledger.Add(schema.UnmatchedExit, s.before)
		return nil
	}
	return s.r.out.Put(time, s.key(address, time)+1)
}

// before is the place of the record that was taken last.
func (s *stream) before() string {
	e := s.at(errLost)
	// An error is made behind the record, so its place is one record back.
	e.Offset -= recordBytes
	return e.Error()
}

// key returns the enter key of the function at an address, which it names if it is new.
func (s *stream) key(address uint64, time int64) uint32 {
	// &^ 1 takes away the bit that says that the address has no symbol.
	if value, found := s.addresses.Find(address); found {
		return value &^ 1
	}
	component, function, known := s.r.names.resolve(s.runs[s.run].session, address, time)
	key := s.r.names.key(component, s.lifeline, function)
	if known {
		// The lowest bit says that the address has no symbol; enter keys are even, so it is free.
		s.addresses.Set(address, key)
	} else {
		s.r.reading.Ledger.Add(schema.UndefinedToken, s.before)
		s.addresses.Set(address, key|1)
	}
	return key
}

// enterRun looks up which session the thread is in and what it has mapped, since that may have changed.
func (s *stream) enterRun(time int64) {
	// Several changes may lie between two records of a thread.
	for s.run+1 < len(s.runs) && s.runs[s.run+1].from <= time {
		s.run++
		s.open, s.trust = s.open[:0], true // what was open was of the program before
	}
	now := s.runs[s.run].session
	s.lifeline = s.threads.lifeline(s.tid, now)
	// What an address means changes with the program and with every library that is opened.
	s.addresses.Clear()
	s.change = math.MaxInt64
	if s.run+1 < len(s.runs) {
		s.change = s.runs[s.run+1].from
	}
	// The next change of either kind; until then no record needs to ask.
	for _, change := range now.changes {
		if change > time {
			s.change = min(s.change, change)
			break
		}
	}
}

// takeSpecial passes on a record that is not just a call.
func (s *stream) takeSpecial(time int64, word uint64) error {
	kind := word & kindBits
	if time >= s.change {
		s.enterRun(time)
	}
	switch kind {
	case kindLost:
		s.r.reading.Ledger.AddMany(schema.LostByTracer, int64(max(1, word>>addressShift)), s.before)
		s.trust = true
	case kindEvent:
		s.r.reading.Ledger.Add(schema.SkippedRecord, s.before)
		if word&more != 0 {
			return s.skipEvent()
		}
		return nil
	default:
		// The number of lost records takes the place of an address; 0 stands for one that was lost.
		// The depth is believed only after a gap: at the start, after lost records, after another program was executed.
		if s.trust {
			depth := int(word >> depthShift & (depths - 1))
			if err := s.level(depth, kind, func(key uint32) error { return s.r.out.Put(time, key+1) }); err != nil {
				return err
			}
		}
		if err := s.takeCall(time, word); err != nil {
			return err
		}
	}
	if word&more != 0 {
		// The length of arguments is not in the record, only in what was asked of uftrace, so their end must be found.
		return s.searchRecord(0, true)
	}
	return nil
}

// skipEvent goes past the data of an event.
func (s *stream) skipEvent() error {
	ok, err := s.fillBuffer(2)
	if !ok {
		return err // a torn record is found by head
	}
	// Two bytes of length, then the data, padded to the next record.
	size := 2 + int(binary.LittleEndian.Uint16(s.buf[s.pos:]))
	// Data of events are padded to eight bytes.
	return s.skipBytes((size + 7) &^ 7)
}

// skipBytes goes past bytes, or to the end of the file.
func (s *stream) skipBytes(size int) error {
	for size > 0 {
		ok, err := s.fillBuffer(1)
		if !ok {
			return err
		}
		n := min(size, s.end-s.pos)
		s.pos += n
		size -= n
	}
	return nil
}
