package faults

import "math/rand/v2"

// Streams of random numbers that a seed has: one for choices, and one for the noise of each run.
const (
	choosing uint64 = iota
	noiseOf         // of run 0
)

// source is a stream of a seed. Seeds and streams are small numbers in a row, so they are mixed before PCG starts.
func source(seed, stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(mix(seed), mix(mix(seed)+stream)))
}

// mix spreads a number over all bits: the step of SplitMix64 (Steele et al. 2014, OOPSLA, Fig. 15).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
