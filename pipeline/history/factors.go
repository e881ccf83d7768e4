package history

import (
	"math"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/functionchanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// follow takes the factors of the runs out of the subjects that follow them, and adds the series of the factors: a night on which
// the machine is slower shows once, and not in every subject. A subject follows where its runs resemble their neighbours in the series
// more once the factors are taken out; waiting does not. The run times of initial fragments stay as they are, since a
// slower machine is slower for the user too. With too few functions to tell, all factors are 1 and nothing follows.
func (l *series) follow(o *compare.Observations) {
	l.follows = make([]bool, len(l.subjects))
	var costs [][]functionchanges.Cost
	for _, f := range o.Functions() {
		costs = append(costs, f.Runs)
	}
	factors := functionchanges.CommonMode(costs, functionchanges.Defaults())
	if factors.Voters == 0 {
		return
	}
	l.factors = factors.Log
	for i := range l.subjects {
		runs := l.observed(i).Runs
		rough := l.roughness(runs)
		l.withoutFactors(runs)
		l.follows[i] = !l.subjects[i].initial && !(l.roughness(runs) >= rough) // which of a cost that is not known are NaN
	}
	l.addFactors(costs)
}

// withoutFactors divides the times of a subject by the factors of the runs. Counts stay.
func (l *series) withoutFactors(runs []verdicts.Run) {
	for i := range runs {
		runs[i].TotalNs *= math.Exp(-l.factors[i])
	}
}

// leastDifference is the difference of logarithms below which two neighbours are alike.
const leastDifference = .005

// roughness is the sum of the logarithms of the squared differences of neighbours in the series. Among logarithms a step, however
// great, weighs no more than the factor at its place, and how much all other neighbours resemble each other decides.
func (l *series) roughness(runs []verdicts.Run) (sum float64) {
	last := 0.0
	for i, r := range runs {
		y := math.Log(r.TotalNs/math.Max(l.roots[i], 1) + ResolutionNs)
		if i > 0 {
			sum += 2 * math.Log(math.Max(math.Abs(y-last), leastDifference))
		}
		last = y
	}
	return sum
}

// addFactors adds the series of the factors as the last subject. Its cost is what all functions together would cost in a run if
// they differed by the factor alone, so that its changes are read like those of any other subject.
func (l *series) addFactors(costs [][]functionchanges.Cost) {
	all := 0.0 // of the functions, mean over the runs in ns per root execution
	for _, row := range costs {
		for i := range row {
			all += row[i].TotalNs / float64(len(row))
		}
	}
	runs := make([]verdicts.Run, len(l.factors))
	for i, log := range l.factors {
		roots := math.Max(l.roots[i], 1)
		runs[i] = verdicts.Run{Count: roots, N: roots, TotalNs: all * math.Exp(log) * roots}
	}
	s := subject{level: schema.LevelRunFactor, name: "all functions alike", judged: schema.LevelRunFactor, costs: compare.CostsOf(runs)}
	l.subjects, l.follows = append(l.subjects, s), append(l.follows, false)
}
