package live

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/stages/timing/hotness"
	"github.com/tracelake/tracelake/testdata/expect"
)

// step is a row by its names, and played a trace as the oracle has it.
type step struct {
	lane, component, function string
	kind                      hotness.Kind
	at                        int64
}

type played []step

// randomTrace is a trace of some lanes, of which some exits are lost. Its functions take about as long as others of their name, times a factor.
func randomTrace(rng *rand.Rand, n int, slower map[string]int64) (all played) {
	clocks := []int64{0, rng.Int64N(100), rng.Int64N(100)}
	depth := make([][][2]string, 3)
	for range n {
		lane := slices.Index(clocks, slices.Min(clocks)) // what comes next is of the lane that is behind
		kind, of := hotness.Exit, [2]string{fmt.Sprint("component ", rng.IntN(4)), fmt.Sprint("f", rng.IntN(3))}
		if stack := depth[lane]; len(stack) == 0 || len(stack) < 4 && rng.IntN(2) == 0 {
			kind = []hotness.Kind{hotness.Enter, hotness.Enter, hotness.Enter, hotness.Away}[rng.IntN(4)]
			depth[lane] = append(stack, of)
		} else {
			of = stack[len(stack)-1]
			if depth[lane] = stack[:len(stack)-1]; rng.IntN(30) == 0 {
				continue
			}
		}
		took := 1 + rng.Int64N(400)
		if factor, is := slower[of[0]+of[1]]; is && kind == hotness.Exit {
			took *= factor
		}
		clocks[lane] += took
		all = append(all, step{fmt.Sprint("lane ", lane), of[0], of[1], kind, clocks[lane]})
	}
	slices.SortStableFunc(all, func(a, b step) int {
		return cmp.Compare(a.at, b.at)
	})
	return all
}

// look writes the trace into a view, and opens that.
func (p played) look(t *testing.T) *Look {
	t.Helper()
	v := expect.Value(NewView(t.TempDir()))(t)
	for i, r := range p {
		lane, _ := v.Lane(0, r.lane)
		key, _ := v.Key(r.component, r.function)
		v.Add(hotness.Row{TimeNs: r.at, Lane: lane, Key: key, Kind: r.kind})
		if i%100 == 99 {
			expect.OK(t, v.Flush(time.Now()))
		}
	}
	expect.OK(t, v.Flush(time.Now()))
	k := expect.Value(LookAt(strings.TrimSuffix(v.calls.file.Name(), "/"+viewName+"/"+callsName)))(t)
	t.Cleanup(func() { k.Close(); v.Close() })
	return k
}

// a call that ended, by the oracle.
type endedCall struct {
	of       Named
	end      int64
	raw, own int64
}

// calls plays the trace by lists. The outermost of the calls that an exit ends is the one that ended.
func (p played) calls() (all []endedCall) {
	type open struct {
		of         Named
		start, own int64 // own: below 0 what nested calls took
		away       bool
	}
	lanes := make(map[string][]*open)
	for _, r := range p {
		of, stack := Named{r.component, r.function}, lanes[r.lane]
		if r.kind != hotness.Exit {
			lanes[r.lane] = append(stack, &open{of: of, start: r.at, away: r.kind == hotness.Away})
			continue
		}
		at := len(stack) - 1
		for at >= 0 && stack[at].of != of {
			at--
		}
		if at < 0 {
			continue
		}
		c, own := stack[at], int64(0)
		own = r.at - c.start + c.own
		if at+1 < len(stack) {
			own -= r.at - stack[at+1].start
		}
		if at > 0 {
			stack[at-1].own -= r.at - c.start
		}
		if lanes[r.lane] = stack[:at]; !c.away {
			all = append(all, endedCall{of, r.at, r.at - c.start, own})
		}
	}
	return all
}

// limit is the deviation of the mean of n times, by a walk over the means of as many in a row; below 0 where there are too few.
func limit(times []int64, n int) (deviation float64) {
	deviation = -1
	for size := 1; size <= n && len(times)/size >= 16; size *= 2 {
		var means []float64
		mean := 0.0
		for i := 0; i+size <= len(times); i += size {
			sum := int64(0)
			for _, v := range times[i : i+size] {
				sum += v
			}
			means = append(means, float64(sum)/float64(size))
		}
		for _, m := range means {
			mean += m / float64(len(means))
		}
		squares := 0.0
		for _, m := range means {
			squares += (m - mean) * (m - mean)
		}
		deviation = math.Sqrt(squares / float64(len(means)-1))
	}
	return deviation
}

