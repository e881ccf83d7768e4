package sampletests

// Options are the thresholds of the methods.
type Options struct {
	AbsNs   int64   // ABS: difference of the sums, in ns
	Rel     float64 // REL: ratio of the sums
	P       float64 // KS and MWU: p-values below this reject
	GuardNs int64   // DYN: difference of the sums below which KS, MWU and SHIFT do not count, in ns
}

// Defaults returns the thresholds of the paper: 6 ms, 1.5, 0.05 and 0.1 ms (sections 3.5.2 to 3.5.5).
func Defaults() Options {
	return Options{AbsNs: 6_000_000, Rel: 1.5, P: 0.05, GuardNs: 100_000}
}
