package main

import "math/rand/v2"

// The program whose calls all traces of calls have: four threads, three hundred functions of forty units.
const (
	threads   = 4
	functions = 300
	units     = 40
	deepest   = 20
)

// step is the start or the end of a call.
// It has all that any format writes of an event, in numbers; each format makes its own names of them.
// Numbers of functions are the same in every format, so that all traces have the same calls.
type step struct {
	ns               int64 // from the start of the program
	thread, function int
	depth            int // of calls around this one
	enters           bool
	sends, receives  int64 // the number of a message, or 0; only where a call starts
}

// walk calls visit for about so many steps in the order of time; in the end no call is open. Threads run side by
// side: a thread has a few events in a row. A call in eight sends a message, which a call of another thread receives.
// The generator is seeded with constants, so every call makes the same walk and every format has the same program. (1)
// A thread is chosen, mostly the one before; (2) it enters or leaves, at random within the depth allowed; (3) an enter
// may send a message, or receives the one under way if that comes from another thread; (4) behind the last event the
// deepest thread leaves until nothing is open.
func walk(events int, visit func(step)) {
	rng := rand.New(rand.NewPCG(1, 2))
	var open [threads][]int
	var sent, message int64 // of the message under way, and how many there were; 0: none is under way
	ns, t, sender := int64(1000), 0, 0
	for i := 0; ; i++ {
		// Three times in four the thread goes on, so that it has a few events in a row.
		if rng.IntN(4) == 0 {
			t = rng.IntN(threads)
		}
		s := step{thread: t, depth: len(open[t])}
		if i >= events {
			if s.thread, s.depth = deepestOf(&open); s.depth == 0 {
				return
			}
		}
		ns += 1 + rng.Int64N(300)
		s.ns = ns
		s.enters = i < events && (s.depth == 0 || s.depth < deepest && rng.IntN(2) == 0)
		stack := &open[s.thread]
		if !s.enters {
			s.depth--
			s.function = (*stack)[s.depth]
			*stack = (*stack)[:s.depth]
			visit(s)
			continue
		}
		s.function = rng.IntN(functions)
		switch {
		// A message that nobody received yet is taken by the next call of another thread; only one is under way.
		case sent != 0 && t != sender:
			s.receives, sent = sent, 0
		// The last thousand events send nothing, so that every message is received.
		case sent == 0 && rng.IntN(8) == 0 && i+1000 < events:
			message++
			s.sends, sent, sender = message, message, t
		}
		*stack = append(*stack, s.function)
		visit(s)
	}
}

// exchange is the two ends of a message.
type exchange struct{ sender, receiver step }

// exchanges walks the walk beforehand, for formats in which one end of a message names the other.
// It costs memory for each message, about one for sixteen events.
func exchanges(events int) map[int64]exchange {
	all := make(map[int64]exchange)
	walk(events, func(s step) {
		x := all[s.sends+s.receives]
		switch {
		case s.sends != 0:
			x.sender = s
		case s.receives != 0:
			x.receiver = s
		default:
			return
		}
		all[s.sends+s.receives] = x
	})
	return all
}

// peer is the other end of the message of a step.
func (x exchange) peer(s step) step {
	if s.sends != 0 {
		return x.receiver
	}
	return x.sender
}

// deepestOf is the thread with the most open calls, and how many.
// The depth is 0 when nothing is open.
func deepestOf(open *[threads][]int) (thread, depth int) {
	for t, stack := range open {
		if len(stack) > depth {
			thread, depth = t, len(stack)
		}
	}
	return thread, depth
}
