package slack_test

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// leaving is a constraint as its source has it.
type leaving struct {
	target int64
	window.Edge
}

// out turns a chart round: the constraints by source, the lowest target first.
func (c *chart) out() map[int64][]leaving {
	out := map[int64][]leaving{}
	for _, target := range c.events {
		for _, e := range c.into[target] {
			if e.Source < target {
				out[e.Source] = append(out[e.Source], leaving{target, e})
			}
		}
	}
	return out
}

// slacks is equation (1) as it stands.
func (c *chart) slacks() map[int64]int64 {
	known, out := map[int64]int64{}, c.out()
	var of func(event int64) int64
	of = func(event int64) int64 {
		if s, ok := known[event]; ok {
			return s
		}
		var all []int64
		for _, d := range out[event] {
			if d.BoundNs != schema.NoValue {
				all = append(all, max(d.DurationNs-d.BoundNs, 0)+of(d.target))
			}
		}
		if len(all) > 0 {
			known[event] = slices.Min(all)
		} else {
			known[event] = 0
		}
		return known[event]
	}
	for _, event := range c.events {
		of(event)
	}
	return known
}

// urgents is equation (2) as it stands. An event without a constraint into it has the time that the first constraint
// from it tells; one that no constraint touches is not in the answer.
func (c *chart) urgents() map[int64]int64 {
	known, out := map[int64]int64{}, c.out()
	for _, event := range c.events { // in order, so that sources are known
		var all []int64
		for _, e := range c.into[event] {
			if e.BoundNs == schema.NoValue {
				e.BoundNs = 0
			}
			if e.Source < event {
				all = append(all, known[e.Source]+e.BoundNs)
			}
		}
		if len(all) > 0 {
			known[event] = slices.Max(all)
		} else if d := out[event]; len(d) > 0 {
			known[event] = d[0].SourceNs()
		}
	}
	return known
}

func TestAsTheEquations(t *testing.T) {
	for seed := range int64(600) {
		rng := rand.New(rand.NewSource(seed))
		c := random(rng, 2+rng.Intn(150))
		if rng.Intn(2) == 0 {
			c.disagree(rng)
		}
		slacks, urgents, _, _ := walk(t, c.cut(rng))
		wantSlacks, wantUrgents, lo := c.slacks(), c.urgents(), c.events[0]
		for i := range slacks {
			event := lo + int64(i)
			if got, want := slacks[i], wantSlacks[event]; got != want {
				t.Fatalf("seed %d: event %d has slack %d, want %d", seed, event, got, want)
			}
			want, ok := wantUrgents[event]
			if !ok {
				want = schema.NoValue
			}
			if urgents[i] != want {
				t.Fatalf("seed %d: event %d has urgent time %d, want %d", seed, event, urgents[i], want)
			}
		}
	}
}

// If every bound is the whole duration nothing can be later or earlier.
func TestTightChart(t *testing.T) {
	c := random(rand.New(rand.NewSource(2)), 100)
	for target := range c.into {
		c.into[target] = slices.DeleteFunc(c.into[target], func(e window.Edge) bool { return e.Source >= target })
		for i := range c.into[target] {
			c.into[target][i].BoundNs = c.into[target][i].DurationNs
		}
	}
	slacks, urgents, _, _ := walk(t, c.every(7))
	touched := 0
	for _, event := range c.events {
		i := event - c.events[0]
		if slacks[i] != 0 {
			t.Errorf("event %d has slack %d", event, slacks[i])
		}
		if urgents[i] != schema.NoValue {
			touched++
			if urgents[i] != c.timeNs[event] {
				t.Errorf("event %d at %d could have been at %d", event, c.timeNs[event], urgents[i])
			}
		}
	}
	if touched < 80 {
		t.Errorf("constraints touch only %d events", touched)
	}
}
