package slack_test

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/timing/slack"
	"github.com/tracelake/tracelake/stages/timing/window"
	"github.com/tracelake/tracelake/testdata/expect"
)

// large is a chart of a million events on 100 lifelines; every third sends to a lifeline that gets the message
// within 1,000 events.
func large() *chart {
	rng := rand.New(rand.NewSource(1))
	c, last, ns := newChart(), [100]int64{}, int64(0)
	for i := range last {
		last[i] = -1
	}
	for seq := range int64(1e6) {
		ns += rng.Int63n(500)
		c.event(seq, ns)
		l := rng.Intn(len(last))
		if last[l] >= 0 {
			c.edge(last[l], seq, rng.Int63n(ns-c.timeNs[last[l]]+1), window.Critical)
		}
		if last[l] = seq; rng.Intn(3) == 0 {
			source := max(seq-1-rng.Int63n(1000), 0)
			if source < seq {
				c.edge(source, seq, (ns-c.timeNs[source])/2, window.Message)
			}
		}
	}
	return c
}

// edges is the number of constraints in windows.
func edges(windows []*window.Window) (n int) {
	for _, w := range windows {
		n += len(w.Edges)
	}
	return n
}

// report adds the time per constraint to the result of a benchmark.
func report(b *testing.B, windows []*window.Window) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(edges(windows)), "ns/edge")
}

func BenchmarkWalks(b *testing.B) {
	const size = 1 << 16
	windows, out := large().every(size), make([]int64, size)
	b.Run("backward", func(b *testing.B) {
		for b.Loop() {
			var down slack.Backward
			for _, w := range slices.Backward(windows) {
				down.Add(w, out)
			}
		}
		report(b, windows)
	})
	b.Run("forward", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			var down slack.Backward
			for _, w := range slices.Backward(windows) {
				down.Add(w, out)
			}
			f := down.Forward()
			b.StartTimer()
			for _, w := range windows {
				expect.OK(b, f.Add(w, out))
			}
		}
		report(b, windows)
	})
	b.Run("causal", func(b *testing.B) {
		n := 0
		for b.Loop() {
			c := slack.NewCausal(0, 1e6-1, 0, 1<<62, 0)
			for _, w := range slices.Backward(windows) {
				c.Down(w)
			}
			for _, w := range windows {
				c.Up(w, func(int64, *window.Edge) { n++ })
			}
		}
		report(b, windows)
		b.ReportMetric(float64(n)/float64(b.N)/float64(edges(windows)), "emitted/edge")
	})
}
