package reconciliation

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// TestJudgeByEnumeration asserts a random relation on the partial order that other ones leave of two or three units, and asks all
// linearisations in which those hold.
func TestJudgeByEnumeration(t *testing.T) {
	r := rand.New(rand.NewSource(13))
	var seen [4]int
	for i := range 5000 {
		n := 2 + r.Intn(2)
		spec := &ccsl.Spec{Name: "s", Deaths: ccsl.DeathsLocal}
		units, events := make([]*Unit, n), make([]int32, n)
		for u := range units {
			units[u], events[u] = &Unit{Name: fmt.Sprint("u", u)}, int32(1+r.Intn(5-n))
			spec.Clocks = append(spec.Clocks, ccsl.Clock{Name: fmt.Sprint("c", u), Definition: ccsl.NoDefinition})
			for e := range events[u] {
				units[u].Tick(ccsl.ClockID(u), units[u].Event(int64(e), int64(10*e)))
			}
		}
		relation := func(name string) ccsl.Constraint {
			a := r.Intn(n)
			b := (a + 1 + r.Intn(n-1)) % n
			c := ccsl.Constraint{Kind: ccsl.Precedence, Defines: ccsl.NoClock, Clocks: []ccsl.ClockID{ccsl.ClockID(a), ccsl.ClockID(b)}, Name: name,
				Bound: ccsl.Bound{Init: r.Int63n(2), Max: ccsl.Unbounded, Strict: r.Intn(2) == 0}}
			return c
		}
		for range r.Intn(2 * n) {
			spec.Constraints = append(spec.Constraints, relation("given"))
		}
		asserted := relation("asserted")
		if r.Intn(3) == 0 {
			asserted.Kind, asserted.Bound = []ccsl.Kind{ccsl.Coincidence, ccsl.Exclusion}[r.Intn(2)], ccsl.Bound{}
		}
		given, both := *spec, *spec
		both.Constraints = append(append([]ccsl.Constraint(nil), spec.Constraints...), asserted)
		// A trace ends somewhere: of two clocks that coincide the shorter one leaves ticks without a partner, which relate nothing, and an
		// effect whose cause is in no trace is counted and relates nothing, either.
		if a, b := asserted.Clocks[0], asserted.Clocks[1]; asserted.Kind == ccsl.Coincidence && events[a] != events[b] ||
			asserted.Kind == ccsl.Precedence && int64(events[b]) > int64(events[a])+asserted.Bound.Init {
			continue
		}
		hold, all := 0, 0
		for _, l := range linearisations(events) {
			if fits, _ := l.play(&given, units, 0); fits {
				all++
				if fits, _ := l.play(&both, units, 0); fits {
					hold++
				}
			}
		}
		if all == 0 {
			continue
		}
		m := NewModel(units)
		m.SpecifyBut(&both, func(name string) bool { return name == "asserted" })
		a, err := m.Arrange()
		if err != nil {
			t.Fatalf("instance %d: %v", i, err)
		}
		want := InSome
		switch hold {
		case all:
			want = InAll
		case 0:
			want = InNone
		}
		got := a.Judge()[0]
		if seen[got.Extent]++; got.Extent != want {
			t.Fatalf("instance %d: %s, but it holds in %d of %d linearisations: %+v\n%+v\n%s", i, got.Extent, hold, all, asserted, got, dump(m))
		}
	}
	if min(seen[InAll], seen[InSome], seen[InNone]) < 100 {
		t.Errorf("%v: little is tested", seen)
	}
}
