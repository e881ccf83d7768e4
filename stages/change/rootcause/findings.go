package rootcause

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// writeFindings numbers the causes, folds every change that follows from one under it, and returns them as rows.
func (f *finder) writeFindings() []schema.Finding {
	components := f.partsByComponent()
	totalNs, initial := f.totalOfInitial()
	isMinor := f.minorCauses(totalNs)
	f.numberCauses(isMinor, totalNs)
	for _, g := range f.changes {
		if !g.isChange() {
			continue
		}
		c := g.cause
		if c == nil {
			if c = f.originOf(g, components, initial); c == nil {
				continue
			}
			g.Follows = true
		}
		if g.Follows {
			c.onward++
		}
		number := c.number
		g.Change.Finding = &number
	}
	whole := f.waysUp(func(*node) bool { return true })
	inBase, inCand := f.waysWithout(schema.Appeared), f.waysWithout(schema.Vanished)
	out := make([]schema.Finding, len(f.causes))
	for _, c := range f.causes {
		finding := f.describeCause(c)
		finding.Minor = isMinor(c)
		finding.Share = f.shareOfTotal(c, totalNs, initial, whole)
		if n := f.nodeOf(c); n != nil {
			ways := inCand
			if c.head.Change.Verdict == schema.Vanished {
				ways = inBase
			}
			finding.InheritedAt = nameChain(n, firstThatReaches(n, append(ways, whole)))
		}
		out[c.number-1] = finding
	}
	return out
}

// waysWithout finds the ways up through fragments that changed, and those through any, past fragments of a verdict: what only one side has is called by nothing of
// the other.
func (f *finder) waysWithout(verdict string) []map[*node]*node {
	there := func(n *node) bool { return n.row == nil || n.row.Change.Verdict != verdict }
	return []map[*node]*node{f.waysUp(func(n *node) bool { return n.row == nil || there(n) && n.row.isChange() }), f.waysUp(there)}
}

// firstThatReaches returns the first ways that lead to a node, the last ones where none does.
func firstThatReaches(n *node, all []map[*node]*node) map[*node]*node {
	for _, above := range all {
		if _, reached := above[n]; reached {
			return above
		}
	}
	return all[len(all)-1]
}

// minorShare is the share of the greatest effect below which a finding is minor.
const minorShare = .01

// greatest is the greatest effect in ns of all, of those that are sure, and of those of these that are clear.
type greatest struct{ any, sure, clear float64 }

func (g *greatest) add(effect, lo, hi int64, clear bool) {
	size := math.Abs(float64(effect))
	g.any = max(g.any, size)
	if lo > 0 || hi < 0 {
		g.sure = max(g.sure, size)
		if clear {
			g.clear = max(g.clear, size)
		}
	}
}

// isMinor reports whether an effect is small beside the greatest one. One whose interval holds 0 makes no other finding small: a
// distribution that changed may have any mean, and beside 1.4 ms that may as well be -2.6 ms, 12 us that are sure are what there is to know.
// Nor does one that is not clear (isClear): beside 38 ms that may be chance, 20 us that cannot be are what there is to know. Where none is clear all that are
// sure count, and where no effect is sure, all.
func (g *greatest) isMinor(effect int64) bool {
	return math.Abs(float64(effect)) < minorShare*cmp.Or(g.clear, g.sure, g.any)
}

// minorCauses returns what says whether a cause is small beside the greatest one: its finding is in no table of a report, so that it has its
// number behind those that are.
func (reg *registry) minorCauses(totalNs float64) func(*cause) bool {
	var g greatest
	effects := make(map[*cause]int64)
	for _, c := range reg.causes {
		effect, lo, hi := c.sumEffects()
		effects[c] = stats.RoundNs(effect)
		g.add(effects[c], stats.RoundNs(lo), stats.RoundNs(hi), reg.isClear(c, totalNs))
	}
	return func(c *cause) bool { return g.isMinor(effects[c]) }
}

// carries is the share of the difference of the root executions from which on a function explains it.
const carries = .5

// IsClear reports whether a function that is found with a q and an effect in ns may come first. The rate of false discoveries holds for all that is
// found, and what comes first is looked at first: of functions that differ by chance those come there whose runs wander most, since their effects
// are the greatest. So at the top that rate is smaller: a function whose q is above it stands behind those with less. It is clear all the same
// where it carries most of the difference of the root executions, which says the same once more. totalNs is that difference, 0 where none is shown.
func IsClear(q, effectNs, totalNs, rate float64) bool {
	return q <= rate || effectNs*totalNs > 0 && math.Abs(effectNs) >= carries*math.Abs(totalNs)
}

// isClear does so of a cause; one that is no function as a whole, or whose q is not known, is clear.
func (reg *registry) isClear(c *cause, totalNs float64) bool {
	if reg.Clear == 0 || c.whole == nil || c.whole.Change.Q == nil {
		return true
	}
	effect, _, _ := c.sumEffects()
	return IsClear(*c.whole.Change.Q, effect, totalNs, reg.Clear)
}

