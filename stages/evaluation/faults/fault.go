package faults

import "fmt"

// Kind is a kind of logical fault, a set of injections (section 4.2.3).
type Kind string

// The kinds.
const (
	Noise     Kind = "noise"     // every event moves by a normally distributed time of mean 0
	Spikes    Kind = "spikes"    // single events, chosen at random, move by the same time
	Chain     Kind = "chain"     // consecutive events move by the same time
	Delay     Kind = "delay"     // a function takes longer by a factor
	Alternate Kind = "alternate" // a function takes longer by a factor, and every second time shorter
)

// Fault is a logical fault. Each kind has its own fields, the others are 0.
//
// Alternate divides the time of every second execution by the factor. The paper only says that it decreases the
// runtime "by the same factor". To take off what Delay adds would give times below 0 from a factor of 2 on, and
// with a floor at 0 all greater factors would shorten alike; a quotient stays above 0 and undoes the factor.
type Fault struct {
	Kind    Kind    // which of the paper's faults it is
	DeltaNs int64   // Noise: the standard deviation σ; Spikes, Chain: δ, negative for earlier
	Events  int     // Spikes, Chain: how many events
	Factor  float64 // Delay, Alternate: above 1
}

// Greatest magnitudes; they keep the times of a trace of three months within int64.
const (
	MaxDeltaNs = int64(1) << 50 // 13 days
	MaxFactor  = 1000
)

// Check says what is wrong with a fault.
func (f Fault) Check() error {
	switch f.Kind {
	case Noise:
		return f.check(f.DeltaNs > 0 && f.DeltaNs <= MaxDeltaNs && f.Events == 0 && f.Factor == 0, "a σ above 0 and of at most 13 days")
	case Spikes, Chain:
		delta := f.DeltaNs != 0 && f.DeltaNs >= -MaxDeltaNs && f.DeltaNs <= MaxDeltaNs
		return f.check(delta && f.Events > 0 && f.Factor == 0, "a number of events above 0, and a δ that is not 0 and at most 13 days long")
	case Delay, Alternate:
		return f.check(f.Factor > 1 && f.Factor <= MaxFactor && f.DeltaNs == 0 && f.Events == 0, fmt.Sprintf("a factor above 1 and of at most %d", MaxFactor))
	}
	return fmt.Errorf("faults: unknown kind %q: use %s, %s, %s, %s or %s", f.Kind, Noise, Spikes, Chain, Delay, Alternate)
}

func (f Fault) check(ok bool, needs string) error {
	if ok {
		return nil
	}
	return fmt.Errorf("a fault of the kind %s needs %s, and no other magnitude", f.Kind, needs)
}
