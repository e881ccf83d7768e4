package verdicts_test

import (
	"math"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/testdata/expect"
)

const ms, us = 1e6, 1e3

// verdictCases stand beside a crowd of steps whose runs differ by 2 %.
var verdictCases = []struct {
	name           string
	of             verdicts.Observed
	want, quantity string
}{
	{"longer by a third", once(30*ms, 31*ms, 29*ms, 40*ms, 41*ms, 39*ms), schema.Regressed, schema.QuantityCost},
	{"shorter by a third", once(30*ms, 31*ms, 29*ms, 20*ms, 21*ms, 19*ms), schema.Improved, schema.QuantityCost},
	{"longer by 1 %, within the margin of 5 %", once(30*ms, 30.1*ms, 29.9*ms, 30.3*ms, 30.4*ms, 30.2*ms), schema.Unchanged, schema.QuantityCost},
	{"ten times longer, but 9 us", once(us, us, us, 10*us, 10*us, 10*us), schema.Unchanged, schema.QuantityCost},
	{"ten times longer, by 27 us", once(3*us, 3*us, 3*us, 30*us, 30*us, 30*us), schema.Regressed, schema.QuantityCost},
	{"runs differ too much to tell", once(20*ms, 35*ms, 29*ms, 45*ms, 24*ms, 33*ms), schema.Undetermined, ""},
	{"one slow run of three says nothing", once(30*ms, 30*ms, 30*ms, 30*ms, 30*ms, 300*ms), schema.Undetermined, ""},
	{"called ten times instead of five times", calls(5, 10, ms), schema.Regressed, schema.QuantityCost},
	{"called ten times instead of five times, for nothing", calls(5, 10, 50), schema.CountChanged, schema.QuantityCount},
	{"a new step", step(0, 0, 0, 30*ms, 30*ms, 30*ms), schema.Appeared, ""},
	{"a step no more taken", step(30*ms, 30*ms, 30*ms, 0, 0, 0), schema.Vanished, ""},
	{"a step that runs take now and then", step(0, 30*us, 0, 0, 0, 35*us), schema.Undetermined, ""},
	{"reached 3 ms later by another step's doing", reached(once(ms, ms, ms, ms, ms, ms), 7*ms, 10*ms), schema.Later, schema.QuantityArrival},
	{"reached 3 ms sooner", reached(once(ms, ms, ms, ms, ms, ms), 10*ms, 7*ms), schema.Sooner, schema.QuantityArrival},
	{"longer and reached later", reached(once(ms, ms, ms, 2*ms, 2*ms, 2*ms), 7*ms, 10*ms), schema.Regressed, schema.QuantityCost},
	{"nothing ever", once(0, 0, 0, 0, 0, 0), schema.Unchanged, schema.QuantityCost},
	{"the same, but wider", wider(20 * ms), schema.ShapeChanged, schema.QuantityShape},
	{"longer and wider: what it costs comes first", longer(wider(20*ms), 1.5), schema.Regressed, schema.QuantityCost},
	{"wider and more often, at the same cost: its times come before its number", moreOften(wider(20 * ms)), schema.ShapeChanged, schema.QuantityShape},
	{"more often, for nothing, and later: its number comes before its arrival", reached(calls(5, 10, 50), 7*ms, 10*ms), schema.CountChanged, schema.QuantityCount},
	{"the typical call is longer, and all together take a little more", inTotal(longer(times(200, ms, ms*1.001, ms*.999, ms, ms*1.001, ms*.999), 1.5), 1.04/1.5), schema.Regressed, schema.QuantityLocation},
	{"the typical call is longer, and all together take a little less", inTotal(longer(times(200, ms, ms*1.001, ms*.999, ms, ms*1.001, ms*.999), 1.5), .98/1.5), schema.ShapeChanged, schema.QuantityLocation},
	{"a step that two of three runs took, and none takes now", step(30*us, 0, 35*us, 0, 0, 0), schema.Undetermined, ""},
	{"a step that no run took, and two of three take now", step(0, 0, 0, 30*us, 0, 35*us), schema.Undetermined, ""},
}

// calls is a step that the candidate takes another number of times, each for the same time.
func calls(base, cand, ns float64) verdicts.Observed {
	o := verdicts.Observed{Level: schema.LevelTransition, Component: "c"}
	for i := range 6 {
		n := base
		if i >= 3 {
			n = cand
		}
		o.Runs = append(o.Runs, run(n, ns))
	}
	return o
}

// reached is a step that the sides reach at these times after the start of the fragment.
func reached(o verdicts.Observed, base, cand float64) verdicts.Observed {
	for i := range o.Runs {
		if o.Runs[i].ArrivalNs = base; i >= 3 {
			o.Runs[i].ArrivalNs = cand
		}
	}
	return o
}

