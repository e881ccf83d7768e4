package mtl

import "github.com/tracelake/tracelake/stages/checks/spec"

// until is the truth of an until, as the package comment has it.
type until struct {
	tape    *Tape
	fromNs  int64 // of the interval, whose ends belong to it
	toNs    int64
	rescue  bool     // weakly: a state that comes later may be the witness
	goal    *scanner // finds B
	broken  *scanner // finds where A does not hold; nil: A is true
	here    *cursor  // times of i
	low     *cursor  // times of l
	block   int64    // that comes next
	l, n, k int64    // as in the package comment, for the last i
	nNs     int64    // the time of n, if it is a state
}

// newUntil makes the stream of an until from a block on. Without an interval all times count.
func newUntil(t *Tape, within *spec.Interval, rescue bool, goal, broken *scanner, block int64) *until {
	u := &until{
		tape: t, toNs: spec.Unbounded, rescue: rescue, goal: goal, broken: broken, here: newCursor(t), low: newCursor(t),
		block: block, l: block << blockBits, n: -1, k: -1,
	}
	if within != nil {
		u.fromNs, u.toNs = within.FromNs, within.ToNs
	}
	return u
}

func (u *until) next(out *truth) {
	states := u.tape.states
	first := u.block << blockBits
	u.here.load(u.block)
	u.block++
	times := u.here.timeNs
	*out = truth{}
	for w := 0; w*64 < len(times); w++ {
		word := times[w*64 : min(w*64+64, len(times))]
		i := first + int64(w*64)
		last := i + int64(len(word)) - 1
		u.seek(i, word[0])
		// What decides the first state of the word decides all, if it is still what comes next at the last one. Whether it
		// is early enough is monotone in the time of i, so that the first and the last state tell.
		lastNs := word[len(word)-1]
		if (u.n == states || u.n >= last && u.nNs-lastNs >= u.fromNs) && u.k >= last {
			if u.holds(word[0]) {
				out[w] = ^uint64(0)
				continue
			} else if !u.holds(lastNs) {
				continue
			}
		}
		var truth uint64
		for j, timeNs := range word {
			u.seek(i+int64(j), timeNs)
			if u.holds(timeNs) {
				truth |= 1 << j
			}
		}
		out[w] = truth
	}
}

// seek moves l, n and k to where they are for a state i at a time.
func (u *until) seek(i, timeNs int64) {
	states := u.tape.states
	u.l = max(u.l, i)
	if u.fromNs > 0 {
		u.l = u.low.seek(u.l, timeNs, u.fromNs)
	}
	if u.n < u.l {
		if u.n = u.goal.from(u.l); u.n < states {
			u.nNs = u.tape.TimeNs(u.n)
		}
	}
	if u.k < i {
		if u.k = states; u.broken != nil {
			u.k = u.broken.from(i)
		}
	}
}

// seek returns the first state from a state on that is at least so many ns behind a time, or the number of states.
func (c *cursor) seek(state, timeNs, afterNs int64) int64 {
	for states := c.tape.states; state < states; {
		if state>>blockBits != c.block {
			c.load(state >> blockBits)
		}
		rest := c.timeNs[state%blockStates:]
		for len(rest) >= 64 && rest[63]-timeNs < afterNs {
			rest, state = rest[64:], state+64
		}
		for _, x := range rest {
			if x-timeNs >= afterNs {
				return state
			}
			state++
		}
	}
	return state
}

// holds reports whether a state satisfies the until: that to which l, n and k belong, which is at this time.
func (u *until) holds(timeNs int64) bool {
	return u.n < u.tape.states && u.n <= u.k && u.nNs-timeNs <= u.toNs ||
		u.rescue && u.k == u.tape.states && u.tape.lastNs-timeNs <= u.toNs
}
