package functionchanges

import (
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// Root is what the runs say of one kind of root execution.
type Root struct {
	Ns         []float64 // by run: mean time of an execution in ns
	Executions []float64 // by run: how many there are
}

// totalNs returns the time of all executions of a run, as the median of the runs of both sides: it says nothing about a difference between them.
func (r *Root) totalNs() float64 {
	totals := make([]float64, len(r.Ns))
	for j, ns := range r.Ns {
		totals[j] = ns * r.Executions[j]
	}
	slices.Sort(totals)
	return quantile(totals, .5)
}

// JudgeRoots compares the kinds of root executions of the runs of both sides, each by JudgeWhole, and adjusts over those that are asked
// together, see divideRoots.
func JudgeRoots(roots []Root, d Design, o Options) []Whole {
	all := make([]Whole, len(roots))
	for i := range roots {
		all[i] = JudgeWhole(roots[i].Ns, d, o.Level)
		all[i].Q, all[i].Part = 1, 1
	}
	if len(roots) == 0 {
		return all
	}
	families := divideRoots(roots, d.Pairs(len(roots[0].Ns)), o.FloorNs)
	for of, members := range families {
		p := make([]float64, len(members))
		for k, i := range members {
			p[k] = all[i].P
		}
		for k, q := range stats.BenjaminiHochberg(p) {
			w := &all[members[k]]
			w.Q, w.Inside, w.Part = q, of > 0, 1/float64(len(families[0])+len(families[1]))
		}
	}
	return all
}

// divideRoots puts kinds of root executions into families: those that are asked always, and those that are asked only where one of the
// first family changed. What takes no more than the floor, on average over all runs, is in neither: it is no question, and others pay nothing for it.
//
// With four runs on a side all are one family. Three runs share one of two states by chance in up to 3 % of comparisons, whatever the level
// (divide has the same of functions): by twice p^3 (1-p)^3, with p the share of runs in one state. A smaller level does not make that less, so that
// the error of a family would grow with every kind that is in it. Which one a user waits for is one question: that which takes most of the time is asked always, and so are those of which
// a run has many, since they show their states in every run. The others wait for them.
func divideRoots(roots []Root, pairs int, floorNs float64) (families [2][]int) {
	most, longest := -1, 0.0
	for i := range roots {
		if total := roots[i].totalNs(); mean(roots[i].Ns) > floorNs && total > longest {
			most, longest = i, total
		}
	}
	for i := range roots {
		if mean(roots[i].Ns) <= floorNs {
			continue
		}
		of := btoi(pairs == MinRuns && i != most && mean(roots[i].Executions) < fewCalls)
		families[of] = append(families[of], i)
	}
	return families
}
