package samplechanges_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/testdata/expect"
)

// many are n values around v: v, v+1, ...
func many(n int, v int64) []int64 {
	values := make([]int64, n)
	for i := range values {
		values[i] = v + int64(i)
	}
	return values
}

func side(values []int64) samplechanges.Side {
	return samplechanges.Side{Values: values, StepNs: values, Runs: 1}
}

var step = samplechanges.Subject{Level: schema.LevelTransition, Component: "c", Fragment: "c.f", Subject: "exit f"}

// TestChangeKeepsNoSamples sees that a change holds figures and not the memory of the samples: this serves the next subject.
func TestChangeKeepsNoSamples(t *testing.T) {
	values := many(40, ms)
	c := samplechanges.NewJudge(samplechanges.Options{SamplesOnly: true}).Compare(step, side(values), side(slices.Clone(values)), "")
	clear(values)
	expect.Equal(t, *c.MinBaseNs, int64(ms), "minimum")
	expect.Equal(t, *c.MaxBaseNs, int64(ms+39), "maximum")
}

func TestVerdicts(t *testing.T) {
	mixed := append(many(20, ms), many(20, 9*ms)...)
	for _, c := range []struct {
		name       string
		base, cand []int64
		want       string
	}{
		{"equal", many(40, ms), many(40, ms), schema.Unchanged},
		{"nothing", nil, nil, schema.Unchanged},
		{"slower", many(40, ms), many(40, 2*ms), schema.Slower},
		{"faster", many(40, 2*ms), many(40, ms), schema.Faster},
		{"the total grows, most calls are faster", many(40, 2*ms), append(many(30, ms), many(10, 90*ms)...), schema.Changed},
		{"wider, but with the same total, which the guard of DYN passes over", many(40, 5*ms), mixed, schema.Unchanged},
		{"appeared", nil, many(3, ms), schema.Appeared},
		{"vanished", many(3, ms), nil, schema.Vanished},
	} {
		got := samplechanges.NewJudge(options).Compare(step, side(c.base), side(c.cand), "")
		expect.Equal(t, got.Verdict, c.want, "%s", c.name)
		expect.Equal(t, got.Detected, c.want != schema.Unchanged && len(c.base) > 0 && len(c.cand) > 0, "%s: detected", c.name)
		if (got.MedianBaseNs == nil) != (len(c.base) == 0) || (got.MedianCandNs == nil) != (len(c.cand) == 0) || (got.KsP == nil) != (len(c.base)*len(c.cand) == 0) {
			t.Errorf("%s: a side without samples has figures, or one with samples lacks them", c.name)
		}
	}
}

func TestFiguresOfAChange(t *testing.T) {
	c := samplechanges.NewJudge(options).Compare(step, side([]int64{4, 1, 3, 2}), side([]int64{10, 10, 10, 30}), "")
	for _, f := range []struct {
		name      string
		got, want int64
	}{
		{"n base", c.NBase, 4}, {"n cand", c.NCand, 4}, {"total base", c.TotalBaseNs, 10}, {"total cand", c.TotalCandNs, 60},
		{"abs", c.AbsNs, 50}, {"min", *c.MinBaseNs, 1}, {"max", *c.MaxCandNs, 30}, {"mean base", *c.MeanBaseNs, 3}, {"mean cand", *c.MeanCandNs, 15},
		{"step base", *c.StepBaseNs, 10}, {"step cand", *c.StepCandNs, 60}, {"impact", c.ImpactNs, 50}, {"shift", *c.HlShiftNs, 8},
	} {
		expect.Equal(t, f.got, f.want, "%s", f.name)
	}
	if *c.Ratio != 6 || *c.KsD != 1 || *c.MwuU != 0 || *c.CliffsDelta != 1 || c.Shift != "up" {
		t.Errorf("ratio %g, D %g, U %g, delta %g, shift %q", *c.Ratio, *c.KsD, *c.MwuU, *c.CliffsDelta, c.Shift)
	}
	if zero := samplechanges.NewJudge(options).Compare(step, side([]int64{0}), side([]int64{5}), ""); zero.Ratio != nil {
		t.Errorf("the ratio to nothing is %g", *zero.Ratio)
	}
}

