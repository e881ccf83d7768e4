package ltsdiff

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// drawn is a difference of two automata from words like 0a1-: a transition from 0 to 1 that is unchanged (=),
// added (+) or removed (-). State 0 is initial on both sides, states listed in accepting accept.
func drawn(t *testing.T, transitions, accepting, initialRight string) *Difference {
	d := &Difference{Sides: 2}
	for _, word := range strings.Fields(transitions) {
		s := Step{Transition: Transition{int32(word[0] - '0'), uint32(word[1] - 'a'), int32(word[2] - '0')}, Number: []int32{None, None}}
		s.Sides = Sides(1 + strings.IndexByte("-+=", word[3]))
		for len(d.States) <= int(max(s.Source, s.Target)) {
			n := len(d.States)
			state := State{Sides: 3, Number: []int32{int32(n), int32(n)}, Accepting: strings.Contains(accepting, fmt.Sprint(n))}
			if n == 0 {
				state.Initial = 3
			} else if strings.Contains(initialRight, fmt.Sprint(n)) {
				state.Initial = 2
			}
			d.States = append(d.States, state)
		}
		d.Steps = append(d.Steps, s)
	}
	if len(d.States) == 0 {
		t.Fatal("no transitions in ", transitions)
	}
	return d
}

func TestSkipPatterns(t *testing.T) {
	for _, c := range []struct {
		why, transitions, accepting, initialRight string
		skips                                     int
	}{
		{"a fork around a transition", "0a1- 0a2+ 2b1+ 1c0=", "0", "", 1},
		{"a fork around a state", "0a1- 0a2+ 2b3+ 3c1+ 1d0=", "0", "", 1},
		{"a fork around a loop", "0a1- 0a2+ 2b3+ 3b3+ 3c1+ 1d0=", "0", "", 1},
		{"a join around a transition", "0a1= 1c0- 1b2+ 2c0+", "0", "", 1},
		{"a join around a state", "0a1= 1c0- 1b3+ 3b2+ 2c0+", "0", "", 1},
		{"both at the same side", "0a1+ 0a2+ 2b1+ 1c0=", "0", "", 0},
		{"other labels", "0a1- 0x2+ 2b1+ 1c0=", "0", "", 0},
		{"R is initial", "0a1- 0a2+ 2b1+ 1c0=", "0", "2", 0},
		{"R accepts and L does not", "0a1- 0a2+ 2b1+ 1c0=", "02", "", 0},
		{"R is entered from elsewhere", "0a1- 0a2+ 1e2+ 2b1+ 1c0=", "0", "", 0},
		{"R is left on the other side", "0a1- 0a2+ 2b1+ 2e3= 3f0= 1c0=", "0", "", 0},
		{"no way from R to L", "0a1- 0a2+ 2b3+ 1c0=", "0", "", 0},
		{"the way from R to L is through s", "0a1- 0a2+ 2b0+ 1c0=", "0", "", 0},
		{"from between back to s", "0a1- 0a2+ 2b3+ 3c1+ 3e0+ 1d0=", "0", "", 0},
		{"between is entered from elsewhere", "0a1- 0a2+ 2b3+ 3c1+ 1e3+ 1d0=", "0", "", 0},
		{"between is left for elsewhere", "0a1- 0a2+ 2b3+ 3c1+ 3e4+ 1d0=", "0", "", 0},
	} {
		d, before := drawn(t, c.transitions, c.accepting, c.initialRight), drawn(t, c.transitions, c.accepting, c.initialRight)
		d.Rewrite()
		skips := 0
		for _, s := range d.Steps {
			skips += intOf(s.Label == Skip)
		}
		expect.Equal(t, skips, c.skips, "%s: skips of %+v", c.why, d.Steps)
		for side := range 2 {
			if !sameLanguage(projected{d, side}, projected{before, side}) {
				t.Errorf("%s: the language of side %d is another", c.why, side)
			}
		}
	}
}
