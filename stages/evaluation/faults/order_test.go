package faults_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/testdata/expect"
)

// anything is a run of n events of one subject.
func anything(t testing.TB, n int) *faults.Run {
	return run(t, 1, faults.Columns{
		Subject: make([]uint32, n), Function: make([]uint32, n), Kind: make([]schema.Kind, n), SinceCallNs: make([]int64, n),
	})
}

// Whatever the slacks, no event goes farther than the greatest δ to either side: noise does not add up.
func TestNoiseDoesNotAddUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	for seed := range uint64(200) {
		n := 1 + rng.IntN(300)
		line, times, messages := lifelines(rng, n, false)
		edges, _, err := faults.Edges(line, times, messages, []float64{0, 0.5, 1}[rng.IntN(3)])
		expect.OK(t, err)
		r := anything(t, n)
		noise := injections(t, plan(t, faults.NewPool(r), faults.Fault{Kind: faults.Noise, DeltaNs: 1 + rng.Int64N(2000)}, seed), r)
		in := faults.NewInjector(chart(t, times, edges).Chart)
		in.Apply(noise)
		var least, most int64
		for _, f := range noise {
			least, most = min(least, f.DeltaNs), max(most, f.DeltaNs)
		}
		for e, ns := range in.Times() {
			if moved := ns - times[e]; moved < least || moved > most {
				t.Fatalf("event %d of %d moved by %d ns, the noise is from %d to %d", e, n, moved, least, most)
			}
		}
	}
}

// A chain moves each of its events by δ, however little time is between them.
func TestChainMovesByItsDelta(t *testing.T) {
	times := []int64{10, 11, 12, 13, 14, 15, 16}
	edges, _, err := faults.Edges(make([]uint32, 7), times, nil, 0)
	expect.OK(t, err)
	r := anything(t, 7)
	for _, delta := range []int64{100, -100} {
		in := faults.NewInjector(chart(t, times, edges).Chart)
		all := injections(t, plan(t, faults.NewPool(r), faults.Fault{Kind: faults.Chain, DeltaNs: delta, Events: 4}, 3), r)
		in.Apply(all)
		for _, f := range all {
			expect.Equal(t, in.Times()[f.Event]-times[f.Event], delta, "δ %d: event %d", delta, f.Event)
		}
		expect.Equal(t, len(all), 4, "injected %v", all)
	}
}

// A function without slack around it that takes twice the time does so in every call: 10 ns become 20, three times.
func TestDelaysAddUp(t *testing.T) {
	var c faults.Columns
	var times []int64
	for call := range int64(3) {
		times = append(times, 100+12*call, 110+12*call)
		c.Subject, c.Function = append(c.Subject, 0, 1), append(c.Function, 0, 0)
		c.Kind = append(c.Kind, schema.Enter, schema.Exit)
		c.SinceCallNs = append(c.SinceCallNs, schema.NoValue, 10)
	}
	edges, _, err := faults.Edges(make([]uint32, 6), times, nil, 0)
	expect.OK(t, err)
	r := run(t, 1, c)
	in := faults.NewInjector(chart(t, times, edges).Chart)
	in.Apply(injections(t, plan(t, faults.NewPool(r), faults.Fault{Kind: faults.Delay, Factor: 2}, 1), r))
	for e := 1; e < 6; e += 2 {
		expect.Equal(t, in.Times()[e]-in.Times()[e-1], 20, "ns of call %d", e/2)
	}
}
