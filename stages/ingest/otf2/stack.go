package otf2

import "slices"

const (
	deepest = 1 << 16 // calls that a stack keeps; of more the outermost are forgotten
	search  = 1 << 12 // how deep a leave looks for its enter
)

// stack is the open calls of a location, by their keys. It says which call a message belongs to and judges
// nothing: the events are passed on as the trace has them.
type stack []uint32

// enter opens a call.
func (s *stack) enter(key uint32) {
	// A trace without leaves would grow the stack without end; the older half is forgotten.
	if len(*s) == deepest {
		*s = (*s)[:copy(*s, (*s)[deepest/2:])]
	}
	*s = append(*s, key)
}

// leave closes the innermost call of its key, if one is open.
func (s *stack) leave(key uint32) {
	last := len(*s) - 1
	for i := last; i >= 0 && i > last-search; i-- {
		if (*s)[i] == key {
			*s = slices.Delete(*s, i, i+1)
			return
		}
	}
}