// step is a step that runs without time do not take.
func step(ns ...float64) verdicts.Observed {
	o := once(ns...)
	for i, v := range ns {
		if v == 0 {
			o.Runs[i] = verdicts.Run{}
		}
	}
	return o
}

// wider is a step that the candidate takes for times that lie further apart, with the same total.
func wider(ns float64) verdicts.Observed {
	o := times(200, ns, ns*1.001, ns*.999, ns, ns*1.001, ns*.999)
	for _, r := range o.Runs[3:] {
		for i, p := range verdicts.Quantiles {
			r.Quantiles[i] *= 1 + (p - .5)
		}
	}
	return o
}

// longer has the candidate's times multiplied.
func longer(o verdicts.Observed, by float64) verdicts.Observed {
	for i, r := range o.Runs[3:] {
		o.Runs[3+i].TotalNs *= by
		for k := range r.Quantiles {
			r.Quantiles[k] *= by
		}
	}
	return o
}

// inTotal has the totals of the candidate multiplied, and the times of its typical calls left as they are.
func inTotal(o verdicts.Observed, by float64) verdicts.Observed {
	for i := range o.Runs[3:] {
		o.Runs[3+i].TotalNs *= by
	}
	return o
}

// TestIdleTimeIsNeitherWorseNorBetter checks the words for metrics of time in which a component does not work.
func TestIdleTimeIsNeitherWorseNorBetter(t *testing.T) {
	for _, c := range []struct{ metric, verdict, want string }{
		{"downtime", schema.Regressed, schema.Longer}, {"blocked", schema.Improved, schema.Shorter}, {"fcn_wait", schema.Regressed, schema.Longer},
		{"waited", schema.Unchanged, schema.Unchanged}, {"component_down", schema.ShapeChanged, schema.ShapeChanged},
		{"runtime", schema.Regressed, schema.Regressed}, {"sync_handling", schema.Improved, schema.Improved}, {"", schema.Regressed, schema.Regressed},
	} {
		got := verdicts.OfMetric(c.metric, c.verdict)
		expect.Equal(t, got, c.want, "%s of %s", c.verdict, c.metric)
		expect.Equal(t, verdicts.IsChange(got), verdicts.IsChange(c.verdict), "whether %s is a change", got)
	}
}

// moreOften has the candidate take a step twice as often, at the same cost.
func moreOften(o verdicts.Observed) verdicts.Observed {
	for i := range o.Runs[3:] {
		o.Runs[3+i].Count *= 2
	}
	return o
}

// TestMinority checks how many runs of a side are drawn in that lie far from all others: of four runs one, so that two which
// take twice as long count whole.
func TestMinority(t *testing.T) {
	s := sides(4, 4)
	subject := times(2, 15*ms, 15*ms, 15*ms, 15*ms, 15*ms, 15*ms, 30*ms, 30*ms)
	got := judge(s, append(crowd(random(7), s, 200, .02), subject)...)[200]
	if want := 30 * ms * math.Sqrt2; math.Abs(got.CandNs-want) > us {
		t.Errorf("the candidate costs %.0f ns, want %.0f: the geometric mean of all four runs", got.CandNs, want)
	}
}

func TestVerdicts(t *testing.T) {
	s := sides(3, 3)
	for _, c := range verdictCases {
		got := judge(s, append(crowd(random(7), s, 200, .02), c.of)...)[200]
		if got.Verdict != c.want || got.Quantity != c.quantity {
			t.Errorf("%s: %s by %q, want %s by %q (%+v)", c.name, got.Verdict, got.Quantity, c.want, c.quantity, got.Estimates)
		}
		expect.Equal(t, got.RunsNeeded > 0, got.Verdict == schema.Undetermined, "%s: %s needs %d runs", c.name, got.Verdict, got.RunsNeeded)
	}
}

// The figures of a step that takes 30 ms and then 40 ms: the cost is that of the typical run, the geometric mean.
func TestFigures(t *testing.T) {
	s := sides(3, 3)
	subject := times(2, 15*ms, 15*ms, 15*ms, 20*ms, 20*ms, 20*ms)
	got := judge(s, append(crowd(random(7), s, 200, .02), subject)...)[200]
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1 {
			t.Errorf("%s: %.1f, want %.1f", what, got, want)
		}
	}
	near("base", got.BaseNs, 30*ms)
	near("cand", got.CandNs, 40*ms)
	near("effect", got.EffectNs, 10*ms)
	near("count", got.CountBase, 2)
	if !(got.LoNs < 10*ms && got.HiNs > 10*ms && got.LoNs > 8.5*ms && got.HiNs < 11.5*ms) {
		t.Errorf("interval %.0f to %.0f", got.LoNs, got.HiNs)
	}
	// log(20.001/15.001) has the same sign and size whatever the roots are.
	s.Roots = []float64{2, 2, 2, 2, 2, 2}
	half := judge(s, append(crowd(random(7), s, 200, .02), subject)...)[200]
	near("effect of two root executions", half.EffectNs, 5*ms)
}

