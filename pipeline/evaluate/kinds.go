package evaluate

import (
	"fmt"

	"github.com/tracelake/tracelake/stages/evaluation/faults"
)

// Magnitude is a fault of a kind, with its name in figures.
type Magnitude struct {
	Name  string
	Fault faults.Fault
}

// spikeEvents is how many events spikes and chains are of.
const spikeEvents = 10

// Kinds are the faults that are injected, by kind and magnitude: σ of 1 us to 16 ms by factors of 4, as in the paper, and
// magnitudes that span what the paper's methods detect for the others, whose thresholds are 0.1 and 6 ms.
func Kinds() (all []Magnitude) {
	for ns := int64(1000); ns <= 20_000_000; ns *= 4 {
		all = append(all, Magnitude{brief(ns), faults.Fault{Kind: faults.Noise, DeltaNs: ns}})
	}
	for _, kind := range []faults.Kind{faults.Spikes, faults.Chain} {
		for ns := int64(10_000); ns <= 100_000_000; ns *= 10 {
			all = append(all, Magnitude{brief(ns), faults.Fault{Kind: kind, DeltaNs: ns, Events: spikeEvents}})
		}
	}
	for _, kind := range []faults.Kind{faults.Delay, faults.Alternate} {
		for _, factor := range []float64{1.1, 1.5, 2, 5, 10, 100} {
			all = append(all, Magnitude{fmt.Sprintf("%gx", factor), faults.Fault{Kind: kind, Factor: factor}})
		}
	}
	return all
}

// brief is a time in whole units, rounded down.
func brief(ns int64) string {
	if ns < 1_000_000 {
		return fmt.Sprintf("%d us", ns/1000)
	}
	return fmt.Sprintf("%d ms", ns/1_000_000)
}

// Setting is how many runs a side has.
type Setting struct {
	Name       string
	Base, Cand int
	Same       bool // the candidate is a changed copy of the baseline
}

// settings are those for which there are runs enough.
func settings(runs int) (all []Setting) {
	for _, s := range []Setting{
		{"same trace", 1, 1, true}, {"1 v 1", 1, 1, false}, {"3 v 1", 3, 1, false}, {"3 v 3", 3, 3, false}, {"5 v 5", 5, 5, false},
	} {
		if s.Same || s.Base+s.Cand <= runs {
			all = append(all, s)
		}
	}
	return all
}
