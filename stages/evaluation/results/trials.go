package results

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// The methods beside those of package sampletests and of scores.Tests.
const (
	Runs      = "RUNS"           // release verdicts
	OwnTime   = "RUNS, own time" // release verdicts without those on when a step is reached
	PooledFDR = "MWU, BH"        // MWU on pooled samples, at a false discovery rate
)

// Methods returns all methods: those of the thesis, which judge the pooled times since the start of the fragment; then those
// that build up to release verdicts.
func Methods() []string {
	out := []string{"ABS", "REL", "KS", "MWU", "SHIFT", "DYN", PooledFDR}
	for _, t := range scores.Tests() {
		out = append(out, string(t))
	}
	return append(out, OwnTime, Runs)
}

// OfThesis reports whether a method is one of Hilbig 2023, which package sampletests implements.
func OfThesis(method string) bool {
	return slices.Index(Methods(), method) < len(sampletests.Methods())
}

// Magnitude is a fault of a kind, with the name of its size in figures.
type Magnitude struct {
	Name  string       // as figures write it
	Fault faults.Fault // of that size
}

// spikeEvents is the number of events of a spike or chain.
const spikeEvents = 10

// Kinds returns the faults that are injected, by kind and magnitude: σ of 1 us to 16 ms by factors of 4, as in the paper, and
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

// brief writes a time in whole units, rounded down.
func brief(ns int64) string {
	if ns < 1_000_000 {
		return fmt.Sprintf("%d us", ns/1000)
	}
	return fmt.Sprintf("%d ms", ns/1_000_000)
}

// Trial is the score of one method in one setting at one kind and magnitude of fault, averaged over the seeds.
type Trial struct {
	Setting   string       // the cell, and how its runs were taken
	Runs      int          // of the smaller side
	Base      int          // runs of the baseline
	Fault     Magnitude    // what was injected
	Method    string       // as the paper calls it
	Score     scores.Score // mean of the seeds
	Material  scores.Score // likewise, of faults that change the cost by the margin or more; the others count neither way
	Matters   float64      // the share of such subjects
	Seeds     int          // with which the method could judge; 0: it cannot judge so few runs
	Undefined int          // seeds with nothing detected, so without a precision
	Visible   float64      // the share of subjects with a fault that have a time which changed and which the method judges
	Behind    float64      // subjects that only changed as a consequence
}

// Comparison returns the F1 of every method that takes part, in every setting whose baseline has MinRuns runs or more, as
// fewer runs do not show their noise. Noise as a fault is left out: it changes nearly all subjects, so that a method which
// detects everything would be best.
func Comparison(all []Trial, takesPart func(method string) bool, f1 func(*Trial) float64) (out []scores.Trial) {
	for i := range all {
		t := &all[i]
		if t.Base < verdicts.MinRuns || t.Seeds == 0 || t.Fault.Fault.Kind == faults.Noise || !takesPart(t.Method) {
			continue
		}
		name := t.Name()
		if len(out) == 0 || out[len(out)-1].Setting != name {
			out = append(out, scores.Trial{Setting: name, Score: make(map[string]float64)})
		}
		out[len(out)-1].Score[t.Method] = f1(t)
	}
	return out
}

// Name returns the setting and the fault of a trial, without the method.
func (t *Trial) Name() string {
	return fmt.Sprintf("%s, %s %s", t.Setting, t.Fault.Fault.Kind, t.Fault.Name)
}
