package deadlines_test

import (
	"math/rand"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/deadlines"
)

const none = schema.NoValue

// random is an occurrence of few events on three lifelines with messages between them. Times are coarse, so that
// events at one time, also at that of the start, and equal bounds are common.
func random(rng *rand.Rand, events int64) *deadlines.Occurrence {
	o := &deadlines.Occurrence{From: rng.Int63n(3), To: events - 1}
	times, last := make([]int64, events), [3]int64{-1, -1, -1}
	var all []deadlines.Edge
	for seq := range events {
		if seq > 0 {
			times[seq] = times[seq-1] + rng.Int63n(5)
		}
		l := rng.Intn(3)
		sources := []int64{last[l]}
		last[l] = seq
		for seq > 0 && rng.Intn(2) == 0 {
			sources = append(sources, rng.Int63n(seq))
		}
		for i, source := range sources {
			if source < 0 || i > 0 && slices.Contains(sources[1:i], source) {
				continue // the first of the lifeline; a message between two events that have one
			}
			all = append(all, deadlines.Edge{
				Source: source, Target: seq, SourceNs: times[source], TargetNs: times[seq],
				BoundNs: randomBound(rng, times[seq]-times[source]), Key: uint32(rng.Intn(4)),
				Message: i > 0, Idle: i == 0 && rng.Intn(3) == 0,
			})
		}
	}
	o.FromNs, o.ToNs = times[o.From], times[o.To]
	o.Edges = reaching(o, all)
	return o
}

// randomBound is one of three kinds: critical, not critical, none.
func randomBound(rng *rand.Rand, durationNs int64) int64 {
	switch rng.Intn(12) {
	case 0:
		return none
	case 1, 2, 3, 4:
		return rng.Int63n(durationNs + 1)
	}
	return durationNs
}

// reaching are the constraints that belong to an occurrence.
func reaching(o *deadlines.Occurrence, all []deadlines.Edge) []deadlines.Edge {
	reached := map[int64]bool{o.To: true}
	var edges []deadlines.Edge
	for _, e := range slices.Backward(all) {
		if reached[e.Target] && e.TargetNs > o.FromNs {
			reached[e.Source] = true
			edges = append(edges, e)
		}
	}
	slices.Reverse(edges)
	return edges
}

// usual is a reference in which the bounds of a key, crossing the start or not, are at most a threshold; -1 is a
// key that it does not know.
func usual(o deadlines.Options, inside, crossing [4]int64) *deadlines.Reference {
	r := deadlines.NewReference(o)
	for key := range uint32(4) {
		if limit := inside[key]; limit >= 0 {
			r.Add(&deadlines.Occurrence{From: 0, To: 1, ToNs: 99, Edges: []deadlines.Edge{
				{Source: 0, Target: 1, TargetNs: 99, BoundNs: limit, Key: key},
			}})
		}
		if limit := crossing[key]; limit >= 0 {
			r.Add(&deadlines.Occurrence{From: 5, To: 6, FromNs: 100, ToNs: 199, Edges: []deadlines.Edge{
				{Source: 4, Target: 6, SourceNs: 90, TargetNs: 199, BoundNs: 10 + limit, Key: key},
			}})
		}
	}
	return r
}

// thresholds are four for usual.
func thresholds(rng *rand.Rand) (limits [4]int64) {
	for i := range limits {
		limits[i] = rng.Int63n(6) - 1
	}
	return limits
}
