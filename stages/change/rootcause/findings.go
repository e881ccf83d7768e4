package rootcause

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// findings folds what follows under the causes, and writes them down.
func (f *finder) findings() []schema.Finding {
	f.number()
	components := f.byComponent()
	totalNs, initial := f.total()
	for _, g := range f.figures {
		if !g.changed() {
			continue
		}
		c := g.cause
		if c == nil {
			if c = f.inherit(g, components, initial); c == nil {
				continue
			}
			c.onward++
		}
		number := c.number
		g.Change.Finding = &number
	}
	carrying := f.upward(func(n *node) bool { return n.row == nil || n.row.changed() })
	whole := f.upward(func(*node) bool { return true })
	out := make([]schema.Finding, len(f.causes))
	for _, c := range f.causes {
		finding := f.describe(c)
		finding.Share = f.shareOf(c, totalNs, initial, whole)
		if n := f.nodeOf(c); n != nil {
			above := carrying
			if _, reached := carrying[n]; !reached {
				above = whole
			}
			finding.InheritedAt = chain(n, above)
		}
		out[c.number-1] = finding
	}
	return tellMinor(out)
}

// minorShare is the share of the greatest effect below which a finding is minor.
const minorShare = .01

// tellMinor marks the findings that are small beside the greatest one.
func tellMinor(found []schema.Finding) []schema.Finding {
	greatest := 0.0
	for i := range found {
		greatest = math.Max(greatest, math.Abs(float64(found[i].EffectNs)))
	}
	for i := range found {
		found[i].Minor = math.Abs(float64(found[i].EffectNs)) < minorShare*greatest
	}
	return found
}

// number orders the causes: costs that moved last, the greatest effect first.
func (f *finder) number() {
	order := slices.Clone(f.causes)
	slices.SortStableFunc(order, func(a, b *cause) int {
		x, _, _ := a.effect()
		y, _, _ := b.effect()
		return cmp.Or(
			cmp.Compare(a.movedLast(), b.movedLast()), cmp.Compare(math.Abs(y), math.Abs(x)),
			cmp.Compare(a.head.Change.Component, b.head.Change.Component), cmp.Compare(a.head.Change.Fragment, b.head.Change.Fragment),
			cmp.Compare(a.head.Change.Subject, b.head.Change.Subject), cmp.Compare(y, x),
		)
	})
	for i, c := range order {
		c.number = int64(i + 1)
	}
}

// movedLast is 1 for a cost that moved, else 0.
func (c *cause) movedLast() int {
	if c.moved != nil {
		return 1
	}
	return 0
}

// nodeOf is the fragment that a cause is in; of messages it is the one that they
// start, or for replies the first one that waits for them.
func (f *finder) nodeOf(c *cause) *node {
	h := c.head.Change
	if h.Level != schema.LevelMessage {
		return f.nodes[h.Fragment]
	}
	if n := f.nodes[schema.FragmentName(h.Component, h.Function, schema.Receive, h.Peer)]; n != nil {
		return n
	}
	if n := f.nodes[schema.FragmentName(h.Peer, h.Function, schema.Receive, h.Component)]; n != nil && len(n.callers) > 0 {
		return n.callers[0]
	}
	return nil
}

// describe writes a cause down.
func (f *finder) describe(c *cause) schema.Finding {
	h := c.head.Change
	out := schema.Finding{
		Finding: c.number, Verdict: c.verdict(), Kind: c.kindOf(), Level: h.Level, Rank: h.Rank, Component: h.Component, Fragment: h.Fragment,
		Subject: h.Subject, Function: c.head.Function, Q: h.Q, CriticalBaseNs: h.CriticalBaseNs, CriticalCandNs: h.CriticalCandNs,
		Inherited: int64(c.onward),
	}
	if h.Level != schema.LevelTransition {
		out.Function = h.Function
	}
	effect, lo, hi := c.effect()
	out.EffectNs, out.EffectLoNs, out.EffectHiNs = round(effect), round(lo), round(hi)
	slower, called := c.account()
	out.CalledNs = round(called)
	out.SlowerNs = round(slower+called) - out.CalledNs
	for _, g := range c.parts {
		out.BaseNs += round(known(g.Change.CostBaseNs, g.base.CostNs))
		out.CandNs += round(known(g.Change.CostCandNs, g.cand.CostNs))
	}
	out.CountBase, out.CountCand = c.counts()
	switch {
	case c.moved != nil:
		out.Verdict = schema.MovedCost
		out.MovedFrom = c.moved.name(c)
	case c.from != nil:
		out.MovedFrom = c.from.Change.Component + "." + c.from.Function
	}
	return out
}

func round(x float64) int64 { return int64(math.Round(x)) }

// counts is how often the function was called: of every fragment the step with the greatest effect counts.
func (c *cause) counts() (base, cand float64) {
	most := make(map[string]*figure)
	var order []string
	for _, g := range c.parts {
		at := g.Change.Fragment
		if most[at] == nil {
			order = append(order, at)
		}
		if most[at] == nil || math.Abs(g.effect) > math.Abs(most[at].effect) {
			most[at] = g
		}
	}
	for _, at := range order {
		base, cand = base+most[at].base.Count, cand+most[at].cand.Count
	}
	return base, cand
}

// kindOf tells the kind by the account: both where neither part is less than a quarter.
func (c *cause) kindOf() string {
	slower, called := c.account()
	s, n := math.Abs(slower), math.Abs(called)
	switch {
	case c.kind != "":
		return c.kind
	case c.head.Change.Verdict == schema.ShapeChanged:
		return schema.KindShape
	case 3*s >= n && 3*n >= s && s > 0:
		return schema.KindBoth
	case n > s:
		return schema.KindCalled
	}
	return schema.KindSlower
}

// name is a cause as another one names it: where it is, or within one function, the step.
func (c *cause) name(other *cause) string {
	h, o := c.head, other.head
	if h.Function == "" || h.Change.Component == o.Change.Component && h.Function == o.Function {
		return h.Change.Subject
	}
	return h.Change.Component + "." + h.Function
}
