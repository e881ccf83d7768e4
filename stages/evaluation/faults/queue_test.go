package faults

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// The order of the queue shows in no result, only in how often events are shifted; so it is looked at here.
func TestQueue(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	for range 300 {
		times, events := make([]int64, 40), make([]int32, 40)
		for e := range times {
			times[e], events[e] = rng.Int64N(20), int32(e)
		}
		chart := &Chart{timeNs: times}
		q := newQueue(chart)
		q.left = rng.IntN(2) == 0
		rng.Shuffle(len(events), func(i, j int) { events[i], events[j] = events[j], events[i] })
		var got []int32
		for _, e := range events {
			q.Push(e)
		}
		for q.Len() > 0 {
			got = append(got, q.Pop())
		}
		slices.SortFunc(events, chart.compare)
		if q.left {
			slices.Reverse(events)
		}
		expect.Slice(expect.Must(t), got, events, "left %v", q.left)
	}
}
