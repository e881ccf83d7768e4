package rootcause

import (
	"cmp"
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// caller is the calls that one component makes of a function.
type caller struct {
	component  string
	base, cand Run // what they take of the function's own time, and how many they are
}

// callersOf returns the calls of a function as a whole by who makes them; nil where these are not known, or are one alone.
//
// Calls are not alike: most of them may be short ones that one caller makes. When these stop, the mean of the others rises, and
// a division of all calls together says that each became slower, though none did. Divided caller by caller, the calls that stopped take
// with them what they took themselves.
func (gr *graph) callersOf(whole *costChange) []caller {
	at := make(map[*node]*caller)
	var order []*caller
	for _, g := range gr.steps[whole.owner] {
		n := gr.nodes[g.Change.Fragment]
		if n.row == nil || n.function != whole.Change.Function {
			return nil // it runs inside of something else, of which the calls are others
		}
		if at[n] == nil {
			at[n] = &caller{component: n.row.Change.Peer, base: Run{Count: n.row.base.Count}, cand: Run{Count: n.row.cand.Count}}
			order = append(order, at[n])
		}
		at[n].base.CostNs, at[n].cand.CostNs = at[n].base.CostNs+g.base.CostNs, at[n].cand.CostNs+g.cand.CostNs
	}
	var base, cand Run
	for _, c := range order {
		base.CostNs, base.Count = base.CostNs+c.base.CostNs, base.Count+c.base.Count
		cand.CostNs, cand.Count = cand.CostNs+c.cand.CostNs, cand.Count+c.cand.Count
	}
	if len(order) < 2 || !alike(base.Count, whole.base.Count) || !alike(cand.Count, whole.cand.Count) || base.CostNs <= 0 || cand.CostNs <= 0 {
		return nil
	}
	// The function is told by its typical run and without what all functions share, its steps by means: they share alike.
	callers := make([]caller, len(order))
	for i, c := range order {
		c.base.CostNs *= whole.base.CostNs / base.CostNs
		c.cand.CostNs *= whole.cand.CostNs / cand.CostNs
		callers[i] = *c
	}
	return callers
}

// alike reports whether two numbers of calls are the same but for rounding.
func alike(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(a, b) }

// called returns what the number of the calls makes of the difference, see costChange.splitDifference.
func (c *caller) called() float64 {
	g := costChange{base: c.base, cand: c.cand, diffNs: c.cand.CostNs - c.base.CostNs}
	_, called := g.splitDifference()
	return called
}

// splitByCaller divides the difference of a function as a whole, caller by caller where they are known.
func (c *cause) splitByCaller() (slower, called float64) {
	if len(c.callers) == 0 {
		return c.whole.splitDifference()
	}
	for i := range c.callers {
		called += c.callers[i].called()
	}
	return c.whole.diffNs - called, called
}

// mostCalls returns the caller to which more than half of what the number of calls makes of the difference is due, or nil.
func (c *cause) mostCalls() *caller {
	if len(c.callers) == 0 {
		return nil
	}
	_, all := c.splitByCaller()
	most := slices.MaxFunc(c.callers, func(a, b caller) int { return cmp.Compare(a.called()*all, b.called()*all) })
	if part := most.called(); most.component == "" || part*all <= 0 || 2*math.Abs(part) <= math.Abs(all) {
		return nil
	}
	return &most
}

// unseenCallers lists the functions of the component of a function that is called less which only the side with fewer calls has, and
// which happen there as often as calls are missing: they may make them, since calls within a component may not be traced.
func (reg *registry) unseenCallers(whole *costChange) (list []*costChange) {
	missing := whole.base.Count - whole.cand.Count
	verdict := schema.Appeared
	if missing < 0 {
		missing, verdict = -missing, schema.Vanished
	}
	if missing == 0 {
		return nil
	}
	for _, g := range reg.changes {
		if row := g.Change; row.Level == schema.LevelFunction && row.Component == whole.Change.Component && row.Verdict == verdict &&
			math.Max(g.base.Count, g.cand.Count) >= missing {
			list = append(list, g)
		}
	}
	return list
}

// describeCallers says of a function as a whole who calls it otherwise, and who may do so unseen; of one that only one side has, which
// one of the other side may do the same.
func (reg *registry) describeCallers(c *cause, out *schema.Finding) {
	if c.whole == nil || c.divided != nil || c.called != nil {
		return
	}
	if c.whole.isOneSided() {
		if other := reg.counterpart(c.whole); other != nil {
			net := stats.RoundNs(c.whole.effect + other.effect)
			out.Counterpart, out.CounterpartNetNs = other.Change.Function, &net
			return
		}
	}
	reg.describeHanded(c.whole, out)
	if c.whole.isOneSided() {
		return
	}
	if most := c.mostCalls(); most != nil {
		out.CallsFrom, out.CallsFromBase, out.CallsFromCand = most.component, &most.base.Count, &most.cand.Count
	}
	var names []string
	for _, g := range reg.unseenCallers(c.whole) {
		names = append(names, g.Change.Function)
	}
	out.CallsWithin = schema.JoinNames(names)
}

// How alike two functions are that only one side has each, for one to be in the place of the other: in calls and in what they take.
const (
	counterpartCalls = 1.25
	counterpartCost  = 2
)

// counterpart returns the function of the same component that only the other side has, and that is called about as often for about as
// long: it may do the same under another name. It is nil unless each is the only one for the other.
func (reg *registry) counterpart(g *costChange) *costChange {
	of := func(g *costChange) (found *costChange, several bool) {
		for _, other := range reg.changes {
			row := other.Change
			if row.Level != schema.LevelFunction || !other.isOneSided() || row.Component != g.Change.Component || row.Verdict == g.Change.Verdict ||
				!within(other.base.Count+other.cand.Count, g.base.Count+g.cand.Count, counterpartCalls) || !within(other.effect, -g.effect, counterpartCost) {
				continue
			}
			found, several = other, found != nil
			if several {
				return nil, true
			}
		}
		return found, false
	}
	if other, _ := of(g); other != nil {
		if back, _ := of(other); back == g {
			return other
		}
	}
	return nil
}

// within reports whether two numbers of one sign differ by no more than a factor.
func within(a, b, factor float64) bool {
	a, b = a*b, b*b // of one sign, if both are positive now
	return a > 0 && a <= factor*b && b <= factor*a
}
