package otf1

import (
	"bytes"
	"errors"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// run reads a stream up to its first time whose key is not below until. The stream's key is then that of this time,
// or extsort.Done.
func (r *reader) run(s *stream, until int64) error {
	for s.at < s.end || s.fill() {
		if more, err := r.piece(s, until); !more {
			return err
		}
	}
	s.key = extsort.Done
	if err := r.releaseHeld(s); err != nil {
		return err
	}
	return r.checkEnd(s.lines)
}

// piece reads the lines at hand. The usual ones are read byte by byte: numbers that are followed by a line end, as
// every line ends within buf[:end]. It returns false where run has to stop.
func (r *reader) piece(s *stream, until int64) (more bool, err error) {
	for s.at < s.end {
		// Each case reads a whole line or leaves s.at alone and hands it to unusual, which reads any line from its
		// start.
		at := s.at
		switch c := s.buf[at]; {
		case hexDigit[c] < 16:
			if tick, next := number(s.buf, at); next > 0 {
				if err = r.setTime(s, tick, until); err == nil {
					s.at = next
				}
				break
			}
			err = r.unusual(s, until)
		case c == '*':
			if token, next := number(s.buf, at+1); next > 0 {
				if s.at = next; token != s.token || s.proc == nil {
					err = r.setProcess(s, token)
				}
				break
			}
			err = r.unusual(s, until)
		case c == 'E':
			if token, next := number(s.buf, at+1); next > 0 {
				s.begin, s.at = at, next
				err = r.takeEnter(s, token)
				break
			}
			err = r.unusual(s, until)
		case c == 'L' && s.buf[at+1] == '\n':
			s.begin, s.at = at, at+2
			err = r.takeLeave(s, 0, false)
		case c == 'K' && hexDigit[s.buf[at+1]] < 16: // it belongs to the next record
			s.at += bytes.IndexByte(s.buf[at:s.end], '\n') + 1
		default:
			err = r.unusual(s, until)
		}
		if err != nil {
			return false, stopped(err)
		}
	}
	return true, nil
}

// number reads a number of at most 16 digits at buf[at:], which a line end follows, and returns where the next line
// begins; 0 where this is not a usual number.
func number(buf []byte, at int) (n uint64, next int) {
	begin := at
	for {
		// No bound is checked: every line in the buffer ends in a line end, which is no digit.
		d := hexDigit[buf[at]]
		if d > 15 {
			break
		}
		n = n<<4 | uint64(d)
		at++
	}
	if buf[at] != '\n' || at == begin || at-begin > mostDigits {
		return 0, 0
	}
	return n, at + 1
}

// unusual reads any line.
func (r *reader) unusual(s *stream, until int64) error {
	s.next()
	f := fields{text: s.line()}
	if !f.more() {
		return nil
	}
	switch c := f.text[f.at]; {
	case hexDigit[c] < 16:
		tick := f.hex("a time")
		if f.fault == "" && !f.more() {
			err := r.setTime(s, tick, until)
			if err != nil {
				s.at = s.begin
			}
			return err
		}
		return r.bad(s, &f, "nothing after a time")
	case c == '*':
		f.at++
		token := f.hex("a process")
		if f.fault == "" && !f.more() {
			return r.setProcess(s, token)
		}
		return r.bad(s, &f, "nothing after a process")
	}
	return r.record(s, &f)
}

// errNext says that the next time is not below until.
// It is no error of the trace: stopped turns it into the end of a turn.
var errNext = errors.New("the next time is another stream's turn")

func stopped(err error) error {
	if err == errNext {
		return nil
	}
	return err
}

// setTime takes up a time line, or returns errNext where another stream comes first.
func (r *reader) setTime(s *stream, tick uint64, until int64) error {
	// What waited for a leave of the time before waits in vain.
	s.entered = false
	if len(s.held) > 0 {
		if err := r.releaseHeld(s); err != nil {
			return err
		}
	}
	// The line stays unread: the stream goes on with it when its turn comes.
	if s.key = r.keyOf(tick); s.key >= until {
		return errNext
	}
	s.tick = tick
	s.timeNs, s.timed = r.ns(tick)
	return nil
}

// setProcess takes up a process line.
func (r *reader) setProcess(s *stream, token uint64) error {
	if s.proc != nil && s.token == token {
		return nil
		// Another process: what was held or entered is of the one before.
	}
	s.entered = false
	err := r.releaseHeld(s)
	s.proc, s.token = r.process(token), token
	return err
}

// bad counts the line at hand, in which something else was expected.
func (r *reader) bad(s *stream, f *fields, want string) error {
	if f.fault != "" {
		want = f.fault
	}
	return r.reading.Bad(schema.BadRecord, s.syntax(f.at, expected(want)))
}
