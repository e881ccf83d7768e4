package deadlines

// Options are what is allowed, and how to find out why it was not met.
type Options struct {
	DeadlineNs int64   // longest time that an occurrence may take
	MinSample  int     // quartiles are taken of no fewer bounds; of fewer, the greatest is the threshold
	Whisker    float64 // quartile distances above the third quartile that a usual bound may reach
	MaxSteps   int     // schedules that the search for one explanation may try
}

// Defaults returns the options for a deadline in ns. The whisker is that of PPS.
func Defaults(deadlineNs int64) Options {
	return Options{DeadlineNs: deadlineNs, MinSample: 4, Whisker: 3, MaxSteps: 2000}
}
