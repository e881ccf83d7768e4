package checks_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/checks"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/requirements"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/testdata/expect"
)

// randomTrace is a text of claims and events, many of them at one time, whose times count from some ms.
func randomTrace(r *rand.Rand, sinceMs int64) string {
	var text strings.Builder
	fmt.Fprintf(&text, "TU MICROSECONDS\nO %d\nR 0 9 false;name=cpu\nR 1 9 false;name=bus\nR 2 9 false;name=arm\n", sinceMs)
	at := 0
	for i := range 200 {
		at += r.IntN(4)
		if r.IntN(5) == 0 {
			fmt.Fprintf(&text, "E %d %d;name=f%d\n", i, at, r.IntN(4))
		} else {
			fmt.Fprintf(&text, "C %d %d %d %d 1;name=f%d\n", i, at, at+r.IntN(12), r.IntN(3), r.IntN(4))
		}
	}
	return text.String()
}

// randomFormula is a formula over functions, lifelines and a signal, with temporal operators of some depth.
func randomFormula(r *rand.Rand, depth int) string {
	if depth == 0 {
		return [...]string{
			fmt.Sprintf("start {function=f%d}", r.IntN(4)), fmt.Sprintf("end {function=f%d}", r.IntN(4)), fmt.Sprintf("{function=f%d, lifeline=cpu}", r.IntN(4)),
			"{lifeline=bus}", fmt.Sprintf("open >= %d", r.IntN(4)), "true",
		}[r.IntN(6)]
	}
	part, bound := func() string { return randomFormula(r, depth-1) }, fmt.Sprintf("[%d, %d] us", r.IntN(5), 5+r.IntN(30))
	return [...]string{
		"not " + part(), "(" + part() + " and " + part() + ")", "if " + part() + " then within " + bound + " " + part(), "finally " + part(),
		"during " + bound + " " + part(), "until " + part() + " within " + bound + " we have that " + part(),
	}[r.IntN(6)]
}

// inBuckets makes run b of the events of run a: the same events, in a bucket for each lifeline.
func inBuckets(t *testing.T, l *lake.Lake) {
	t.Helper()
	fingerprint := strings.Repeat("0", 64)
	s := expect.Value(l.Stage("test", lake.Run("b"), fingerprint))(t)
	m := &lake.Manifest{Table: "events", Stage: "test", Fingerprint: fingerprint}
	of := make(map[schema.Code]*schema.Events)
	var order []schema.Code
	ev := schema.NewEvents()
	expect.OK(t, l.ScanEvents(t.Context(), "a", ev, lake.ScanOptions{}, func() error {
		for i, lifeline := range ev.Lifeline {
			if of[lifeline] == nil {
				of[lifeline] = schema.NewEvents()
				of[lifeline].Names = ev.Names
				order = append(order, lifeline)
			}
			schema.AppendRows(of[lifeline], ev, i, i+1)
		}
		return nil
	}))
	for bucket, lifeline := range order {
		w := expect.Value(s.CreateTable("events", bucket, 0, of[lifeline]))(t)
		w.SetGroupRows(16)
		expect.OK(t, w.Finish(of[lifeline]))
		m.Files = append(m.Files, w.File)
	}
	if len(m.Files) < 3 {
		t.Fatal("only", len(m.Files), "buckets")
	}
	expect.OK(t, s.Commit(m))
}

// answers are the outcomes of a specification by check, in words. Times count from one.
func answers(t *testing.T, l *lake.Lake, run, text string, jobs int, memory, sinceNs int64) map[string]string {
	t.Helper()
	s := expect.Value(spec.Parse("s.etl", text))(t)
	j := &checks.Job{
		Engine: &pipeline.Engine{Lake: l, Jobs: jobs, Memory: memory}, Run: run, Spec: s, Semantics: requirements.Four, Keep: mtl.Keep{Failing: 4}, Untraced: true,
	}
	all := make(map[string]string)
	for _, o := range expect.Value(j.Check(t.Context()))(t) {
		one := fmt.Sprintln(o.Value, requirements.Four.Word(o.Verdict), o.Finite, o.Triggers, o.Failures, o.Open, o.BoundNs, o.MarginNs, o.Robustness, o.Threshold, o.LargestGapNs)
		for _, f := range o.Failing {
			one += fmt.Sprintln(f.Seq, f.TimeNs-sinceNs, f.Component, f.Function, f.DelayNs, f.ExcessNs)
		}
		all[o.Check] += one
	}
	return all
}

