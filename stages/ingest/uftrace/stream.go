package uftrace

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

// A record is a time and a word, whose parts these are.
const (
	recordBytes = 16 // time and word of 8 bytes each

	kindEntry = 0        // a function is entered
	kindExit  = 1        // a function is left
	kindLost  = 2        // records were lost here
	kindEvent = 3        // an event of the thread
	kindBits  = 1<<2 - 1 // of the word

	more       = 1 << 2 // data follow
	checkBits  = 7 << 3 // bits 3 to 5 of the word
	checkValue = 5 << 3 // what they are in every record that was written whole

	depthShift   = 6       // bits 6 to 15 of the word
	depths       = 1 << 10 // the depth has ten bits and wraps
	addressShift = 16      // bits 16 to 63 of the word

	plainBits = checkBits | more | 1<<1 // of an entry or an exit without data, checkValue
)

// stream reads the records of one thread.
type stream struct {
	r       *reader  // that it is of
	name    string   // of its file
	tid     int64    // number of the thread
	threads *threads // that it is one of

	file     fs.File // nil while another stream is read
	buf      []byte  // nil likewise
	pos, end int     // bytes in buf: of the next record, and of what was read
	offset   int64   // of buf[0] in the file
	ended    bool    // nothing follows buf[:end]

	time int64 // the latest so far
	calls

	runs      []run         // sessions of the thread, by time
	run       int           // position in runs; what follows is of it
	lifeline  string        // "" before the first record
	addresses symbols.Index // to the key of an enter, which is even; odd: without a symbol
	change    int64         // when another run begins, or a library is opened
}

// newStream returns the stream of a thread; its file is opened when it is read.
func newStream(r *reader, name string, tid int64, threads *threads) *stream {
	s := &stream{r: r, name: name, tid: tid, threads: threads, runs: threads.runsOf(tid)}
	// The first record is special: its depth says what was open before, and it enters the first run.
	s.trust, s.change = true, math.MinInt64
	return s
}

// at is the place of the record at hand.
func (s *stream) at(err error) *schema.SyntaxError {
	return &schema.SyntaxError{File: s.name, Offset: s.offset + int64(s.pos), Err: err}
}

// fillBuffer reads until n bytes are at hand, and reports whether they are: they are not at the end of the file.
func (s *stream) fillBuffer(n int) (bool, error) {
	if s.end-s.pos >= n {
		return true, nil
	}
	// A stream that was closed to save files goes on where it stood.
	if s.file == nil && !s.ended {
		if err := s.openFile(n); err != nil {
			return false, err
		}
	}
	// What is left moves to the front, so a record never straddles two buffers.
	copy(s.buf, s.buf[s.pos:s.end])
	s.offset += int64(s.pos)
	s.end -= s.pos
	s.pos = 0
	for s.end < n && !s.ended {
		got, err := s.file.Read(s.buf[s.end:])
		s.end += got
		if err == io.EOF {
			s.ended = true
		} else if err != nil {
			return false, s.at(err)
		}
	}
	return s.end >= n, nil
}

// openFile opens the file and goes to where the stream stands. There is room for n bytes, and as much as is read at once.
func (s *stream) openFile(n int) (err error) {
	if s.file, err = s.r.fsys.Open(s.name); err != nil {
		return err
	}
	s.buf = make([]byte, max(n, schema.ReadAhead(s.file, s.r.room)&^7))
	skip := s.offset + int64(s.pos)
	s.offset, s.pos, s.end = skip, 0, 0
	if skip == 0 {
		return nil
	}
	// Archives and compressed files cannot seek.
	if seeker, ok := s.file.(io.Seeker); ok {
		_, err = seeker.Seek(skip, io.SeekStart)
	} else {
		_, err = io.CopyN(io.Discard, s.file, skip)
	}
	return err
}

// close gives the file and its buffer back. The stream may go on all the same.
func (s *stream) close() {
	if s.file != nil {
		s.file.Close() // it was only read
	}
	s.offset += int64(s.pos)
	s.file, s.buf, s.pos, s.end, s.ended = nil, nil, 0, 0, false
}

// What is wrong with a record, or why it is left out; positions are those of its first byte.
var (
	errCheck  = errors.New("bits 3 to 5 of a record are not 5")
	errTorn   = errors.New("the file ends within a record")
	errTime   = errors.New("time does not fit")
	errAfter  = errors.New("no record follows")
	errEvents = errors.New("event of the thread")
	errLost   = errors.New("records were lost")
)

// nextDue goes to the next record that is good and returns the time at which it is due, or extsort.Done.
func (s *stream) nextDue() (int64, error) {
	for {
		// 1. A whole record, or the end of the file, or a part of a record at the end.
		if ok, err := s.fillBuffer(recordBytes); !ok {
			if err == nil && s.end > s.pos {
				err = s.r.reading.Bad(schema.TornRecord, s.at(errTorn))
				s.pos = s.end
			}
			return extsort.Done, err
		}
		time := binary.LittleEndian.Uint64(s.buf[s.pos:])
		word := binary.LittleEndian.Uint64(s.buf[s.pos+8:])
		switch {
		// 2. A damaged record is counted, and the next one is searched; a time beyond 63 bits is counted and passed over.
		case word&checkBits != checkValue:
			if err := s.r.reading.Bad(schema.BadRecord, s.at(errCheck)); err != nil {
				return 0, err
			}
			if err := s.searchRecord(8, false); err != nil {
				return 0, err
			}
		case time >= extsort.Done:
			s.r.reading.Ledger.Add(schema.UnsupportedTime, s.at(errTime).Error)
			s.pos += recordBytes
		// Times within a thread never step back here: a record is due no earlier than the one before.
		default:
			return max(s.time, int64(time)), nil
		}
	}
}

// runUntil passes on the events that are due before a time, and returns when the next one is.
func (s *stream) runUntil(until int64) (int64, error) {
	for {
		// Fewer bytes than a record are in the buffer: nextDue reads on.
		if s.end-s.pos < recordBytes {
			if due, err := s.nextDue(); err != nil || due >= until {
				return due, err
			}
		}
		time := binary.LittleEndian.Uint64(s.buf[s.pos:])
		word := binary.LittleEndian.Uint64(s.buf[s.pos+8:])
		// The unsigned comparison takes times beyond 63 bits for late ones, which nextDue counts.
		if time >= uint64(until) || word&checkBits != checkValue {
			if due, err := s.nextDue(); err != nil || due >= until {
				return due, err
			}
			continue
		}
		s.time = max(s.time, int64(time))
		s.pos += recordBytes
		// One test for the usual record: a call without data, whose depth does not matter, in the same run.
		if word&plainBits != checkValue || s.trust || int64(time) >= s.change {
			if err := s.takeSpecial(int64(time), word); err != nil {
				return 0, err
			}
		} else if err := s.takeCall(int64(time), word); err != nil {
			return 0, err
		}
	}
}