func meanOf(times []int64) float64 {
	sum := int64(0)
	for _, v := range times {
		sum += v
	}
	return float64(sum) / float64(len(times))
}

// TestAgainst compares random windows of random traces with a baseline of which some functions are faster, and sees that the hotness of the difference, the
// candidates and a control chart are those of walks over all calls.
func TestAgainst(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 4))
		slower := map[string]int64{"component 1f0": 1 + rng.Int64N(6), "component 2f2": 1 + rng.Int64N(3)}
		was, is := randomTrace(rng, 3000+rng.IntN(6000), nil), randomTrace(rng, 500+rng.IntN(20_000), slower)
		if seed%4 == 0 { // functions that only one side has
			was = slices.DeleteFunc(was, func(r step) bool {
				return r.component == "component 3" && r.function == "f1" || r.component == "component 0"
			})
		}
		old, k := was.look(t), is.look(t)
		baseline := expect.Value(baselineOf(old, "base"))(t)
		times := make(map[Named][2][]int64)
		for _, c := range was.calls() {
			of := times[c.of]
			times[c.of] = [2][]int64{append(of[0], c.raw), append(of[1], c.own)}
		}
		first, last := is[0].at, is[len(is)-1].at
		from := rng.Int64N(last - first)
		to := from + 1 + rng.Int64N(last-first-from)
		components, _, _ := k.Names()
		of := Named{components[rng.IntN(len(components))], fmt.Sprint("f", rng.IntN(3))}
		real := rng.IntN(2) == 0
		metric := hotness.Metrics()[rng.IntN(len(hotness.Metrics()))]
		f := expect.Value(k.Watch().Frame(Ask{
			ToNs: to, IntervalNs: to - from, Metric: metric, Colour: hotness.Linear, Real: real, BoxesFromNs: from, BoxesToNs: to,
			Against: &Against{Run: "base", Baseline: baseline, Chart: &of, Judge: true},
		}))(t)
		expect.Equal(t, f.Against.Run, "base", "the baseline")

		// Candidates.
		sums := make(map[Named][]int64)
		var charted []endedCall
		for _, c := range is.calls() {
			if c.end-first <= from || c.end-first > to {
				continue
			}
			sums[c.of] = append(sums[c.of], c.own)
			if c.of == of {
				charted = append(charted, c)
			}
		}
		var want []string
		judged, some := 0, 0
		for of, own := range sums {
			before, n := times[of][1], len(own)
			mean := meanOf(own)
			if before == nil {
				want = append(want, fmt.Sprintf("%v new %d %.0f", of, n, math.Round(mean)))
				continue
			}
			d := limit(before, n)
			if d < 0 || n < 4 {
				continue
			}
			judged++
			if off := math.Abs(mean - meanOf(before)); off > 5*d && off > 0.01*meanOf(before) {
				want = append(want, fmt.Sprintf("%v %d %.0f beside %.0f within %.0f and %.0f", of, n, math.Round(mean), math.Round(meanOf(before)),
					math.Round(max(0, meanOf(before)-3*d)), math.Round(meanOf(before)+3*d)))
				some++
			}
		}
		var got []string
		effect := int64(math.MaxInt64)
		for _, c := range f.Against.Judged.Candidates {
			of := Named{components[c.Component], f.Functions[c.Function]}
			text := fmt.Sprintf("%v new %d %d", of, c.Calls, c.MeanNs)
			if !c.New {
				text = fmt.Sprintf("%v %d %d beside %d within %d and %d", of, c.Calls, c.MeanNs, c.BaseNs, c.LowerNs, c.UpperNs)
			}
			got = append(got, text)
			own := max(c.MeanNs-c.BaseNs, c.BaseNs-c.MeanNs) * c.Calls
			if own > effect {
				t.Errorf("seed %d: candidates are not in the order of their effects", seed)
			}
			effect = own
			expect.Equal(t, c.SinceNs, to, "since when")
		}
		slices.Sort(got)
		slices.Sort(want)
		expect.Slice(t, got, want, "seed %d: candidates", seed)
		expect.Equal(t, f.Against.Judged.Functions, judged, "seed %d: functions that are judged", seed)

		// The chart.
		p := f.Against.Chart
		expect.Equal(t, p.Calls, int64(len(charted)), "seed %d: calls of the chart", seed)
		before := times[of]
		at, n := 0, int64(0)
		for i, m := range p.MeanNs {
			var values []int64
			for range p.N[i] {
				c := charted[at]
				values = append(values, map[bool]int64{false: c.raw, true: c.own}[real])
				if at++; len(charted) > mostAlone && (c.end-first)/((to-from)/100) != p.AtNs[i]/((to-from)/100) {
					t.Errorf("seed %d: a call that ended at %d is part of a point at %d", seed, c.end-first, p.AtNs[i])
				}
			}
			n += p.N[i]
			expect.Equal(t, m, int64(math.Round(meanOf(values))), "seed %d: point %d", seed, i)
			base := before[map[bool]int{false: 0, true: 1}[real]]
			if d := limit(base, len(values)); d >= 0 {
				lower, upper := meanOf(base)-3*d, meanOf(base)+3*d
				if math.Abs(float64(p.LowerNs[i])-max(0, lower)) > 1 || math.Abs(float64(p.UpperNs[i])-upper) > 1 {
					t.Errorf("seed %d, point %d: limits %d and %d, by a walk %v and %v", seed, i, p.LowerNs[i], p.UpperNs[i], lower, upper)
				}
			}
		}
		expect.Equal(t, n, int64(len(charted)), "seed %d: calls of the points", seed)

		// The hotness of the difference, of the loads of a machine that plays all.
		loads, side := window(is, k, first+from, first+to), baseline.side(components, to-from)
		oldNames, _, _ := old.Names()
		expect.Slice(t, f.Against.Difference, metric.Difference(hotness.Side{Loads: loads, LengthNs: to - from}, side, real), "seed %d: difference by %s", seed, metric.Word)
		if seed%4 == 0 && !slices.Contains(oldNames, "component 0") {
			expect.Slice(t, f.Against.Judged.Missing, []string{}, "missing")
			others := expect.Value(old.Watch().Frame(Ask{ToNs: 1, IntervalNs: 1, Metric: metric, Colour: hotness.Linear, Against: &Against{Baseline: expect.Value(baselineOf(k, "x"))(t), Judge: true}}))(t)
			expect.Slice(t, others.Against.Judged.Missing, []string{"component 0"}, "missing")
		}
		if seed == 3 && some == 0 {
			t.Error("no candidate is found in a trace of functions that became slower")
		}
	}
}

