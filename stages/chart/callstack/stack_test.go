package callstack

import (
	"math/rand"
	"slices"
	"testing"
)

// plainStack is a stack of (function, frame) that is searched and rebuilt.
type plainStack []plainCall

type plainCall struct {
	function uint32
	frame    int
	skipped  bool
}

func (s *plainStack) exit(function uint32) (frame, skipped int, matched bool) {
	for i := len(*s) - 1; i >= 0; i-- {
		c := (*s)[i]
		if c.function != function {
			continue
		}
		for j := i + 1; j < len(*s); j++ {
			if !(*s)[j].skipped {
				(*s)[j].skipped = true
				skipped++
			}
		}
		*s = slices.Delete(*s, i, i+1)
		return c.frame, skipped, true
	}
	return 0, 0, false
}

func TestStackIsAList(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 500 {
		var got Stack[int]
		var want plainStack
		for frame := range rng.Intn(40) {
			f := uint32(rng.Intn(4))
			if rng.Intn(2) == 0 {
				*got.Enter(f) = frame
				want = append(want, plainCall{function: f, frame: frame})
			} else {
				frame, skipped := got.Exit(f)
				if wf, ws, wm := want.exit(f); (frame != nil) != wm || wm && *frame != wf || skipped != ws {
					t.Fatalf("exit of %d: (%v, %d), want (%d, %d, %v)", f, frame, skipped, wf, ws, wm)
				}
			}
			agree(t, &got, want)
		}
	}
}

func agree(t *testing.T, got *Stack[int], want plainStack) {
	t.Helper()
	live := 0
	for i, c := range want {
		if i < got.Depth() && *got.At(i) != c.frame {
			t.Fatalf("call %d is %d, want %+v", i, *got.At(i), c)
		}
		if !c.skipped {
			live++
		}
	}
	if got.Depth() != len(want) || got.Idle() != (len(want) == 0) || got.Cut() != (live == 0) {
		t.Fatalf("depth %d, idle %v, cut %v; want %d calls, %d of them live", got.Depth(), got.Idle(), got.Cut(), len(want), live)
	}
}
