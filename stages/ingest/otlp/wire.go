package otlp

import (
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracelake/tracelake/schema"
)

const (
	ahead      = 256 << 10 // bytes read ahead
	maxMessage = 16 << 20  // bytes of a message that is read whole
	maxVarint  = 10        // bytes of a number
)

// wire reads the encoding of protobuf from a stream. Package protowire decodes what is in memory; wire sees to it that enough
// is there, and keeps the offset for errors.
// The buffer moves its rest to the front when it runs out, so every byte is copied at most once per 256 KiB.
type wire struct {
	source   io.Reader // decompressed
	file     string    // its name, for positions
	buf      []byte    // grows to the longest message
	pos, end int       // buf[pos:end] is still to be taken
	before   int64     // bytes dropped before buf
	err      error     // of the source, io.EOF at its end
}

// offset returns how many bytes were taken.
func (w *wire) offset() int64 { return w.before + int64(w.pos) }

// fault returns an error at an offset.
// Offsets count from 0, in the decompressed bytes of the file.
func (w *wire) fault(offset int64, err error) *schema.SyntaxError {
	return &schema.SyntaxError{File: w.file, Offset: offset, Err: err}
}

// has reads on until n bytes are in the buffer, and reports whether they are.
// Slices of the buffer that were handed out no longer hold behind it.
func (w *wire) has(n int) bool {
	if w.end-w.pos >= n {
		return true
	}
	w.before += int64(w.pos)
	w.end = copy(w.buf, w.buf[w.pos:w.end])
	w.pos = 0
	for w.end < n && w.err == nil {
		if w.end == len(w.buf) { // grows with what is there, not with what a length promises
			w.buf = append(w.buf, make([]byte, len(w.buf))...)
		}
		var got int
		got, w.err = w.source.Read(w.buf[w.end:])
		w.end += got
	}
	return w.end >= n
}

// ended returns the error where bytes are missing: that of the source, or a torn record.
// The place is the end of the file and not the field that was begun, as that is where bytes are missing.
func (w *wire) ended() error {
	if w.err != io.EOF {
		return w.err
	}
	return w.fault(w.before+int64(w.end), fmt.Errorf("expected more bytes: %w", io.ErrUnexpectedEOF))
}

// atEnd reports whether nothing is left.
func (w *wire) atEnd() bool { return !w.has(1) && w.err == io.EOF }

// number takes a varint.
// Asking for ten bytes is right also near the end of a file, where fewer are there: has just reads all.
func (w *wire) number() (uint64, error) {
	w.has(maxVarint)
	v, n := protowire.ConsumeVarint(w.buf[w.pos:w.end])
	if n > 0 {
		w.pos += n
		return v, nil
	}
	if w.end-w.pos < maxVarint {
		return 0, w.ended()
	}
	return 0, w.fault(w.offset(), errVarint)
}

// What is wrong with the bytes; each is reported with the offset of the field.
var (
	errVarint  = errors.New("expected a varint of 64 bits")
	errField   = errors.New("expected a field of protobuf")
	errUnknown = errors.New("a field that the format does not define")
	errLength  = errors.New("expected a message that ends within the one around it")
	errLong    = fmt.Errorf("expected a message of at most %d bytes", maxMessage)
)

// bytes takes n bytes, which are valid until the next call.
// The bound keeps a length that a fault made large from taking memory.
func (w *wire) bytes(n int64) ([]byte, error) {
	if n > maxMessage {
		return nil, w.fault(w.offset(), errLong)
	}
	if !w.has(int(n)) {
		return nil, w.ended()
	}
	b := w.buf[w.pos : w.pos+int(n)]
	w.pos += int(n)
	return b, nil
}

// skip takes n bytes and forgets them. They need not fit into the buffer.
// It reads what it skips, because a source is a stream and may be decompressed on the way.
func (w *wire) skip(n int64) error {
	for n > 0 {
		if !w.has(1) {
			return w.ended()
		}
		step := min(n, int64(w.end-w.pos))
		w.pos += int(step)
		n -= step
	}
	return nil
}

// skipField takes the value of a field of a wire type, which ends before an offset.
// Groups (types 3 and 4) are given up in protobuf 3 and are a fault here.
func (w *wire) skipField(kind uint64, end int64) error {
	switch kind {
	case varint:
		_, err := w.number()
		return err
	case fixed64:
		return w.skipWithin(8, end)
	case fixed32:
		return w.skipWithin(4, end)
	case counted:
		n, err := w.length(end)
		if err != nil {
			return err
		}
		return w.skip(n)
	}
	return w.fault(w.offset(), errField)
}

// skipWithin takes n bytes that end before an offset.
// Fields of fixed length have no length of their own that could be checked, so the end is.
func (w *wire) skipWithin(n, end int64) error {
	if n > end-w.offset() {
		return w.fault(w.offset(), errLength)
	}
	return w.skip(n)
}

// length takes the length of a message that ends before an offset.
// The subtraction cannot overflow, as neither offsets nor ends are negative.
func (w *wire) length(end int64) (int64, error) {
	n, err := w.number()
	if err != nil {
		return 0, err
	}
	if n > uint64(max(0, end-w.offset())) {
		return 0, w.fault(w.offset(), errLength)
	}
	return int64(n), nil
}
