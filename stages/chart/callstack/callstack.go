// Package callstack keeps the call stack of a lifeline and cuts its events into the words of service
// fragments. It is a room that stages share: the ingest that makes a trace well-formed and the stages
// that read it must agree on which exit ends which call.
//
// An exit closes the innermost open call of the same function (Jonk et al. 2019, Definition 3,
// conditions 4 and 5). Where a trace does not know its threads that call need not be on top; the calls
// above it then stay open, are marked as skipped, and keep their place until their own exit comes.
//
// A word is one occurrence of a service fragment: it starts with an enter on an idle lifeline and ends
// with the exit that leaves the lifeline idle (Hilbig 2023, section 2.2). A lifeline on which only
// skipped calls are open ends its word at the next enter, so that a lost exit costs one word and
// not the rest of the trace.
package callstack

// Stack is the call stack of one lifeline. The frame type holds what the user wants to know at the exit.
// The zero value is an idle lifeline.
type Stack[F any] struct {
	calls []openCall[F]
	live  int // open calls that are not skipped
}

// openCall is a call that has not finished.
type openCall[F any] struct {
	frame    F      // of the user
	function uint32 // code of the function
	skipped  bool   // an exit below it came first
}

// searchDepth bounds how deep below the top an exit looks for its call. A trace that loses exits without end
// leaves its calls open for ever; without a bound every later exit would walk past all of them.
const searchDepth = 1 << 12

// Depth is the number of open calls.
func (s *Stack[F]) Depth() int { return len(s.calls) }

// Idle reports whether no call is open.
func (s *Stack[F]) Idle() bool { return len(s.calls) == 0 }

// Cut reports whether an enter now must start a new word: the lifeline is idle, or only skipped calls
// are open.
func (s *Stack[F]) Cut() bool { return s.live == 0 }

// At returns the i-th open call, counted from the outermost.
func (s *Stack[F]) At(i int) *F { return &s.calls[i].frame }

// Enter opens a call and returns its frame to be filled: it holds what an earlier call left there. Frames
// are filled in place because copying one that was just built stalls on its parts.
func (s *Stack[F]) Enter(function uint32) *F {
	n := len(s.calls)
	if n < cap(s.calls) {
		s.calls = s.calls[:n+1]
	} else {
		s.calls = append(s.calls, openCall[F]{})
	}
	c := &s.calls[n]
	c.function, c.skipped = function, false
	s.live++
	return &c.frame
}

// Reopen opens a call as it was on a stack that was taken apart: it may be skipped already.
func (s *Stack[F]) Reopen(function uint32, skipped bool) *F {
	f := s.Enter(function)
	if skipped {
		s.calls[len(s.calls)-1].skipped = true
		s.live--
	}
	return f
}

// Skipped reports whether an exit below the i-th open call came first.
func (s *Stack[F]) Skipped(i int) bool { return s.calls[i].skipped }

// Exit closes the innermost open call of function and returns its frame, which lasts until the next Enter.
// Skipped is the number of calls above it that this exit marks as skipped; the frame is nil, and nothing
// changes, when no call of function is open.
func (s *Stack[F]) Exit(function uint32) (frame *F, skipped int) {
	top := len(s.calls) - 1
	if top >= 0 && s.calls[top].function == function {
		c := &s.calls[top]
		if !c.skipped {
			s.live--
		}
		s.calls = s.calls[:top]
		return &c.frame, 0
	}
	i := s.innermost(function)
	if i < 0 {
		return nil, 0
	}
	skipped = s.skip(i + 1)
	return s.drop(i), skipped
}

// innermost is the position of the call that an exit of function closes, or -1.
func (s *Stack[F]) innermost(function uint32) int {
	last := max(0, len(s.calls)-searchDepth)
	for i := len(s.calls) - 1; i >= last; i-- {
		if s.calls[i].function == function {
			return i
		}
	}
	return -1
}

// skip marks the calls from a position on as skipped, and returns how many were not before.
func (s *Stack[F]) skip(from int) (marked int) {
	for i := from; i < len(s.calls); i++ {
		if !s.calls[i].skipped {
			s.calls[i].skipped = true
			s.live--
			marked++
		}
	}
	return marked
}

// drop closes the i-th open call and moves it behind the others, where its frame lasts until the next Enter.
func (s *Stack[F]) drop(i int) *F {
	c := s.calls[i]
	if !c.skipped {
		s.live--
	}
	last := len(s.calls) - 1
	copy(s.calls[i:], s.calls[i+1:])
	s.calls[last] = c
	s.calls = s.calls[:last]
	return &s.calls[:last+1][last].frame
}
