package compare

import (
	"maps"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/functionchanges"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// functions is the comparison of the own times of all functions of both sides: the family of hypotheses that is asked first.
type functions struct {
	pairs  []functionPair           // by the names that they are reported under
	runs   []int                    // those of the baseline, then those of the candidate
	costs  [][]functionchanges.Cost // by function and run
	design functionchanges.Design
	result functionchanges.Result
}

// judgeFunctions compares the functions of the runs of both sides. Costs are per root execution.
func (j *comparison) judgeFunctions(sides *verdicts.Sides) *functions {
	f := &functions{runs: slices.Concat(sides.Base, sides.Cand), design: designOf(sides)}
	f.pairs = j.pairFunctions(sides)
	f.costs = make([][]functionchanges.Cost, len(f.pairs))
	for i, p := range f.pairs {
		f.costs[i] = slices.Concat(j.functionCosts(p.baseline(), sides.Base, sides.Roots), j.functionCosts([]functionKey{p.cand}, sides.Cand, sides.Roots))
	}
	f.result = functionchanges.Judge(f.costs, f.design, j.functionOptions())
	return f
}

// functionOptions returns the rules for functions and root executions. A rate that is asked for changes their levels by the
// same factor, since the rates of both together are what was measured. A floor that is asked for changes that below which functions are
// not asked in the same way: both are what does not matter, and in units of another clock nothing else is said.
func (j *comparison) functionOptions() functionchanges.Options {
	o := functionchanges.Defaults()
	o.FloorNs *= j.Verdicts.FloorNs / verdicts.Defaults().FloorNs
	for i := range o.By {
		o.By[i].Functions *= j.strictness()
		o.By[i].Whole *= j.strictness()
	}
	o.Level = j.Verdicts.Level
	return o
}

// strictness is the false discovery rate that is asked for in units of the default.
func (j *comparison) strictness() float64 { return j.Verdicts.FDR / verdicts.Defaults().FDR }

// designOf returns the sides and blocks of the runs that are compared, baseline first.
func designOf(sides *verdicts.Sides) functionchanges.Design {
	d := functionchanges.Design{Base: len(sides.Base)}
	if sides.Blocks != nil {
		for _, run := range slices.Concat(sides.Base, sides.Cand) {
			d.Blocks = append(d.Blocks, sides.Blocks[run])
		}
	}
	return d
}

// functionKeys lists the functions that some of the runs have.
func (j *comparison) functionKeys(runs []int) []functionKey {
	all := make(map[functionKey]bool)
	for _, run := range runs {
		for k := range j.models[run].summaries.functions {
			all[k] = true
		}
	}
	return slices.SortedFunc(maps.Keys(all), functionKey.compare)
}

// functionCosts returns what some functions taken as one cost in some runs.
func (j *comparison) functionCosts(keys []functionKey, runs []int, roots []float64) []functionchanges.Cost {
	costs := make([]functionchanges.Cost, len(runs))
	for at, run := range runs {
		costs[at] = costOf(j.models[run].functionsOf(keys), max(roots[run], 1))
	}
	return costs
}

// costOf returns the cost of a function per root execution of a run. The lower quartile is the mean of the deciles beside it, and the
// geometric mean of a call is that of its deciles.
func costOf(r verdicts.Run, roots float64) functionchanges.Cost {
	c := functionchanges.Cost{Calls: r.Count / roots, InRun: r.Count, TotalNs: r.TotalNs / roots, LongestNs: r.LongestNs / roots}
	if q := r.Quantiles; q != nil {
		c.Q10Ns, c.Q25Ns, c.MedianNs = q[0], (q[1]+q[2])/2, q[4]
		sum := 0.0
		for _, decile := range q[:9] {
			sum += math.Log(max(decile, 1))
		}
		c.GeoNs = math.Exp(sum / 9)
	}
	return c
}

// subjects returns a subject for every function that was asked.
func (f *functions) subjects(j *comparison, sides *verdicts.Sides) (out []Subject) {
	if f.result.Asked == 0 {
		return nil
	}
	for i := range f.pairs {
		found := &f.result.Changes[i]
		if found.State != functionchanges.Asked {
			continue
		}
		s := f.subject(j, sides, i)
		c := &s.Change
		limits := j.Verdicts.Limits(c.Component)
		f.describe(c, i, limits.FloorNs)
		c.Verdict = verdictOf(found, limits)
		if c.Verdict == schema.Undetermined {
			needed := int64(f.result.RunsNeeded(i, limits.Margin, limits.FloorNs))
			c.RunsNeeded = &needed
		}
		c.Detected = samplechanges.Notable(c.Verdict)
		out = append(out, s)
	}
	return out
}

// subject returns a function with what every run says of it, and with no verdict yet.
func (f *functions) subject(j *comparison, sides *verdicts.Sides, i int) Subject {
	p := f.pairs[i]
	name := p.name()
	s := Subject{Change: schema.Change{
		Level: schema.LevelFunction, Component: name.component, Subject: name.function, Function: name.function, MovedFrom: p.movedFrom(),
		RunsBase: int64(len(sides.Base)), RunsCand: int64(len(sides.Cand)), Method: byRuns, Quantity: schema.QuantityCost,
	}}
	s.Observed = j.observed(&s, func(i int) verdicts.Run {
		if slices.Contains(sides.Cand, i) {
			return j.models[i].summaries.functions[p.cand]
		}
		return j.models[i].functionsOf(p.baseline())
	})
	c := &s.Change
	c.CriticalBaseNs = j.paths.base.criticalOf(j.paths.shares, p.baseline())
	c.CriticalCandNs = j.paths.cand.criticalOf(j.paths.shares, []functionKey{p.cand})
	c.NBase, c.TotalBaseNs = totalsOf(s.Observed.Runs, sides.Base)
	c.NCand, c.TotalCandNs = totalsOf(s.Observed.Runs, sides.Cand)
	c.AbsNs = c.TotalCandNs/c.RunsCand - c.TotalBaseNs/c.RunsBase
	return s
}

// totalsOf counts the calls of a function in some runs, and sums up their own times in ns.
func totalsOf(runs []verdicts.Run, of []int) (n, ns int64) {
	for _, r := range of {
		n, ns = n+int64(runs[r].Count), ns+int64(runs[r].TotalNs)
	}
	return n, ns
}

// describe fills in the figures of a function per root execution: the effect by the estimate that decided, the mean of the baseline, and
// what the candidate costs by the effect.
func (f *functions) describe(c *schema.Change, i int, floorNs float64) {
	found := &f.result.Changes[i]
	base, cand := f.callsOf(i)
	log, lo, hi := found.Effect(floorNs)
	ns := func(log float64) *int64 { return stats.OptionalNs(math.Expm1(log) * found.BaseNs) }
	c.EffectNs, c.EffectLoNs, c.EffectHiNs = ns(log), ns(lo), ns(hi)
	c.CostBaseNs, c.CostCandNs = stats.OptionalNs(found.BaseNs), stats.OptionalNs(found.BaseNs*math.Exp(log))
	c.CountBase, c.CountCand = &base, &cand
	c.P, c.Q = &found.P, &found.Q
}

// verdictOf is the verdict on a function: a change that was found, whose interval excludes 0, and that exceeds the floor; or one whose interval
// lies within the margin or the floor; or neither. The interval holds the uncertainty of the factors, which the test does not.
func verdictOf(found *functionchanges.Change, o verdicts.Limits) string {
	margin := math.Log1p(o.Margin)
	log, lo, hi := found.Effect(o.FloorNs)
	switch within := max(math.Abs(lo), math.Abs(hi)) <= margin; {
	case found.Found && lo*hi > 0 && found.Exceeds(o.FloorNs) && !within:
		if log < 0 {
			return schema.Improved
		}
		return schema.Regressed
	case found.Found && found.Contradicted:
		return schema.ShapeChanged
	case within, found.Within(o.FloorNs):
		return schema.Unchanged
	}
	return schema.Undetermined
}

// factors returns the table of what all functions of a run have in common.
func (f *functions) factors(j *comparison) (rows []schema.RunFactor) {
	for i, log := range f.result.Factors.Log {
		side := schema.SideBase
		if i >= f.design.Base {
			side = schema.SideCand
		}
		rows = append(rows, schema.RunFactor{
			Run: j.models[f.runs[i]].run, Side: side, Factor: math.Exp(log), SE: f.result.Factors.SE[i], Voters: int64(f.result.Factors.Voters),
		})
	}
	return rows
}

// found reports whether any function changed.
func found(functions []Subject) bool {
	return slices.ContainsFunc(functions, func(s Subject) bool { return s.Change.Detected })
}

// ask withdraws the verdicts on times that were not asked. The families come in an order: functions and the run times of
// initial fragments are asked always, what they contain only where they are found (Benjamini and Bogomolov 2014). Verdicts that
// say that nothing changed stay, and so do those on what is done instead of how long it takes.
//
// Where many functions changed together, a root execution that changed opens nothing: steps would be blamed for what the machine did.
func ask(subjects []Subject, functions []Subject, together bool) {
	f := selectionOf(subjects, functions)
	f.root = f.root && !together
	for i := range subjects {
		if s := &subjects[i]; !f.asks(s) {
			c := &s.Change
			c.Verdict, c.Detected, c.RootCause, c.RunsNeeded = schema.NotAsked, false, "", nil
		}
	}
}

// selection is what the first families have found, by which it is decided what else is asked.
type selection struct {
	functions  map[string]bool // those that were asked, by "component.function" on either side: whether they changed
	components map[string]bool // those with a function that changed
	fragments  map[string]bool // those with a step in the own time of a function that changed
	root       bool            // the run time of an initial fragment changed
}

func selectionOf(subjects, functions []Subject) *selection {
	f := &selection{functions: make(map[string]bool), components: make(map[string]bool), fragments: make(map[string]bool)}
	for i := range functions {
		c := &functions[i].Change
		f.functions[c.Component+"."+c.Function] = c.Detected
		for _, name := range c.NamesBefore() {
			f.functions[name] = c.Detected
		}
		f.components[c.Component] = f.components[c.Component] || c.Detected
	}
	for i := range subjects {
		s := &subjects[i]
		f.root = f.root || s.Initial && isTime(s.Change.Verdict)
		if f.functions[s.Change.Component+"."+s.Function] {
			f.fragments[s.Change.Fragment] = true
		}
	}
	return f
}

// asks reports whether the verdict on a subject answers a question that was asked. Where the run time of an initial fragment changed,
// everything is asked but the steps in the own time of functions that are not found.
func (f *selection) asks(s *Subject) bool {
	c := &s.Change
	if s.Initial && c.Level == schema.LevelFragment {
		return c.Verdict != schema.ShapeChanged || f.root
	}
	if c.Level == schema.LevelTransition && s.Awaited == "" && isOwnTime(c.Verdict) {
		if changed, asked := f.functions[c.Component+"."+s.Function]; asked {
			return changed
		}
	}
	switch {
	case f.root || !isAnyTime(c.Verdict):
		return true
	case c.Level == schema.LevelFragment || c.Level == schema.LevelTransition:
		return f.fragments[c.Fragment]
	}
	return f.components[c.Component]
}

// isOwnTime reports whether a verdict claims something about how long a step takes, or leaves it open.
func isOwnTime(verdict string) bool {
	return isTime(verdict) || verdict == schema.ShapeChanged || verdict == schema.Undetermined
}

// isAnyTime adds the verdicts on when a step is reached.
func isAnyTime(verdict string) bool {
	return isOwnTime(verdict) || verdict == schema.Later || verdict == schema.Sooner
}

// isTime reports whether a verdict says that something takes longer or less long.
func isTime(verdict string) bool { return verdict == schema.Regressed || verdict == schema.Improved }

// Common compares the factors of the sides of a comparison; nil where functions were not compared.
func (r *Result) Common(s *Spec) *functionchanges.Common {
	if len(r.Factors) == 0 {
		return nil
	}
	f, d := functionchanges.Factors{}, functionchanges.Design{Base: len(s.Base)}
	for _, row := range r.Factors {
		f.Log, f.SE = append(f.Log, math.Log(row.Factor)), append(f.SE, row.SE)
	}
	if s.Blocks != nil {
		d.Blocks = s.Blocks[:len(f.Log)]
	}
	c := f.Compare(d, s.Verdicts.Level)
	return &c
}
