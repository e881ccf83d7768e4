package spantable

import (
	"bytes"
	"io"

	"github.com/tracelake/tracelake/schema"
)

// Sizes of the window of records.
const (
	readBytes  = 256 << 10 // that are asked for at a time, of a large file
	maxRecord  = 1 << 20   // what is longer is no record
	windowSize = 2*maxRecord + readBytes
)

// records cuts a file into lines, and joins those over which a quoted field goes. The window moves over the file; it grows
// no larger than windowSize.
type records struct {
	in         io.Reader
	step       int // bytes that are asked for at a time
	window     []byte
	begin, end int   // of the bytes in window that were read and not yet given out
	ended      bool  // there is nothing behind them
	failed     error // why the file cannot be read any further
	number     int64 // of the line in hand, from 1
	lines      int64 // of the record in hand
	taken      int   // bytes of the record in hand, with its line end
	terminated bool  // a line end stands behind the record in hand
	tooLong    bool  // the record in hand is only the beginning of a line
}

// newRecords returns the records of what in gives; file is where that comes from, which may say that it is small.
func newRecords(in, file io.Reader) *records {
	step := schema.ReadAhead(file, readBytes)
	return &records{in: in, step: step, window: make([]byte, 2*step), lines: 1}
}

// more reads more of the file behind what is there, and reports whether there was more.
func (r *records) more() bool {
	if r.ended {
		return false
	}
	if r.begin > 0 && len(r.window)-r.end < r.step {
		copy(r.window, r.window[r.begin:r.end])
		r.begin, r.end = 0, r.end-r.begin
	}
	if len(r.window)-r.end < r.step {
		grown := make([]byte, min(2*len(r.window), windowSize))
		copy(grown, r.window[:r.end])
		r.window = grown
	}
	n, err := r.in.Read(r.window[r.end:])
	r.end += n
	if err != nil {
		r.ended = true
		if err != io.EOF {
			r.failed = err
		}
	}
	return true
}

// peek returns the beginning of what is to come, of at least some bytes where there are so many.
func (r *records) peek(atLeast int) []byte {
	for r.end-r.begin < atLeast && r.more() {
	}
	return r.window[r.begin:r.end]
}

// next returns the next line without its line end, or nil behind the last. It is valid until the next call.
func (r *records) next() []byte {
	r.number += r.lines
	if r.tooLong {
		r.skipLine()
	}
	line, ok := r.take(0)
	if !ok {
		return nil
	}
	return line
}

// take takes the line that ends behind the first bytes of what is to come, with all that is before it.
// Of a line that is longer than a record may be it takes the beginning.
func (r *records) take(behind int) (line []byte, ok bool) {
	for from := behind; ; {
		if from < r.end-r.begin {
			if n := bytes.IndexByte(r.window[r.begin+from:r.end], '\n'); n >= 0 {
				return r.cut(from+n, 1), true
			}
		}
		from = max(behind, r.end-r.begin)
		if from > maxRecord {
			r.tooLong = true
			return r.cut(from, 0), true
		}
		if !r.more() {
			break
		}
	}
	if r.begin == r.end {
		return nil, false
	}
	return r.cut(r.end-r.begin, 0), true
}

// skipLine passes over the rest of a line.
func (r *records) skipLine() {
	r.tooLong = false
	for r.begin < r.end || r.more() {
		if n := bytes.IndexByte(r.window[r.begin:r.end], '\n'); n >= 0 {
			r.begin += n + 1
			return
		}
		r.begin = r.end
	}
}

// cut takes bytes from the window, and the line end behind them.
func (r *records) cut(n, lineEnd int) []byte {
	line := r.window[r.begin : r.begin+n]
	r.taken, r.terminated = n+lineEnd, lineEnd > 0
	r.begin += r.taken
	r.lines = int64(bytes.Count(line, []byte{'\n'})) + 1
	return bytes.TrimSuffix(line, []byte{'\r'})
}

// extend gives back the record in hand, in which a quoted field is open, and takes it with the lines up to the one in which the field is
// closed. It reports whether that is within what a record may have; if not, the record stays. Either way the memory of the record is another.
// The search begins behind the line. Quotation marks come in pairs within a field, and a single one closes it.
func (r *records) extend() (line []byte, longer bool) {
	before, lineEnd := r.taken, 0
	r.begin -= before
	if r.terminated {
		before, lineEnd = before-1, 1
	}
	for at := before + lineEnd; at <= maxRecord; at++ {
		for at+1 >= r.end-r.begin && r.more() { // a character and the one behind it
		}
		if at >= r.end-r.begin {
			break
		}
		if r.window[r.begin+at] != '"' {
			continue
		}
		if at+1 < r.end-r.begin && r.window[r.begin+at+1] == '"' {
			at++
			continue
		}
		return r.take(at)
	}
	return r.cut(before, lineEnd), false
}

// shorten gives back all of the record in hand but its first line.
func (r *records) shorten() []byte {
	r.begin, r.tooLong = r.begin-r.taken, false
	line, _ := r.take(0)
	return line
}

// torn reports whether the file ends within the record in hand, as far as that shows.
func (r *records) torn() bool { return !r.terminated && r.ended && r.begin == r.end }
