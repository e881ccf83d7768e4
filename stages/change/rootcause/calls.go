package rootcause

import (
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// sameRatio is by how much two ratios of numbers of calls may differ for one to follow from the other.
const sameRatio = .1

// foldCalls makes one cause of what is called less, or more, because one caller calls otherwise: requests that end early leave out
// whole subtrees, of which nothing is faster. The place is the caller whose own number of calls did not change by as much: those below
// it do as they are told. A single cause stays as it is, since it names what is called.
func (f *finder) foldCalls() {
	type key struct {
		caller *node
		sign   float64
	}
	groups := make(map[key][]*cause)
	var order []key
	for _, c := range f.causes {
		if !c.isOfCalls() {
			continue
		}
		if n := f.callerOf(c); n != nil && n.row != nil {
			k := key{n, c.head.sign()}
			if groups[k] == nil {
				order = append(order, k)
			}
			groups[k] = append(groups[k], c)
		}
	}
	for _, k := range order {
		// An earlier group may have taken some: what its caller does between its calls.
		group := slices.DeleteFunc(groups[k], func(c *cause) bool { return c.into != nil })
		if len(group) == 0 {
			continue
		}
		// What the caller does between its calls shrinks and grows with their number.
		for _, c := range f.causes {
			if c.into == nil && c.kind == "" && c.head.sign() == k.sign && f.nodeOf(c) == k.caller && !slices.Contains(group, c) && c.size() < group[0].size() {
				group = append(group, c)
			}
		}
		if len(group) > 1 {
			f.joinCalls(k.caller, group)
		}
	}
	f.dropCauses(func(c *cause) bool { return c.into != nil })
}

// isOfCalls reports whether the difference of a cause is mostly one of numbers of calls, or is so by half and its interval holds these
// calls alone: that each call of them takes another time as well is then not shown, whatever the cause as a whole shows.
func (c *cause) isOfCalls() bool {
	if c.kind != "" && c.kind != schema.Transit || c.from != nil || c.head.isOneSided() {
		return false
	}
	slower, called := c.splitDifference()
	_, lo, hi := c.sumEffects()
	return isMostlyCalled(slower, called) || math.Abs(called) > math.Abs(slower) && lo <= called && called <= hi
}

// isMostlyCalled reports whether three quarters of a difference and more are one of numbers of calls.
func isMostlyCalled(slower, called float64) bool { return math.Abs(called) > 3*math.Abs(slower) }

// callerOf returns the fragment that decides how often a cause happens: from the one that calls it up, past those that are called more
// or less often by the same ratio.
func (f *finder) callerOf(c *cause) *node {
	base, cand := c.countCalls()
	ratio := cand / base
	n := f.nodeOf(c)
	for n != nil && len(n.callers) > 0 && n.row != nil && math.Abs(n.row.cand.Count/n.row.base.Count/ratio-1) < sameRatio {
		n = n.callers[0]
	}
	return n
}

// joinCalls makes one cause of several, which the caller names.
func (f *finder) joinCalls(caller *node, group []*cause) {
	joined := group[0]
	var parts []*costChange
	for _, c := range group {
		if name := c.calleeName(); name != "" && !slices.Contains(joined.called, name) && !(c.kind == "" && f.nodeOf(c) == caller) {
			joined.called = append(joined.called, name)
		}
		parts = append(parts, c.described()...)
		if c == joined {
			continue
		}
		f.foldUnder(c, joined)
	}
	for _, g := range parts {
		g.cause = joined
	}
	joined.parts, joined.whole, joined.head, joined.kind, joined.edge = parts, nil, caller.row, schema.KindCalled, edge{}
	slices.Sort(joined.called)
}

// calleeName is what a cause is called by: its function, or the callee of an edge.
func (c *cause) calleeName() string {
	if c.edge.callee != "" {
		return c.edge.callee
	}
	return c.head.Change.Component
}

// callsText names what a caller calls otherwise, as the subject of a finding.
func (c *cause) callsText() string { return "calls to " + strings.Join(c.called, ", ") }
