package functionchanges

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// evenly is the part of all weight that functions share evenly; the rest goes by their share of the time. A function with no
// share thus pays at most 1.4 times what it would pay without weights.
const evenly = .7

// unsteadier is by how much the variance of a function within the sides must grow when the factors are taken out, as a geometric
// mean over the estimates, for the function not to follow them: less than that, noise does as well. With 1.2, one odd run made a function of
// two calls not follow in one of ten comparisons, and a change of a fifth was lost there.
const unsteadier = 2

// unsteadyLevel is that of the F test by which a single estimate of a function that follows does not.
const unsteadyLevel = .05

// family is the functions that are asked.
type family struct {
	costs   [][]Cost
	asked   []int
	design  Design
	sides   *contrast
	options Options
	calls   []float64              // logarithm of the mean number of calls: what the prior variance follows
	inRun   []float64              // mean number of calls of a whole run
	weights []float64              // of hypotheses, with a mean of 1 in their family
	shares  []float64              // of the time, in units of their mean: the median over the runs of both sides
	logs    [estimates][][]float64 // by function that is asked and run: logarithms of costs
	inside  []bool                 // asked only inside a root execution that changed: see divide
	members [2][]int               // of both families, those that are asked always first
	factors [estimates]Factors
	follows []bool            // a function follows the factors of the runs
	with    [estimates][]bool // and does so by an estimate
	tests   [estimates][]row  // the difference that the sides have in common is taken out
	asIs    [estimates][]row  // of functions that do not follow nothing is taken out
	decided []row             // the test that decided

	position map[int]int // of a function in asked
	reaches  map[reachOf]*reach
}

// newFamily prepares a comparison of so many runs per side, or blocks with runs of both.
func newFamily(costs [][]Cost, asked []int, d Design, pairs int, o Options) *family {
	f := &family{costs: costs, asked: asked, design: d, sides: d.contrast(len(costs[0])), options: o, position: make(map[int]int, len(asked)), reaches: make(map[reachOf]*reach)}
	for k, i := range asked {
		f.position[i] = k
		var totals []float64
		calls, inRun := 0.0, 0.0
		for j := range costs[i] {
			totals = append(totals, costs[i][j].TotalNs)
			calls += costs[i][j].Calls / float64(len(costs[i]))
			inRun += max(costs[i][j].Calls, costs[i][j].InRun) / float64(len(costs[i]))
		}
		slices.Sort(totals)
		f.calls, f.inRun = append(f.calls, math.Log(calls)), append(f.inRun, inRun)
		f.shares = append(f.shares, quantile(totals, 0.5))
	}
	middle := mean(f.shares)
	for k := range f.shares {
		f.shares[k] /= middle
	}
	f.divide(pairs)
	return f
}

// fewCalls is the mean number of calls of a run below which a function shows no distribution within a run.
const fewCalls = 10

// divide puts the functions into families and turns shares of the time into weights. With four runs on a side all are one family.
//
// Three runs on a side cannot tell a change from a state that three runs share by chance, such as a thread that is sometimes reused:
// exchanged, such runs are as far apart in one of ten cases, and how little they differ within the sides says nothing then. A function of
// many calls shows its states in every run. One of few calls does not, and is asked in a second family, only where a root execution
// is shown to have changed, of which its calls are a part. Three runs are enough for functions that matter only, too, so that no
// weight is shared evenly.
func (f *family) divide(pairs int) {
	few, even := pairs == MinRuns, evenly
	if few {
		even = 0
	}
	f.inside, f.weights = make([]bool, len(f.asked)), make([]float64, len(f.asked))
	for k := range f.asked {
		f.inside[k] = few && f.inRun[k] < fewCalls
		of := btoi(f.inside[k])
		f.members[of] = append(f.members[of], k)
	}
	for _, members := range f.members {
		middle := 0.0
		for _, k := range members {
			middle += f.shares[k] / float64(len(members))
		}
		for _, k := range members {
			f.weights[k] = even + (1-even)*f.shares[k]/middle
		}
	}
}

// shareOf returns the part of the level of its family that a function has.
func (f *family) shareOf(k int) float64 {
	return f.weights[k] / float64(len(f.members[btoi(f.inside[k])]))
}

// shareOfMore is shareOf with more runs per side than MinRuns, when all functions are one family.
func (f *family) shareOfMore(k int) float64 {
	return (evenly + (1-evenly)*f.shares[k]) / float64(len(f.asked))
}

