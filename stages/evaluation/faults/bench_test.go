package faults_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/testdata/expect"
)

// synthetic makes a trace of n events on 20 lifelines, one every 5 µs on average. Each lifeline is a stack of calls
// up to 8 deep; a fifth of the calls sends a message, which starts a call on another lifeline.
func synthetic(n int) (line []uint32, times []int64, messages []faults.Message, c faults.Columns) {
	type call struct {
		function uint32
		at       int64
	}
	rng, ns := rand.New(rand.NewPCG(41, 42)), int64(0)
	var stacks [20][]call
	var inbox [20][]int32
	for e := range int32(n) {
		l := rng.IntN(20)
		ns += int64(rng.ExpFloat64() * 5000)
		stack, kind, since := stacks[l], schema.Enter, schema.NoValue
		top := call{uint32(l*50 + rng.IntN(50)), ns}
		switch {
		case len(inbox[l]) > 0 && len(stack) < 8:
			messages = append(messages, faults.Message{Send: inbox[l][0], Receive: e})
			inbox[l] = inbox[l][1:]
			stacks[l] = append(stack, top)
		case len(stack) == 8 || len(stack) > 0 && rng.IntN(2) == 0:
			kind, top = schema.Exit, stack[len(stack)-1]
			stacks[l], since = stack[:len(stack)-1], ns-top.at
		default:
			stacks[l] = append(stack, top)
			if to := rng.IntN(20); to != l && rng.IntN(5) == 0 {
				inbox[to] = append(inbox[to], e)
			}
		}
		line, times = append(line, uint32(l)), append(times, ns)
		c.Subject = append(c.Subject, 2*top.function+uint32(kind))
		c.Function = append(c.Function, top.function)
		c.Kind, c.SinceCallNs = append(c.Kind, kind), append(c.SinceCallNs, since)
	}
	return line, times, messages, c
}

func prepared(b *testing.B, n int) (*faults.Chart, *faults.Run) {
	line, times, messages, c := synthetic(n)
	edges, _, err := faults.Edges(line, times, messages, 1)
	expect.OK(b, err)
	return chart(b, times, edges).Chart, run(b, 1, c)
}

func BenchmarkNoise(b *testing.B) {
	const n = 1_000_000
	c, r := prepared(b, n)
	for sigma := time.Microsecond; sigma <= 20*time.Millisecond; sigma *= 4 {
		p := plan(b, faults.NewPool(r), faults.Fault{Kind: faults.Noise, DeltaNs: sigma.Nanoseconds()}, 1)
		all := injections(b, p, r)
		b.Run(fmt.Sprintf("sigma=%v", sigma), func(b *testing.B) {
			for b.Loop() {
				faults.NewInjector(c).Apply(all)
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// Experiments on one chart take time by what their faults reach, and a copy of its times.
func BenchmarkExperiments(b *testing.B) {
	c, r := prepared(b, 1_000_000)
	pool := faults.NewPool(r)
	for _, f := range []faults.Fault{
		{Kind: faults.Spikes, DeltaNs: 1_000_000, Events: 10}, {Kind: faults.Chain, DeltaNs: 1_000_000, Events: 10},
		{Kind: faults.Delay, Factor: 1.5}, {Kind: faults.Alternate, Factor: 10},
	} {
		b.Run(string(f.Kind), func(b *testing.B) {
			seed := uint64(0)
			for b.Loop() {
				faults.NewInjector(c).Apply(injections(b, plan(b, pool, f, seed), r))
				seed++
			}
		})
	}
}

func BenchmarkNewChart(b *testing.B) {
	const n = 1_000_000
	line, times, messages, _ := synthetic(n)
	for b.Loop() {
		edges, _, err := faults.Edges(line, times, messages, 1)
		expect.OK(b, err)
		expect.Value(faults.NewChart(times, edges))(b)
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
