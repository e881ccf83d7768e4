package machine

import (
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// One exposure of every round is delayed, and it is the one whose setpoint misses the deadline.
func TestDelaysMissTheDeadline(t *testing.T) {
	m := build(t, 396, 1)
	const round = 5
	events, stats, delays := simulate(t, m, Run{Seed: 2, Events: 300_000, Contention: round})
	var took []int64 // by exposure
	var start int64
	for _, e := range events {
		switch k := m.Keys[e.Key]; {
		case k.Component != 0 || k.Function != "compute_setpoint":
		case k.Kind == schema.Enter:
			start = e.TimeNs
		default:
			took = append(took, e.TimeNs-start)
		}
	}
	if int64(len(took)) != stats.Exposures || len(delays) < len(took)/round {
		t.Fatalf("%d setpoints, %d exposures, %d delays", len(took), stats.Exposures, len(delays))
	}
	var hit []int64
	for i, d := range delays {
		expect.Equal(t, (d.Exposure-1)/round, int64(i), "round of delay %d, in exposure %d", i, d.Exposure)
		if took[d.Exposure-1] < d.ExtraNs {
			t.Errorf("exposure %d took %d, delayed by %d", d.Exposure, took[d.Exposure-1], d.ExtraNs)
		}
		hit = append(hit, took[d.Exposure-1])
		took[d.Exposure-1] = 0
	}
	slices.Sort(hit)
	if slices.Max(took) > stepNs+scanNs || hit[len(hit)/2] < stepNs+scanNs {
		t.Errorf("at most %d without a delay, with one %v", slices.Max(took), hit)
	}
}

// The physical actions of a wafer follow one another, at most two of them are asked for at a time.
func TestQueueDepthIsTwo(t *testing.T) {
	m := build(t, 60, 1)
	events, _, _ := simulate(t, m, Run{Events: 200_000})
	scan := m.services[m.loop.scan].function
	asked, deepest := 0, 0
	for _, e := range events {
		if k := m.Keys[e.Key]; k.Component != 0 || k.Callee != scan {
			continue
		}
		switch e.Mark {
		case SendCall:
			asked++
		case ReceiveReply:
			asked--
		}
		deepest = max(deepest, asked)
	}
	if asked != 0 || deepest != 2 {
		t.Errorf("%d actions open in the end, at most %d", asked, deepest)
	}
}
