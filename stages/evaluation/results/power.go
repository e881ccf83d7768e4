package results

import (
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// Effects are the relative changes of the cost with which power is measured.
var Effects = []float64{.01, .02, .05, .1, .2, .5, 1}

// Power is how often a change of one size is detected.
type Power struct {
	Cell     string       // name of the cell
	Runs     int          // of each side
	Class    string       // of subjects, by what they cost and how often they happen
	Effect   float64      // by which they became slower: .1 is 10 %
	Named    scores.Share // called regressed; of two runs candidate
	Detected scores.Share // or shape_changed
}

// Join adds the counts of other comparisons.
func (p *Power) Join(o Power) {
	p.Named.Join(o.Named)
	p.Detected.Join(o.Detected)
}

func (p *Power) key() key { return key{p.Cell, p.Runs, p.Class, p.Effect} }

func (p *Power) forAllCells() { p.Cell = allCells }

// FDR is how many of the subjects called regressed or improved did not change, where some did.
type FDR struct {
	Cell        string       // name of the cell
	Runs        int          // of each side
	Change      string       // name of the planted change
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

func (f *FDR) key() key { return key{cell: f.Cell, runs: f.Runs, of: f.Change} }

func (f *FDR) forAllCells() { f.Cell = allCells }
