package functionchanges

import "math"

// MinRuns is the number of runs per side below which nothing is judged.
const MinRuns = 3

// Options are the rules of a comparison. The zero value is not usable; Defaults are the rules whose rates were measured.
type Options struct {
	By        [3]Levels // with three, four, and more runs per side: the fewer there are, the less is known of how a function varies
	FloorNs   float64   // functions that cost less per run, on average over all runs, are not asked
	Level     float64   // of intervals
	FoundOnly bool      // only functions that are found get effects and intervals, which cost half of the time
}

// Levels are those of the families that are asked first.
type Levels struct {
	Functions float64 // false discovery rate over functions
	Whole     float64 // level at which the run times of root executions are decided
}

// Defaults returns the rules whose rates were measured. The levels of functions and of root executions add up to the share of comparisons of
// unchanged runs that may find something: .05, and .06 with three runs a side, where less would leave most root executions undecided. With
// four runs a side they are lower: four that share a state by chance look steady more often than the tests of functions expect. With five and more
// a third is for root executions, what a user waits for, and two thirds for functions, of which there are many.
func Defaults() Options {
	return Options{By: [3]Levels{{.02, .04}, {.015, .015}, {.05 * 2 / 3, .05 / 3}}, FloorNs: 2000, Level: .95}
}

// Levels returns the levels of both families with so many runs per side or so many blocks. A family in which something is found
// hands its level on to the other one, which is then asked at their sum (Bretz, Maurer, Brannath and Posch 2009, Statistics in
// Medicine 28, 586-604): where nothing changed there is nothing to hand on, so that the sum bounds the false claims of both.
func (o Options) Levels(pairs int) (functions, whole float64) {
	l := o.By[min(max(pairs-MinRuns, 0), len(o.By)-1)]
	return l.Functions, l.Whole
}

// State says whether a function was asked.
type State int

// The states of a function.
const (
	Asked    State = iota // it has a Change
	TooSmall              // it costs less than the floor
	Sporadic              // some runs of a side have it, others do not; or one side alone has it, as chance would have it
	Appeared              // all runs of the candidate have it, none of the baseline
	Vanished              // all runs of the baseline have it, none of the candidate
)

// Change is what is said of one function. Costs are own time per run in ns.
type Change struct {
	State   State              // judged, or why not
	Found   bool               // Q is at most the level of the last Select
	Follows bool               // its runs do not agree less once the factors of the runs are taken out: it works instead of waiting
	By      Estimate           // the estimate with the least p, which decided
	ByAsIs  bool               // it decided without the factors of the sides
	Log     float64            // effect by that estimate: the logarithm of candidate by baseline
	LogLo   float64            // interval of the effect, see Result.Select
	LogHi   float64            // its upper end
	BaseNs  float64            // mean total of the baseline's runs; of one that is found without single runs, see describeTypical
	CandNs  float64            // the same of the candidate's runs
	P, Q    float64            // combined over estimates; adjusted over functions
	PerTest [estimates]float64 // p of each estimate; P combines them

	Contradicted bool     // the total is shown not to have changed by the effect of the estimate that decided
	TotalBy      Estimate // how the total is compared: Total, or Linear where that contradicts
	TotalLog     float64  // effect on the total, with an interval at the level of the other one
	TotalLo      float64  // its lower end
	TotalHi      float64  // its upper end
}

// Effect returns the effect on the cost of a run as the logarithm of candidate by baseline, with its interval: by the estimate that
// decided, or where the total contradicts that one, by the total. A function that is found, by no more than a floor in ns, has the effect of the
// total also where that changed the same way and exceeds the floor: what does not matter is said of what a run costs, and a quartile of
// calls leaves out those that cost most.
func (c *Change) Effect(floorNs float64) (log, lo, hi float64) {
	if c.isOfTotal(floorNs) {
		return c.TotalLog, c.TotalLo, c.TotalHi
	}
	return c.Log, c.LogLo, c.LogHi
}

// StatedBy returns the estimate that Effect is of.
func (c *Change) StatedBy(floorNs float64) Estimate {
	if c.isOfTotal(floorNs) {
		return c.TotalBy
	}
	return c.By
}

// isOfTotal reports whether the effect is that on the total, whichever estimate decided.
func (c *Change) isOfTotal(floorNs float64) bool {
	alike := c.Found && c.TotalLo*c.TotalHi > 0 && c.TotalLog*c.Log > 0
	return c.Contradicted || alike && !c.exceeds(c.Log, floorNs) && c.exceeds(c.TotalLog, floorNs)
}

// Exceeds reports whether a function changed by more than a floor in ns.
func (c *Change) Exceeds(floorNs float64) bool {
	log, _, _ := c.Effect(floorNs)
	return c.exceeds(log, floorNs)
}

// exceeds takes the effect, which is a factor, of the geometric mean of both sides, f^(1/2) - f^(-1/2) times that: in ns it would be less of the
// faster side, and with the sides swapped it is the same.
func (c *Change) exceeds(log, floorNs float64) bool {
	return 2*math.Sinh(math.Abs(log)/2)*math.Sqrt(c.BaseNs*c.CandNs) > floorNs
}

