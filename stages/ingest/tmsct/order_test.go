package tmsct

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// relaxed are the times of events, found the slow way: every wait is looked at again until nothing moves.
func relaxed(c *chart) []int64 {
	times := make([]int64, len(c.events))
	for moved := true; moved; {
		moved = false
		for i := range c.events {
			e := &c.events[i]
			at := int64(0)
			if c.before[i] >= 0 {
				at = max(at, times[c.before[i]]+max(0, c.segmentDefaults(int32(i)).boundNs))
			}
			for k := range c.dependencies {
				if d := &c.dependencies[k]; d.target == int32(i) && d.source >= 0 && !c.isSegment(int32(k)) {
					at = max(at, times[d.source]+max(0, c.dependencyDefaults(int32(k)).boundNs))
				}
			}
			if e.timeNs != schema.NoValue {
				at = e.timeNs
			}
			moved = moved || at != times[i]
			times[i] = at
		}
	}
	return times
}

// charted reads a text up to its chart, without times for what has none.
func charted(t *testing.T, text string) *chart {
	t.Helper()
	var b schema.Block
	r := read(text, &b)
	if b.Bad.Count != 0 {
		t.Fatalf("%q: %v", text, b.Bad.First)
	}
	return newChart(r.document)
}

// ordered checks the times of a chart against the slow way, and its order against the definition.
func ordered(t *testing.T, name, text string) {
	t.Helper()
	c := charted(t, text)
	want := relaxed(c)
	if fault := c.schedule(); fault != nil {
		t.Fatalf("%s: %v", name, fault)
	}
	place := make([]int, len(c.events))
	for n, i := range c.order {
		place[i] = n
		expect.Equal(t, c.events[i].timeNs, want[i], "%s: event %d in line %d is", name, i, c.events[i].line+1)
	}
	for i := range c.events {
		c.eachNext(int32(i), func(next int32, _ int64) {
			if place[next] <= place[i] {
				t.Errorf("%s: event %d stands before %d, for which it waits", name, next, i)
			}
		})
	}
	for n := 1; n < len(c.order); n++ {
		if a, b := c.order[n-1], c.order[n]; c.events[a].timeNs > c.events[b].timeNs {
			t.Errorf("%s: the time runs backwards from event %d to %d", name, a, b)
		}
	}
}

// TestAsSoonAsPossible checks times and order of the examples, and of random charts whose events stand in any
// order of lifelines.
func TestAsSoonAsPossible(t *testing.T) {
	for name, text := range examples(t) {
		ordered(t, name, text)
	}
	rng := rand.New(rand.NewPCG(3, 3))
	for n := range 200 {
		ordered(t, fmt.Sprint("chart ", n), randomChart(rng))
	}
}

// randomChart is a text of events without times. Each message goes from an event to one drawn later, so
// that there is a way through; the lifelines are then written one after another.
func randomChart(rng *rand.Rand) string {
	lines := make([]strings.Builder, 1+rng.IntN(5))
	var under []string
	for i := range 40 {
		lifeline := rng.IntN(len(lines))
		out := &lines[lifeline]
		if rng.IntN(3) == 0 {
			fmt.Fprintf(out, "+0.%d ", rng.IntN(10))
		}
		fmt.Fprintf(out, "L%d > f", lifeline)
		for len(under) > 0 && rng.IntN(2) == 0 {
			k := rng.IntN(len(under))
			fmt.Fprintf(out, " ?%s", under[k])
			under = append(under[:k], under[k+1:]...)
		}
		for range rng.IntN(3) {
			m := fmt.Sprintf("m%d_%d", i, len(under))
			under = append(under, m)
			fmt.Fprintf(out, " !%s(%d.5)", m, rng.IntN(3))
		}
		out.WriteByte('\n')
	}
	text := "tmsc settings { time-bound: 0.25 }\n"
	for i := range lines {
		text += lines[i].String()
	}
	return text
}

// TestCircle names an event that waits for itself, with its place.
func TestCircle(t *testing.T) {
	for text, want := range map[string]string{
		"A > f !a ?a\n": ":0:1: the event A > f waits for itself",
		"A > e\nA < e\n  A > f ?b\nA < f !a\nB > g ?a\nB < g !b\n": ":2:3: the event A > f waits",
		"1 A > f ?b\n2 A < f !a\n1 B > g ?a\n2 B < g !b\n":         ": the event ",
	} {
		var b schema.Block
		Format().NewParser().Parse([]byte(text), &b)
		if b.Broken == nil || len(b.Key) > 0 {
			t.Errorf("%q: %d events, no fault", text, len(b.Key))
			continue
		}
		if got := b.Broken.Error(); !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	var b schema.Block
	Format().NewParser().Parse([]byte("9e+9 A > f\n+9e+9 A < f\n"), &b)
	if b.Broken == nil || !strings.Contains(b.Broken.Error(), "1:1: the event A < f comes at a time that does not fit") {
		t.Errorf("a time beyond 64 bits: %v", b.Broken)
	}
}
