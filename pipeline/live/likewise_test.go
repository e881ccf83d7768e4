package live

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/stages/timing/hotness"
	"github.com/tracelake/tracelake/testdata/expect"
)

// sumsOf plays a trace and takes the sums at times, which are in their order.
func (p played) sumsOf(k *Look, times []int64) (all [][]hotness.Sum) {
	components, lanes, keys := k.Names()
	m := new(hotness.Machine)
	at := 0
	for _, until := range times {
		for ; at < len(p) && p[at].at <= until; at++ {
			r := p[at]
			c := uint32(slices.Index(components, r.component))
			m.Apply(hotness.Row{TimeNs: r.at, Lane: uint32(slices.Index(lanes, r.lane)), Key: uint32(slices.Index(keys, Function{c, r.function})), Kind: r.kind}, k.componentOf)
		}
		all = append(all, m.SumsAt(until))
	}
	return all
}

// TestLikewise compares what a baseline says of windows of a length with the mean of 2000 such windows, each played by itself.
func TestLikewise(t *testing.T) {
	const positions = 2000
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 5))
		was := randomTrace(rng, 3000+rng.IntN(3000), nil)
		k := was.look(t)
		b := expect.Value(baselineOf(k, "base"))(t)
		components, _, _ := k.Names()
		first, length := was[0].at, b.lengthNs
		wide := []int64{length / 300, length / 20, length / 3, length * 9 / 10}[seed%4]
		var begins, ends []int64
		for i := range int64(positions) {
			begin := first + (length-wide)*i/(positions-1)
			begins, ends = append(begins, begin), append(ends, begin+wide)
		}
		from, to := was.sumsOf(k, begins), was.sumsOf(k, ends)
		var busy, self, calls [4]float64
		for i := range begins {
			for c, l := range hotness.Window(from[i], to[i]) {
				busy[c], self[c], calls[c] = busy[c]+float64(l.BusyNs)/positions, self[c]+float64(l.SelfNs)/positions, calls[c]+float64(l.Calls)/positions
			}
		}
		side := b.side(components, wide)
		expect.Equal(t, side.LengthNs, windows*wide, "the length")
		for c, l := range side.Loads {
			for _, one := range []struct {
				what      string
				got, want float64
			}{{"raw", float64(l.BusyNs), busy[c]}, {"real", float64(l.SelfNs), self[c]}, {"calls", float64(l.Calls), calls[c]}} {
				if off := math.Abs(one.got/windows - one.want); off > 0.03*one.want {
					t.Errorf("seed %d, windows of %d of %d, %s of %s: %.3f, and %.3f by walks", seed, wide, length, one.what, components[c], one.got/windows, one.want)
				}
			}
		}
		whole := b.side(components, length)
		for c, l := range hotness.Window(nil, was.sumsOf(k, []int64{first + length})[0]) {
			expect.Equal(t, whole.Loads[c], l, "seed %d: a window that is as long as the baseline", seed)
		}
	}
}

// steady is a trace in which nothing changes: a takes 100 ms of every 150, b 1 ms of every 50, c is called once for all of it.
func steady(seconds int64) (all played) {
	const ms = 1_000_000
	all = append(all, step{"c", "c", "f", hotness.Enter, 0})
	for at := int64(0); at < seconds*1000; at += 50 {
		all = append(all, step{"b", "b", "f", hotness.Enter, at * ms}, step{"b", "b", "f", hotness.Exit, (at + 1) * ms})
		switch at % 150 {
		case 0:
			all = append(all, step{"a", "a", "f", hotness.Enter, at*ms + 1}) // behind the exit of b
		case 100:
			all = append(all, step{"a", "a", "f", hotness.Exit, at*ms + 1})
		}
	}
	all = append(all, step{"c", "c", "f", hotness.Exit, seconds * 1000 * ms})
	slices.SortStableFunc(all, func(a, b step) int { return int(a.at - b.at) })
	return all
}

