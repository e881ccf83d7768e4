package ltsdiff

import "math/bits"

// depths are the radii at which surroundings are compared, in transitions.
var depths = [...]int{1, 2, 3, 4, 6, 8, 12, 16}

// colours are fingerprints of the surroundings of the states of an automaton: a state's fingerprint at depth k
// covers whether it is initial or accepting, its transitions in and out, and the fingerprints at depth k-1 of
// the states at their other ends (Weisfeiler and Leman 1968). States with the same past and future up to k
// transitions have the same; others differ but for one chance in 2^64.
type colours [len(depths)][]uint64

func newColours(a *Automaton) *colours {
	var c colours
	now := make([]uint64, a.States())
	for s := range now {
		now[s] = scramble(uint64(1 + flag(a.Initial[s]) + 2*flag(a.Accepting[s])))
	}
	depth := 0
	for i, upTo := range depths {
		for ; depth < upTo; depth++ {
			now = a.recolour(now)
		}
		c[i] = now
	}
	return &c
}

// recolour adds one transition to the depth.
func (a *Automaton) recolour(now []uint64) []uint64 {
	next := make([]uint64, len(now))
	for s := range next {
		h := scramble(now[s])
		h += a.Out.colour(int32(s), now, 0x9e3779b97f4a7c15)
		h += a.In.colour(int32(s), now, 0xc2b2ae3d27d4eb4f)
		next[s] = scramble(h)
	}
	return next
}

// colour is the same in whatever order the arcs of a state are.
func (a *Arcs) colour(s int32, now []uint64, direction uint64) (h uint64) {
	for i := a.Start[s]; i < a.Start[s+1]; i++ {
		h += scramble(now[a.End[i]] + scramble(uint64(a.Label[i])+direction))
	}
	return h
}

// scramble spreads a number over 64 bits.
func scramble(x uint64) uint64 {
	high, low := bits.Mul64(x^0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	x = high ^ low
	high, low = bits.Mul64(x^0x8ebc6af09c88c6e3, 0x589965cc75374cc3)
	return high ^ low ^ x
}
