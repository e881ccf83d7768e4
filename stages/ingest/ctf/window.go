package ctf

import (
	"io"
	"slices"
)

const (
	windowBytes = 128 << 10 // bytes
	firstBytes  = 16 << 10  // bytes that are read at first: what only looks how a stream begins needs no more
	maxEvent    = 16 << 20  // bytes that one event may have
)

// window is the part of a stream that is in memory.
type window struct {
	r    io.Reader // the file, decompressed
	buf  []byte    // of n bytes, and loadSlack behind them
	n    int       // bytes that count
	room int       // bytes that it may have now
	from int64     // place in the file of the first byte
	over bool      // the file has no more
}

// newWindow returns a window before the first byte of a file.
func newWindow(r io.Reader, buf []byte) *window {
	return &window{r: r, buf: buf, room: min(firstBytes, len(buf)-loadSlack-1)}
}

// windowBuffers are the memory of windows that are not in use: a trace is gone through up to four times.
type windowBuffers struct{ free [][]byte }

// take returns a buffer for so many bytes or more, which may hold what was read before.
func (b *windowBuffers) take(bytes int) []byte {
	at := slices.IndexFunc(b.free, func(buf []byte) bool { return len(buf) > bytes+loadSlack })
	if at < 0 {
		return make([]byte, bytes+loadSlack+1)
	}
	buf, last := b.free[at], len(b.free)-1
	b.free[at] = b.free[last]
	b.free = b.free[:last]
	return buf
}

// put gives a buffer back. One that had to grow is not kept.
func (b *windowBuffers) put(buf []byte) {
	if len(buf) <= windowBytes+loadSlack+1 {
		b.free = append(b.free, buf)
	}
}

// until is the place in the file behind the last byte.
func (w *window) until() int64 { return w.from + int64(w.n) }

// slide drops what lies before a place and reads on until the window is full. Where nothing can be dropped the
// window grows, unless it is as long as an event may be.
func (w *window) slide(to int64) (more bool, err error) {
	if w.over {
		return false, nil
	}
	if err := w.drop(to); err != nil {
		return false, err
	}
	if w.over {
		return false, nil
	}
	w.n = copy(w.buf, w.buf[to-w.from:w.n])
	w.from = to
	if w.n == w.room && w.room >= maxEvent {
		return false, nil
	}
	if most := len(w.buf) - loadSlack - 1; w.n == most {
		w.buf = append(w.buf, make([]byte, most)...)
		w.room = 2 * most
	} else if w.from > 0 || w.n > 0 {
		w.room = most
	}
	n, err := io.ReadFull(w.r, w.buf[w.n:w.room])
	w.n += n
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		w.over, err = true, nil
	}
	return n > 0, err
}

// drop gives up everything before a place. The part in the window goes when it slides; what
// lies behind the window is passed over now.
func (w *window) drop(to int64) error {
	skip := to - w.until()
	if skip <= 0 {
		return nil
	}
	n, err := io.CopyN(io.Discard, w.r, skip)
	w.from, w.n = w.until()+n, 0
	if err == io.EOF {
		w.over, err = true, nil
	}
	return err
}