// TestNothingChanged compares windows of a system with a baseline that did the same: whichever executions a window cuts, nothing is hot by any metric. Of the
// shortest windows, which cut most of their executions, the mean of the windows' means is a bit more than the mean of all.
func TestNothingChanged(t *testing.T) {
	k := steady(60).look(t)
	b := expect.Value(baselineOf(steady(90).look(t), "base"))(t)
	w := k.Watch()
	for _, metric := range hotness.Metrics() {
		for interval, most := range map[int64]float64{250_000_000: 6, 1_000_000_000: 1, 10_000_000_000: 1} {
			var sums [3]float64
			const positions = 100
			for i := range int64(positions) {
				to := 20_000_000_000 + i*333_333_333
				f := expect.Value(w.Frame(Ask{ToNs: to, IntervalNs: interval, Metric: metric, Colour: hotness.Linear, Against: &Against{Baseline: b}}))(t)
				for c, h := range f.Against.Difference {
					sums[c] += float64(h) / positions
				}
			}
			for c, mean := range sums {
				if math.Abs(mean) > most {
					t.Errorf("%s, windows of %d ms: component %s differs by %.1f at the mean", metric.Word, interval/1_000_000, "cba"[c:c+1], mean)
				}
			}
		}
	}
}

// TestSince has a function strike, be called too seldom to be judged, and strike again: it strikes since the first time, also for a page that begins to look
// meanwhile, and for one that looks back. When it has struck no more it begins anew.
func TestSince(t *testing.T) {
	const ms = 1_000_000
	calls := func(all played, fromMs, toMs, every, took int64) played {
		for at := fromMs; at < toMs; at += every {
			all = append(all, step{"l", "c", "f", hotness.Enter, at * ms}, step{"l", "c", "f", hotness.Exit, at*ms + took + at%7})
		}
		return all
	}
	b := expect.Value(baselineOf(calls(nil, 0, 10_000, 10, 1*ms).look(t), "base"))(t)
	now := calls(nil, 0, 2000, 10, 1*ms)
	now = calls(now, 2000, 4000, 10, 5*ms)     // slow
	now = calls(now, 4000, 6000, 500, 5*ms)    // two calls in a window
	now = calls(now, 6000, 8000, 10, 5*ms)     // slow
	now = calls(now, 8000, 10_000, 10, 1*ms)   // as in the baseline
	now = calls(now, 10_000, 12_001, 10, 5*ms) // slow again
	k := now.look(t)
	metric, _ := hotness.MetricOf("mean")
	since := func(w *Watcher, toMs int64) string {
		f := expect.Value(w.Frame(Ask{ToNs: toMs * ms, IntervalNs: 1000 * ms, Metric: metric, Colour: hotness.Linear, Against: &Against{Baseline: b, Judge: true}}))(t)
		if all := f.Against.Judged.Candidates; len(all) > 0 {
			return fmt.Sprint(all[0].SinceNs / ms)
		}
		return ""
	}
	w := k.Watch()
	for _, one := range []struct {
		at   int64
		want string
	}{{1500, ""}, {3000, "3000"}, {4000, "3000"}, {5500, ""}, {6500, "3000"}, {7500, "3000"}} {
		expect.Equal(t, since(w, one.at), one.want, "at %d", one.at)
	}
	expect.Equal(t, since(k.Watch(), 7600), "3000", "a page that begins to look")
	expect.Equal(t, since(k.Watch(), 3500), "3000", "a page that looks back")
	expect.Equal(t, since(w, 2900), "2900", "a page that goes back before it")
	w = k.Watch()
	expect.Equal(t, since(w, 7600), "3000", "what looks back is not kept")
	expect.Equal(t, since(w, 9500), "", "as in the baseline")
	expect.Equal(t, since(w, 11_500), "11500", "it strikes again")
	expect.Equal(t, since(k.Watch(), 11_600), "11500", "a page that begins to look")
	other := expect.Value(baselineOf(k, "other"))(t)
	b = other
	expect.Equal(t, since(w, 3500) != "3000", true, "another baseline")
}