// numberCauses orders the causes: costs that moved last, and where functions were asked, before them the diffuse ones, which name
// no place, and before these changes of a distribution, whose effect is not shown to differ from 0. Within these the greatest sure
// effect comes first. Of two changes the one is looked at first of which more is sure: an estimate of 10 ms that may as well be
// 1 ms is often that of a function whose runs wander, beside one that is known to take 5 ms longer.
//
// What one side alone has was tested by no rate, so that its size says where it stands: before the first clear one of which less is sure, and
// among those that are not clear where there is none.
func (reg *registry) numberCauses(isMinor func(*cause) bool, totalNs float64) {
	order, least := slices.Clone(reg.causes), math.Inf(1)
	for _, c := range order {
		if _, sure := c.sizes(); !c.isOneSided() && !isMinor(c) && reg.isClear(c, totalNs) {
			least = min(least, sure)
		}
	}
	comesFirst := func(c *cause, sure float64) bool {
		if c.isOneSided() {
			return sure > least
		}
		return reg.isClear(c, totalNs)
	}
	slices.SortStableFunc(order, func(a, b *cause) int {
		x, sureX := a.sizes()
		y, sureY := b.sizes()
		return cmp.Or(
			trueFirst(!isMinor(a), !isMinor(b)), cmp.Compare(a.movedOrder(), b.movedOrder()), cmp.Compare(reg.evidenceOrder(a), reg.evidenceOrder(b)),
			trueFirst(comesFirst(a, sureX), comesFirst(b, sureY)), cmp.Compare(sureY, sureX), cmp.Compare(math.Abs(y), math.Abs(x)),
			cmp.Compare(a.head.Change.Component, b.head.Change.Component), cmp.Compare(a.head.Change.Fragment, b.head.Change.Fragment),
			cmp.Compare(a.head.Change.Subject, b.head.Change.Subject), cmp.Compare(y, x),
		)
	})
	for i, c := range order {
		c.number = int64(i + 1)
	}
}

// isOneSided reports whether a cause is what all runs of one side have and none of the other.
func (c *cause) isOneSided() bool {
	return c.head.Change.Verdict == schema.Appeared || c.head.Change.Verdict == schema.Vanished
}

// trueFirst compares two answers: the one that holds comes before the other.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// sizes returns the effect of a cause, and how much of it is sure: the bound of its interval that is nearer to 0, and 0 where the interval
// holds 0 or is not known. Of costs that moved both places are looked at together, so that nothing but the effect orders them.
func (c *cause) sizes() (effect, sure float64) {
	effect, lo, hi := c.sumEffects()
	if c.moved == nil && lo*hi > 0 {
		sure = min(math.Abs(lo), math.Abs(hi))
	}
	return effect, sure
}

// movedOrder returns 1 for a cost that moved or that is only divided otherwise, else 0.
func (c *cause) movedOrder() int {
	if c.moved != nil || c.divided != nil && !c.shown {
		return 1
	}
	return 0
}

// evidenceOrder returns 2 for a diffuse cause and 1 for a change of a distribution beside functions that were asked, else 0.
func (reg *registry) evidenceOrder(c *cause) int {
	switch {
	case len(reg.functions) == 0:
	case c.kind == schema.KindDiffuse:
		return 2
	case c.kindOf() == schema.KindShape:
		return 1
	}
	return 0
}

// nodeOf returns the fragment that a cause is in; of messages the one that they start, or for replies the first one that
// waits for them.
func (f *finder) nodeOf(c *cause) *node {
	h := c.head.Change
	switch {
	case h.Level == schema.LevelFunction:
		return f.nodes[c.mainFragment()]
	case h.Level != schema.LevelMessage:
		return f.nodes[h.Fragment]
	}
	if n := f.nodes[schema.FragmentName(h.Component, h.Function, schema.Receive, h.Peer)]; n != nil {
		return n
	}
	for _, w := range f.blocking[place{component: h.Component, function: h.Function}] {
		if w.component == h.Peer {
			return w.caller
		}
	}
	return nil
}

