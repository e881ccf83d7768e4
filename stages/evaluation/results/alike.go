package results

import "github.com/tracelake/tracelake/stages/evaluation/scores"

// AA counts verdicts in comparisons of runs that are repetitions of the same, so that every change is a false alarm.
type AA struct {
	Cell   string // name of the cell
	Runs   int    // of each side
	Splits int    // of the runs into two sides, each a comparison

	Alarmed      scores.Share // comparisons with a subject called regressed or improved
	AlarmedSteps scores.Share // likewise, of transitions alone
	Alarms       scores.Share // subjects called regressed or improved
	Shape, Count scores.Share // subjects called shape_changed, count_changed
	Displaced    scores.Share // transitions called later or sooner
	Unchanged    scores.Share // of subjects that take time
	Undetermined scores.Share // likewise
	Covered      scores.Share // intervals of the cost that hold 0, of subjects that take time
	Wrong        scores.Share // called unchanged, where the cost differs by the margin
}

// Join adds the counts of other comparisons.
func (a *AA) Join(o AA) {
	a.Splits += o.Splits
	for _, s := range []struct{ to, from *scores.Share }{
		{&a.Alarmed, &o.Alarmed}, {&a.AlarmedSteps, &o.AlarmedSteps}, {&a.Alarms, &o.Alarms}, {&a.Shape, &o.Shape}, {&a.Count, &o.Count},
		{&a.Displaced, &o.Displaced}, {&a.Unchanged, &o.Unchanged}, {&a.Undetermined, &o.Undetermined}, {&a.Covered, &o.Covered}, {&a.Wrong, &o.Wrong},
	} {
		s.to.Join(*s.from)
	}
}

func (a *AA) key() key { return key{cell: a.Cell, runs: a.Runs} }

func (a *AA) forAllCells() { a.Cell = allCells }

// Rival counts how often one method finds changed transitions in comparisons in which nothing changed.
type Rival struct {
	Cell    string       // name of the cell
	Runs    int          // of each side
	Method  string       // as the paper calls it
	Alarmed scores.Share // comparisons with a detection
	Alarms  scores.Share // transitions detected
}

// Join adds the counts of other comparisons.
func (r *Rival) Join(o Rival) {
	r.Alarmed.Join(o.Alarmed)
	r.Alarms.Join(o.Alarms)
}

func (r *Rival) key() key { return key{cell: r.Cell, runs: r.Runs, of: r.Method} }

func (r *Rival) forAllCells() { r.Cell = allCells }

// AddAlike joins false alarms with those of the same cell and number of runs, and so those of every method.
func (r *Result) AddAlike(a AA, rivals []Rival) {
	r.AA = Add(r.AA, a)
	for _, one := range rivals {
		r.Ablation = Add(r.Ablation, one)
	}
}
