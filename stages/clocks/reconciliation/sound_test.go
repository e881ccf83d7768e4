package reconciliation

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// truth is what really happened: the step of every event, and a specification that holds.
type truth struct {
	spec  *ccsl.Spec
	units []*Unit
	step  [][]int64 // by unit and event
	ticks [][]int64 // by clock: the steps in which it ticked
}

// happen makes a run of two or three units, each with two clocks, whose events may fall into one step, and a random
// specification of which only the relations that hold are kept.
func happen(r *rand.Rand) *truth {
	units := 2 + r.Intn(2)
	w := &truth{spec: &ccsl.Spec{Name: "s", Deaths: ccsl.DeathsLocal}}
	for i := range 2 * units {
		w.spec.Clocks = append(w.spec.Clocks, ccsl.Clock{Name: fmt.Sprint("c", i), Definition: ccsl.NoDefinition})
	}
	for range r.Intn(5) {
		w.express(r)
	}
	for u := range units {
		w.units = append(w.units, &Unit{Name: fmt.Sprint("u", u)})
	}
	w.step = make([][]int64, units)
	var base []ccsl.ClockID
	for i := range 2 * units {
		base = append(base, ccsl.ClockID(i))
	}
	run := w.live(r, units)
	w.ticks = make([][]int64, len(w.spec.Clocks))
	c := ccsl.NewChecker(w.spec, base)
	for s, step := range run {
		c.Step(step)
		for id := range w.ticks {
			if c.Ticked(ccsl.ClockID(id)) {
				w.ticks[id] = append(w.ticks[id], int64(s))
			}
		}
	}
	for range 6 {
		w.relate(r, base, run)
	}
	return w
}

// live makes the events: the steps, each with the clocks that tick in it.
func (w *truth) live(r *rand.Rand, units int) (run [][]ccsl.ClockID) {
	for s := range int64(3 + r.Intn(12)) {
		var step []ccsl.ClockID
		for u := range units {
			if r.Intn(2) == 0 {
				continue
			}
			e := w.units[u].Event(int64(len(w.step[u])), s)
			w.step[u] = append(w.step[u], s)
			for k := range 2 {
				if id := ccsl.ClockID(2*u + k); r.Intn(3) > 0 {
					w.units[u].Tick(id, e)
					step = append(step, id)
				}
			}
		}
		run = append(run, step)
	}
	for u := range units {
		w.units[u].Bind(ccsl.ClockID(2 * u))
		w.units[u].Bind(ccsl.ClockID(2*u + 1))
	}
	return run
}

func (w *truth) some(r *rand.Rand) ccsl.ClockID { return ccsl.ClockID(r.Intn(len(w.spec.Clocks))) }

// express defines a clock.
func (w *truth) express(r *rand.Rand) {
	kinds := []ccsl.Kind{ccsl.Union, ccsl.Intersection, ccsl.Minus, ccsl.Inf, ccsl.Sup, ccsl.FilterBy, ccsl.FilterBy, ccsl.Defer, ccsl.SampledOn, ccsl.UpTo, ccsl.Union}
	c := ccsl.Constraint{Kind: kinds[r.Intn(len(kinds))], Defines: ccsl.ClockID(len(w.spec.Clocks)), Clocks: []ccsl.ClockID{w.some(r), w.some(r)}}
	switch c.Kind {
	case ccsl.FilterBy:
		c.Clocks = c.Clocks[:1]
		c.Sequence = ccsl.Sequence{Prefix: []int64{1 + r.Int63n(3)}, Period: []int64{1 + r.Int63n(2)}}
	case ccsl.Defer:
		c.Sequence = ccsl.Sequence{Period: []int64{1 + r.Int63n(2)}}
		if r.Intn(2) == 0 {
			c.Clocks[1] = c.Clocks[0]
		}
	}
	c.Strict = r.Intn(2) == 0
	c.Name = fmt.Sprint("e", c.Defines)
	w.spec.Clocks = append(w.spec.Clocks, ccsl.Clock{Name: c.Name, Definition: int32(len(w.spec.Constraints))})
	w.spec.Constraints = append(w.spec.Constraints, c)
}

// relate adds a relation if it holds in what happened.
func (w *truth) relate(r *rand.Rand, base []ccsl.ClockID, run [][]ccsl.ClockID) {
	c := ccsl.Constraint{Kind: ccsl.Kind(r.Intn(4)), Defines: ccsl.NoClock, Clocks: []ccsl.ClockID{w.some(r), w.some(r)}, Name: "relation"}
	c.Bound = ccsl.Bound{Init: r.Int63n(3), Max: ccsl.Unbounded, Strict: r.Intn(2) == 0}
	if r.Intn(2) == 0 {
		c.Bound.Max, c.Bound.StrictMax = c.Bound.Init+1+r.Int63n(3), r.Intn(2) == 0
	}
	spec := *w.spec
	spec.Constraints = append(slices.Clone(w.spec.Constraints), c)
	checker := ccsl.NewChecker(&spec, base)
	for _, step := range run {
		checker.Step(step)
	}
	if v := checker.Verdicts(); v[len(v)-1].Outcome == ccsl.Holds {
		w.spec = &spec
	}
}

// when is the step of an occurrence.
func (w *truth) when(m *Model, o Occurrence) int64 {
	if u, e := m.Place(o.Instant); u != NoUnit {
		return w.step[u][e]
	}
	id, _ := w.spec.Find(m.Clocks[o.Clock])
	return w.ticks[id][o.Index-1]
}

// TestSound makes random runs, forgets the order of different units, and checks that whatever the specification implies of
// that order is true, that computed clocks have the ticks that they had, and that no pair of an exclusion is misjudged.
func TestSound(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	var told, computed, invented int
	for i := range 20000 {
		w := happen(r)
		m := NewModel(w.units)
		if id := m.Specify(w.spec); id != ccsl.NoClock {
			t.Fatalf("%d is unbound", id)
		}
		for _, rel := range m.Relations {
			left, right := w.when(m, rel.Left), w.when(m, rel.Right)
			id, _ := w.spec.Find(m.Clocks[rel.Left.Clock])
			if rel.Kind == schema.Coincides && w.ticks[id][rel.Left.Index-1] != left {
				t.Fatalf("instance %d: %s[%d] is not in step %d\n%s", i, m.Clocks[id], rel.Left.Index, left, dump(m))
			}
			if rel.Kind == schema.Coincides && w.spec.Constraints[rel.Constraint].Kind != ccsl.Coincidence {
				computed++
			}
			if u, _ := m.Place(rel.Left.Instant); u == NoUnit {
				invented++
			}
			if broken := []bool{schema.Precedes: left >= right, schema.Causes: left > right, schema.Coincides: left != right}; broken[rel.Kind] {
				t.Fatalf("instance %d: steps %d and %d: %+v\n%s", i, left, right, rel, dump(m))
			}
			told++
		}
		a, err := m.Arrange()
		if err != nil {
			t.Fatalf("instance %d: %v\n%s", i, err, dump(m))
		}
		if err := a.Exclude(); err != nil {
			t.Fatalf("instance %d: %v\n%s", i, err, dump(m))
		}
	}
	if told < 100000 || computed < 20000 || invented < 1000 {
		t.Errorf("%d relations, %d of computed clocks, %d of invented instants: little is tested", told, computed, invented)
	}
}
