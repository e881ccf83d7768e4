package rootcause

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// succession makes one finding of what stopped in one place and began in its stead: steps of one function that only
// one side has, as where a function calls another one in between, and functions that have another component. What
// counts is the net. Where that is not shown to differ by more than the floor, there is no finding: the functional
// change stands in the tables all the same.
func (f *finder) succession() {
	type name struct{ function, fragment, component string }
	began, ended := make(map[name][]*cause), make(map[name][]*cause)
	note := func(c *cause, n name) {
		if c.head.Change.Verdict == schema.Appeared {
			began[n] = append(began[n], c)
		} else {
			ended[n] = append(ended[n], c)
		}
	}
	for _, c := range f.causes {
		if h := c.head; c.whole() && h.Function != "" {
			note(c, name{h.Function, "", h.Change.Component})
			note(c, name{h.Function, "", ""})
		}
	}
	for _, c := range slices.Clone(f.causes) {
		h := c.head
		for _, n := range []name{{h.Function, "", h.Change.Component}, {h.Function, "", ""}} {
			if b, e := began[n], ended[n]; len(b) == 1 && len(e) == 1 && b[0] == c && c.from == nil && e[0].into == nil {
				f.succeed(c, e[0])
			}
		}
	}
	f.forget(func(c *cause) bool { return c.into != nil || c.from != nil && !c.shown(f.FloorNs) })
}

// whole says whether all parts of a cause are on the same side, the one that the other side lacks.
func (c *cause) whole() bool {
	return !slices.ContainsFunc(c.parts, func(g *figure) bool {
		return !g.oneSided() || g.Change.Level != schema.LevelTransition || g.Change.Verdict != c.head.Change.Verdict
	})
}

// succeed makes what ended a part of what began.
func (f *finder) succeed(began, ended *cause) {
	began.from, ended.into = ended.head, began
	for _, g := range ended.parts {
		began.add(g)
	}
	began.head = began.parts[0]
	for _, g := range began.parts[1:] {
		if !(g.Change.Verdict == schema.Vanished) && math.Abs(g.effect) > math.Abs(began.head.effect) {
			began.head = g
		}
	}
}

// shown says whether the net lies beyond the floor with its interval.
func (c *cause) shown(floorNs float64) bool {
	_, lo, hi := c.effect()
	return lo > floorNs || hi < -floorNs
}

// verdict is that of the head, or of what succeeds something that of the net.
func (c *cause) verdict() string {
	if c.from == nil {
		return c.head.Change.Verdict
	}
	if ns, _, _ := c.effect(); ns < 0 {
		return schema.Improved
	}
	return schema.Regressed
}

// succeeded divides the net as if it were one step.
func (c *cause) succeeded() (slower, called float64) {
	var g figure
	for _, p := range c.parts {
		g.base.CostNs, g.cand.CostNs = g.base.CostNs+p.base.CostNs, g.cand.CostNs+p.cand.CostNs
	}
	g.base.Count, g.cand.Count = c.counts()
	g.diffNs = g.cand.CostNs - g.base.CostNs
	return g.account()
}

// forget takes causes out.
func (f *finder) forget(which func(*cause) bool) {
	kept := f.causes[:0]
	for _, c := range f.causes {
		if !which(c) {
			c.index = len(kept)
			kept = append(kept, c)
			continue
		}
		for _, g := range c.parts {
			if g.cause == c {
				g.cause = nil
			}
		}
		for p, at := range f.places {
			if at == c {
				delete(f.places, p)
			}
		}
	}
	f.causes = kept
}
