package rootcause

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// between sets the interval of a change, in ms.
func between(c *schema.Change, lo, hi float64) *schema.Change {
	c.EffectLoNs, c.EffectHiNs = whole(lo*ms), whole(hi*ms)
	return c
}

// Findings stand in the order of what is sure of them: an estimate of 10 ms that may be 1 ms comes behind 5 ms that are known. Where an
// interval holds 0, nothing is sure; then the effects decide.
func TestTheGreatestSureEffectFirst(t *testing.T) {
	var s sheet
	between(s.function("app", "wanders", 20, 30), 1, 19)
	between(s.function("app", "known", 20, 25), 4.9, 5.1)
	between(s.function("app", "faster", 20, 17), -4, -2)
	between(s.function("app", "holds", 40, 52), -1, 25)
	between(s.function("app", "touches", 40, 48), 0, 16)
	finds(t, s,
		"1 regressed slower app.known +5000000 share -, 0 inherited",
		"2 improved slower app.faster -3000000 share -, 0 inherited",
		"3 regressed slower app.wanders +10000000 share -, 0 inherited",
		"4 regressed slower app.holds +12000000 share -, 0 inherited",
		"5 regressed slower app.touches +8000000 share -, 0 inherited")
}

// A finding is minor below a hundredth of the greatest.
func TestMinorFindings(t *testing.T) {
	found := markMinor([]schema.Finding{{EffectNs: -100_000}, {EffectNs: 1000}, {EffectNs: 999}, {EffectNs: -999}})
	for i, want := range []bool{false, false, true, true} {
		expect.Equal(t, found[i].Minor, want, "finding %d", i)
	}
}

// A change whose interval holds 0 hides no finding that is sure; where none is sure, all count.
func TestUnsureEffectsHideNothing(t *testing.T) {
	unsure := schema.Finding{EffectNs: 1_397_000, EffectLoNs: -2_563_000, EffectHiNs: 5_623_000}
	slower := schema.Finding{EffectNs: 9500, EffectLoNs: 5500, EffectHiNs: 14_100}
	touches := schema.Finding{EffectNs: -1_397_000, EffectLoNs: -2_794_000}
	tiny := schema.Finding{EffectNs: 2_000_000, EffectLoNs: 1, EffectHiNs: 3_999_999}
	gone := schema.Finding{EffectNs: -1_200_000, EffectLoNs: -1_300_000, EffectHiNs: -1_100_000}
	for _, c := range []struct {
		found []schema.Finding
		want  bool // of the last one
	}{
		{[]schema.Finding{unsure, slower}, false}, {[]schema.Finding{touches, slower}, false}, {[]schema.Finding{tiny, slower}, true}, {[]schema.Finding{unsure, gone, slower}, true}, {[]schema.Finding{unsure, {EffectNs: 900}}, true},
	} {
		found := markMinor(c.found)
		expect.Equal(t, found[len(found)-1].Minor, c.want, "%+v is minor", c.found)
	}
}

// What a finding of a function says of its calls, and where the function was before, is what was found of the function.
func TestWhatAFunctionSays(t *testing.T) {
	var s sheet
	s.fragment("app", "app.main", 10, 14)
	s.own("app", "app.main", "exit f", "f", 10, 14)
	ratio, share, each := 1.23, .025, int64(3*ms)
	c := s.function("app", "f", 10, 14)
	c.Statement, c.StatementRatio, c.StatementShare, c.StatementNs, c.MovedFrom = "mean", &ratio, &share, &each, "old.f"
	f := Find(s, defaults())[0]
	expect.Equal(t, f.Statement, "mean", "statement")
	expect.Equal(t, f.MovedFrom, "old.f", "where it was")
	if f.StatementRatio != &ratio || f.StatementShare != &share || f.StatementNs != &each {
		t.Errorf("the finding says %v, %v, %v", f.StatementRatio, f.StatementShare, f.StatementNs)
	}
}

// A difference is one of time, of calls, or of both where neither is less than a quarter of the two together.
func TestKindsOfDifferences(t *testing.T) {
	for _, c := range []struct {
		base, cand Run // costs in ms
		want       string
	}{
		{Run{100, 10}, Run{140, 10}, schema.KindSlower},
		{Run{100, 10}, Run{140, 14}, schema.KindCalled},
		{Run{100, 10}, Run{144, 12}, schema.KindBoth},
		{Run{100, 10}, Run{160, 11}, schema.KindSlower}, // 49 and 11
		{Run{100, 10}, Run{160, 15}, schema.KindCalled}, // 8.3 and 51.7
		{Run{0, 0}, Run{40, 4}, schema.KindCalled},
		{Run{100, 0}, Run{140, 0}, schema.KindSlower},
		{Run{100, 10}, Run{420, 30}, schema.KindBoth},   // 80 and 240
		{Run{100, 10}, Run{420, 14}, schema.KindBoth},   // 240 and 80
		{Run{100, 10}, Run{100, 10}, schema.KindSlower}, // none of both
	} {
		g := &costChange{Subject: &Subject{Change: &schema.Change{Verdict: schema.Regressed}}, base: c.base, cand: c.cand}
		g.diffNs = g.cand.CostNs - g.base.CostNs
		expect.Equal(t, (&cause{head: g, parts: []*costChange{g}}).kindOf(), c.want, "%v -> %v", c.base, c.cand)
	}
}
