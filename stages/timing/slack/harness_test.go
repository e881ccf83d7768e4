package slack_test

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/slack"
	"github.com/tracelake/tracelake/stages/timing/window"
	"github.com/tracelake/tracelake/testdata/expect"
)

// chart is a whole chart, as the oracles see it.
type chart struct {
	events []int64 // in order
	into   map[int64][]window.Edge
	timeNs map[int64]int64
}

func newChart() *chart {
	return &chart{into: map[int64][]window.Edge{}, timeNs: map[int64]int64{}}
}

func (c *chart) event(seq, ns int64) {
	c.events = append(c.events, seq)
	c.timeNs[seq] = ns
}

func (c *chart) edge(source, target, boundNs int64, flags window.Flags) {
	c.into[target] = append(c.into[target], window.Edge{
		Source: source, TargetNs: c.timeNs[target], DurationNs: c.timeNs[target] - c.timeNs[source],
		BoundNs: boundNs, Flags: flags,
	})
}

// random makes a chart of n events on a few lifelines: ties, clocks that go back, gaps of sequence numbers, which
// start below 0, missing bounds, and here and there a constraint that does not lead forward.
func random(rng *rand.Rand, n int) *chart {
	c, last := newChart(), make([]int64, 1+rng.Intn(5))
	seq, ns, known := -rng.Int63n(200), int64(1000), make([]bool, len(last))
	backwards := rng.Intn(3) == 0
	for range n {
		seq += 1 + rng.Int63n(3)*rng.Int63n(2)*rng.Int63n(20)
		if ns += rng.Int63n(4); backwards {
			ns -= rng.Int63n(3)
		}
		c.event(seq, ns)
		bound := func(source int64) int64 {
			d := c.timeNs[seq] - c.timeNs[source]
			return []int64{d, max(d-1, 0), d / 2, 0, schema.NoValue}[rng.Intn(5)]
		}
		l := rng.Intn(len(last))
		if known[l] {
			c.edge(last[l], seq, bound(last[l]), window.Flags(rng.Intn(4))<<1)
		}
		last[l], known[l] = seq, rng.Intn(20) > 0
		for range rng.Intn(3) * rng.Intn(2) {
			source := c.events[rng.Intn(len(c.events))] // the event itself is damage
			c.edge(source, seq, bound(source), window.Message|window.Flags(rng.Intn(2))<<1)
		}
		if rng.Intn(40) == 0 {
			c.into[seq] = append(c.into[seq], window.Edge{Source: seq + rng.Int63n(9), TargetNs: ns, DurationNs: 1, BoundNs: 0})
		}
	}
	return c
}

// disagree gives some constraints another time of their source than the others have.
func (c *chart) disagree(rng *rand.Rand) {
	for _, event := range c.events {
		for i := range c.into[event] {
			c.into[event][i].DurationNs += rng.Int63n(9) * rng.Int63n(2)
		}
	}
}

// windows cuts a chart before the given sequence numbers; the lowest window comes first.
func (c *chart) windows(cuts ...int64) []*window.Window {
	lo, hi := c.events[0], c.events[len(c.events)-1]+1
	cuts = append(slices.Clone(cuts), lo, hi)
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var all []*window.Window
	for i := range len(cuts) - 1 {
		w := &window.Window{Lo: cuts[i], Hi: cuts[i+1], First: []uint32{0}}
		for target := w.Lo; target < w.Hi; target++ {
			w.Edges = append(w.Edges, c.into[target]...)
			w.First = append(w.First, uint32(len(w.Edges)))
		}
		all = append(all, w)
	}
	return all
}

// every cuts a chart into windows of a number of sequence numbers.
func (c *chart) every(size int64) []*window.Window {
	var cuts []int64
	for s := c.events[0]; s < c.events[len(c.events)-1]; s += size {
		cuts = append(cuts, s)
	}
	return c.windows(cuts...)
}

// cut makes windows of one way of many: one window, windows of one event, or borders anywhere.
func (c *chart) cut(rng *rand.Rand) []*window.Window {
	lo, hi := c.events[0], c.events[len(c.events)-1]
	switch rng.Intn(4) {
	case 0:
		return c.windows()
	case 1:
		return c.every(1)
	}
	var cuts []int64
	for range rng.Intn(9) {
		cuts = append(cuts, lo+rng.Int63n(hi-lo+1))
	}
	return c.windows(cuts...)
}

// walk finds all slacks and urgent times by sequence number, the lowest first.
func walk(t testing.TB, windows []*window.Window) (slacks, urgents []int64, b *slack.Backward, f *slack.Forward) {
	t.Helper()
	lo, hi := windows[0].Lo, windows[len(windows)-1].Hi
	slacks, urgents = make([]int64, hi-lo), make([]int64, hi-lo)
	for i := range slacks {
		slacks[i], urgents[i] = 77, 77 // what a caller left there
	}
	b = new(slack.Backward)
	for _, w := range slices.Backward(windows) {
		b.Add(w, slacks[w.Lo-lo:w.Hi-lo])
	}
	f = b.Forward()
	for _, w := range windows {
		expect.OK(t, f.Add(w, urgents[w.Lo-lo:w.Hi-lo]))
	}
	return slacks, urgents, b, f
}
