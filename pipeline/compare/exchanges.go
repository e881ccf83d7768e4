package compare

import (
	"math"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/functionchanges"
)

// Rules of the exchanges. A comparison of all functions takes about 30 us a function, and the check no more than some seconds.
const (
	mostExchanges  = 20
	exchangedTotal = 60_000 // functions that are compared in all exchanges together, with one exchange at least
)

// exchanges compares the functions and run times of initial fragments by the same rule with runs exchanged between the sides.
func (j *comparison) exchanges(f *functions, subjects []Subject) (rows []schema.Exchange) {
	if f.result.Asked == 0 {
		return nil
	}
	most := min(mostExchanges, max(1, exchangedTotal/f.result.Asked))
	for i, order := range f.design.Exchange(len(f.runs), most) {
		runs := functionchanges.Permuted(f.runs, order)
		row := schema.Exchange{Exchange: int64(i + 1), Runs: j.namesOf(runs[:f.design.Base]), LeastQ: 1}
		j.claim(f, &row, order, subjects)
		rows = append(rows, row)
	}
	return rows
}

// namesOf lists the names of runs.
func (j *comparison) namesOf(runs []int) string {
	names := make([]string, len(runs))
	for i, r := range runs {
		names[i] = j.models[r].run
	}
	return strings.Join(names, " ")
}

// claim counts what the rule claims with the runs in another order: each family at its own level. The levels that families hand on are left out, since
// there is nothing to hand on without a first claim.
func (j *comparison) claim(f *functions, row *schema.Exchange, order []int, subjects []Subject) {
	o := j.functionOptions()
	o.FoundOnly = true
	result := f.result.Exchanged(order, o)
	runs := functionchanges.Permuted(f.runs, order)
	d := functionchanges.Design{Base: f.design.Base, Blocks: functionchanges.Permuted(f.design.Blocks, order)}
	for i := range result.Changes {
		c := &result.Changes[i]
		if c.State == functionchanges.Asked {
			row.LeastQ = min(row.LeastQ, c.Q)
		}
		limits := j.Verdicts.Limits(f.pairs[i].name().component)
		if c.Found && isTime(verdictOf(c, limits)) {
			row.Functions++
		}
	}
	_, level := o.Levels(d.Pairs(len(runs)))
	wholes := j.wholes(subjects, runs, d)
	for _, inside := range []bool{false, true} {
		asked := !inside || row.Roots > 0
		for k := range wholes {
			w := &wholes[k]
			component := subjects[w.subject].Change.Component
			if w.Inside == inside && asked && w.Q <= level && j.matters(component, math.Expm1(w.Log)*w.BaseNs, w.Lo, w.Hi) {
				row.Roots++
			}
		}
	}
}

// matters reports whether an effect in a component exceeds the floor and its interval, of logarithms, excludes 0 and does not lie within the margin.
func (j *comparison) matters(component string, effectNs, lo, hi float64) bool {
	limits := j.Verdicts.Limits(component)
	return lo*hi > 0 && math.Abs(effectNs) > limits.FloorNs && max(math.Abs(lo), math.Abs(hi)) > math.Log1p(limits.Margin)
}

// Exchanged returns how many exchanges of runs between the sides were compared, and how many functions and run times of
// initial fragments the rule claims in one on average.
func (r *Result) Exchanged() (exchanges int, claims float64) {
	for i := range r.Exchanges {
		claims += float64(r.Exchanges[i].Functions+r.Exchanges[i].Roots) / float64(len(r.Exchanges))
	}
	return len(r.Exchanges), claims
}
