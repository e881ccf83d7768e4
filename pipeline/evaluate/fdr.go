package evaluate

import (
	"math/rand/v2"

	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/results"
	"github.com/tracelake/tracelake/stages/evaluation/scores"
)

// fdrShare is the probability with which a subject that costs enough is changed.
const fdrShare = .2

// mixture names the growths that the changed subjects get in turn.
type mixture struct {
	name string
	by   []growth
}

// mixtures are one growth for all, then all growths at once: a mixture shows whether great changes hide small ones.
var mixtures = []mixture{
	{"+10 %", []growth{{share: .1}}},
	{"+20 %", []growth{{share: .2}}},
	{"+50 %", []growth{{share: .5}}},
	{"+20 us", []growth{{ns: 20_000}}},
	{"+100 us", []growth{{ns: 100_000}}},
	{"mixed", []growth{{share: .1}, {ns: 100_000}, {share: .5}, {ns: 20_000}, {share: .2}}},
}

// fdr makes some subjects take longer, and counts the calls on the others: the share of false calls among all calls estimates
// the false discovery rate that Benjamini and Hochberg's procedure promises to keep below its level. Too few runs have no verdicts.
func (j *Job) fdr(o *observed, runs int, m mixture) (out []results.FDR) {
	if runs < verdicts.MinRuns {
		return nil
	}
	for draw := range powerDraws {
		out = append(out, j.fdrOf(o, runs, draw, m))
	}
	return out
}

// fdrOf returns the counts of one comparison. Its random numbers are not those of power, which adds no 100 to the seed.
func (j *Job) fdrOf(o *observed, runs, draw int, m mixture) results.FDR {
	rng := rand.New(rand.NewPCG(uint64(100+runs), uint64(draw)))
	s := scores.Draw(rng, len(o.Runs), runs, runs)
	subjects, _ := o.compared(s)
	grown, chosen := o.grow(rng, s, subjects, fdrShare, m.by)
	f := results.FDR{Cell: o.Name, Runs: runs, Change: m.name, Comparisons: 1}
	for i, v := range verdicts.Judge(grown, o.sides(s), j.Verdicts) {
		called := alarms(v.Verdict)
		if called {
			f.False.Add(!chosen[i])
		}
		if chosen[i] {
			f.Found.Add(called)
		}
	}
	if f.False.Of > 0 { // without a call nothing is called falsely, by the definition of the rate
		f.Expected = f.False.Rate()
	}
	return f
}