// Sums are those of one run on average: two runs like the one before are no change, two twice as long are.
func TestRunsAreAveraged(t *testing.T) {
	one, two := side(many(40, ms)), side(slices.Concat(many(40, ms), many(40, ms)))
	two.Runs = 2
	c := samplechanges.NewJudge(options).Compare(step, one, two, "")
	if c.Detected || c.AbsNs != 0 || c.ImpactNs != 0 || *c.Ratio != 1 || *c.StepBaseNs != *c.StepCandNs {
		t.Errorf("two equal runs: detected %v, abs %d, impact %d, ratio %g", c.Detected, c.AbsNs, c.ImpactNs, *c.Ratio)
	}
	if c.NCand != 80 || c.TotalCandNs != 2*c.TotalBaseNs || c.RunsBase != 1 || c.RunsCand != 2 {
		t.Errorf("samples %d, total %d of %d runs", c.NCand, c.TotalCandNs, c.RunsCand)
	}
	two.Runs = 1
	if c := samplechanges.NewJudge(options).Compare(step, one, two, ""); !c.Detected || *c.Ratio != 2 {
		t.Errorf("twice as many calls a run: detected %v, ratio %g", c.Detected, *c.Ratio)
	}
	two.Runs = 4 // two of four runs did not take the step
	expect.Equal(t, *samplechanges.NewJudge(options).Compare(step, one, two, "").Ratio, 0.5, "in every other run: ratio")
}

func TestCauses(t *testing.T) {
	slow := samplechanges.Side{Values: many(40, 9*ms), StepNs: many(40, 8*ms), Runs: 1}
	late := samplechanges.Side{Values: many(40, 9*ms), StepNs: many(40, ms), Runs: 1}
	base := samplechanges.Side{Values: many(40, 2*ms), StepNs: many(40, ms), Runs: 1}
	metric := samplechanges.Subject{Level: schema.LevelMetric, Component: "c", Subject: "runtime"}
	for _, c := range []struct {
		name      string
		of        samplechanges.Subject
		base      samplechanges.Side
		cand      samplechanges.Side
		awaited   string
		cause     string
		hasImpact bool
	}{
		{"the step itself", step, base, slow, "", samplechanges.OwnTime, true},
		{"a step that waits", step, base, slow, "d.g", "waits for d.g", false},
		{"an earlier step", step, base, late, "", samplechanges.EarlierStep, false},
		{"an earlier step of a step that waits", step, base, late, "d.g", samplechanges.EarlierStep, false},
		{"no change", step, base, base, "", "", false},
		{"a metric", metric, base, slow, "", "", false},
		{"a step that appeared", step, samplechanges.Side{Runs: 1}, slow, "", "", true},
	} {
		got := samplechanges.NewJudge(options).Compare(c.of, c.base, c.cand, c.awaited)
		if got.RootCause != c.cause || (got.ImpactNs != 0) != c.hasImpact {
			t.Errorf("%s: cause %q, impact %d; want %q", c.name, got.RootCause, got.ImpactNs, c.cause)
		}
		expect.Equal(t, got.StepBaseNs == nil, c.of.Level == schema.LevelMetric, "%s: no time of the step %v", c.name, got.StepBaseNs)
	}
}

// Sums that leave the range, as those of absolute times do, stop at its end.
func TestSumsOutOfRange(t *testing.T) {
	const epoch = 1_700_000_000_000_000_000
	c := samplechanges.NewJudge(options).Compare(step, side(many(4, epoch)), side(many(40, epoch)), "")
	if c.TotalBaseNs != 4*epoch+6 || c.TotalCandNs != math.MaxInt64 || c.AbsNs != math.MaxInt64 {
		t.Errorf("totals %d and %d, difference %d", c.TotalBaseNs, c.TotalCandNs, c.AbsNs)
	}
	expect.Equal(t, samplechanges.NewJudge(options).Compare(step, side(many(40, -epoch)), side(many(4, -epoch)), "").TotalBaseNs, math.MinInt64, "total")
}

