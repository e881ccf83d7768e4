package criticalpath_test

import (
	"cmp"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// besideOf is what functions execute beside the path towards a target, by definition: every constraint into an event of the path that is not the path's, and
// the critical ones that lead to it from where it leaves the path or starts, each with the least spare time of those by which it comes to the path.
func (c *chart) besideOf(t criticalpath.Target) (steps []criticalpath.BesideStep) {
	path := c.walk(t)
	on := map[int64]bool{}
	for _, l := range path {
		on[l.target] = true
	}
	inside := func(e window.Edge) bool { return e.Source > t.From && e.SourceNs() > t.FromNs }
	beside := map[link]int64{}
	note := func(l link, spare int64) {
		if was, known := beside[l]; !known || spare < was {
			beside[l] = spare
		}
	}
	for _, l := range path {
		for _, e := range c.into[l.target] {
			spare := e.DurationNs - e.BoundNs
			if e == l.edge || e.BoundNs < 0 || !inside(e) || spare >= e.TargetNs-t.FromNs {
				continue
			}
			note(link{l.target, e}, spare)
			for event := e.Source; !on[event]; {
				before := c.walk(criticalpath.Target{From: t.From, FromNs: t.FromNs, To: event, ToNs: c.timeNs[event]})
				if len(before) == 0 || !inside(before[0].edge) {
					break
				}
				note(before[0], spare)
				event = before[0].edge.Source
			}
		}
	}
	for l, spare := range beside {
		if l.edge.Flags&(window.Message|window.Idle) == 0 && l.edge.DurationNs > 0 {
			steps = append(steps, criticalpath.BesideStep{Part: l.edge.Part, SpareNs: spare})
		}
	}
	return steps
}

// TestBeside compares what random charts execute beside paths, in windows cut at random, with its definition.
func TestBeside(t *testing.T) {
	seen := 0
	order := func(a, b criticalpath.BesideStep) int {
		return cmp.Or(cmp.Compare(a.Part, b.Part), cmp.Compare(a.SpareNs, b.SpareNs))
	}
	for seed := range 400 {
		rng := rand.New(rand.NewSource(int64(seed)))
		c := random(rng, 5+rng.Intn(60))
		c.bind(rng)
		tracer := criticalpath.Tracer{
			Done: func(*criticalpath.Target, []criticalpath.Share, int64) {},
			Route: func(target *criticalpath.Target, r *criticalpath.Route) {
				got, want := slices.SortedFunc(slices.Values(r.Beside), order), slices.SortedFunc(slices.Values(c.besideOf(*target)), order)
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d, %+v: %v beside the path, want %v", seed, *target, got, want)
				}
				seen += len(got)
			},
		}
		tracer.Add(slices.DeleteFunc(c.targets(rng, 1+rng.Intn(12)), func(t criticalpath.Target) bool { return t.From == criticalpath.Start })...)
		for _, w := range slices.Backward(c.cut(rng)) {
			tracer.Down(w, c.parts)
		}
		tracer.Finish()
	}
	if seen < 200 {
		t.Errorf("%d executions beside paths: the test sees too little", seen)
	}
}
