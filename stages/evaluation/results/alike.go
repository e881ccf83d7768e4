package results

import (
	"slices"

	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// AA counts verdicts in comparisons of runs that are repetitions of the same, so that every change is a false alarm.
type AA struct {
	Cell   string
	Runs   int // of each side
	Splits int

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

// Together joins results by the number of runs, over all cells.
func Together(all []AA) (out []AA) {
	for _, a := range all {
		at := slices.IndexFunc(out, func(o AA) bool { return o.Runs == a.Runs })
		if at < 0 {
			out, at = append(out, AA{Cell: "all", Runs: a.Runs}), len(out)
		}
		out[at].Join(a)
	}
	return out
}

// Rival counts how often one method finds changed transitions in comparisons in which nothing changed.
type Rival struct {
	Cell    string
	Runs    int // of each side
	Method  string
	Alarmed scores.Share // comparisons with a detection
	Alarms  scores.Share // transitions detected
}

// RivalsTogether joins results by the number of runs and the method, over all cells.
func RivalsTogether(all []Rival) (out []Rival) {
	for _, r := range all {
		at := slices.IndexFunc(out, func(o Rival) bool { return o.Runs == r.Runs && o.Method == r.Method })
		if at < 0 {
			out, at = append(out, Rival{Cell: "all", Runs: r.Runs, Method: r.Method}), len(out)
		}
		out[at].Alarmed.Join(r.Alarmed)
		out[at].Alarms.Join(r.Alarms)
	}
	return out
}

// AddAlike joins false alarms with those of the same cell and number of runs, and so those of every method.
func (r *Result) AddAlike(a AA, rivals []Rival) {
	if n := len(r.AA); n > 0 && r.AA[n-1].Cell == a.Cell && r.AA[n-1].Runs == a.Runs {
		r.AA[n-1].Join(a)
	} else {
		r.AA = append(r.AA, a)
	}
	for _, one := range rivals {
		at := slices.IndexFunc(r.Ablation, func(o Rival) bool { return o.Cell == one.Cell && o.Runs == one.Runs && o.Method == one.Method })
		if at < 0 {
			r.Ablation = append(r.Ablation, one)
			continue
		}
		r.Ablation[at].Alarmed.Join(one.Alarmed)
		r.Ablation[at].Alarms.Join(one.Alarms)
	}
}