// TestSameAnswers asks 50 random checks about a run, and sees that nothing but the run tells the answers: neither the number of workers,
// nor the memory, nor the buckets in which events lie, nor the order of the checks, nor what else is asked, nor when the clock began.
func TestSameAnswers(t *testing.T) {
	const dayMs, seeds = 86_400_000, 3
	verdicts := make(map[string]bool)
	for seed := range uint64(seeds) {
		trace := func(sinceMs int64) string { return randomTrace(rand.New(rand.NewPCG(seed, 1)), sinceMs) }
		r := rand.New(rand.NewPCG(seed, 2))
		const signals = "signal open : wip of function\n"
		var all []string
		for i := range 50 {
			what := randomFormula(r, 1+r.IntN(3))
			if i%2 == 0 {
				what = "globally " + what
			}
			if i%10 == 1 {
				what = "forall (f : values of function) globally if start {function=f} then within 20 us end {function=f}"
			}
			all = append(all, fmt.Sprintf("check c%d : %s\n", i, what))
		}
		l, later := load(t, trace(0)), load(t, trace(dayMs))
		inBuckets(t, l)
		text := signals + strings.Join(all, "")
		want := answers(t, l, "a", text, 1, 0, 0)
		for _, one := range want {
			for v := mtl.Bad; v <= mtl.Good; v++ {
				verdicts[requirements.Four.Word(v)] = verdicts[requirements.Four.Word(v)] || strings.Contains(one, " "+requirements.Four.Word(v)+" ")
			}
		}
		expect.Deep(t, answers(t, l, "a", text, 4, 0, 0), want, "with four workers")
		expect.Deep(t, answers(t, l, "a", text, 2, 128<<20, 0), want, "with little memory")
		expect.Deep(t, answers(t, l, "b", text, 1, 0, 0), want, "of events in several buckets")
		expect.Deep(t, answers(t, later, "a", text, 1, 0, dayMs*1_000_000), want, "of a clock that began a day later")
		backwards := slices.Clone(all)
		slices.Reverse(backwards)
		expect.Deep(t, answers(t, l, "a", strings.Join(backwards, "")+signals, 1, 0, 0), want, "of checks in another order")
		for i, one := range all {
			name := fmt.Sprintf("c%d", i)
			expect.Equal(t, answers(t, l, "a", signals+one, 1, 0, 0)[name], want[name], "check %s alone", one)
		}
	}
	if len(verdicts) < 3 {
		t.Error("too few kinds of verdicts to tell:", verdicts)
	}
}

// TestSieved asks only what states are kept for at which an atom may hold, and compares with all states, which a specification with a
// signal reads. The run ends with a state that no atom asks for, of any lifeline, some time after the others: until then bounds that are
// open at the end run out, so that a sieve must keep the last row of each bucket.
func TestSieved(t *testing.T) {
	const seeds = 12
	told := 0 // checks that would say something else if the run ended with the last state that an atom asks for
	for seed := range uint64(seeds) {
		r := rand.New(rand.NewPCG(seed, 3))
		trace := randomTrace(rand.New(rand.NewPCG(seed, 1)), 0)
		at := 340 + r.IntN(300)
		ended := trace + fmt.Sprintf("C 900 %d %d %d 1;name=idle\n", at, at+r.IntN(3), r.IntN(3))
		text := ""
		for i := range 40 {
			from := r.IntN(200)
			bound, a, b := fmt.Sprintf("[%d, %d] us", from, from+r.IntN(300)), r.IntN(4), r.IntN(4)
			text += fmt.Sprintf("check c%d : globally if start {function=f%d} then %s\n", i, a, [...]string{
				fmt.Sprintf("within %s end {function=f%d, lifeline=none}", bound, b), fmt.Sprintf("within %s end {function=f%d}", bound, b),
				fmt.Sprintf("during %s not {function=f%d, lifeline=none}", bound, b), fmt.Sprintf("finally end {function=f%d}", b),
			}[r.IntN(4)])
		}
		l, short := load(t, ended), load(t, trace)
		inBuckets(t, l)
		const all = "signal open : wip of function\n"
		want, before := answers(t, l, "a", all+text, 1, 0, 0), answers(t, short, "a", all+text, 1, 0, 0)
		for name := range want {
			if want[name] != before[name] {
				told++
			}
		}
		expect.Deep(t, answers(t, l, "a", text, 1, 0, 0), want, "of states that a sieve keeps, seed %d", seed)
		expect.Deep(t, answers(t, l, "b", text, 2, 128<<20, 0), want, "of these in several buckets, seed %d", seed)
	}
	if told < 5*seeds {
		t.Errorf("only %d checks look as far as the last state", told)
	}
}