// Two runs per side, or one, make no verdict.
func TestCandidates(t *testing.T) {
	for _, c := range []struct {
		name  string
		sides verdicts.Sides
	}{{"one against one", sides(1, 1)}, {"two against two", sides(2, 2)}, {"five against one", sides(5, 1)}} {
		r := random(3)
		subjects := append(crowd(r, c.sides, 300, .03), noisy(r, c.sides, 10*ms, .01, 3), noisy(r, c.sides, 10*ms, .01, 1))
		all := judge(c.sides, subjects...)
		if got := all[300]; got.Verdict != schema.Candidate || got.Quantity != schema.QuantityCost || got.EffectNs < 15*ms {
			t.Errorf("%s: %s of %.0f by %q, p %g, q %g", c.name, got.Verdict, got.EffectNs, got.Quantity, got.P, got.Q)
		}
		stray := 0
		for i, j := range all {
			switch {
			case j.Verdict == schema.Candidate && i != 300:
				stray++
			case j.Verdict != schema.Candidate && j.Verdict != schema.Undetermined:
				t.Errorf("%s: a verdict, %s", c.name, j.Verdict)
			}
		}
		if stray > 30 { // a tenth of all: the rate of false candidates is not promised
			t.Errorf("%s: %d candidates in noise", c.name, stray)
		}
	}
}

// What is reached later stands out as well, but by nothing of its own.
func TestCandidatesThatArriveLater(t *testing.T) {
	s := sides(3, 1)
	subjects := crowd(random(3), s, 100, .03)
	late := once(ms, ms, ms, ms)
	for i, ns := range []float64{10 * ms, 10.1 * ms, 9.9 * ms, 30 * ms} {
		late.Runs[i].ArrivalNs = ns
	}
	if got := judge(s, append(subjects, late)...)[100]; got.Verdict != schema.Candidate || got.Quantity != schema.QuantityArrival {
		t.Errorf("%s by %q", got.Verdict, got.Quantity)
	}
}

// Older runs show how much runs differ, so that one against one has something to go by.
func TestOlderRuns(t *testing.T) {
	quiet, loud := sides(1, 1), sides(1, 1)
	quiet.Noise, loud.Noise = []int{2, 3, 4}, []int{2, 3, 4}
	subjects := slices.Clip(crowd(random(3), quiet, 200, .03))
	calm := append(subjects, once(10*ms, 12*ms, 10*ms, 10.1*ms, 9.9*ms))
	wild := append(subjects, once(10*ms, 12*ms, 30*ms, 3*ms, 10*ms))
	if got := judge(quiet, calm...)[200]; got.Verdict != schema.Candidate {
		t.Errorf("beside calm runs: %s, q %g", got.Verdict, got.Q)
	}
	if got := judge(loud, wild...)[200]; got.Verdict != schema.Undetermined {
		t.Errorf("beside wild runs: %s, q %g", got.Verdict, got.Q)
	}
}

// Runs that were recorded in pairs are compared in pairs: what pairs have in common is no noise.
func TestBlocks(t *testing.T) {
	s := sides(4, 4)
	subjects := crowd(random(5), s, 200, .02)
	subjects = append(subjects, once(10*ms, 20*ms, 40*ms, 80*ms, 12*ms, 24*ms, 48*ms, 96*ms))
	expect.Equal(t, judge(s, subjects...)[200].Verdict, schema.Undetermined, "without pairs")
	s.Blocks = []int{0, 1, 2, 3, 0, 1, 2, 3}
	if got := judge(s, subjects...)[200]; got.Verdict != schema.Regressed || math.Abs(got.EffectNs/got.BaseNs-.2) > .01 {
		t.Errorf("in pairs: %s by %.3f", got.Verdict, got.EffectNs/got.BaseNs)
	}
}

// A subject that only some blocks have, such as a function that one scenario calls, is decided by these blocks: the others
// neither dilute its effect nor its noise.
func TestBlocksWithoutTheSubject(t *testing.T) {
	s := sides(6, 6)
	s.Blocks = []int{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}
	subjects := crowd(random(6), s, 200, .02)
	absent := once(10*ms, 10.1*ms, 9.9*ms, 0, 0, 0, 12*ms, 12.1*ms, 11.9*ms, 0, 0, 0)
	for _, run := range []int{3, 4, 5, 9, 10, 11} {
		absent.Runs[run] = verdicts.Run{}
	}
	got := judge(s, append(subjects, absent)...)[200]
	if got.Verdict != schema.Regressed || math.Abs(got.BaseNs/1e6-10) > .1 || math.Abs(got.EffectNs/got.BaseNs-.2) > .01 {
		t.Errorf("%s from %.3f ms by %.3f", got.Verdict, got.BaseNs/1e6, got.EffectNs/got.BaseNs)
	}
}