// window are the loads of a time, of all components that ran until its end.
func window(p played, k *Look, from, to int64) []hotness.Load {
	components, lanes, keys := k.Names()
	sumsAt := func(until int64) []hotness.Sum {
		m := new(hotness.Machine)
		for _, r := range p {
			if r.at <= until {
				c := uint32(slices.Index(components, r.component))
				m.Apply(hotness.Row{TimeNs: r.at, Lane: uint32(slices.Index(lanes, r.lane)), Key: uint32(slices.Index(keys, Function{c, r.function})), Kind: r.kind}, k.componentOf)
			}
		}
		return m.SumsAt(until)
	}
	if before := p[0].at; from <= before { // the first row is where a run begins
		return hotness.Window(nil, sumsAt(to))
	}
	return hotness.Window(sumsAt(from), sumsAt(to))
}

// TestLongWindow has more than a cursor leaps over in one window: all its calls are taken, and so are all of a baseline.
func TestLongWindow(t *testing.T) {
	const calls = 250_000
	var all played
	for i := range int64(calls) {
		f := fmt.Sprint("f", i%2)
		all = append(all, step{"lane", "c", f, hotness.Enter, i * 100_000}, step{"lane", "c", f, hotness.Exit, i*100_000 + 50_000 + i%3})
	}
	k := all.look(t)
	if k.tail.next < 2*leapBytes {
		t.Fatalf("the calls take %d bytes, and a cursor leaps over %d", k.tail.next, int64(leapBytes))
	}
	n := 0
	few := expect.Value(k.Watch().ended(0, calls*100_000, func(hotness.Call, int64) { n++ }))(t)
	expect.Equal(t, few, true, "few enough")
	expect.Equal(t, n, calls, "calls of the window")
	b := expect.Value(baselineOf(k, "x"))(t)
	expect.Equal(t, b.functions[Named{"c", "f1"}].raw.Count(), int64(calls/2), "calls of the baseline")
	metric, _ := hotness.MetricOf("mean")
	f := expect.Value(k.Watch().Frame(Ask{ToNs: calls * 100_000, IntervalNs: 1, Metric: metric, Colour: hotness.Linear, BoxesToNs: calls * 100_000, Pixels: 100}))(t)
	n = 0
	for _, some := range f.Boxes.Count {
		n += some
	}
	expect.Equal(t, n, calls, "calls of all boxes")
}
