package faults_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/testdata/expect"
)

func TestStaysConsistent(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n := 2 + rng.IntN(200)
		c := random(t, rng, n)
		in := faults.NewInjector(c.Chart)
		in.Apply(someFaults(rng, n, rng.IntN(60)))
		now := in.Times()
		for _, e := range c.edges {
			gap, before := now[e.Target]-now[e.Source], c.timeNs[e.Target]-c.timeNs[e.Source]
			if gap < before-e.SlackNs {
				t.Fatalf("%+v: %d ns, were %d: (4.2.1) does not hold", e, gap, before)
			}
		}
		for e := range c.Slack(now) {
			if e.SlackNs < 0 || e.SlackNs > now[e.Target]-now[e.Source] {
				t.Fatalf("%+v: %d ns: (4.2.2) does not hold", e, now[e.Target]-now[e.Source])
			}
		}
	}
}

// lifelines makes a trace of n events on some lifelines with messages; clocks may go back.
func lifelines(rng *rand.Rand, n int, backwards bool) (line []uint32, times []int64, messages []faults.Message) {
	lines, ns := 1+rng.IntN(5), int64(1000)
	for e := range n {
		if ns += rng.Int64N(30); backwards && rng.IntN(4) == 0 {
			ns -= rng.Int64N(60)
		}
		line, times = append(line, uint32(rng.IntN(lines))), append(times, ns)
		if e > 0 && rng.IntN(3) == 0 {
			messages = append(messages, faults.Message{Send: int32(rng.IntN(e)), Receive: int32(e)})
		}
	}
	return line, times, messages
}

func TestOrderOfLifelines(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for round := range 200 {
		n := 1 + rng.IntN(150)
		line, times, messages := lifelines(rng, n, round%2 == 0)
		edges, _, err := faults.Edges(line, times, messages, []float64{0, 0.3, 1}[rng.IntN(3)])
		expect.OK(t, err)
		in := faults.NewInjector(chart(t, times, edges).Chart)
		in.Apply(someFaults(rng, n, 40))
		now := in.Times()
		for a := range n {
			for b := range n {
				if line[a] == line[b] && times[a] < times[b] && now[a] > now[b] {
					t.Fatalf("events %d and %d swapped: %d and %d ns, were %d and %d", a, b, now[a], now[b], times[a], times[b])
				}
			}
		}
		for _, m := range messages {
			if is, was := now[m.Receive]-now[m.Send], times[m.Receive]-times[m.Send]; was >= 0 && is < was {
				t.Fatalf("message %v takes %d ns, was %d", m, is, was)
			}
		}
	}
}

func TestOneDirection(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		n := 1 + rng.IntN(60)
		c := random(t, rng, n)
		in := faults.NewInjector(c.Chart)
		before := slices.Clone(in.Times())
		for _, f := range someFaults(rng, n, 20) {
			in.Inject(f.Event, f.DeltaNs)
			for e, ns := range in.Times() {
				moved := ns - before[e]
				if f.DeltaNs > 0 && (moved < 0 || moved > f.DeltaNs) || f.DeltaNs < 0 && (moved > 0 || moved < f.DeltaNs) {
					t.Fatalf("%+v moved event %d by %d ns", f, e, moved)
				}
			}
			expect.Equal(expect.Must(t), in.Times()[f.Event]-before[f.Event], f.DeltaNs, "ns by which %+v moved its event", f)
			copy(before, in.Times())
		}
	}
}

func TestNothingByZero(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	c := random(t, rng, 50)
	in := faults.NewInjector(c.Chart)
	in.Apply(someFaults(rng, 50, 20))
	times := slices.Clone(in.Times())
	for e := range int32(50) {
		in.Inject(e, 0)
	}
	expect.Slice(t, in.Times(), times, "times after a fault of 0 ns")
}

// All edges lead to a later event, so moving all times by a constant, or the trace in the mirror, changes nothing else.
func TestShiftedClockAndMirror(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for range 200 {
		n := int32(1 + rng.IntN(60))
		c := random(t, rng, int(n))
		later, mirrored := make([]int64, n), make([]int64, n)
		for e, ns := range c.timeNs {
			later[e], mirrored[n-1-int32(e)] = ns+1e18, -ns
		}
		var turned []faults.Edge
		for _, e := range c.edges {
			turned = append(turned, faults.Edge{Source: n - 1 - e.Target, Target: n - 1 - e.Source, SlackNs: e.SlackNs})
		}
		in, moved := faults.NewInjector(c.Chart), faults.NewInjector(chart(t, later, c.edges).Chart)
		mirror := faults.NewInjector(chart(t, mirrored, turned).Chart)
		for _, f := range someFaults(rng, int(n), 10) {
			in.Inject(f.Event, f.DeltaNs)
			moved.Inject(f.Event, f.DeltaNs)
			mirror.Inject(n-1-f.Event, -f.DeltaNs)
		}
		for e, ns := range in.Times() {
			expect.Equal(expect.Must(t), moved.Times()[e]-1e18, ns, "event %d with a later clock", e)
			expect.Equal(expect.Must(t), -mirror.Times()[n-1-int32(e)], ns, "event %d in the mirror", e)
		}
	}
}

// A ladder has paths of many lengths from its first event to any other, and the longer ones demand 1 ns more for every
// rung. The printed algorithm shifts the events of rung n n times, 5e9 times in all. Here each is shifted once.
func TestManyPaths(t *testing.T) {
	const rungs = 100_000
	times, edges := make([]int64, 2*rungs+1), make([]faults.Edge, 0, 3*rungs)
	for i := range int32(rungs) {
		a := 2 * i
		times[a+1], times[a+2] = 10*int64(i)+5, 10*int64(i)+10
		edges = append(edges, faults.Edge{Source: a, Target: a + 2, SlackNs: 1}, faults.Edge{Source: a, Target: a + 1},
			faults.Edge{Source: a + 1, Target: a + 2})
	}
	c := chart(t, times, edges)
	for event, delta := range map[int32]int64{0: rungs, 2 * rungs: -rungs} {
		in := faults.NewInjector(c.Chart)
		in.Inject(event, delta)
		for e, ns := range in.Times() {
			expect.Equal(expect.Must(t), ns, times[e]+delta, "from event %d: event %d", event, e)
		}
	}
}
