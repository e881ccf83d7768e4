package results

import (
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// Effects are the relative changes of the cost with which power is measured.
var Effects = []float64{.01, .02, .05, .1, .2, .5, 1}

// Power is how often a change of one size is detected.
type Power struct {
	Cell     string
	Runs     int // of each side
	Class    string
	Effect   float64
	Named    scores.Share // called regressed; of two runs candidate
	Detected scores.Share // or shape_changed
}

// AddPower joins a result with the one of the same cell, number of runs, class and effect.
func AddPower(all []Power, p Power) []Power {
	for i := range all {
		if a := &all[i]; a.Cell == p.Cell && a.Runs == p.Runs && a.Class == p.Class && a.Effect == p.Effect {
			a.Named.Join(p.Named)
			a.Detected.Join(p.Detected)
			return all
		}
	}
	return append(all, p)
}

// PowerOverall joins power over all cells.
func PowerOverall(all []Power) (out []Power) {
	for _, p := range all {
		p.Cell = "all"
		out = AddPower(out, p)
	}
	return out
}

// FDR is how many of the subjects called regressed or improved did not change, where some did.
type FDR struct {
	Cell        string
	Runs        int
	Change      string
	False       scores.Share // of all calls
	Found       scores.Share // of the subjects that changed
	Expected    float64      // the mean over comparisons of the share of false calls, 0 where there are none: the false discovery rate
	Comparisons int          // over which Expected is the mean
}

// Join adds the counts of other comparisons.
func (f *FDR) Join(o FDR) {
	f.False.Join(o.False)
	f.Found.Join(o.Found)
	f.Expected = (f.Expected*float64(f.Comparisons) + o.Expected*float64(o.Comparisons)) / float64(f.Comparisons+o.Comparisons)
	f.Comparisons += o.Comparisons
}

// AddFDR joins a rate with the one of the same cell, number of runs and change.
func AddFDR(all []FDR, f FDR) []FDR {
	for i := range all {
		if a := &all[i]; a.Cell == f.Cell && a.Runs == f.Runs && a.Change == f.Change {
			a.Join(f)
			return all
		}
	}
	return append(all, f)
}

// FDROverall joins rates over all cells.
func FDROverall(all []FDR) (out []FDR) {
	for _, f := range all {
		f.Cell = "all"
		out = AddFDR(out, f)
	}
	return out
}
