package deadlines_test

import (
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/deadlines"
	"github.com/tracelake/tracelake/testdata/expect"
)

// same fails unless a changed occurrence has the same explanation, with back undoing the change in a constraint.
func same(t *testing.T, change func(*rand.Rand, *deadlines.Occurrence) func(*deadlines.Edge)) {
	t.Helper()
	rng := rand.New(rand.NewSource(3))
	for range 500 {
		o := random(rng, 12)
		r := usual(deadlines.Defaults((o.ToNs-o.FromNs)*2/3), thresholds(rng), thresholds(rng))
		want := r.Explain(o)
		changed := *o
		changed.Edges = slices.Clone(o.Edges)
		back := change(rng, &changed)
		got := r.Explain(&changed)
		for i := range got.Causes {
			back(&got.Causes[i].Edge)
		}
		expect.Deep(expect.Must(t), got, want, "%+v", o)
	}
}

func TestShiftedClock(t *testing.T) {
	shift := func(e *deadlines.Edge, ns int64) { e.SourceNs, e.TargetNs = e.SourceNs+ns, e.TargetNs+ns }
	same(t, func(rng *rand.Rand, o *deadlines.Occurrence) func(*deadlines.Edge) {
		by := rng.Int63n(1<<62) - 1<<61
		o.FromNs, o.ToNs = o.FromNs+by, o.ToNs+by
		for i := range o.Edges {
			shift(&o.Edges[i], by)
		}
		return func(e *deadlines.Edge) { shift(e, -by) }
	})
}

func TestRenumberedEvents(t *testing.T) {
	renumber := func(e *deadlines.Edge, f func(int64) int64) { e.Source, e.Target = f(e.Source), f(e.Target) }
	same(t, func(rng *rand.Rand, o *deadlines.Occurrence) func(*deadlines.Edge) {
		far := rng.Int63n(1 << 50)
		o.From, o.To = o.From*1000+far, o.To*1000+far
		for i := range o.Edges {
			renumber(&o.Edges[i], func(event int64) int64 { return event*1000 + far })
		}
		return func(e *deadlines.Edge) { renumber(e, func(event int64) int64 { return (event - far) / 1000 }) }
	})
}

// The constraints of one target may come in any order.
func TestPermutedConstraints(t *testing.T) {
	same(t, func(rng *rand.Rand, o *deadlines.Occurrence) func(*deadlines.Edge) {
		rng.Shuffle(len(o.Edges), func(i, j int) { o.Edges[i], o.Edges[j] = o.Edges[j], o.Edges[i] })
		slices.SortStableFunc(o.Edges, func(a, b deadlines.Edge) int { return int(a.Target - b.Target) })
		return func(*deadlines.Edge) {}
	})
}

// Constraints into events at the time of the start change nothing, unless they show that From caused more.
func TestConstraintsBeforeTheStart(t *testing.T) {
	same(t, func(rng *rand.Rand, o *deadlines.Occurrence) func(*deadlines.Edge) {
		early := deadlines.Edge{Source: -7, Target: 0, SourceNs: o.FromNs - 9, TargetNs: o.FromNs - rng.Int63n(3), BoundNs: 4}
		o.Edges = append([]deadlines.Edge{early}, o.Edges...)
		return func(*deadlines.Edge) {}
	})
}

// The codes of the kinds may be any, as long as the reference has the same.
func TestRenumberedKeys(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	for range 500 {
		o, usuals := random(rng, 12), []*deadlines.Occurrence{random(rng, 12), random(rng, 9), random(rng, 9)}
		explain := func() (deadlines.Explanation, int64) {
			r := deadlines.NewReference(deadlines.Defaults((o.ToNs - o.FromNs) / 2))
			for _, u := range usuals {
				r.Add(u)
			}
			total := int64(0)
			for _, c := range r.Compare(o) {
				total += c.MaxNs*3 + c.Ns*5 + c.MedianNs*7
			}
			return r.Explain(o), total
		}
		want, wantTotal := explain()
		keys := []uint32{40, 7, 22, 3}
		for _, u := range append(usuals, o) {
			for i := range u.Edges {
				u.Edges[i].Key = keys[u.Edges[i].Key]
			}
		}
		got, gotTotal := explain()
		for i := range got.Causes {
			e := &got.Causes[i].Edge
			e.Key = uint32(slices.Index(keys, e.Key))
		}
		if !reflect.DeepEqual(got, want) || gotTotal != wantTotal {
			t.Fatalf("%+v\n%+v, total %d\nrenumbered:\n%+v, total %d", o, want, wantTotal, got, gotTotal)
		}
	}
}

// With nothing unusual, or no bounds at all, an occurrence is as it was recorded.
func TestNothingUnusual(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	for range 200 {
		o := random(rng, 12)
		r := deadlines.NewReference(deadlines.Options{DeadlineNs: o.ToNs - o.FromNs - 1, MinSample: 99})
		r.Add(o)
		want := deadlines.Explanation{MakespanNs: o.ToNs - o.FromNs}
		got := r.Explain(o)
		got.UnexplainedNs = 0
		expect.Deep(expect.Must(t), got, want, "%+v", o)
		for i := range o.Edges {
			o.Edges[i].BoundNs = schema.NoValue
		}
		want.UnexplainedNs = want.MakespanNs
		if got := deadlines.NewReference(deadlines.Options{}).Explain(o); got.MakespanNs > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v\n%+v", o, got)
		}
	}
}
