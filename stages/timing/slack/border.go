package slack

import "github.com/tracelake/tracelake/stages/timing/window"

// A border is the upper end of a window. A walk upwards cannot know which of the events behind it will be asked
// for again; the walk downwards has met all constraints that cross a border and leaves the answer behind.
type border struct {
	lo, hi int64 // of the window below the border
	first  int   // of the events that are crossed from, in crossed
}

// crossing is an event below a border from which a constraint leads across it.
type crossing struct {
	event  int64
	timeNs int64
}

// record keeps the border above a window that is about to be walked.
func (b *Backward) record(w *window.Window) {
	b.borders = append(b.borders, border{w.Lo, w.Hi, len(b.crossed)})
	for _, p := range b.below {
		b.crossed = append(b.crossed, crossing{p.event, p.timeNs})
	}
}

// Forward turns the walk round: it finds urgent times in a walk up the windows that b went down. It takes over
// what b keeps of the borders, so b has to be at its lowest window and can turn only once.
func (b *Backward) Forward() *Forward {
	f := &Forward{borders: b.borders, crossed: b.crossed}
	b.borders, b.crossed = nil, nil
	return f
}