func TestRank(t *testing.T) {
	own, wait, other := samplechanges.OwnTime, samplechanges.WaitsFor+"d.g", schema.Slower
	list := []*schema.Change{
		{Subject: "j", Verdict: schema.Unchanged, ImpactNs: 1000, AbsNs: 1000},
		{Subject: "i", Verdict: schema.Unchanged, ImpactNs: -2000},
		{Subject: "g", Verdict: schema.Appeared, AbsNs: 3},
		{Subject: "f", Verdict: other, RootCause: wait, AbsNs: -900},
		{Subject: "e", Verdict: other, RootCause: samplechanges.EarlierStep, ImpactNs: 5},
		{Subject: "d", Component: "z", Verdict: other, RootCause: own, ImpactNs: 40, AbsNs: 1},
		{Subject: "c", Component: "a", Verdict: other, RootCause: own, ImpactNs: 40, AbsNs: 1},
		{Subject: "b", Verdict: other, RootCause: own, ImpactNs: 40, AbsNs: -7},
		{Subject: "a", Verdict: other, RootCause: own, ImpactNs: -50},
	}
	samplechanges.Rank(list)
	order := ""
	for i, c := range list {
		order += c.Subject
		expect.Equal(t, c.Rank, int64(i+1), "rank of %s", c.Subject)
	}
	expect.Equal(t, order, "abcdefgij", "order")
}

// story is a trace of n rounds in which E1 works for own, has E2 work for callee, and works for rest.
func story(n int, own, callee, rest int64, also string) string {
	var out strings.Builder
	now := int64(1_000_000_000)
	event := func(what string) {
		out.WriteString(formatNs(now) + " " + what + "\n")
	}
	for i := range n {
		jitter := int64(i%7) * 1000
		event("E1 > main")
		now += own + jitter
		event("E1 > f !m1")
		now += 1000
		event("E2 > f ?m1")
		now += callee + jitter
		event("E2 < f !r1")
		now += 1000
		event("E1 < f ?r1")
		if also != "" {
			event("E1 > " + also)
			event("E1 < " + also)
		}
		now += rest + jitter
		event("E1 < main")
		now += ms
	}
	return out.String()
}

func formatNs(ns int64) string {
	digits := []byte("0000000000")
	for i := len(digits) - 1; ns > 0; i-- {
		digits[i] = byte('0' + ns%10)
		ns /= 10
	}
	return string(digits[:1]) + "." + string(digits[1:])
}

// A delay shows at every later step and at the caller; it is put down to where it arises, which comes first.
func TestADelayIsPutDownToWhereItArises(t *testing.T) {
	base := []*run{learn(t, story(40, ms, ms, ms, "")), learn(t, story(40, ms, ms, ms, ""))}
	for _, c := range []struct {
		name string
		cand *run
		want []string
	}{
		{"nothing", learn(t, story(40, ms, ms, ms, "")), nil},
		{"in the callee", learn(t, story(40, ms, 3*ms, ms, "")), []string{
			"E2 exit f send E1: slower, own time",
			"E1 exit f receive E2: slower, waits for E2.f",
			"E1 exit main: slower, earlier step",
		}},
		{"before the call", learn(t, story(40, 3*ms, ms, ms, "")), []string{
			"E1 enter f send E2: slower, own time",
			"E1 exit f receive E2: slower, earlier step",
			"E1 exit main: slower, earlier step",
		}},
		{"after the call, for the better", learn(t, story(40, ms, ms, ms/2, "")), []string{"E1 exit main: faster, own time"}},
	} {
		got := detected(compare(base, []*run{c.cand}))
		slices.Sort(got[min(len(got), 1):]) // of the steps that only carry the delay on the order is of no matter
		slices.Sort(c.want[min(len(c.want), 1):])
		expect.Slice(t, got, c.want, "%s", c.name)
	}
}

// A step that only the candidate takes appeared; the other way round it vanished.
func TestStepsThatOneSideLacks(t *testing.T) {
	without, with := learn(t, story(20, ms, ms, ms, "")), learn(t, story(20, ms, ms, ms, "log"))
	for verdict, all := range map[string][]schema.Change{
		schema.Appeared: compare([]*run{without}, []*run{with}),
		schema.Vanished: compare([]*run{with}, []*run{without}),
	} {
		found := 0
		for _, c := range all {
			if strings.HasSuffix(c.Subject, " log") {
				found++
				expect.Equal(t, c.Verdict, verdict, "%s", c.Subject)
			}
		}
		expect.Equal(t, found, 2, "steps of log")
	}
}
