package criticalpath_test

import (
	"maps"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// bind gives the constraints of a chart bounds: those of critical ones are met.
func (c *chart) bind(rng *rand.Rand) {
	for _, event := range c.events {
		in := c.into[event]
		for i := range in {
			e := &in[i]
			switch {
			case e.Flags&window.Critical != 0:
				e.BoundNs = e.DurationNs
			case rng.Intn(9) == 0:
				e.BoundNs = schema.NoValue
			default:
				e.BoundNs = rng.Int63n(max(e.DurationNs, 0) + 1)
			}
		}
	}
}

// gainOf is what a target gains when a part executes so many percent faster on its path, by definition: how much earlier an event
// of the path is, is how much earlier the one before it is and what the step gains; but over another constraint, from an event
// whose own critical path leaves the path at a third one, no more than that one is earlier and the constraint has to spare.
func (c *chart) gainOf(t criticalpath.Target, part uint32, percent int64) int64 {
	path := c.walk(t)
	before := map[int64]window.Edge{} // by event of the path: the constraint by which the path comes to it
	for _, l := range path {
		before[l.target] = l.edge
	}
	var earlier func(event int64) int64 // in hundredths of a nanosecond
	leaves := func(event int64) int64 { // how much earlier the event is at which the critical path of an event leaves the path
		for event > t.From && c.timeNs[event] > t.FromNs {
			if _, on := before[event]; on {
				return earlier(event)
			}
			on := c.walk(criticalpath.Target{From: t.From, FromNs: t.FromNs, To: event, ToNs: c.timeNs[event]})
			if len(on) == 0 {
				return 0
			}
			event = on[0].edge.Source
		}
		return 0
	}
	known := map[int64]int64{}
	earlier = func(event int64) int64 {
		e, on := before[event]
		if !on {
			return 0
		}
		if ns, is := known[event]; is {
			return ns
		}
		ns := earlier(e.Source)
		if e.Part == part && e.Flags&(window.Message|window.Idle) == 0 {
			ns += max(e.TargetNs-max(e.SourceNs(), t.FromNs), 0) * percent
		}
		for _, other := range c.into[event] {
			if other != e && other.BoundNs != schema.NoValue && other.Source > t.From && other.SourceNs() > t.FromNs && other.Source < event {
				ns = min(ns, leaves(other.Source)+(other.DurationNs-other.BoundNs)*100)
			}
		}
		known[event] = ns
		return ns
	}
	return earlier(t.To) / 100
}

// TestGains compares the gains of all parts of random charts, in windows cut at random, with their definition.
func TestGains(t *testing.T) {
	limited := 0
	for seed := range 400 {
		rng := rand.New(rand.NewSource(int64(seed)))
		c := random(rng, 5+rng.Intn(60))
		c.bind(rng)
		targets := slices.DeleteFunc(c.targets(rng, 1+rng.Intn(12)), func(t criticalpath.Target) bool { return t.From == criticalpath.Start })
		want := map[uint32]criticalpath.Gain{}
		for _, target := range targets {
			for _, l := range c.walk(target) {
				if l.edge.Flags&(window.Message|window.Idle) != 0 {
					continue
				}
				gain := want[l.edge.Part]
				gain.TotalNs += max(l.edge.TargetNs-max(l.edge.SourceNs(), target.FromNs), 0)
				want[l.edge.Part] = gain
			}
			for part, gain := range want {
				for k, percent := range criticalpath.Percents {
					gain.Ns[k] += c.gainOf(target, part, percent)
				}
				want[part] = gain
			}
		}
		var got criticalpath.Gains
		tracer := criticalpath.Tracer{
			Done:  func(*criticalpath.Target, []criticalpath.Share, int64) {},
			Route: func(_ *criticalpath.Target, r *criticalpath.Route) { got.Add(0, r) },
		}
		tracer.Add(targets...)
		for _, w := range slices.Backward(c.cut(rng)) {
			tracer.Down(w, c.parts)
		}
		tracer.Finish()
		names := new(schema.Names)
		for i := range schema.Code(components) {
			names.Components.Code(string('a' + rune(i)))
		}
		names.Functions.Code("f")
		maps.DeleteFunc(want, func(_ uint32, g criticalpath.Gain) bool { return g.TotalNs == 0 })
		found := got.Of(0, names, c.parts)
		for _, g := range found {
			w := want[g.Part]
			if g.TotalNs != w.TotalNs || g.Ns != w.Ns {
				t.Fatalf("seed %d, part %d: %+v, want %+v", seed, g.Part, g, w)
			}
			if g.Ns[2] < g.TotalNs {
				limited++
			}
		}
		if len(found) != len(want) {
			t.Fatalf("seed %d: %d parts, want %d", seed, len(found), len(want))
		}
	}
	if limited < 100 {
		t.Errorf("detours limit %d gains: the test sees too little", limited)
	}
}
