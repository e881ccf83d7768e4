package automaton

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestHistogramsCountEverySampleOnce sees the ends in the first and the last bin, and bins in the order of the times.
func TestHistogramsCountEverySampleOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		most := int64(1) << r.IntN(62)
		var base, cand []int64
		for range 1 + r.IntN(50) {
			base, cand = append(base, r.Int64N(most)), append(cand, r.Int64N(most)-most/int64(1+r.IntN(4)))
		}
		h := NewHistogram(base, cand)
		if total(&h.Base) != int64(len(base)) || total(&h.Cand) != int64(len(cand)) {
			t.Fatalf("%d and %d of %d", total(&h.Base), total(&h.Cand), len(base))
		}
		if h.ToNs > h.FromNs && (h.bin(h.FromNs) != 0 || h.bin(h.ToNs) != bins-1) {
			t.Fatalf("%d to %d: bins %d and %d", h.FromNs, h.ToNs, h.bin(h.FromNs), h.bin(h.ToNs))
		}
		if a, b := base[0], base[len(base)-1]; a <= b && h.bin(a) > h.bin(b) {
			t.Fatalf("%d is before %d, but their bins are not", a, b)
		}
	}
	if NewHistogram(nil, nil) != nil {
		t.Error("a histogram of nothing")
	}
}

// TestLog compares with the logarithm: straight lines between powers of two are less than 0.09 below it.
func TestLog(t *testing.T) {
	for n := int64(1); n > 0 && n < math.MaxInt64/3; n = n*3/2 + 1 {
		got, want := float64(log(n))/65536, math.Log2(float64(n))
		if got > want+1e-4 || got < want-0.09 {
			t.Errorf("log(%d) = %v, want %v", n, got, want)
		}
	}
}

// TestCausesStandOut checks that a change that follows from another one looks otherwise than its cause, which says what it costs in
// a root execution beside the median of a single time.
func TestCausesStandOut(t *testing.T) {
	cause := Transition{Side: Both, Changed: true, Verdict: "regressed: own time", PerRun: "per root execution 1.00 ms → 2.00 ms",
		Base: Times{Count: 4, MedianNs: 1000}, Cand: Times{Count: 4, MedianNs: 2000}}
	follows := Transition{Side: Both, Changed: true, Follows: true, Verdict: "later"}
	expect.Equal(t, cause.look(), timing, "look of a cause")
	expect.Equal(t, follows.look(), following, "look of what follows")
	words := strings.Join(cause.words(&Automaton{Compared: true}), "; ")
	expect.Equal(t, words, "4 times; median 1.00 us → 2.00 us a time; per root execution 1.00 ms → 2.00 ms; regressed: own time", "words")
}