// Within reports whether the whole interval of the effect lies within a floor in ns, of whichever side it is taken.
func (c *Change) Within(floorNs float64) bool {
	_, lo, hi := c.Effect(floorNs)
	return within(lo, hi, c.BaseNs, c.CandNs, floorNs)
}

// within reports whether no change of an interval of logarithms exceeds a floor in ns, of whichever side it is taken.
func within(lo, hi, baseNs, candNs, floorNs float64) bool {
	for _, log := range []float64{lo, hi} {
		if max(math.Abs(math.Expm1(log))*baseNs, math.Abs(math.Expm1(-log))*candNs) > floorNs {
			return false
		}
	}
	return true
}

// Result is a comparison of all functions.
type Result struct {
	Changes  []Change // in the order of the functions
	Factors  Factors  // by the totals: what is reported
	Asked    int      // functions that were asked; 0 with too few runs, when no Change says anything
	Together bool     // the totals of the others changed even without the function that changed most
	family   *family  // nil with too few runs
}

// Common is the difference between the sides that all functions share, as a logarithm.
type Common struct {
	Log, Lo, Hi float64 // the estimate, and both ends of its interval
	P           float64 // that there is none
}

// Judge compares the runs of both sides in every function. costs has a row for every function, with a Cost for every run.
func Judge(costs [][]Cost, d Design, o Options) Result {
	r, asked := beginAll(costs, d, o)
	if len(asked) > 0 {
		r.family = newFamily(costs, asked, d, d.Pairs(len(costs[0])), o)
		r.family.takeLogs()
		r.decide(d.Pairs(len(costs[0])))
	}
	return r
}

// beginAll describes all functions before they are asked, and lists those that are: none with too few runs.
func beginAll(costs [][]Cost, d Design, o Options) (r Result, asked []int) {
	r.Changes = make([]Change, len(costs))
	for i, row := range costs {
		r.Changes[i] = begin(row, d.Base, o.FloorNs)
		if r.Changes[i].State == Asked {
			asked = append(asked, i)
		}
	}
	if len(asked) == 0 || d.Pairs(len(costs[0])) < MinRuns {
		return r, nil
	}
	r.withholdOneSided(costs, d, o)
	r.Asked = len(asked)
	return r, asked
}

// decide tests all functions, and selects those that are found with no root execution known to have changed.
func (r *Result) decide(pairs int) {
	f := r.family
	f.test()
	r.Factors = f.factors[Total]
	f.combine(r.Changes)
	level, _ := f.options.Levels(pairs)
	r.Select(level, false)
}

// EffectBy returns the effect on a function by the estimate by which another comparison, of fewer of the same runs, states its effect: where
// typical calls changed and all calls together did otherwise, both are true, and an interval is of one of them. That of the total is without
// single runs where this comparison leaves some out (describeTypical), as in the other one. It is false where one of the comparisons did not ask the function.
func (r *Result) EffectBy(i int, other *Change, floorNs float64) (log float64, asked bool) {
	if r.family == nil || r.Changes[i].State != Asked || other.State != Asked {
		return 0, false
	}
	c, by, tests := &r.Changes[i], other.StatedBy(floorNs), &r.family.tests
	if other.isOfTotal(floorNs) && c.ByAsIs == other.ByAsIs && c.TotalBy == by {
		return c.TotalLog, true
	}
	if other.ByAsIs {
		tests = &r.family.asIs
	}
	log, _, _ = r.family.effect(by, &tests[by][r.family.position[i]], r.family.options.Level)
	return log, true
}

// begin describes a function before it is asked.
func begin(runs []Cost, base int, floor float64) Change {
	c := Change{By: -1, P: 1, Q: 1}
	var left, right int
	for i := range runs {
		if runs[i].TotalNs <= 0 {
			continue
		}
		if i < base {
			left++
			c.BaseNs += runs[i].TotalNs / float64(base)
		} else {
			right++
			c.CandNs += runs[i].TotalNs / float64(len(runs)-base)
		}
	}
	n := float64(len(runs))
	switch {
	case left == 0 && right == len(runs)-base:
		c.State = Appeared
	case right == 0 && left == base:
		c.State = Vanished
	case left < base || right < len(runs)-base:
		c.State = Sporadic
	case (c.BaseNs*float64(base)+c.CandNs*(n-float64(base)))/n <= floor:
		c.State = TooSmall
	}
	return c
}

// Compare compares the factors of the sides as Difference does values. The error of the factors
// themselves is added. level is that of the interval.
func (f *Factors) Compare(d Design, level float64) Common {
	t := d.student(f.Log)
	t.SE = math.Hypot(t.SE, d.contrast(len(f.Log)).errorOf(f.SE))
	lo, hi := t.Interval(level)
	return Common{Log: t.Estimate, Lo: lo, Hi: hi, P: t.P()}
}
