package ctf

import "io"

const (
	windowBytes = 128 << 10 // bytes at first
	maxEvent    = 16 << 20  // bytes that one event may have
)

// window is the part of a stream that is in memory.
type window struct {
	r    io.Reader // the file, decompressed
	buf  []byte    // of n bytes, and loadSlack behind them
	n    int       // bytes that count
	from int64     // place in the file of the first byte
	over bool      // the file has no more
}

// newWindow returns a window before the first byte of a file.
func newWindow(r io.Reader) *window {
	return &window{r: r, buf: make([]byte, windowBytes+loadSlack+1)}
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
	room := len(w.buf) - loadSlack - 1
	if w.n == room {
		if room >= maxEvent {
			return false, nil
		}
		w.buf = append(w.buf, make([]byte, room)...)
		room *= 2
	}
	n, err := io.ReadFull(w.r, w.buf[w.n:room])
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
