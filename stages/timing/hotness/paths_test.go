package hotness

import (
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// pathStep is a step of a critical path.
type pathStep struct {
	component  uint32
	start, end int64
}

// randomSteps are the steps of some paths, each of which goes on without gaps, mostly within a component, and which overlap. They come in any order.
func randomSteps(rng *rand.Rand) (steps []pathStep) {
	for range rng.IntN(8) {
		at, component := rng.Int64N(200)-100, rng.Uint32N(6)
		for range rng.IntN(12) {
			if rng.IntN(3) == 0 {
				component = rng.Uint32N(6)
			}
			end := at + max(0, rng.Int64N(40)-5) // some take no time
			steps = append(steps, pathStep{component, at, end})
			at = end
		}
	}
	rng.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	return steps
}

// TestPathsOracle compares windows of random paths with a walk over all steps.
func TestPathsOracle(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 19))
		steps, p := randomSteps(rng), NewPaths(100)
		for _, s := range steps {
			expect.Equal(t, p.Add(s.component, s.start, s.end), true, "seed %d: room", seed)
		}
		expect.Equal(t, p.Order(), true, "seed %d: room", seed)
		for range 10 {
			from := rng.Int64N(700) - 200
			to := from + rng.Int64N(300)
			want, all := make([]int64, 6), int64(0)
			for _, s := range steps {
				want[s.component] += Cut(s.start, s.end, from, to)
				all += Cut(s.start, s.end, from, to)
			}
			got, gotAll := p.Within(from, to)
			for len(got) < len(want) {
				got = append(got, 0)
			}
			expect.Slice(t, got, want, "seed %d: from %d to %d", seed, from, to)
			expect.Equal(t, gotAll, all, "seed %d: from %d to %d, all", seed, from, to)
		}
	}
}

// TestPathsRoom has a path that stays in a component, of which any number of steps takes the room of one, and one that never stays.
func TestPathsRoom(t *testing.T) {
	p := NewPaths(2)
	for i := range int64(1000) {
		expect.Equal(t, p.Add(0, i, i+1), true, "step %d", i)
	}
	expect.Equal(t, p.Order(), true, "all")
	ns, all := p.Within(500, 2000)
	expect.Slice(t, ns, []int64{500}, "the second half")
	expect.Equal(t, all, int64(500), "all of it")
	p, room := NewPaths(10), 0
	for i := range int64(100) {
		if !p.Add(uint32(i%2), i, i+1) {
			break
		}
		room++
	}
	expect.Equal(t, room, 9, "steps that fit: with the tenth there are twice as many changes as fit, and each stays")
	p = NewPaths(10)
	for i := range int64(9) {
		p.Add(uint32(i%2), i, i+1)
	}
	expect.Equal(t, p.Order(), false, "18 changes, of which 10 fit")
}

// TestShare has a component that only waits, which critical paths lead over all the same, and one that works where no path leads.
func TestShare(t *testing.T) {
	m, _ := MetricOf("critical")
	loads := []Load{{Calls: 1, CriticalNs: 60, PathsNs: 100}, {CriticalNs: 30, PathsNs: 100}, {Calls: 5, BusyNs: 1000, PathsNs: 100}, {Calls: 1, CriticalNs: 10, PathsNs: 100}}
	expect.Slice(t, m.Hotness(loads, false), []int{100, 50, 0, 17}, "hotness")
	expect.Equal(t, m.Of(loads[1], true), 0.3, "a share")
	expect.Slice(t, m.Hotness([]Load{{Calls: 1}, {}}, false), []int{0, 0}, "where there are no paths")
	// Twice as long, the same shares but for two components.
	base := Side{[]Load{{Calls: 1, CriticalNs: 120, PathsNs: 200}, {CriticalNs: 20, PathsNs: 200}, {PathsNs: 200}, {CriticalNs: 60, PathsNs: 200}}, 2000}
	expect.Slice(t, m.Difference(Side{loads, 1000}, base, false), []int{0, 100, 0, -100}, "the difference")
	expect.Slice(t, m.Difference(Side{loads, 1000}, Side{make([]Load, 4), 2000}, false), []int{0, 0, 0, 0}, "to a run without paths")
}
