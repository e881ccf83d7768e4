package main

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// estimates is how many estimates of the cost of a function the reference asks: total, median, lower quartile, geometric mean.
const estimates = 4

// estimate returns what a function costs in a run by one of the estimates, as a logarithm of ns.
// A cost of less than 1 ns counts as 1, so that its logarithm is not negative or infinite.
func (c *runCost) estimate(e int) float64 {
	return math.Log(max([estimates]float64{c.sum, c.median, c.quartile, c.geometric}[e], 1))
}

// referenceAnswer compares functions as power.py does, the reference of 230 lines from which the rule of the product was developed:
// what all functions of a run share is taken out, four estimates are tested with moderated variances, their p-values are combined
// (Liu and Xie 2020), and discoveries are weighted by the square root of the function's share of the baseline.
func referenceAnswer(functions []function, s split) answer {
	// 1. The functions that can be asked: those that all runs have and that cost more than the floor on average.
	runs := slices.Concat(s.base, s.cand)
	var asked []tested
	var base, weights []float64
	var logs [estimates][][]float64
	for i := range functions {
		f := &functions[i]
		totals := f.totals(runs)
		if slices.Min(totals) <= 0 || stats.Mean(totals) <= plainFloor {
			continue
		}
		asked = append(asked, tested{name: f.name})
		base = append(base, stats.Mean(totals[:len(s.base)]))
		weights = append(weights, math.Sqrt(base[len(base)-1]))
		// Every estimate is a table of its own: a row for each function, a column for each run, the baseline's first.
		for e := range logs {
			row := make([]float64, len(runs))
			for j, r := range runs {
				// Logarithms, since changes are factors and noise grows with the cost.
				row[j] = f.runs[r].estimate(e)
			}
			logs[e] = append(logs[e], row)
		}
	}
	if len(asked) == 0 {
		return answerOf(nil)
	}
	// 2. Test, adjust and order by the size of the effect in ns per run.
	effects, p := combine(&logs, len(s.base))
	// A discovery is weighted by the square root of the baseline cost: what costs more is asked with more power.
	for i, q := range stats.WeightedBenjaminiHochberg(p, weights) {
		asked[i].score, asked[i].found = q, q < plainFDR
		asked[i].size = math.Abs(math.Expm1(effects[i]) * base[i])
	}
	return answerOf(asked)
}

// combine returns, of every function, the effect by the estimate with the least p, and the combined p. The first base columns are the
// baseline.
func combine(logs *[estimates][][]float64, base int) (effects, combined []float64) {
	n := len(logs[0]) // functions, of which each estimate has one row
	effects, combined = make([]float64, n), make([]float64, n)
	least, each := make([]float64, n), make([][]float64, n)
	for e := range logs {
		// What all functions of a run share is estimated anew by each estimate, since outliers move totals more than medians.
		effect, p, _ := moderated(minus(logs[e], commonMode(logs[e], base)), base)
		for i := range p {
			each[i] = append(each[i], p[i])
			// The effect is that of the estimate that shows it best; all four have their say in p.
			if e == 0 || p[i] < least[i] {
				least[i], effects[i] = p[i], effect[i]
			}
		}
	}
	for i := range each {
		// The Cauchy combination needs no independence of the four tests, which share their data.
		combined[i] = stats.Cauchy(each[i]...)
	}
	return effects, combined
}

// minus takes a value of each run out of every row.
func minus(rows [][]float64, of []float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i, row := range rows {
		out[i] = make([]float64, len(row))
		for j := range row {
			out[i][j] = row[j] - of[j]
		}
	}
	return out
}

// moderated tests the rows with variances that borrow from each other (Smyth 2004). effect is the difference of the means of
// logarithms, candidate less baseline; p is two-sided; variance is that of a single run after moderation.
func moderated(rows [][]float64, base int) (effect, p, variance []float64) {
	n := len(rows)
	effect, p, variance = make([]float64, n), make([]float64, n), make([]float64, n)
	own := make([]float64, n)
	var df, se float64
	// All rows have the same number of runs on either side, so df and se, which the last row leaves, are those of all.
	for i, row := range rows {
		// Columns come as the split has them: baseline first.
		x, y := row[:base], row[base:]
		df = float64(len(row) - 2)
		se = 1/float64(len(x)) + 1/float64(len(y))
		effect[i] = stats.Mean(y) - stats.Mean(x)
		// The least variance keeps a function whose runs are all equal from an infinite t.
		own[i] = max((squares(x)+squares(y))/df, 1e-10)
	}
	// The trend over the mean is switched off: all covariates are 0.
	for i, prior := range stats.FitTrendPrior(own, df, make([]float64, n)) {
		var total float64
		variance[i], total = prior.Squeeze(own[i], df)
		p[i] = stats.Moderated{Estimate: effect[i], SE: math.Sqrt(variance[i] * se), DF: total}.P()
	}
	return effect, p, variance
}

