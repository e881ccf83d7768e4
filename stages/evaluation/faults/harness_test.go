package faults_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/testdata/expect"
)

// network is a chart with what it was made of.
type network struct {
	*faults.Chart
	timeNs []int64
	edges  []faults.Edge
}

func chart(t testing.TB, timeNs []int64, edges []faults.Edge) network {
	t.Helper()
	c := expect.Value(faults.NewChart(slices.Clone(timeNs), edges))(t)
	return network{c, timeNs, edges}
}

// random makes a chart of n events with ties, events that are not in the order of time, edges that come twice, and
// slacks of all sizes.
func random(t testing.TB, rng *rand.Rand, n int) network {
	times := make([]int64, n)
	for e := range times {
		times[e] = rng.Int64N(int64(4*n)) - int64(n)
	}
	if rng.IntN(2) == 0 {
		slices.Sort(times)
	}
	var edges []faults.Edge
	for range rng.IntN(3*n + 1) {
		a, b := int32(rng.IntN(n)), int32(rng.IntN(n))
		if times[a] > times[b] || times[a] == times[b] && a > b {
			a, b = b, a
		}
		if a == b {
			continue
		}
		gap := times[b] - times[a]
		edges = append(edges, faults.Edge{Source: a, Target: b, SlackNs: []int64{0, 0, gap, gap / 2, rng.Int64N(gap + 1)}[rng.IntN(5)]})
	}
	return chart(t, times, edges)
}

// someFaults are single faults, more small ones than great ones.
func someFaults(rng *rand.Rand, events, n int) (all []faults.Injection) {
	for range n {
		delta := rng.Int64N(1 + rng.Int64N(int64(8*events)))
		if rng.IntN(2) == 0 {
			delta = -delta
		}
		all = append(all, faults.Injection{Event: int32(rng.IntN(events)), DeltaNs: delta})
	}
	return all
}

// moved are the events that one fault moved besides its own, in the order of the trace: it moves them in one direction
// only, so none is back where it was.
func moved(before, after []int64, own int32) (events []int32) {
	for e := range before {
		if after[e] != before[e] && int32(e) != own {
			events = append(events, int32(e))
		}
	}
	return events
}
