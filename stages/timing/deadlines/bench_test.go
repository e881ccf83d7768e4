package deadlines_test

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/timing/deadlines"
)

// large is an occurrence of about 10,000 constraints: events on 8 lifelines, every third of which gets a message from
// the next lifeline. Bounds say all; slow is how many parts of lifelines take 100 times as long.
func large(seed int64, slow int) *deadlines.Occurrence {
	const events, lifelines = 7_600, 8
	rng := rand.New(rand.NewSource(seed))
	times, slower, last := make([]int64, events), map[int64]bool{}, [lifelines]int64{}
	for range slow {
		slower[lifelines+rng.Int63n(events-lifelines)] = true
	}
	var edges []deadlines.Edge
	add := func(source, target, ns int64, key int) {
		times[target] = max(times[target], times[source]+ns)
		edges = append(edges, deadlines.Edge{Source: source, Target: target, BoundNs: ns, Key: uint32(key), Message: key >= 800})
	}
	for event := int64(1); event < events; event++ {
		l, ns := rng.Intn(lifelines), int64(800)+rng.Int63n(400)
		if slower[event] {
			ns *= 100
		}
		add(last[l], event, ns, l*100+rng.Intn(100))
		if other := last[(l+1)%lifelines]; rng.Intn(3) == 0 && other != last[l] {
			add(other, event, ns/10, 800+l)
		}
		last[l] = event
	}
	return inOrder(edges, times)
}

// inOrder is the occurrence from the first event to the latest; events are numbered in the order of time.
func inOrder(edges []deadlines.Edge, times []int64) *deadlines.Occurrence {
	order := make([]int, len(times))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(times[a], times[b]) })
	number := make([]int64, len(times))
	for i, event := range order {
		number[event] = int64(i)
	}
	for i := range edges {
		e := &edges[i]
		e.SourceNs, e.TargetNs = times[e.Source], times[e.Target]
		e.Source, e.Target = number[e.Source], number[e.Target]
	}
	slices.SortStableFunc(edges, func(a, b deadlines.Edge) int { return cmp.Compare(a.Target, b.Target) })
	o := &deadlines.Occurrence{To: int64(len(times) - 1), ToNs: slices.Max(times)}
	o.Edges = reaching(o, edges)
	return o
}

func BenchmarkExplain(b *testing.B) {
	r := deadlines.NewReference(deadlines.Defaults(large(1, 0).ToNs + 60_000))
	for seed := range int64(40) {
		r.Add(large(seed, 0))
	}
	for _, slow := range []int{3, 30, 300} {
		b.Run(fmt.Sprint(slow, " slow"), func(b *testing.B) {
			o := large(99, slow)
			for b.Loop() {
				r.Explain(o)
			}
			x := r.Explain(o)
			b.ReportMetric(float64(len(o.Edges)), "constraints")
			b.ReportMetric(float64(x.Outliers), "outliers")
			b.ReportMetric(float64(len(x.Causes)), "causes")
			b.Logf("sufficient %v, exhausted %v, from %d to %d ns", x.Sufficient, x.Exhausted, o.ToNs, x.MakespanNs)
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	o := large(1, 0)
	for b.Loop() {
		r := deadlines.NewReference(deadlines.Defaults(o.ToNs))
		for range 64 {
			r.Add(o)
		}
		r.Explain(o)
	}
	b.ReportMetric(float64(len(o.Edges)*64)*float64(b.N)/b.Elapsed().Seconds(), "constraints/s")
}
