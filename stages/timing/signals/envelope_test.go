package signals

import (
	"math/rand/v2"
	"testing"
)

// TestEnvelope holds the bounds of every part of a span against those of the signal that is cut to this part.
func TestEnvelope(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for round := range 300 {
		s := polynomial(r, round%3, 1+r.Int64N(50))
		from, to := s.Domain()
		over := Span{FromNs: from - r.Int64N(40), ToNs: to + r.Int64N(40)}
		if r.IntN(2) == 0 && to-from > 4 {
			over = Span{FromNs: from + (to-from)/4, ToNs: to - (to-from)/4}
		}
		n := 1 + r.IntN(30)
		least, greatest := Envelope(&s, over, n)
		for part := range n {
			lo := over.FromNs + int64(float64(over.ToNs-over.FromNs)*float64(part)/float64(n))
			hi := over.FromNs + int64(float64(over.ToNs-over.FromNs)*float64(part+1)/float64(n))
			lo, hi = max(lo, from), min(hi, to)
			if hi <= lo {
				continue // no piece, or less than a unit of time
			}
			cut := s.Within(lo, hi)
			want := cut.Statistics()
			if !near(least[part], want.Least) || !near(greatest[part], want.Greatest) {
				t.Fatalf("round %d, part %d of %d: %g to %g, want %g to %g", round, part, n, least[part], greatest[part], want.Least, want.Greatest)
			}
		}
	}
}