// test tests every function by every estimate. Work takes longer in a run in which all functions do, and waiting does not. What a
// trace does not say is seen in the runs: a function follows the factors unless its variance within the sides grows when they are
// taken out. So does each estimate of it: where the speed of the machine changes while a run lasts, a function whose fast calls are as
// fast in every run has a mean that is not. Of other functions and estimates only the difference of the factors between the
// sides is taken out (tests), or nothing (asIs), and a function is found if it is found either way: whether it
// follows a machine that is slower on one side throughout, no run can tell.
func (f *family) test() {
	for e := range Estimate(estimates) {
		if e == Linear {
			f.factors[e] = f.factors[Total] // of the same logarithms
			continue
		}
		f.factors[e] = commonMode(f.logs[e], f.sides)
	}
	var values [estimates][][]float64
	for e := range values {
		values[e] = subtract(f.logs[e], f.factors[e].Log)
	}
	f.follows, f.with = f.followers(&values)
	for e := range Estimate(estimates) {
		common, _ := f.sides.fit(f.factors[e].Log)
		for k, y := range values[e] {
			if f.with[e][k] {
				continue
			}
			for j, x := range f.sides.x {
				y[j] = f.logs[e][k][j] - float64(common*x) // rounded twice, on every processor
			}
		}
		f.tests[e] = f.compare(e, values[e])
		f.asIs[e] = f.compareAsIs(e, f.logs[e])
	}
}

// takeLogs takes the logarithms of the costs of the functions by every estimate.
func (f *family) takeLogs() {
	for e := range Estimate(estimates) {
		if e == Linear {
			f.logs[e] = f.logs[Total]
			continue
		}
		f.logs[e] = matrix(len(f.asked), len(f.sides.x))
		for k, i := range f.asked {
			for j := range f.logs[e][k] {
				f.logs[e][k][j] = f.costs[i][j].log(e)
			}
		}
	}
}

// takeExchanged takes the logarithms from a family of the same functions whose runs have another order.
func (f *family) takeExchanged(of *family, order []int) {
	for e := range f.logs {
		if e == int(Linear) {
			f.logs[e] = f.logs[Total]
			continue
		}
		f.logs[e] = matrix(len(f.asked), len(order))
		for k, i := range f.asked {
			at, known := of.position[i]
			for j, from := range order {
				if known {
					f.logs[e][k][j] = of.logs[e][at][from]
				} else {
					f.logs[e][k][j] = f.costs[i][j].log(Estimate(e))
				}
			}
		}
	}
}

// matrix returns rows in one piece of memory.
func matrix(rows, columns int) [][]float64 {
	all, out := make([]float64, rows*columns), make([][]float64, rows)
	for i := range out {
		out[i] = all[i*columns : (i+1)*columns : (i+1)*columns]
	}
	return out
}

// meansOf returns the mean totals of a function on both sides.
func (f *family) meansOf(k int) (base, cand float64) {
	runs, split := f.costs[f.asked[k]], f.design.Base
	for j := range runs {
		if j < split {
			base += runs[j].TotalNs / float64(split)
		} else {
			cand += runs[j].TotalNs / float64(len(runs)-split)
		}
	}
	return base, cand
}

func logsOf(runs []Cost, e Estimate) []float64 {
	logs := make([]float64, len(runs))
	for j := range runs {
		logs[j] = runs[j].log(e)
	}
	return logs
}

// followers marks the functions whose runs do not agree clearly less within both sides once the factors are taken out, and of these the estimates by
// which they do not. A single estimate varies clearly more if two independent variances of the same size would be so far apart in less than
// unsteadyLevel of cases: those with and without the factors are of the same runs, and closer together. without has the logarithms
// without the factors.
func (f *family) followers(without *[estimates][][]float64) (follows []bool, with [estimates][]bool) {
	gain, most := make([]float64, len(f.asked)), math.Log(upperF(unsteadyLevel, f.sides.df))
	for e := range with {
		with[e] = make([]bool, len(gain))
		for k, y := range without[e] {
			_, before := f.sides.fit(f.logs[e][k])
			_, after := f.sides.fit(y)
			log := math.Log(max(before, leastVariance) / max(after, leastVariance))
			gain[k] += log
			with[e][k] = log >= -most
		}
	}
	follows = make([]bool, len(gain))
	for k, g := range gain {
		follows[k] = g >= -estimates*math.Log(unsteadier)
		for e := range with {
			with[e][k] = with[e][k] && follows[k]
		}
	}
	return follows, with
}

