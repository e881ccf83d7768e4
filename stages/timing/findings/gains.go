package findings

// Gains are what occurrences would gain from faster functions, and how often these are critical.
type Gains struct {
	Occurrences, Late int64 // all that were asked for, and of these those that were late
	LateNs            int64 // a late occurrence took longer; 0 where nothing says what is late
	NearShare         float64
	Functions         []FunctionGain // that whose occurrences would gain most if it took no time comes first
}

// FunctionGain is a function on critical paths, or near them.
type FunctionGain struct {
	Name           string   // COMPONENT.FUNCTION
	Critical, Late int64    // occurrences on whose path it executes, and of these those that were late
	Near           int64    // occurrences beside whose path it executes, with little spare time, and not on it
	TotalNs        int64    // that it executes on all paths
	Ns             [3]int64 // how much earlier all occurrences together would finish, by criticalpath.Percents
}
