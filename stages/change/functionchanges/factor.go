package functionchanges

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// Factors is what all functions of every run have in common. Runs of the baseline come first.
type Factors struct {
	Log    []float64 // by run: the logarithm of the factor; their mean is 0
	SE     []float64 // by run: its standard error
	Voters int       // functions that seem not to have changed
}

// Rules of the estimate of factors.
const (
	factorRounds = 6   // until the voters stay the same
	suspectRate  = 0.2 // false discovery rate at which a function does not vote
	fewestVoters = 8   // functions below which a change of some cannot be told from what all share
	weightCap    = 0.9 // quantile to which the weights of the steadiest functions are cut

	surelyUnsuspected = 1.28 // standard errors: a normal value is further from 0 in 20.05 % of cases, more than suspectRate
)

// commonMode estimates the factors from the logarithms of costs, a row a function. The
// factor of a run is the weighted median, over the functions that seem not to have changed, of a function's deviation
// from its mean over all runs. Steady functions weigh more. If more than half of the functions seem to have changed, those vote that
// changed like most. With few functions nothing is taken out: the factors are 1.
func commonMode(logs [][]float64, c *contrast) Factors {
	runs := len(logs[0])
	if len(logs) < fewestVoters {
		return Factors{Log: make([]float64, runs), SE: make([]float64, runs)}
	}
	deviations, weights := deviationsOf(logs), ones(len(logs))
	changed, rest := make([]bool, len(logs)), matrix(len(logs), runs)
	var f Factors
	for range factorRounds {
		f = vote(deviations, weights, changed, runs)
		rows := moderate(subtractTo(rest, logs, f.Log), c, nil)
		weights = inverseDeviations(rows)
		next := suspects(rows)
		if slices.Equal(next, changed) {
			break
		}
		changed = next
	}
	return f
}

// CommonMode estimates the factors of many runs, such as those of a series of releases, by the totals of the functions that all runs
// have and that cost more than the floor. Which functions changed, and when, is not known beforehand; they are taken to be fewer
// than half, and weigh less as they vary more.
func CommonMode(costs [][]Cost, o Options) Factors {
	var logs [][]float64
	for _, row := range costs {
		if beginOne(row, o.FloorNs).State == Asked {
			logs = append(logs, logsOf(row, Total))
		}
	}
	if len(logs) == 0 {
		return Factors{}
	}
	runs := len(logs[0])
	return commonMode(logs, Design{Base: runs}.contrast(runs))
}

func ones(n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		all[i] = 1
	}
	return all
}

// deviationsOf returns the rows less their means.
func deviationsOf(rows [][]float64) [][]float64 {
	out := matrix(len(rows), len(rows[0]))
	for i, row := range rows {
		m := mean(row)
		for j, v := range row {
			out[i][j] = v - m
		}
	}
	return out
}

// subtract returns the rows less a value for every column.
func subtract(rows [][]float64, columns []float64) [][]float64 {
	return subtractTo(matrix(len(rows), len(columns)), rows, columns)
}

// subtractTo is subtract into rows of the same size.
func subtractTo(to, rows [][]float64, columns []float64) [][]float64 {
	for i, row := range rows {
		for j, v := range row {
			to[i][j] = v - columns[j]
		}
	}
	return to
}

// vote takes the weighted median of every column over the rows that have not changed, and moves all so that their mean is 0.
// The standard error is that of a median of normal values, from the weighted spread of the votes.
func vote(deviations [][]float64, weights []float64, changed []bool, runs int) Factors {
	f := Factors{Log: make([]float64, runs), SE: make([]float64, runs)}
	var votes []ballot
	for j := range runs {
		votes = votes[:0]
		for i, row := range deviations {
			if !changed[i] {
				votes = append(votes, ballot{row[j], weights[i]})
			}
		}
		f.Log[j], f.SE[j] = medianWithError(votes)
	}
	f.Voters = len(votes)
	centre := mean(f.Log)
	for j := range f.Log {
		f.Log[j] -= centre
	}
	return f
}

// inverseDeviations weighs rows by the inverse of their standard deviations, cut at a quantile.
func inverseDeviations(rows []row) []float64 {
	weights := make([]float64, len(rows))
	for i, r := range rows {
		weights[i] = 1 / math.Sqrt(r.variance)
	}
	limit := quantile(slices.Sorted(slices.Values(weights)), weightCap)
	for i, w := range weights {
		weights[i] = min(w, limit)
	}
	return weights
}

// suspects marks the rows that seem to have changed. Where these are more than half, it marks those that changed unlike most:
// by more than three robust standard deviations from the median effect.
func suspects(rows []row) []bool {
	p, marks, marked := make([]float64, len(rows)), make([]bool, len(rows)), 0
	for i := range rows {
		// Of a normal value p is above the rate here, and of Student's t even more: such a row, and those with greater p, are not marked.
		if p[i] = 1; math.Abs(rows[i].test.T()) > surelyUnsuspected {
			p[i] = rows[i].test.P()
		}
	}
	for i, q := range stats.BenjaminiHochberg(p) {
		if marks[i] = q < suspectRate; marks[i] {
			marked++
		}
	}
	if 2*marked <= len(rows) {
		return marks
	}
	effects := make([]float64, len(rows))
	for i := range rows {
		effects[i] = rows[i].test.Estimate
	}
	middle := quantile(slices.Sorted(slices.Values(effects)), 0.5)
	for i, e := range effects {
		effects[i] = math.Abs(e - middle)
	}
	limit := 3*1.4826*quantile(slices.Sorted(slices.Values(effects)), 0.5) + 1e-9
	for i, e := range effects {
		marks[i] = e > limit
	}
	return marks
}
