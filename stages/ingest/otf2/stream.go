package otf2

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// errTimeless is a defect since every chunk of events begins with the time.
const errTimeless = defect("an event before the first time of its chunk")

// fewRegions is up to which identifier regions are found in a slice, and not in a map.
const fewRegions = 1 << 16

// noKey is the key of a region that was not met before.
const noKey = ^uint32(0)

// stream is the events of one location.
type stream struct {
	*chunks
	r        *reader // that it is of
	id       uint64  // of the location
	process  string  // component of regions that have no other
	lifeline string  // unique in the run
	local    *local  // identifiers and clock of the location

	ticks    int64 // time of the events that come next; extsort.Done at the end
	ns       int64 // the same
	interval int   // of the clock's samples, the last one used
	silent   bool  // the time does not fit: events are dropped

	near  []uint32          // key of the calls of a region, by its local identifier
	far   map[uint64]uint32 // of those with high identifiers
	stack stack             // keys of the enters of open calls
	held  []collective      // operations that ended within them

	received         int          // messages
	receives         *receiveScan // nil until a receive is posted
	from             int64        // where in the file the record in hand begins
	skipped, unknown tally        // records without use here, and of types that no version describes
}

// tally counts records of no use and says where the first one lies.
type tally struct {
	count int64 // records
	first int64 // offset of the first one in the file, bytes
	kind  byte  // type of the first one
}

// add counts a record.
func (t *tally) add(kind byte, offset int64) {
	if t.count == 0 {
		t.first, t.kind = offset, kind
	}
	t.count++
}

// tell puts the count into the ledger, at the place of the first record.
func (t *tally) tell(ledger *schema.Ledger, reason schema.Reason, file string) {
	if t.count > 0 {
		ledger.AddMany(reason, t.count, func() string {
			return (&schema.SyntaxError{File: file, Offset: t.first, Err: fmt.Errorf("record of type %d", t.kind)}).Error()
		})
	}
}

// runUntil passes on the events before a time, in ticks. Times, enters and leaves that lie wholly in the window are
// read here; everything else, all that is damaged, and the first record of every chunk, by slow.
func (s *stream) runUntil(until int64) error {
	for s.ticks != extsort.Done {
		// 16 bytes hold the longest of the three records, so one check of the window is enough.
		for s.end-s.at >= 16 && !s.silent {
			b := s.buf[s.at : s.at+16]
			kind, n := b[0], b[1]
			if kind == evTime {
				s.at += 9
				if err := s.setTime(fullNumber(b[1:], s.big)); err != nil {
					return err
				}
				if s.ticks >= until {
					return nil
				}
				continue
			}
			// Anything else goes the general way, which also counts what is damaged.
			if kind != evEnter && kind != evLeave || n > 8 {
				break
			}
			s.at += 2 + int(n)
			s.counted++
			if err := s.takeCall(kind, quickNumber(b[2:], n, s.big)); err != nil {
				return err
			}
		}
		again, err := s.slow(until)
		if err != nil || !again {
			return err
		}
	}
	return nil
}

// quickNumber is the number of the first n bytes of at least eight.
func quickNumber(b []byte, n byte, big bool) uint64 {
	switch {
	case n == 0:
		return 0
	case big:
		return binary.BigEndian.Uint64(b) >> (64 - 8*n)
	}
	return binary.LittleEndian.Uint64(b) << (64 - 8*n) >> (64 - 8*n)
}

// slow reads one record of any kind; it says false when it is the time for other streams.
func (s *stream) slow(until int64) (again bool, err error) {
	kind, err := s.record()
	switch {
	case err != nil:
	case kind == endOfFile:
		s.ticks = extsort.Done
		return false, nil
	case kind == evTime:
		if err = s.need(8); err == nil {
			s.at += 8
			err = s.setTime(fullNumber(s.buf[s.at-8:], s.big))
			return s.ticks < until, err
		}
	default:
		err = s.event(kind)
	}
	if err != nil {
		err = s.r.countLost(s.chunks, err)
	}
	return err == nil, err
}

// setTime is a new time. Where it does not fit, its events are dropped.
func (s *stream) setTime(t uint64) error {
	s.fresh = false
	// The location's clock is corrected in ticks first and scaled then, as OTF2's own library does.
	ticks, ok := s.r.clock.since(t, s.local.offset(t, &s.interval))
	if ok {
		s.ns, ok = s.r.clock.nanoseconds(ticks)
	}
	if s.silent = !ok; ok {
		s.ticks = ticks
	}
	return nil
}

// takeCall passes on an enter or a leave of a region.
func (s *stream) takeCall(kind byte, region uint64) error {
	key := noKey
	if region < uint64(len(s.near)) {
		key = s.near[region]
	}
	if key == noKey {
		key = s.key(region)
	}
	return s.putCall(key, kind == evEnter)
}

// putCall passes on that a call begins or ends.
func (s *stream) putCall(key uint32, begins bool) error {
	if begins {
		s.stack.enter(key)
	} else {
		s.stack.leave(key)
		key += uint32(schema.Exit)
	}
	err := s.r.out.Put(s.ns, key, schema.NoMark, schema.NoValue)
	if len(s.held) > 0 && err == nil {
		err = s.tellCollectives(key)
	}
	return err
}

// key is the key of the calls of a region, by its local identifier.
func (s *stream) key(region uint64) uint32 {
	if key, ok := s.far[region]; ok {
		return key
	}
	component, function := s.r.names.function(s.local.maps[mapRegions].global(region), s.process)
	key := s.r.calls.Call(schema.EventKey{Component: component, Lifeline: s.lifeline, Function: function})
	if region >= fewRegions {
		s.far[region] = key
		return key
	}
	// Identifiers are small numbers in real traces, so the slice has few gaps.
	for uint64(len(s.near)) <= region {
		s.near = append(s.near, noKey)
	}
	s.near[region] = key
	return key
}

// tellMissing compares how many events the location has by its definition with those of its chunks: a file that was cut between two chunks and closed, or that
// lacks some in its middle, looks like a whole one. What was given up of a damaged file is counted already.
func (s *stream) tellMissing() error {
	defined := s.r.names.definitions.locations[s.id].events
	if s.damaged {
		return nil
	}
	return s.r.missing(defined, s.total, s.wrong(fmt.Errorf("location %s has %d events, and %d by its definition", s.lifeline, s.total, defined)))
}

// countUntimed counts an event whose time does not fit.
func (s *stream) countUntimed() {
	s.r.reading.Ledger.Add(schema.UnsupportedTime, s.wrong(errors.New("a time beyond 64 bits of nanoseconds")).Error)
}
