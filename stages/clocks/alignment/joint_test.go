package alignment_test

import (
	"math"
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/stages/clocks/alignment"
)

// TestNoMessageIsReceivedBeforeItIsSent plants offsets and drifts in systems in which few messages go between each two clocks, some of them one way, so that a tree of
// pairs leaves others to chance. After alignment every message is sent before it is received, and a clock lies where its bounds say.
func TestNoMessageIsReceivedBeforeItIsSent(t *testing.T) {
	type message struct {
		from, to       uint32
		sent, received int64
	}
	moved, bounded := 0, 0
	for seed := range int64(24) {
		rng := rand.New(rand.NewSource(seed))
		clocks := make([]clock, 3+rng.Intn(6))
		for i := range clocks[1:] {
			clocks[i+1] = clock{rng.Int63n(1e7) - 5e6, rng.Float64()*1e-4 - 5e-5}
		}
		c := alignment.New()
		var all []message
		for range 30 * len(clocks) {
			from, to := uint32(rng.Intn(len(clocks))), uint32(rng.Intn(len(clocks)))
			if from == to || from+to == 3 && from > to { // 1 and 2, and 0 and 3, speak one way
				continue
			}
			at := rng.Int63n(60e9)
			c.Start(0)
			all = append(all, message{from, to, clocks[from].shown(at), clocks[to].shown(at + 50_000 + int64(rng.ExpFloat64()*200_000))})
			m := all[len(all)-1]
			c.Before(m.from, m.sent, m.to, m.received)
		}
		s := c.Solve(true, names)
		moved += len(s.Bounds)
		for _, m := range all {
			if late := s.Correct(m.from, m.sent) - s.Correct(m.to, m.received); late > 2 {
				t.Fatalf("seed %d: a message from clock %d to %d of %d is received %d ns before it is sent", seed, m.from, m.to, len(clocks), late)
			}
		}
		for _, b := range s.Bounds {
			i := int(b.Unit[len("host ")] - 'a')
			if b.OffsetLeastNs != nil && *b.OffsetMostNs-*b.OffsetLeastNs < 1_000_000 {
				bounded++
			}
			if truth := trueOffset(clocks[i], b.OriginNs); b.OffsetLeastNs != nil && (float64(*b.OffsetLeastNs) > truth+2 || truth-2 > float64(*b.OffsetMostNs)) {
				t.Errorf("seed %d: clock %d: the truth %.0f is not within %d and %d", seed, i, truth, *b.OffsetLeastNs, *b.OffsetMostNs)
			}
		}
	}
	if moved < 60 || bounded < 40 {
		t.Errorf("only %d clocks were moved, and %d of them bounded to a millisecond", moved, bounded)
	}
}

// TestOthersBoundNoLines has clocks that a message one way relates better than the tree of pairs does, beside a pair that fits no line, and beside clocks
// that nothing relates to the reference. Neither keeps the message from being sent before it is received.
func TestOthersBoundNoLines(t *testing.T) {
	c, clocks := alignment.New(), []clock{{}, {5e6, 0}, {-5e6, 0}, {9e6, 0}, {2e6, 0}, {1e6, 0}}
	c.Start(0)
	calls(c, 200, 0, 1, clocks, 10_000, 90_000) // b is taken to be 40 us less ahead
	calls(c, 200, 0, 2, clocks, 90_000, 10_000) // c is taken to be 40 us more ahead
	calls(c, 200, 0, 3, clocks, 50_000, 50_000)
	for i := range int64(50) {
		at := 1_000_000_000 + i*4_000_000
		c.Before(1, clocks[1].shown(at), 2, clocks[2].shown(at+200_000))
		c.Before(2, clocks[2].shown(at), 1, clocks[1].shown(at+50_000))
		c.Before(3, clocks[3].shown(at), 2, clocks[2].shown(at+(i%2)*9_000_000-4_000_000)) // as if a clock was set again and again
		c.Before(2, clocks[2].shown(at), 3, clocks[3].shown(at+(i%2)*9_000_000-4_000_000))
		c.Before(0, clocks[0].shown(at), 4, clocks[4].shown(at-8_000_000)) // one way: e and f are on their own
		c.Before(2, clocks[2].shown(at), 5, clocks[5].shown(at-8_000_000))
	}
	calls(c, 100, 4, 5, clocks, 1000, 1000)
	s := c.Solve(false, names)
	for i := range int64(50) {
		at := 1_000_000_000 + i*4_000_000
		if sent, received := s.Correct(2, clocks[2].shown(at)), s.Correct(1, clocks[1].shown(at+50_000)); sent > received+2 {
			t.Fatalf("a message is received %d ns before it is sent; %q", sent-received, s.Said)
		}
	}
}

// trueOffset is what is to be added to a time of a clock for that of the reference.
func trueOffset(c clock, shown int64) float64 {
	t := float64(shown - epoch - c.aheadNs)
	return -float64(c.aheadNs) - math.Round(c.drift*t/(1+c.drift))
}