// describeCause returns a cause as a row.
func (f *finder) describeCause(c *cause) schema.Finding {
	h := c.head.Change
	out := schema.Finding{
		Finding: c.number, Verdict: c.verdictOf(), Kind: c.kindOf(), Level: h.Level, Rank: h.Rank, Component: h.Component, Fragment: h.Fragment,
		Subject: h.Subject, Function: c.head.Function, Q: h.Q, CriticalBaseNs: h.CriticalBaseNs, CriticalCandNs: h.CriticalCandNs,
		Inherited: int64(c.onward), Caller: c.edge.caller, Callee: c.edge.callee,
	}
	if c.isOneSided() && h.Q != nil && *h.Q == 1 { // its times were not asked, and that it is there is no hypothesis of this family
		out.Q = nil
	}
	if h.Level != schema.LevelTransition {
		out.Function = h.Function
	}
	if c.whole != nil {
		h = c.whole.Change // a step of the function names the finding, all calls of it are what changed
		out.Q = h.Q
	}
	out.Statement, out.StatementRatio, out.StatementShare, out.StatementNs = h.Statement, h.StatementRatio, h.StatementShare, h.StatementNs
	effect, lo, hi := c.sumEffects()
	out.EffectNs, out.EffectLoNs, out.EffectHiNs = stats.RoundNs(effect), stats.RoundNs(lo), stats.RoundNs(hi)
	slower, called := c.splitDifference()
	out.CalledNs = stats.RoundNs(called)
	out.SlowerNs = stats.RoundNs(slower+called) - out.CalledNs
	for _, g := range c.described() {
		out.BaseNs += stats.RoundNs(valueOr(g.Change.CostBaseNs, g.base.CostNs))
		out.CandNs += stats.RoundNs(valueOr(g.Change.CostCandNs, g.cand.CostNs))
	}
	if c.net != nil {
		out.BaseNs = stats.RoundNs(c.net.base)
		out.CandNs = out.BaseNs + out.EffectNs
		out.SlowerNs = out.EffectNs - out.CalledNs
	}
	out.CountBase, out.CountCand = c.countCalls()
	f.describeCallers(c, &out)
	if c.called != nil {
		out.Subject, out.Statement, out.StatementRatio, out.StatementShare, out.StatementNs = c.callsText(), "", nil, nil, nil
	}
	switch {
	case c.divided != nil:
		out.MovedFrom, out.Q = schema.JoinNames(c.apart), nil
	case c.moved != nil:
		out.Verdict = schema.MovedCost
		out.MovedFrom = c.moved.nameFor(c)
	case c.from != nil:
		out.MovedFrom = c.from.Change.Component + "." + c.from.Function
	case c.whole != nil:
		out.MovedFrom = c.whole.Change.MovedFrom
	}
	return out
}

// countCalls returns how often the function was called per root execution: of every fragment the step with the greatest
// effect counts, since a call that takes several steps is one call. Of a successor each side counts by itself: what stopped is in the
// place of what began, and not called less.
func (c *cause) countCalls() (base, cand float64) {
	if c.whole != nil {
		return c.whole.base.Count, c.whole.cand.Count
	}
	most := make(map[string]*costChange)
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
	if c.from != nil {
		return c.countSides(order)
	}
	for _, at := range order {
		base, cand = base+most[at].base.Count, cand+most[at].cand.Count
	}
	return base, cand
}

// countSides returns how often each side takes the step that it takes most often, summed up over fragments.
func (c *cause) countSides(fragments []string) (base, cand float64) {
	for _, at := range fragments {
		was, is := 0., 0.
		for _, g := range c.parts {
			if g.Change.Fragment == at {
				was, is = math.Max(was, g.base.Count), math.Max(is, g.cand.Count)
			}
		}
		base, cand = base+was, cand+is
	}
	return base, cand
}

// kindOf derives the kind from the division of the difference: both where neither part is less than a quarter of the whole.
func (c *cause) kindOf() string {
	slower, called := c.splitDifference()
	s, n := math.Abs(slower), math.Abs(called)
	switch {
	case c.kind != "":
		return c.kind
	case c.verdictOf() == schema.ShapeChanged:
		return schema.KindShape
	case 3*s >= n && 3*n >= s && s > 0:
		return schema.KindBoth
	case n > s:
		return schema.KindCalled
	}
	return schema.KindSlower
}

// nameFor returns the name of a cause from the point of view of another: its function, or its step within the same function.
func (c *cause) nameFor(other *cause) string {
	h, o := c.head, other.head
	if h.Function == "" || h.Change.Component == o.Change.Component && h.Function == o.Function {
		return h.Change.Subject
	}
	return h.Change.Component + "." + h.Function
}

// totalOfInitial returns the difference of the initial fragments that are shown to have changed, and what the findings contribute
// to it. It is 0 where none is shown.
//
// Initial fragments may run at the same time. Their costs are added up all the same, as those of the findings are:
// then both are parts of one account, in which a share is exact. Critical paths show how much later the end is, but not the
// part that is due to a finding which lies on them only at times.
func (acc *account) totalOfInitial() (ns float64, parts []part) {
	s := acc.emptySums()
	for _, n := range acc.nodesByName() {
		if n.initialRank() == 0 || !n.row.isChange() {
			continue
		}
		switch n.row.Change.Verdict {
		case schema.ShapeChanged, schema.CountChanged:
			continue
		}
		ns += n.diffNs
		s.addParts(n.parts, 1)
	}
	return ns, s.takeParts()
}

// shareOfTotal returns the share of the total that a finding explains; nil where that is not shown, or where no initial fragment
// waits for it.
func (f *finder) shareOfTotal(c *cause, totalNs float64, initial []part, reached map[*node]*node) *float64 {
	n := f.nodeOf(c)
	if math.Abs(totalNs) <= f.FloorNs || n == nil {
		return nil
	}
	if _, is := reached[n]; !is {
		return nil
	}
	share := 0.0
	for _, p := range initial {
		if p.cause == c {
			share = p.ns / totalNs
		}
	}
	return &share
}
