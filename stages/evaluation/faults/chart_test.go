package faults_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/testdata/expect"
)

func TestRefusedEdges(t *testing.T) {
	times := []int64{10, 20, 20, 15}
	for _, c := range []struct {
		edge faults.Edge
		want string
	}{
		{faults.Edge{Source: 0, Target: 4}, "there are 4 events"},
		{faults.Edge{Source: -1, Target: 1}, "there are 4 events"},
		{faults.Edge{Source: 1, Target: 1}, "does not lead forward"},
		{faults.Edge{Source: 1, Target: 3}, "does not lead forward: the source is at 20 ns, the target at 15 ns"},
		{faults.Edge{Source: 2, Target: 1}, "does not lead forward"},
		{faults.Edge{Source: 0, Target: 1, SlackNs: 11}, "slack of 11 ns is not from 0 to the 10 ns"},
		{faults.Edge{Source: 0, Target: 1, SlackNs: -1}, "slack of -1 ns"},
		{faults.Edge{Source: 0, Target: 1, SlackNs: 10}, ""},
		{faults.Edge{Source: 1, Target: 2}, ""},
		{faults.Edge{Source: 3, Target: 2, SlackNs: 5}, ""},
	} {
		_, err := faults.NewChart(times, []faults.Edge{{Source: 0, Target: 1}, c.edge})
		if c.want == "" && err != nil {
			t.Errorf("%+v: %v", c.edge, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), "edge 1, ") || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: got error %v, want %q", c.edge, err, c.want)
		}
	}
}

// Event 3 is swapped: on lifeline 0 the order of time is 0, 3, 1.
func TestEdges(t *testing.T) {
	line, times := []uint32{0, 0, 2, 0, 2}, []int64{100, 107, 107, 104, 200}
	messages := []faults.Message{{Send: 0, Receive: 2}, {Send: 1, Receive: 3}, {Send: 1, Receive: 2}, {Send: 2, Receive: 1}, {Send: 4, Receive: 4}}
	got, damage, err := faults.Edges(line, times, messages, 0.5)
	expect.OK(t, err)
	want := []faults.Edge{
		{Source: 0, Target: 3, SlackNs: 2}, {Source: 3, Target: 1, SlackNs: 1}, {Source: 2, Target: 4, SlackNs: 46},
		{Source: 0, Target: 2}, {Source: 1, Target: 2},
	}
	expect.Slice(t, got, want, "edges")
	if (damage != faults.Damage{Messages: 3, Swapped: 1}) {
		t.Errorf("damage %+v", damage)
	}
}

func TestSharesOfLongGaps(t *testing.T) {
	line, times := []uint32{0, 0}, []int64{0, 1<<60 + 1}
	for share, want := range map[float64]int64{0: 0, 0.5: 1 << 59, 1: 1<<60 + 1} {
		got, _, err := faults.Edges(line, times, nil, share)
		if err != nil || len(got) != 1 || got[0].SlackNs != want {
			t.Errorf("share %v: got %v, %v, want %d", share, got, err, want)
		}
	}
}

func TestRefusedColumns(t *testing.T) {
	for _, share := range []float64{-0.1, 1.1, math.NaN()} {
		if _, _, err := faults.Edges(nil, nil, nil, share); err == nil {
			t.Errorf("share %v: no error", share)
		}
	}
	if _, _, err := faults.Edges([]uint32{0}, nil, nil, 1); err == nil {
		t.Error("a lifeline without a time: no error")
	}
	for _, m := range []faults.Message{{Send: 0, Receive: 1}, {Send: -1, Receive: 0}} {
		if _, _, err := faults.Edges([]uint32{0}, []int64{0}, []faults.Message{m}, 1); err == nil {
			t.Errorf("message %v: no error", m)
		}
	}
}

// Whatever the clocks do, the edges of a trace make a chart.
func TestEdgesMakeAChart(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for range 200 {
		n := rng.IntN(80)
		line, times, messages := lifelines(rng, n, true)
		edges, damage, err := faults.Edges(line, times, messages, rng.Float64())
		expect.OK(t, err)
		c := chart(t, times, edges)
		expect.Equal(expect.Must(t), len(slices.Collect(c.Slack(times))), len(edges), "edges of the chart")
		lines := map[uint32]bool{}
		for _, l := range line {
			lines[l] = true
		}
		expect.Equal(expect.Must(t), len(edges), n-len(lines)+len(messages)-damage.Messages, "edges")
	}
}
