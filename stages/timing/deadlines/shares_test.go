package deadlines_test

import (
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/stages/timing/deadlines"
	"github.com/tracelake/tracelake/testdata/expect"
)

// Shares of an occurrence in which every event goes back to one at the start add up to its time.
func TestSharesAddUp(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	complete := 0
	for range 500 {
		o := random(rng, 12)
		sum, open := int64(0), false
		targets := map[int64]bool{}
		for _, e := range o.Edges {
			targets[e.Target] = true
			open = open || e.SourceNs > o.FromNs && !targets[e.Source]
		}
		last := -1
		for _, s := range deadlines.Shares(o) {
			if sum += s.Ns; int(s.Key) <= last {
				t.Fatalf("keys are not ascending: %+v", deadlines.Shares(o))
			}
			last = int(s.Key)
		}
		if sum > o.ToNs-o.FromNs || !open && len(o.Edges) > 0 && sum != o.ToNs-o.FromNs {
			t.Fatalf("%+v\n%+v of %d ns", o, deadlines.Shares(o), o.ToNs-o.FromNs)
		}
		if !open && len(o.Edges) > 0 {
			complete++
		}
	}
	if complete < 50 {
		t.Fatalf("only %d occurrences are complete", complete)
	}
}

// chain is an occurrence of steps one after the other; step i has key i and takes as long as given, 0 is no step.
func chain(stepsNs ...int64) *deadlines.Occurrence {
	o := &deadlines.Occurrence{}
	for key, ns := range stepsNs {
		if ns > 0 {
			e := deadlines.Edge{Source: o.To, Target: o.To + 1, SourceNs: o.ToNs, TargetNs: o.ToNs + ns, BoundNs: ns, Key: uint32(key)}
			o.Edges = append(o.Edges, e)
			o.To, o.ToNs = e.Target, e.TargetNs
		}
	}
	return o
}

func TestCompare(t *testing.T) {
	r := deadlines.NewReference(deadlines.Defaults(100))
	for _, o := range []*deadlines.Occurrence{chain(10, 20, 7), chain(12, 0, 7), chain(11, 30, 0), chain(15, 0, 0)} {
		r.Add(o)
	}
	late := chain(40, 30, 0, 0, 5)
	want := []deadlines.Comparison{
		{Key: 0, Ns: 40, MedianNs: 11, MaxNs: 15, ExcessNs: 29}, // 10 11 12 15
		{Key: 1, Ns: 30, MedianNs: 10, MaxNs: 30, ExcessNs: 20}, // 0 0 20 30
		{Key: 4, Ns: 5, ExcessNs: 5},
		{Key: 2, MedianNs: 3, MaxNs: 7, ExcessNs: -3}, // 0 0 7 7
	}
	expect.Deep(t, r.Compare(late), want, "shares")
	r.Add(chain(5))
	want[0] = deadlines.Comparison{Key: 1, Ns: 30, MedianNs: 0, MaxNs: 30, ExcessNs: 30}  // 0 0 0 20 30
	want[1] = deadlines.Comparison{Key: 0, Ns: 40, MedianNs: 11, MaxNs: 15, ExcessNs: 29} // 5 10 11 12 15
	expect.Deep(t, r.Compare(late)[:2], want[:2], "with one more")
}

// TestCriticalConstraint has an event at 10 with a part of a lifeline from 0 (key 0) and a message from 4 (key 1).
func TestCriticalConstraint(t *testing.T) {
	for _, c := range []struct {
		name            string
		lifeline, sent  int64 // bounds
		lifelineIsLater bool
		want            []deadlines.Share
	}{
		{"the lifeline is", 10, 5, false, []deadlines.Share{{Key: 0, Ns: 10}}},
		{"the message is", 9, 6, false, []deadlines.Share{{Key: 1, Ns: 6}, {Key: 2, Ns: 4}}},
		{"both are: the later one", 10, 6, false, []deadlines.Share{{Key: 1, Ns: 6}, {Key: 2, Ns: 4}}},
		{"neither, but the lifeline is nearer", 9, 4, false, []deadlines.Share{{Key: 0, Ns: 10}}},
		{"without bounds: the later one", none, none, false, []deadlines.Share{{Key: 1, Ns: 6}, {Key: 2, Ns: 4}}},
		{"one without a bound: the other", 1, none, false, []deadlines.Share{{Key: 0, Ns: 10}}},
		{"both from one event: the lifeline", 6, 6, true, []deadlines.Share{{Key: 0, Ns: 6}, {Key: 2, Ns: 4}}},
	} {
		own := deadlines.Edge{Source: 0, Target: 2, TargetNs: 10, BoundNs: c.lifeline, Key: 0}
		if c.lifelineIsLater {
			own.Source, own.SourceNs = 1, 4
		}
		o := &deadlines.Occurrence{To: 2, ToNs: 10, Edges: []deadlines.Edge{
			{Source: 0, Target: 1, TargetNs: 4, BoundNs: 4, Key: 2},
			{Source: 1, Target: 2, SourceNs: 4, TargetNs: 10, BoundNs: c.sent, Key: 1, Message: true},
			own,
		}}
		expect.Deep(t, deadlines.Shares(o), c.want, "%s", c.name)
	}
}

// A constraint from an event to itself, which no chart should have, ends the path.
func TestCircle(t *testing.T) {
	o := &deadlines.Occurrence{To: 1, ToNs: 10, Edges: []deadlines.Edge{{Source: 1, Target: 1, SourceNs: 10, TargetNs: 10}}}
	x := deadlines.NewReference(deadlines.Defaults(1)).Explain(o)
	if got := deadlines.Shares(o); len(got) != 1 || len(x.Causes) > 0 || x.UnexplainedNs != 10 {
		t.Errorf("%+v, %+v", got, x)
	}
}
