package spans

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// requests has front call back, and back call db, each on an instance of its own or the second of two; calls take some 7 ms
// and begin every so often. Shown gives the time that the clock of an instance shows.
func requests(seed uint64, kinds bool, every int64, shown map[string]func(ns int64) int64) string {
	rng := rand.New(rand.NewPCG(seed, 2))
	var text strings.Builder
	id := 0
	for trace := 1; trace <= 100; trace++ {
		at, times := int64(trace)*every, make([]int64, 0, 10)
		for _, step := range []int64{0, 500_000, 200_000, 1_000_000, 150_000, 3_000_000, 150_000, 1_000_000, 200_000, 500_000} {
			at += step + rng.Int64N(step/10+1)
			times = append(times, at)
		}
		parent := "-"
		for i, s := range []struct{ kind, where, name string }{
			{"server", "front@f", "GET"}, {"client", "front@f", "call"}, {"server", "back@b" + fmt.Sprint(trace%2), "handle"},
			{"client", "back@b" + fmt.Sprint(trace%2), "query"}, {"server", "db@d", "select"},
		} {
			if !kinds {
				s.kind = "internal"
			}
			_, clock, _ := strings.Cut(s.where, "@")
			to := shown[clock]
			if to == nil {
				to = func(ns int64) int64 { return ns }
			}
			id++
			fmt.Fprintf(&text, "%d %d %s %s %s %s %d %d\n", trace, id, parent, s.kind, s.where, s.name, to(times[i]), to(times[9-i]))
			parent = fmt.Sprint(id)
		}
	}
	return text.String()
}

// ahead is a clock that is ahead and drifts.
func ahead(ns int64, ppm float64) func(int64) int64 {
	return func(t int64) int64 { return t + ns + int64(math.Round(float64(t)*ppm*1e-6)) }
}

// readClocks reads a story with the clocks of its instances.
func readClocks(t *testing.T, text string, clocks schema.Clocks) (collected, []schema.ClockBound, []string) {
	t.Helper()
	out, r, err := readAll(parseLines, text, schema.Reading{Options: schema.ReadingOptions{Clocks: clocks}})
	expect.OK(t, err)
	bounds, said := r.(schema.ClockReader).Clocks()
	return out, bounds, said
}

// withoutTimes is the chart without the times and the order of its events: on each lifeline what happens, one after the other, with the labels of
// messages.
func withoutTimes(c collected) (lines []string) {
	on := map[string]string{}
	for _, e := range c.events {
		on[e.key.Lifeline] += fmt.Sprintln(e.key.Kind, e.key.Function, e.mark.Direction, e.mark.Label)
	}
	for lifeline, events := range on {
		lines = append(lines, lifeline+"\n"+events)
	}
	slices.Sort(lines)
	return lines
}

// TestSkewChangesNothing sets the clocks of services apart, also of two instances of one, with requests that overlap, and with
// spans that say nothing of clients and servers. The chart stays what it is without: lifelines, calls and messages.
func TestSkewChangesNothing(t *testing.T) {
	for _, kinds := range []bool{true, false} {
		for _, every := range []int64{20_000_000, 1_500_000} {
			for seed := range uint64(4) {
				even, bounds, said := readClocks(t, requests(seed, kinds, every, nil), schema.Clocks{Mode: schema.ClocksAuto})
				kept, _, _ := readClocks(t, requests(seed, kinds, every, nil), schema.Clocks{Mode: schema.ClocksKeep})
				expect.Deep(expect.Must(t), even, kept, "clocks that agree")
				if len(bounds)+len(said) > 0 {
					t.Fatalf("of clocks that agree it is said %q", said)
				}
				apart := requests(seed, kinds, every, map[string]func(int64) int64{
					"b0": ahead(7_000_000, 0), "b1": ahead(-7_000_000, 40), "d": ahead(-4_000_000, -50),
				})
				got, bounds, said := readClocks(t, apart, schema.Clocks{Mode: schema.ClocksAuto})
				expect.Deep(expect.Must(t), withoutTimes(got), withoutTimes(even), "the chart with clocks apart")
				if len(bounds) != 3 || len(said) != 1 {
					t.Errorf("%d clocks are corrected, said %q", len(bounds), said)
				}
			}
		}
	}
}

// TestClocksAreChosen names what has a clock, and what is known of one.
func TestClocksAreChosen(t *testing.T) {
	apart := requests(1, true, 20_000_000, map[string]func(int64) int64{"b0": ahead(7_000_000, 0), "b1": ahead(7_000_000, 0)})
	for of, clocks := range map[string]int{"host": 2, "process": 2, "component": 1, "file": 0} {
		if _, bounds, said := readClocks(t, apart, schema.Clocks{Mode: schema.ClocksAuto, Of: of}); len(bounds) != clocks {
			t.Errorf("--clock-of %s corrects %d clocks, want %d: %q", of, len(bounds), clocks, said)
		}
	}
	even, _, _ := readClocks(t, requests(1, true, 20_000_000, nil), schema.Clocks{Mode: schema.ClocksKeep})
	known := map[string]int64{"back": 7_000_000, "nobody": 1}
	got, bounds, said := readClocks(t, apart, schema.Clocks{Mode: schema.ClocksKeep, Of: "component", AheadNs: known})
	expect.Deep(expect.Must(t), got, even, "with an offset that is known")
	if len(bounds) != 0 || len(said) != 1 || !strings.HasPrefix(said[0], "no clock is called nobody: the clocks of this trace are back, db, front") {
		t.Errorf("%d bounds, said %q", len(bounds), said)
	}
}
