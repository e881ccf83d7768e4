package callstack

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Step says what an event is to the words of its lifeline.
type Step uint8

// The steps. A word whose last call never ends is under way to the end of the trace; it is unfinished
// and no stage counts it.
const (
	Stray     Step = iota // of no word: an exit of no open call, or of a call that an earlier word left open
	Starts                // the first event of a word
	Cuts                  // the first event of a word; the word before it was cut short and ends before it
	Continues             // neither the first nor the last event of its word
	Ends                  // the last event of a word
)

// Cutter cuts the enter and exit events of one lifeline into words. It keeps the lifeline's call stack
// with a frame of the user's for every call.
//
// A word starts with an enter on a stack without live calls and ends with the exit of its last open
// call. Calls that a cut word left open do not belong to the words after it: their exits are strays,
// whether a word is under way or not, and skip none of its calls. So a lost exit costs one word, and
// a word depends on nothing before it.
//
// The zero value is an idle lifeline.
type Cutter[F any] struct {
	stack Stack[F]
	open  int // open calls of the word under way; they lie above those that earlier words left open
}

// Enter opens a call: it starts a word, cuts one, or continues one. The frame is to be filled, as that of
// Stack.Enter.
func (c *Cutter[F]) Enter(function uint32) (frame *F, step Step) {
	step = Continues
	if c.stack.Cut() {
		step = Starts
		if c.open > 0 {
			step = Cuts
		}
		c.open = 0
	}
	c.open++
	return c.stack.Enter(function), step
}

// Exit closes the innermost open call of function and returns its frame, or nil when there is none. The
// frame lasts until the next Enter. The exit ends a word, continues one, or is a stray.
func (c *Cutter[F]) Exit(function uint32) (frame *F, step Step) {
	i := c.stack.innermost(function)
	if i < 0 {
		return nil, Stray
	}
	if i < c.stack.Depth()-c.open {
		return c.stack.drop(i), Stray
	}
	frame, _ = c.stack.Exit(function)
	c.open--
	if c.open == 0 {
		return frame, Ends
	}
	return frame, Continues
}

// Open is the number of open calls of the word under way; 0 means that none is under way.
func (c *Cutter[F]) Open() int { return c.open }

// At returns the i-th open call of the word under way, counted from the outermost.
func (c *Cutter[F]) At(i int) *F { return c.stack.At(c.stack.Depth() - c.open + i) }

// Innermost is the function of the innermost open call of the word under way, if there is one.
func (c *Cutter[F]) Innermost() (function uint32, open bool) {
	if c.open == 0 {
		return 0, false
	}
	return c.stack.calls[len(c.stack.calls)-1].function, true
}

// Word is the progress of a lifeline in its current word, for who follows words through a tree of their beginnings.
type Word struct {
	Cutter[struct{}]
	At  uint32 // node of the tree
	Seq int64  // of the first event of the word
}

// CountOpen counts the words that are under way at the end of the trace, in the order of their starts.
func CountOpen(words []Word, led *schema.Ledger) {
	var starts []int64
	for i := range words {
		if words[i].Open() > 0 {
			starts = append(starts, words[i].Seq)
		}
	}
	// The ledger keeps the position of the first loss, which must not depend on the numbers of lifelines.
	slices.Sort(starts)
	for _, seq := range starts {
		led.Add(schema.OpenFragment, func() string { return schema.EventPosition(seq) })
	}
}
