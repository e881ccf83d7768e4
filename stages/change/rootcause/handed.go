package rootcause

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// describeHanded says of a function with which other one it shares a change: work that goes over to a new function makes the old one faster
// and is no progress, and what both effects come to is what it took.
func (reg *registry) describeHanded(whole *costChange, out *schema.Finding) {
	if other := reg.handedTo(whole); other != nil {
		net := stats.RoundNs(whole.effect + other.effect)
		out.Handed, out.HandedBy, out.HandedNetNs = other.Change.Component+"."+other.Change.Function, schema.HandedByCalls, &net
		return
	}
	if !whole.isOneSided() {
		return
	}
	if other, ns := reg.calledUnseen(whole); other != nil {
		net := stats.RoundNs(ns)
		out.Handed, out.HandedBy, out.HandedNetNs = other.Change.Function, schema.HandedByUnseen, &net
	}
}

// handedTo returns the function that has most of the calls that another one makes on the other side, one of them on one side only and the
// other one on both; nil if there is none whose effect has the other sign.
func (reg *registry) handedTo(whole *costChange) (other *costChange) {
	most := 0
	for _, g := range reg.neighbours(whole) {
		if g.isOneSided() == whole.isOneSided() || g.effect*whole.effect >= 0 || g.owner.component == whole.owner.component {
			continue
		}
		stays, onOne := whole, g
		if whole.isOneSided() {
			stays, onOne = g, whole
		}
		if n := reg.callsHanded(stays, onOne); n > most {
			other, most = g, n
		}
	}
	return other
}

// neighbours lists the functions that a function calls or, of one that only one side has, those that call it, in the order of their names.
func (reg *registry) neighbours(whole *costChange) (list []*costChange) {
	var names []string
	for _, n := range reg.fragmentsOf[whole.owner] {
		if !whole.isOneSided() {
			for _, w := range n.waits {
				names = append(names, w.awaited)
			}
			continue
		}
		for _, caller := range n.callers {
			names = append(names, caller.component+"."+caller.function)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		at, moved := reg.renamed[name]
		if !moved {
			at.component, at.function = reg.splitAwaited(name)
		}
		if g := reg.functions[at]; g != nil && g != whole {
			list = append(list, g)
		}
	}
	return list
}

// callsHanded counts the functions that one which only one side has waits for, and that its caller waits for more often on the other side.
func (reg *registry) callsHanded(stays, onOne *costChange) (n int) {
	before := reg.waitsOf(stays.owner)
	for awaited, made := range reg.waitsOf(onOne.owner) {
		less := before[awaited].base - before[awaited].cand
		if onOne.Change.Verdict == schema.Vanished {
			less = -less
		}
		if made.base+made.cand > 0 && less > 0 {
			n++
		}
	}
	return n
}

// waitsOf counts what a function waits for in all of its fragments on both sides, by "component.function" and per root execution.
func (reg *registry) waitsOf(at place) map[string]struct{ base, cand float64 } {
	out := make(map[string]struct{ base, cand float64 })
	for _, n := range reg.fragmentsOf[at] {
		for _, w := range n.waits {
			c := out[w.awaited]
			for _, step := range w.steps {
				c.base, c.cand = c.base+step.base.Count, c.cand+step.cand.Count
			}
			out[w.awaited] = c
		}
	}
	return out
}

// calledUnseen returns the only function beside one that is new or gone which changed the other way and is called less often where that one
// is, by as many calls as it may make unseen, with what it and all that may make these calls come to. Nobody is nil.
func (reg *registry) calledUnseen(onOne *costChange) (found *costChange, netNs float64) {
	for _, g := range reg.changes {
		if g.Change.Level != schema.LevelFunction || g.isOneSided() || g.Change.Component != onOne.Change.Component || g.effect*onOne.effect >= 0 {
			continue
		}
		// What is called less often and not shown to have changed still counts where it matters.
		if !g.isChange() && math.Abs(g.effect) <= reg.FloorNs {
			continue
		}
		callers := reg.unseenCallers(g)
		if !slices.Contains(callers, onOne) {
			continue
		}
		if found != nil {
			return nil, 0
		}
		found, netNs = g, g.effect
		for _, c := range callers {
			netNs += c.effect
		}
	}
	return found, netNs
}
