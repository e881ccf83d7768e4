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
	functions []uint32
	skipped   []bool
	frames    []F
	live      int // open calls that are not skipped
}

// Depth is the number of open calls.
func (s *Stack[F]) Depth() int { return len(s.frames) }

// Idle says whether no call is open.
func (s *Stack[F]) Idle() bool { return len(s.frames) == 0 }

// Cut says whether an enter now must start a new word: the lifeline is idle, or only skipped calls
// are open.
func (s *Stack[F]) Cut() bool { return s.live == 0 }

// Top returns the innermost open call, or nil.
func (s *Stack[F]) Top() *F {
	if len(s.frames) == 0 {
		return nil
	}
	return &s.frames[len(s.frames)-1]
}

// At returns the i-th open call, counted from the outermost.
func (s *Stack[F]) At(i int) *F { return &s.frames[i] }

// Function returns the function of the i-th open call.
func (s *Stack[F]) Function(i int) uint32 { return s.functions[i] }

// Enter opens a call.
func (s *Stack[F]) Enter(function uint32, frame F) {
	s.functions = append(s.functions, function)
	s.skipped = append(s.skipped, false)
	s.frames = append(s.frames, frame)
	s.live++
}

// Exit closes the innermost open call of function. Skipped is the number of calls above it that this
// exit marks as skipped; matched is false, and nothing changes, when no call of function is open.
func (s *Stack[F]) Exit(function uint32) (frame F, skipped int, matched bool) {
	top := len(s.frames) - 1
	if top >= 0 && s.functions[top] == function {
		frame = s.frames[top]
		s.drop(top)
		return frame, 0, true
	}
	for i := top - 1; i >= 0; i-- {
		if s.functions[i] == function {
			frame = s.frames[i]
			skipped = s.skip(i + 1)
			s.drop(i)
			return frame, skipped, true
		}
	}
	return frame, 0, false
}

func (s *Stack[F]) skip(from int) (marked int) {
	for i := from; i < len(s.skipped); i++ {
		if !s.skipped[i] {
			s.skipped[i] = true
			s.live--
			marked++
		}
	}
	return marked
}

func (s *Stack[F]) drop(i int) {
	if !s.skipped[i] {
		s.live--
	}
	last := len(s.frames) - 1
	if i < last {
		copy(s.functions[i:], s.functions[i+1:])
		copy(s.skipped[i:], s.skipped[i+1:])
		copy(s.frames[i:], s.frames[i+1:])
	}
	var none F
	s.frames[last] = none
	s.functions, s.skipped, s.frames = s.functions[:last], s.skipped[:last], s.frames[:last]
}
