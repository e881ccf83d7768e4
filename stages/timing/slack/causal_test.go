package slack_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/timing/slack"
	"github.com/tracelake/tracelake/stages/timing/window"
	"github.com/tracelake/tracelake/testdata/expect"
)

// found is a constraint on a path.
type found struct {
	target int64
	edge   window.Edge
}

// causal walks a chart down and up.
func causal(windows []*window.Window, c *slack.Causal) []found {
	var all []found
	for _, w := range slices.Backward(windows) {
		c.Down(w)
	}
	for _, w := range windows {
		c.Up(w, func(target int64, e *window.Edge) { all = append(all, found{target, *e}) })
	}
	return all
}

// paths is the intersection of the two closures, each found by asking every constraint again until nothing is new.
func (c *chart) paths(from, to int64, only window.Flags) []found {
	taken := func(target int64, e window.Edge) bool {
		return e.Source < target && e.Flags&only == only && e.SourceNs() >= c.timeNs[from] && e.TargetNs <= c.timeNs[to]
	}
	after, before := map[int64]bool{from: true}, map[int64]bool{to: true}
	for size := -1; size != len(after)+len(before); {
		size = len(after) + len(before)
		for _, target := range c.events {
			for _, e := range c.into[target] {
				if taken(target, e) && after[e.Source] {
					after[target] = true
				}
				if taken(target, e) && before[target] {
					before[e.Source] = true
				}
			}
		}
	}
	var all []found
	for _, target := range c.events {
		for _, e := range c.into[target] {
			if taken(target, e) && after[e.Source] && before[target] {
				all = append(all, found{target, e})
			}
		}
	}
	return all
}

func TestCausalAsTheClosures(t *testing.T) {
	linked, constraints := 0, 0
	for seed := range int64(600) {
		rng := rand.New(rand.NewSource(seed))
		c := random(rng, 2+rng.Intn(100))
		from, to := c.events[rng.Intn(len(c.events))], c.events[rng.Intn(len(c.events))]
		if from > to && rng.Intn(9) > 0 {
			from, to = to, from
		}
		only := []window.Flags{0, window.Critical}[rng.Intn(2)]
		search := slack.NewCausal(from, to, c.timeNs[from], c.timeNs[to], only)
		got, want := causal(c.cut(rng), search), c.paths(from, to, only)
		expect.Slice(expect.Must(t), got, want, "seed %d: from %d to %d", seed, from, to)
		if search.Linked() != (len(want) > 0) {
			t.Fatalf("seed %d: linked %t with %d constraints", seed, search.Linked(), len(want))
		}
		if constraints += len(want); len(want) > 0 {
			linked++
		}
	}
	if linked < 100 || constraints < 1000 {
		t.Errorf("%d pairs of events are linked by %d constraints: too few to tell", linked, constraints)
	}
}

func TestCausalStory(t *testing.T) {
	for _, of := range []struct {
		from, to int64
		only     window.Flags
		want     string
	}{
		{1, 7, 0, "[1-3 3-4 1-6 4-6 6-7]"},
		{2, 6, 0, "[2-3 3-4 4-6]"},
		{3, 6, 0, "[3-4 4-6]"},
		{1, 2, 0, "[]"},
		{6, 3, 0, "[]"},
		{4, 4, 0, "[]"},
		{3, 4, window.Critical, "[3-4]"},
		{3, 6, window.Critical, "[]"},
	} {
		c := story()
		var got []string
		for _, f := range causal(c.every(2), slack.NewCausal(of.from, of.to, c.timeNs[of.from], c.timeNs[of.to], of.only)) {
			got = append(got, fmt.Sprintf("%d-%d", f.edge.Source, f.target))
		}
		if fmt.Sprint(got) != of.want {
			t.Errorf("from %d to %d: got %v, want %s", of.from, of.to, got, of.want)
		}
	}
}

// A constraint that does not lead forward is on no path.
func TestCausalDamage(t *testing.T) {
	c := story()
	c.edge(7, 6, 1, 0)
	c.edge(4, 4, 1, 0)
	c.edge(3, 2, 1, 0)
	search := slack.NewCausal(3, 7, 40, 110, 0)
	expect.Equal(t, len(causal(c.every(3), search)), 3, "constraints")
}
