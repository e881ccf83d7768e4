package rootcause

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// joinDivided makes one finding of a function that only one side shows and of those that it was a part of on the other. Calls within
// a component may not be traced: once the callers lie elsewhere, what was their own time is seen as calls of its own, and they look
// faster by what it looks new. What counts is the net. Changes of the opposite sign are joined, a function with one other only.
func (reg *registry) joinDivided() {
	for _, c := range slices.Clone(reg.causes) {
		if c.into != nil || c.whole == nil || !c.whole.isOneSided() {
			continue
		}
		var with []*cause
		var names []string
		for _, name := range schema.SplitNames(c.whole.Change.MovedFrom) {
			d := reg.causeNamed(name, c.whole.Change.Verdict)
			if d == nil || d.into != nil || d.divided != nil || d.head.sign() == c.head.sign() {
				continue
			}
			if !slices.Contains(with, d) {
				names, with = append(names, name), append(with, d)
			}
		}
		if len(with) > 0 {
			reg.divide(c, with, names)
		}
	}
	reg.dropCauses(func(c *cause) bool { return c.into != nil })
}

// causeNamed returns the cause that is a function which both sides have, by the name that a function of one side says it lay beside:
// one that appeared has the names of the baseline, one that vanished those of the candidate. It is nil where that did not change.
func (reg *registry) causeNamed(name, verdict string) *cause {
	if verdict == schema.Appeared {
		if at, moved := reg.renamed[name]; moved {
			return wholeCause(reg.functions[at])
		}
		return nil
	}
	for at, g := range reg.functions {
		if at.component+"."+at.function == name {
			return wholeCause(g)
		}
	}
	return nil
}

// wholeCause returns the cause of a function that changed as a whole and that both sides have.
func wholeCause(g *costChange) *cause {
	if g.cause == nil || g.cause.whole != g || g.isOneSided() {
		return nil
	}
	return g.cause
}

// divide joins causes to that of a function which they show apart, or no longer apart.
func (reg *registry) divide(c *cause, with []*cause, names []string) {
	for _, d := range with {
		c.divided = append(c.divided, d.described()...)
		reg.foldUnder(d, c)
	}
	c.head, c.kind, c.apart = c.whole, schema.KindDivided, names
	c.net = reg.netOf(c.described())
	c.shown = c.isShown(reg.FloorNs)
}

// net is what several functions take together, in ns per root execution.
type net struct {
	base           float64 // mean of the baseline's runs
	effect, lo, hi float64 // the difference of the candidate, with its interval
}

// netOf compares what some functions take together, run by run; nil where the runs are not known.
//
// Each of them has an effect with an interval of its own, but these do not add up to those of the net: one is of typical calls and
// without what all functions share, another a mean of what only one side has. Where one run of three was slow throughout, the sum of such
// effects was shown to differ, and the sum of the times that anybody can add up was not.
func (reg *registry) netOf(parts []*costChange) *net {
	if reg.Difference == nil {
		return nil
	}
	var totals []float64
	for _, g := range parts {
		if g.Totals == nil {
			return nil
		}
		if totals == nil {
			totals = make([]float64, len(g.Totals))
		}
		for run, ns := range g.Totals {
			totals[run] += ns
		}
	}
	n := new(net)
	n.base, n.effect, n.lo, n.hi = reg.Difference(totals)
	return n
}
