package machine

import "math/bits"

// source is splitmix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators").
// Every component has one of its own, so what one draws does not change what another draws.
type source uint64

// newSource returns the source of one stream of a seed. The streams of a seed are independent.
func newSource(seed, stream uint64) source {
	s := source(seed)
	return source(s.next() ^ (stream+1)*0xd1342543de82ef95)
}

// next returns 64 random bits.
func (s *source) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is uniform over 0..n-1.
func (s *source) below(n int) int {
	hi, _ := bits.Mul64(s.next(), uint64(n))
	return int(hi)
}

// percent is true in p of 100 draws.
func (s *source) percent(p int) bool { return s.below(100) < p }

// octaves draws an octave above low evenly, then a value in it evenly: close to log-uniform over
// low .. low * 2^n.
func (s *source) octaves(low int64, n int) int64 {
	v := low << s.below(n)
	return v + int64(s.below(int(v)))
}

// Sums of four random bytes have mean 510 and standard deviation 147.8. The table holds
// exp(0.35 (sum - 510) / 147.8) as a fixed-point number, which makes a duration times it close to
// lognormal with sigma = 0.35. It is built from integers so that it is the same on every machine.
const (
	spreadBits  = 24
	spreadFirst = 5014125    // exp(-0.35 * 510 / 147.8) * 2^24
	spreadStep  = 4305150106 // exp(0.35 / 147.8) * 2^32
)

// spread is the table, by the sum of four bytes.
type spread [4*255 + 1]int64

// newSpread builds the table by repeated multiplication in 64-bit integers.
func newSpread() *spread {
	var t spread
	x := uint64(spreadFirst)
	for i := range t {
		t[i] = int64(x)
		x = x * spreadStep >> 32
	}
	return &t
}

// duration is base with noise.
func (t *spread) duration(s *source, base int64) int64 {
	r := s.next()
	sum := r&255 + r>>8&255 + r>>16&255 + r>>24&255
	return base*t[sum]>>spreadBits + 1
}