// upperF returns the value that the ratio of two variances of df degrees of freedom each exceeds with probability p, by the F distribution.
func upperF(p, df float64) float64 {
	b := mathext.InvRegIncBeta(df/2, df/2, 1-p)
	return b / (1 - b)
}

// followsThroughout reports whether a function follows the factors by every estimate.
func (f *family) followsThroughout(k int) bool {
	for e := range f.with {
		if !f.with[e][k] {
			return false
		}
	}
	return true
}

// compare tests the rows of an estimate.
func (f *family) compare(e Estimate, values [][]float64) []row {
	if e == Linear {
		values = linearised(values)
	}
	rows := moderate(values, f.sides, f.calls)
	keepOwn(rows)
	return rows
}

// compareAsIs tests the rows of an estimate with nothing taken out of the functions that do not follow the factors by it, behind compare. All other
// rows are the same, and the prior stays: what the sides have in common is no part of the variance within them.
func (f *family) compareAsIs(e Estimate, logs [][]float64) []row {
	rows := slices.Clone(f.tests[e])
	for k, y := range logs {
		if f.with[e][k] {
			continue
		}
		if e == Linear {
			y = linearised([][]float64{y})[0]
		}
		prior := rows[k].prior
		rows[k] = f.sides.fitRow(y, true)
		rows[k].squeeze(prior)
		rows[k].keepOwn()
	}
	return rows
}

// linearised replaces logarithms of costs by costs in units of their mean.
func linearised(rows [][]float64) [][]float64 {
	out := matrix(len(rows), len(rows[0]))
	for k, row := range rows {
		for j, v := range row {
			out[k][j] = math.Exp(v)
		}
		m := mean(out[k])
		for j := range row {
			out[k][j] /= m
		}
	}
	return out
}

// combine combines the tests of every function and adjusts over functions.
func (f *family) combine(changes []Change) {
	p := make([]float64, len(f.asked))
	f.decided = make([]row, len(f.asked))
	for k, i := range f.asked {
		c := &changes[i]
		c.Follows = f.follows[k]
		c.By, c.PerTest, c.P = combined(&f.tests, k)
		f.decided[k] = f.tests[c.By][k]
		if !f.followsThroughout(k) {
			if by, each, least := combined(&f.asIs, k); least > c.P {
				c.By, c.PerTest, c.P, c.ByAsIs = by, each, least, true
				f.decided[k] = f.asIs[by][k]
			}
		}
		p[k] = c.P
	}
	for _, members := range f.members {
		own, weights := make([]float64, len(members)), make([]float64, len(members))
		for n, k := range members {
			own[n], weights[n] = p[k], f.weights[k]
		}
		for n, q := range stats.WeightedBenjaminiHochberg(own, weights) {
			changes[f.asked[members[n]]].Q = q
		}
	}
}

// combined returns the p-values of a function, their combination, and the estimate with the least one.
func combined(tests *[estimates][]row, k int) (by Estimate, each [estimates]float64, p float64) {
	var se [estimates]float64
	for e := range tests {
		each[e], se[e] = tests[e][k].test.P(), tests[e][k].test.SE
	}
	weights := precisions(se)
	for e := range Estimate(estimates) {
		if each[e] < each[by] {
			by = e
		}
	}
	return by, each, stats.WeightedCauchy(each[:], weights[:])
}

// precisions weighs estimates whose differences have these standard errors. Half of the weight goes by the precision: a change of all calls
// shows in all estimates alike, so that the steadiest one shows it best. How precise an estimate is says nothing about a change, as little as the variance of
// Student's t does. The other half is shared evenly: a clock that ticks coarsely makes a quantile that never differs, and what shows only
// in the total must not vanish behind it.
func precisions(se [estimates]float64) (weights [estimates]float64) {
	sum, least := 0.0, slices.Min(se[:])
	for e, s := range se {
		weights[e] = least * least / (s * s)
		sum += weights[e]
	}
	for e := range weights {
		weights[e] = (1/float64(estimates) + weights[e]/sum) / 2
	}
	return weights
}
