package chrome

// exit is an exit that may still get messages: a message of an event must stand before the E that ends its slice, and
// comes in a row behind the exit. Track is nil where no exit waits.
type exit struct {
	track    *track
	function *function
	timeNs   int64
}

// release writes the exit that is held. The viewers of the format keep one stack a thread, so an exit that is not
// innermost ends the calls above it too, which begin again at once; one that was never entered begins where it ends.
func (w *Writer) release() {
	h := w.held
	w.held = exit{}
	at := len(h.track.stack) - 1
	for at >= 0 && h.track.stack[at] != h.function {
		at--
	}
	if at < 0 {
		w.enter(h.track, h.function, h.timeNs)
		at = len(h.track.stack) - 1
	}
	above := h.track.stack[at+1:]
	for i := len(above) - 1; i >= 0; i-- {
		w.leave(h.track, above[i], h.timeNs)
	}
	w.leave(h.track, h.function, h.timeNs)
	h.track.stack = h.track.stack[:at]
	for _, f := range above { // each moves down by one place, behind those not yet moved
		w.enter(h.track, f, h.timeNs)
	}
}

// leave writes the end of a call.
func (w *Writer) leave(t *track, f *function, timeNs int64) {
	w.line('E', t, timeNs)
	w.close(f.name)
}
