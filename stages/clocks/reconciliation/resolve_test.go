package reconciliation

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// linearisation is an order of the events of all units: by step the next event of each unit that takes part, or -1.
type linearisation [][]int32

// linearisations are all orders of units of so many events in which each unit's own events come one after the other.
func linearisations(events []int32) (all []linearisation) {
	var walk func(at []int32, so linearisation)
	walk = func(at []int32, so linearisation) {
		if slices.Equal(at, events) {
			all = append(all, slices.Clone(so))
			return
		}
		for subset := 1; subset < 1<<len(events); subset++ {
			next, step, possible := slices.Clone(at), slices.Repeat([]int32{-1}, len(events)), true
			for u := range events {
				if subset>>u&1 == 1 {
					possible = possible && at[u] < events[u]
					step[u] = at[u]
					next[u]++
				}
			}
			if possible {
				walk(next, append(so, step))
			}
		}
	}
	walk(make([]int32, len(events)), nil)
	return all
}

// play runs a specification over a linearisation: whether all its relations hold, and the events of each step in which a clock ticks.
func (l linearisation) play(spec *ccsl.Spec, units []*Unit, watched ccsl.ClockID) (holds bool, ticks [][]int32) {
	var base []ccsl.ClockID
	for _, u := range units {
		base = append(base, u.observedClocks()...)
	}
	c := ccsl.NewChecker(spec, base)
	for _, step := range l {
		var clocks []ccsl.ClockID
		for u, e := range step {
			if e < 0 {
				continue
			}
			for id, events := range units[u].Ticks {
				if slices.Contains(events, e) {
					clocks = append(clocks, id)
				}
			}
		}
		if c.Step(clocks); c.Ticked(watched) {
			ticks = append(ticks, step)
		}
	}
	for i, v := range c.Verdicts() {
		if spec.Constraints[i].IsRelation() && v.Outcome == ccsl.Violated {
			return false, nil
		}
	}
	return true, ticks
}

// TestResolveByEnumeration has expressions over two or three units under random relations, and all linearisations that these
// leave. Where the ticks of an expression are found, they are those of every linearisation; where those of a union are not
// found, linearisations differ.
func TestResolveByEnumeration(t *testing.T) {
	kinds := []ccsl.Kind{ccsl.Union, ccsl.Intersection, ccsl.Minus, ccsl.Inf, ccsl.Sup, ccsl.SampledOn, ccsl.Union}
	r := rand.New(rand.NewSource(12))
	found, open, orders := 0, 0, 0
	for i := range 4000 {
		n := 2 + r.Intn(2)
		spec := &ccsl.Spec{Name: "s", Deaths: ccsl.DeathsLocal}
		units, events := make([]*Unit, n), make([]int32, n)
		for u := range units {
			units[u], events[u] = &Unit{Name: fmt.Sprint("u", u)}, int32(1+r.Intn(4-n+1))
			spec.Clocks = append(spec.Clocks, ccsl.Clock{Name: fmt.Sprint("c", u), Definition: ccsl.NoDefinition})
			units[u].Bind(ccsl.ClockID(u))
			for e := range events[u] {
				units[u].Tick(ccsl.ClockID(u), units[u].Event(int64(e), int64(10*e)))
			}
		}
		some := func() ccsl.ClockID { return ccsl.ClockID(r.Intn(n)) }
		for range r.Intn(2 * n) {
			c := ccsl.Constraint{Kind: ccsl.Precedence, Defines: ccsl.NoClock, Clocks: []ccsl.ClockID{some(), some()}, Name: "r",
				Bound: ccsl.Bound{Init: r.Int63n(2), Max: ccsl.Unbounded, Strict: r.Intn(3) > 0}}
			if r.Intn(3) == 0 {
				c.Bound.Max, c.Bound.StrictMax = c.Bound.Init+1+r.Int63n(2), r.Intn(2) == 0
			}
			if r.Intn(6) == 0 {
				c.Kind, c.Bound = ccsl.Coincidence, ccsl.Bound{}
			}
			if c.Clocks[0] != c.Clocks[1] {
				spec.Constraints = append(spec.Constraints, c)
			}
		}
		x := ccsl.ClockID(n)
		kind := r.Intn(len(kinds))
		e := ccsl.Constraint{Kind: kinds[kind], Defines: x, Clocks: []ccsl.ClockID{0, 1}, Name: "x", Strict: r.Intn(2) == 0}
		spec.Clocks = append(spec.Clocks, ccsl.Clock{Name: "x", Definition: int32(len(spec.Constraints))})
		spec.Constraints = append(spec.Constraints, e)
		var ticks [][][]int32
		for _, l := range linearisations(events) {
			if holds, at := l.play(spec, units, x); holds {
				ticks = append(ticks, at)
			}
		}
		if len(ticks) == 0 {
			continue
		}
		m := NewModel(units)
		m.Specify(spec)
		a, err := m.Arrange()
		if err != nil {
			t.Fatalf("instance %d: %v, but %d linearisations hold", i, err, len(ticks))
		}
		known := !slices.ContainsFunc(m.Unresolved, func(u Unresolved) bool { return u.Name == "x" })
		orders += len(ticks)
		if !known {
			open++
			if same := !slices.ContainsFunc(ticks, func(other [][]int32) bool { return fmt.Sprint(other) != fmt.Sprint(ticks[0]) }); same && e.Kind == ccsl.Union && len(ticks) > 1 {
				t.Fatalf("instance %d: all %d linearisations have the same %v of a union\n%s", i, len(ticks), ticks[0], dump(m))
			}
			continue
		}
		found++
		// The instants that coincide with each tick of x.
		got := make(map[int64]int32)
		for _, rel := range m.Relations {
			if m.Clocks[rel.Left.Clock] == "x" {
				if u, _ := m.Place(rel.Right.Instant); u != NoUnit && m.Constraints[rel.Constraint].Name == "x" && a.group[rel.Left.Instant] == a.group[rel.Right.Instant] {
					got[rel.Left.Index] = rel.Right.Instant
				}
			}
		}
		for _, at := range ticks {
			if len(at) != len(got) {
				t.Fatalf("instance %d: %d ticks, and %v in a linearisation: %v\n%s", i, len(got), at, spec.Constraints, dump(m))
			}
			for k, step := range at {
				if u, event := m.Place(got[int64(k+1)]); step[u] != event {
					t.Fatalf("instance %d: tick %d is event %d of unit %d, and %v in a linearisation\n%s", i, k+1, event, u, step, dump(m))
				}
			}
		}
	}
	if found < 300 || open < 300 || orders < 5000 {
		t.Errorf("%d found, %d open, %d linearisations: little is tested", found, open, orders)
	}
}
