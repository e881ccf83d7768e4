package samplechanges_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/testdata/expect"
)

var pathPart = samplechanges.Subject{Level: schema.LevelCriticalPath, Component: "c", Fragment: "c.loop", Subject: "execution c.f"}

// on is a side whose runs spend so much time in a part, with an occurrence for each that is not 0.
func on(totals ...int64) samplechanges.PathSide {
	s := samplechanges.PathSide{TotalNs: totals}
	for _, ns := range totals {
		if ns != 0 {
			s.Occurrences++
		}
	}
	return s
}

func TestVerdictsOnPaths(t *testing.T) {
	for _, c := range []struct {
		name       string
		base, cand samplechanges.PathSide
		method     sampletests.Method
		want       string
	}{
		{"the same", on(5 * ms), on(5 * ms), sampletests.DYN, schema.Unchanged},
		{"one run: a twentieth more", on(5 * ms), on(5*ms + ms/4), sampletests.DYN, schema.Unchanged},
		{"one run: more than the absolute threshold", on(500 * ms), on(507 * ms), sampletests.DYN, schema.Slower},
		{"one run: the absolute threshold", on(500 * ms), on(506 * ms), sampletests.DYN, schema.Slower},
		{"one run: one ns less", on(500 * ms), on(506*ms - 1), sampletests.DYN, schema.Unchanged},
		{"one run: twice as much", on(ms), on(2 * ms), sampletests.DYN, schema.Slower},
		{"one run: half", on(2 * ms), on(ms), sampletests.DYN, schema.Faster},
		{"one run: twice as much, below the guard", on(ms / 100), on(ms / 50), sampletests.DYN, schema.Unchanged},
		{"one run: rel alone knows no guard", on(ms / 100), on(ms / 50), sampletests.REL, schema.Slower},
		{"one run: abs alone knows no ratio", on(ms), on(2 * ms), sampletests.ABS, schema.Unchanged},
		{"one run: no test of distributions", on(ms), on(2 * ms), sampletests.KS, schema.Slower},
		{"one run against three", on(ms), on(2*ms, 2*ms, 2*ms), sampletests.MWU, schema.Slower},
		{"appeared", on(0), on(ms), sampletests.DYN, schema.Appeared},
		{"vanished", on(ms), on(0), sampletests.DYN, schema.Vanished},
		{"a path that now and then takes another way", on(0), on(ms / 20), sampletests.DYN, schema.Unchanged},
		{"runs: a twentieth more", on(50*ms, 51*ms, 52*ms, 53*ms), on(54*ms, 55*ms, 56*ms, 57*ms), sampletests.DYN, schema.Slower},
		{"runs: noise", on(50*ms, 51*ms, 52*ms, 53*ms), on(53*ms, 50*ms, 51*ms+1, 52*ms), sampletests.KS, schema.Unchanged},
		{"runs: in some only", on(0, 0, 0, 0), on(0, 2*ms, 0, 2*ms), sampletests.DYN, schema.Appeared},
	} {
		o := options
		o.Method = c.method
		got := samplechanges.NewJudge(o).ComparePaths(pathPart, c.base, c.cand)
		expect.Equal(t, got.Verdict, c.want, "%s", c.name)
		if single := min(len(c.base.TotalNs), len(c.cand.TotalNs)) < 2; single && (got.FiredKs || got.FiredMwu || got.FiredShift) {
			t.Errorf("%s: a test of distributions fired on one run", c.name)
		}
	}
}

func TestFiguresOfAPath(t *testing.T) {
	c := samplechanges.NewJudge(options).ComparePaths(pathPart, on(10, 30, 0), on(80, 40))
	for _, f := range []struct {
		name      string
		got, want int64
	}{
		{"occurrences base", c.NBase, 2}, {"occurrences cand", c.NCand, 2}, {"runs base", c.RunsBase, 3}, {"runs cand", c.RunsCand, 2},
		{"total base", c.TotalBaseNs, 40}, {"total cand", c.TotalCandNs, 120}, {"min base", *c.MinBaseNs, 0}, {"max cand", *c.MaxCandNs, 80},
		{"mean base", *c.MeanBaseNs, 13}, {"mean cand", *c.MeanCandNs, 60}, {"impact", c.ImpactNs, 47}, {"abs", c.AbsNs, 47},
	} {
		expect.Equal(t, f.got, f.want, "%s", f.name)
	}
	if c.StepBaseNs != nil || c.RootCause != "" || c.Method != "dyn" {
		t.Errorf("step %v, cause %q, method %q", c.StepBaseNs, c.RootCause, c.Method)
	}
}

// Swapped sides have the opposite verdict and impact, and a side is no change to itself.
func TestSwappedPaths(t *testing.T) {
	opposite := map[string]string{
		schema.Slower: schema.Faster, schema.Faster: schema.Slower, schema.Appeared: schema.Vanished, schema.Vanished: schema.Appeared,
		schema.Changed: schema.Changed, schema.Unchanged: schema.Unchanged,
	}
	r := rand.New(rand.NewPCG(1, 2))
	draw := func() samplechanges.PathSide {
		totals := make([]int64, 1+r.IntN(4))
		for i := range totals {
			totals[i] = r.Int64N(2) * r.Int64N(20*ms)
		}
		return on(totals...)
	}
	seen := make(map[string]int)
	for range 500 {
		a, b := draw(), draw()
		there, back := samplechanges.NewJudge(options).ComparePaths(pathPart, a, b), samplechanges.NewJudge(options).ComparePaths(pathPart, b, a)
		if back.ImpactNs != -there.ImpactNs || back.Verdict != opposite[there.Verdict] {
			t.Fatalf("%v to %v: %s by %d, back: %s by %d", a, b, there.Verdict, there.ImpactNs, back.Verdict, back.ImpactNs)
		}
		if same := samplechanges.NewJudge(options).ComparePaths(pathPart, a, a); same.Verdict != schema.Unchanged || same.ImpactNs != 0 {
			t.Fatalf("%v to itself: %s by %d", a, same.Verdict, same.ImpactNs)
		}
		seen[there.Verdict]++
	}
	if len(seen) < 5 {
		t.Errorf("only %v were drawn", seen)
	}
}

// Parts of critical paths stand after all else, whatever their impact.
func TestRankOfPaths(t *testing.T) {
	list := []*schema.Change{
		{Level: schema.LevelCriticalPath, Subject: "d", Verdict: schema.Unchanged, ImpactNs: 5000},
		{Level: schema.LevelCriticalPath, Subject: "c", Verdict: schema.Slower, ImpactNs: 2000},
		{Level: schema.LevelTransition, Subject: "b", Verdict: schema.Unchanged},
		{Level: schema.LevelTransition, Subject: "a", Verdict: schema.Slower, RootCause: samplechanges.OwnTime, ImpactNs: 1},
	}
	samplechanges.Rank(list)
	order := ""
	for _, c := range list {
		order += c.Subject
	}
	expect.Equal(t, order, "abcd", "order")
}