// squares sums the squared deviations from the mean.
func squares(v []float64) (sum float64) {
	mean := stats.Mean(v)
	for _, x := range v {
		sum += (x - mean) * (x - mean)
	}
	return sum
}

// commonMode returns what all functions of a run have in common, as a logarithm: the weighted median over the functions that do not
// seem to have changed. Weights are inverse residual deviations, at most their ninth decile.
// 1. To begin with, no function is suspected, and all weigh the same.
func commonMode(rows [][]float64, base int) []float64 {
	runs := len(rows[0])
	changed, weights := make([]bool, len(rows)), make([]float64, len(rows))
	deviation := make([][]float64, len(rows))
	for i, row := range rows {
		weights[i] = 1
		mean := stats.Mean(row)
		for _, v := range row {
			deviation[i] = append(deviation[i], v-mean)
		}
	}
	factor := make([]float64, runs)
	// 2. Factors, tests and suspects in turns, until the suspects stay the same, or for six rounds.
	for range 6 {
		for j := range factor {
			factor[j] = weightedMedian(deviation, j, weights, changed)
		}
		// Factors are relative: their mean is taken out, so that only differences between runs remain.
		mean := stats.Mean(factor)
		for j := range factor {
			factor[j] -= mean
		}
		// Steady functions weigh more, but none so much that it decides alone.
		effect, p, variance := moderated(minus(rows, factor), base)
		for i := range weights {
			weights[i] = 1 / math.Sqrt(variance[i])
		}
		most := quantile(slices.Sorted(slices.Values(weights)), .9)
		for i := range weights {
			weights[i] = min(weights[i], most)
		}
		suspects := suspected(effect, p)
		if slices.Equal(suspects, changed) {
			break
		}
		changed = suspects
	}
	return factor
}

// suspected marks the functions that seem to have changed: by their tests or, where these suspect more than half, by how far
// they are from the middle of all.
func suspected(effect, p []float64) []bool {
	out, count := make([]bool, len(p)), 0
	// A rate of 20 % of false suspects: leaving out a steady function costs less than keeping a changed one.
	for i, q := range stats.BenjaminiHochberg(p) {
		if out[i] = q < .2; out[i] {
			count++
		}
	}
	// With more than half suspected, the factor itself may be wrong; then only the ones far from the middle are suspected.
	if 2*count <= len(p) {
		return out
	}
	// The median of all effects stands for no change.
	middle := quantile(slices.Sorted(slices.Values(effect)), .5)
	distances := make([]float64, len(effect))
	for i := range effect {
		distances[i] = math.Abs(effect[i] - middle)
	}
	// 1.4826 times the median absolute deviation estimates a standard deviation; the last term is for deviations of 0.
	far := 3*1.4826*quantile(slices.Sorted(slices.Values(distances)), .5) + 1e-9
	for i := range out {
		out[i] = distances[i] > far
	}
	return out
}

// weightedMedian returns the median of a column over the rows that have not changed, or over all where these have no weight.
func weightedMedian(rows [][]float64, column int, weights []float64, changed []bool) float64 {
	order, sum := make([]int, len(rows)), 0.0
	for i := range rows {
		order[i] = i
		if !changed[i] {
			sum += weights[i]
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := rows[a][column], rows[b][column]; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	// All are suspected: the plain median of all.
	if !(sum > 0) {
		// Rows are sorted by the column already, so that the median is read off.
		values := make([]float64, len(rows))
		for k, i := range order {
			values[k] = rows[i][column]
		}
		return quantile(values, .5)
	}
	// The first row at which half of the weight is reached.
	reached := 0.0
	for _, i := range order {
		if !changed[i] {
			reached += weights[i]
		}
		if reached >= sum/2 {
			return rows[i][column]
		}
	}
	return rows[order[len(order)-1]][column]
}
