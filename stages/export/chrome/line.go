package chrome

import "strconv"

// line begins an event of a track, up to its name or what comes before that.
func (w *Writer) line(phase byte, t *track, timeNs int64) {
	b := w.start(phase)
	b = append(b, t.place...)
	b = appendMicroseconds(b, timeNs)
	w.buf = append(b, ',')
}

// start begins an event of a phase: "B" and "E" for calls, "s" and "f" for the ends of messages, "M" for names.
func (w *Writer) start(phase byte) []byte {
	b := w.buf
	if w.begun {
		b = append(b, ',')
	}
	w.begun = true
	b = append(b, "\n{\"ph\":\""...)
	return append(b, phase)
}

// close ends an event with its name, in quotation marks.
func (w *Writer) close(name []byte) {
	b := append(w.buf, `"name":`...)
	b = append(b, name...)
	w.buf = append(b, '}')
}

// appendMicroseconds writes nanoseconds as microseconds with three decimals.
func appendMicroseconds(b []byte, ns int64) []byte {
	u := uint64(ns)
	if ns < 0 {
		b = append(b, '-')
		u = -u
	}
	b = strconv.AppendUint(b, u/1000, 10)
	r := u % 1000
	return append(b, '.', byte('0'+r/100), byte('0'+r/10%10), byte('0'+r%10))
}

// appendInt writes a number.
func appendInt(b []byte, v int64) []byte { return strconv.AppendInt(b, v, 10) }
