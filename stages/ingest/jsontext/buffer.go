package jsontext

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/schema"
)

// MaxToken bounds the bytes of a string or number that is not skipped, and so the memory that a fault in a text can take.
const MaxToken = 64 << 20

// idleReads is how often a source may return nothing without an error.
const idleReads = 100

// more reads on. It moves what is in the buffer, so positions but those in the reader no longer hold. It returns false when
// there is no more, at the end of the text or for the error that it leaves.
// Bytes come in reads of up to 256 KiB, and zeros are put behind them anew: loops rely on these to stop.
func (r *Reader) more() bool {
	if r.ended || r.err != nil {
		return false
	}
	if r.end+word == len(r.buf) && !r.room() {
		return false
	}
	n, err := 0, error(nil)
	for tries := 0; n == 0 && err == nil; tries++ {
		if n, err = r.source.Read(r.buf[r.end : len(r.buf)-word]); tries == idleReads {
			err = io.ErrNoProgress
		}
	}
	r.end += n
	clear(r.buf[r.end : r.end+word])
	if err == io.EOF {
		r.ended = true
	} else if err != nil {
		r.err = r.place(r.end, err)
	}
	return n > 0
}

// room makes room in a full buffer: it takes the memory of a longer text, drops what lies before the token in hand, or takes more memory yet.
// Doubling keeps the copying linear in the length of the token. The token in hand moves to the start of the buffer, so
// callers must not keep positions, only offsets from tok.
func (r *Reader) room() bool {
	if len(r.buf) < ahead {
		r.widen(ahead)
		return true
	}
	if r.tok == 0 {
		if r.end > MaxToken {
			r.err = r.place(0, fmt.Errorf("expected a value of at most %d MiB", MaxToken>>20))
			return false
		}
		r.widen(2 * r.end)
		return true
	}
	dropped := r.buf[:r.tok]
	// Counting is quick, and looking for the last line end is not where there is none.
	if lines := bytes.Count(dropped, []byte{'\n'}); lines > 0 {
		r.lines += int64(lines)
		r.lineStart = r.before + int64(bytes.LastIndexByte(dropped, '\n')) + 1
	}
	copy(r.buf, r.buf[r.tok:r.end])
	r.before += int64(r.tok)
	r.pos -= r.tok
	r.end -= r.tok
	r.tok = 0
	return true
}

// widen moves the bytes in the buffer to one of another size.
func (r *Reader) widen(size int) {
	wider := make([]byte, size+word)
	copy(wider, r.buf[:r.end])
	r.buf = wider
}

// place returns an error with the line and column of a position in the buffer. Lines are not counted until someone asks.
// Lines and columns count from 1, columns in bytes. The cost is one pass over the bytes in the buffer, at most once
// for a fault that ends the reading and once for each that the ledger keeps.
func (r *Reader) place(at int, err error) *schema.SyntaxError {
	e := &schema.SyntaxError{File: r.file, Line: r.lines + 1, Col: r.before + int64(at) - r.lineStart + 1, Err: err}
	if last := bytes.LastIndexByte(r.buf[:at], '\n'); last >= 0 {
		e.Line += int64(bytes.Count(r.buf[:at], []byte{'\n'}))
		e.Col = int64(at - last)
	}
	return e
}

// peek returns the next byte, 0 at the end of the text, which no JSON has.
// A zero byte in the text itself is taken for the end by the caller and refused by fail, which looks at the position.
func (r *Reader) peek() byte {
	if r.pos < r.end {
		return r.buf[r.pos]
	}
	return r.peekOn()
}

// peekOn is the slow half of peek, kept apart so that peek is inlined.
func (r *Reader) peekOn() byte {
	if r.more() {
		return r.buf[r.pos]
	}
	return 0
}

// fail ends the reading at the next byte: it is not what was expected.
// It first tries to read on, so that the end of the text is told from a byte that is wrong. Later calls return the
// first error.
func (r *Reader) fail(want string) error {
	if r.peek(); r.err != nil {
		return r.err
	}
	if r.pos == r.end {
		r.err = r.place(r.pos, fmt.Errorf("the text ends where %s was expected: %w", want, io.ErrUnexpectedEOF))
	} else {
		r.err = r.place(r.pos, fmt.Errorf("expected %s, found %q", want, r.buf[r.pos]))
	}
	return r.err
}

// other returns the error of a value that is not of the kind that was asked for, if that is all that is wrong.
// Such an error has no place: the caller knows which value it looked at, and At gives it one.
func (r *Reader) other(found Kind, want string) error {
	if found <= End {
		return r.fail(want)
	}
	return errors.New("expected " + want + ", found " + kindWords[found])
}
