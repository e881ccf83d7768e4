package rawlog

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

var (
	errThread  = errors.New("expected a thread")
	errWord    = errors.New(`expected "E" or "X"`)
	errAddress = errors.New("expected a hexadecimal address after 0x")
	errRest    = errors.New("text after the call site")
	errLong    = errors.New("line is longer than 128 KiB")
)

// readText reads lines. One that is longer than the buffer is a bad line, and is passed over to its end.
func (r *reader) readText(in *bufio.Reader) error {
	for number := int64(1); ; number++ {
		// The slice is of the buffer and valid until the next read, so a line must be taken before that.
		line, err := in.ReadSlice('\n')
		long := err == bufio.ErrBufferFull
		for err == bufio.ErrBufferFull {
			_, err = in.ReadSlice('\n')
		}
		if err != nil && err != io.EOF {
			return err
		}
		// Only the last line can lack its end: the program was killed while it wrote, or nothing follows.
		torn := err == io.EOF
		if torn && len(line) == 0 && !long {
			return nil
		}
		if long {
			err = r.countBad(number, 0, errLong, torn)
		} else {
			err = r.readLine(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")), number, torn)
		}
		if err != nil || torn {
			return err
		}
	}
}

// countBad counts a line that is not of the format.
func (r *reader) countBad(number int64, column int, err error, torn bool) error {
	at := &schema.SyntaxError{File: r.path(), Line: number, Col: int64(column) + 1, Err: err}
	if torn {
		return r.reading.Bad(schema.TornLine, at)
	}
	return r.reading.Bad(schema.BadLine, at)
}

// readLine takes a line. A torn one that is good but for its end is taken all the same, as its call site does not matter.
func (r *reader) readLine(line []byte, number int64, torn bool) error {
	if len(line) > 0 && line[0] == '#' {
		return r.takeRemark(string(line), &schema.SyntaxError{File: r.path(), Line: number, Col: 1})
	}
	e, column, err := textRecord(line)
	switch {
	case err != nil:
		return r.countBad(number, column, err, torn)
	// A zero address is a record whose place was not written, as in the binary form.
	case e.function == 0:
		at := &schema.SyntaxError{File: r.path(), Line: number, Col: 1, Err: errZero}
		return r.reading.Bad(schema.TornRecord, at)
	case e.time >= extsort.Done:
		at := &schema.SyntaxError{File: r.path(), Line: number, Col: 1, Err: errTime}
		r.reading.Ledger.Add(schema.UnsupportedTime, at.Error)
		return nil
	}
	return r.addRecord(&e)
}

// textRecord reads "time thread E|X 0xfunction 0xsite". The column is that of the error, from 0, or -1. A time that
// does not fit is the greatest.
func textRecord(line []byte) (e record, column int, err error) {
	at := 0
	var ok bool
	if e.time, at, ok = decimal(line, at); !ok {
		return e, at, errWhere
	}
	thread, at, ok := decimal(line, at)
	if !ok || thread > math.MaxUint32 {
		return e, at, errThread
	}
	e.thread = uint32(thread)
	switch {
	case len(line) < at+2 || line[at+1] != ' ' || line[at] != 'E' && line[at] != 'X':
		return e, at, errWord
	case line[at] == 'X':
		e.kind = schema.Exit
	}
	if e.function, at, ok = hexadecimal(line, at+2); !ok || at == len(line) || line[at] != ' ' {
		return e, at, errAddress
	}
	if _, at, ok = hexadecimal(line, at+1); !ok {
		return e, at, errAddress
	}
	if at < len(line) {
		return e, at, errRest
	}
	return e, -1, nil
}

// decimal reads digits and the blank after them.
func decimal(line []byte, at int) (value uint64, next int, ok bool) {
	start := at
	for ; at < len(line) && line[at]-'0' < 10; at++ {
		// It stays at the greatest value once it is there, so that a long run of digits cannot wrap to a small time.
		if value > (math.MaxUint64-9)/10 {
			value = math.MaxUint64
		} else {
			value = 10*value + uint64(line[at]-'0')
		}
	}
	if at == start || at == len(line) || line[at] != ' ' {
		return value, at, false
	}
	return value, at + 1, true
}

// hexadecimal reads 0x and 1 to 16 digits.
func hexadecimal(line []byte, at int) (value uint64, next int, ok bool) {
	if len(line) < at+3 || line[at] != '0' || line[at+1] != 'x' {
		return 0, at, false
	}
	at += 2
	start := at
	for ; at < len(line); at++ {
		// Lower-case digits alone, as the recorder writes them.
		c := line[at]
		switch {
		case c-'0' < 10:
			c -= '0'
		case c-'a' < 6:
			c -= 'a' - 10
		default:
			return value, at, at > start && at-start <= 16
		}
		value = value<<4 | uint64(c)
	}
	return value, at, at > start && at-start <= 16
}
