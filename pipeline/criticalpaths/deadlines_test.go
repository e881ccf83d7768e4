package criticalpaths

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/timing/deadlines"
	"github.com/tracelake/tracelake/stages/timing/findings"
)

// TestCaused compares what leads on from the first event with a search through all constraints again and again.
func TestCaused(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	some := 0
	for range 2000 {
		d := &deadlines.Occurrence{From: 5}
		for target := int64(6); target < 20; target++ {
			for range rng.Intn(3) {
				d.Edges = append(d.Edges, deadlines.Edge{Source: rng.Int63n(target), Target: target})
			}
		}
		reached := map[int64]bool{d.From: true}
		for range d.Edges {
			for _, e := range d.Edges {
				reached[e.Target] = reached[e.Target] || reached[e.Source]
			}
		}
		want := slices.DeleteFunc(slices.Clone(d.Edges), func(e deadlines.Edge) bool { return !reached[e.Source] })
		if got := causedEdges(d); !slices.Equal(got, want) {
			t.Fatalf("%+v\n got %+v\nwant %+v", d.Edges, got, want)
		}
		if len(want) > 0 && len(want) < len(d.Edges) {
			some++
		}
	}
	if some < 1000 {
		t.Fatalf("only %d have both", some)
	}
}

// TestExplainAlong has an occurrence from 0 to 100 that may take 60. Its own step from 0 to 80 (key 0) usually takes 10. Then
// its message waits until 90 for work that another lifeline began by itself at 70 (key 1), which is as usual. With the step
// as usual the message would come at 20, before that work, which keeps its order nonetheless: 100 are left. Without that
// work the 10 of waiting stay, and 70 less are 30.
//
//	own    0 --80--> 80 --10--> 100      message at 80, received at 90
//	other  (-10) --80--> 70 --20--> 90
func TestExplainAlong(t *testing.T) {
	step := func(source, target, sourceNs, ns int64, key uint32) deadlines.Edge {
		return deadlines.Edge{Source: source, Target: target, SourceNs: sourceNs, TargetNs: sourceNs + ns, BoundNs: ns, Key: key}
	}
	usual := &deadlines.Occurrence{From: 2, To: 6, ToNs: 20, Edges: []deadlines.Edge{step(2, 5, 0, 10, 0), step(5, 6, 10, 10, 3)}}
	reference := func(deadlineNs int64) *deadlines.Reference {
		r := deadlines.NewReference(deadlines.Defaults(deadlineNs))
		for range 5 {
			withOther := *usual
			withOther.Edges = append([]deadlines.Edge{step(1, 3, -100, 180, 1), step(3, 4, 80, 20, 2)}, usual.Edges...)
			r.Add(&withOther)
		}
		return r
	}
	received := step(5, 6, 80, 10, 4)
	received.BoundNs, received.Message = 0, true
	late := &deadlines.Occurrence{From: 2, To: 7, ToNs: 100, Edges: []deadlines.Edge{
		step(1, 3, -10, 80, 1), step(2, 5, 0, 80, 0), step(3, 6, 70, 20, 2), received, step(6, 7, 90, 10, 3),
	}}
	o := findings.Occurrence{Number: 1, From: 2, To: 7, ToNs: 100}
	if x := reference(60).Explain(late); x.Sufficient || len(x.Causes) > 0 {
		t.Fatalf("the work of others does not hide the cause: %+v", x)
	}
	m := explainOne(reference(60), o, late, 60)
	if !m.Along || !m.Sufficient || len(m.Causes) != 1 || m.Causes[0].Edge.Key != 0 || m.MakespanNs != 30 {
		t.Errorf("%+v", m)
	}
	// 20 is less than the 30 that are left, so that the others' work is not put aside.
	if m := explainOne(reference(20), o, late, 20); m.Along || m.Sufficient {
		t.Errorf("%+v", m)
	}
}

// TestSurpluses adds up what is more than the most in time, and only that.
func TestSurpluses(t *testing.T) {
	var s surpluses
	s.addComparison([]deadlines.Comparison{{Key: 2, Ns: 50, MedianNs: 10, MaxNs: 40, ExcessNs: 40}, {Key: 0, Ns: 40, MedianNs: 10, MaxNs: 40, ExcessNs: 30}})
	s.addComparison([]deadlines.Comparison{{Key: 2, Ns: 70, MedianNs: 10, MaxNs: 40, ExcessNs: 60}, {Key: 1, MedianNs: 5, MaxNs: 5, ExcessNs: -5}})
	want := findings.Surplus{Key: 2, Missed: 2, ExcessNs: 100, MostNs: 70, MedianNs: 10, MaxNs: 40}
	if got := s.sortedByExcess(nil, nil); len(got) != 1 || got[0] != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
