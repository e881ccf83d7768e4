package slack_test

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/slack"
	"github.com/tracelake/tracelake/stages/timing/window"
	"github.com/tracelake/tracelake/testdata/expect"
)

// spare is a constraint on a way to an event, with its spare time.
type spare struct {
	target int64
	edge   window.Edge
	ns     int64
}

// spares finds the spare times towards an event: by asking every constraint again until no slack becomes less.
func (c *chart) spares(from, to int64) (all []spare) {
	slacks := map[int64]int64{to: 0}
	taken := func(target int64, e window.Edge) bool {
		return e.Source < target && e.Source >= from && e.BoundNs != schema.NoValue
	}
	for changed := true; changed; {
		changed = false
		for _, target := range c.events {
			after, known := slacks[target]
			for _, e := range c.into[target] {
				if !known || !taken(target, e) {
					continue
				}
				ns := after + max(e.DurationNs-e.BoundNs, 0)
				if before, is := slacks[e.Source]; !is || ns < before {
					slacks[e.Source], changed = ns, true
				}
			}
		}
	}
	for _, target := range slices.Backward(c.events) {
		for _, e := range slices.Backward(c.into[target]) {
			if after, known := slacks[target]; known && taken(target, e) {
				all = append(all, spare{target, e, after + max(e.DurationNs-e.BoundNs, 0)})
			}
		}
	}
	return all
}

// TestTowardAsTheFixpoint compares random charts, cut into any windows, with the oracle.
func TestTowardAsTheFixpoint(t *testing.T) {
	constraints := 0
	for seed := range int64(600) {
		rng := rand.New(rand.NewSource(seed))
		c := random(rng, 2+rng.Intn(100))
		to, from := c.events[rng.Intn(len(c.events))], int64(math.MinInt64)
		if rng.Intn(2) == 0 {
			from = c.events[rng.Intn(len(c.events))]
		}
		var got []spare
		walk := slack.NewToward(from, to)
		for _, w := range slices.Backward(c.cut(rng)) {
			walk.Down(w, func(target int64, e *window.Edge, ns int64) { got = append(got, spare{target, *e, ns}) })
		}
		expect.Slice(expect.Must(t), got, c.spares(from, to), "seed %d: from %d to %d", seed, from, to)
		constraints += len(got)
	}
	if constraints < 2000 {
		t.Errorf("%d constraints: too few to tell", constraints)
	}
}

// TestTowardGrowth lets single constraints take longer and recomputes the times of all events as the bounds allow: the event moves
// by no more than what is beyond the constraint's spare time.
func TestTowardGrowth(t *testing.T) {
	for seed := range int64(200) {
		rng := rand.New(rand.NewSource(seed))
		c := random(rng, 2+rng.Intn(60))
		to := c.events[len(c.events)-1-rng.Intn(min(5, len(c.events)))]
		for _, s := range c.spares(math.MinInt64, to) {
			longer := rng.Int63n(20)
			moved := c.moved(s, longer)[to]
			if want := max(longer-s.ns, 0); moved > want {
				t.Fatalf("seed %d: %d ns more from %d to %d moves %d by %d ns, with %d ns to spare", seed, longer, s.edge.Source, s.target, to, moved, s.ns)
			}
		}
	}
}

// moved is by how much events move when a constraint takes longer than its bound by so much more, and others only where they have to.
func (c *chart) moved(s spare, longer int64) map[int64]int64 {
	moved := map[int64]int64{}
	for _, target := range c.events {
		for _, e := range c.into[target] {
			if e.Source >= target || e.BoundNs == schema.NoValue {
				continue
			}
			more := int64(0)
			if target == s.target && e == s.edge {
				more = longer
			}
			moved[target] = max(moved[target], moved[e.Source]+more-max(e.DurationNs-e.BoundNs, 0))
		}
	}
	return moved
}
