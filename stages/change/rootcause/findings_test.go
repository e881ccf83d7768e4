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
	var g greatest
	for _, ns := range []int64{-100_000, 1000, 999, -999} {
		g.add(ns, 0, 0, true)
	}
	expect.Equal(t, g.isMinor(1000), false, "a hundredth")
	expect.Equal(t, g.isMinor(999), true, "less")
	expect.Equal(t, g.isMinor(-999), true, "of the other direction")
}

// A change whose interval holds 0 hides no finding that is sure, and one that may be chance none that is clear; where there is none of these, all count.
func TestUnsureEffectsHideNothing(t *testing.T) {
	type added struct {
		effect, lo, hi int64
		clear          bool
	}
	unsure, slower := added{1_397_000, -2_563_000, 5_623_000, true}, added{9500, 5500, 14_100, true}
	touches, tiny := added{-1_397_000, -2_794_000, 0, true}, added{2_000_000, 1, 3_999_999, true}
	gone, chance := added{-1_200_000, -1_300_000, -1_100_000, true}, added{2_000_000, 1_000_000, 3_000_000, false}
	for _, c := range []struct {
		found []added
		want  bool // of the last one
	}{
		{[]added{unsure, slower}, false}, {[]added{touches, slower}, false}, {[]added{tiny, slower}, true}, {[]added{unsure, gone, slower}, true},
		{[]added{unsure, {900, 0, 0, true}}, true}, {[]added{chance, slower}, false}, {[]added{chance, {9500, 5500, 14_100, false}}, true},
	} {
		var g greatest
		for _, a := range c.found {
			g.add(a.effect, a.lo, a.hi, a.clear)
		}
		expect.Equal(t, g.isMinor(c.found[len(c.found)-1].effect), c.want, "%+v is minor", c.found)
	}
}

// A function that is found, but not at the rate of what comes first, stands behind a small one that is; unless it carries most of
// the difference of the root executions.
func TestWhatMayBeChanceComesLater(t *testing.T) {
	chance, sure := .01, 1e-6
	sheetOf := func() (s sheet) {
		between(s.function("app", "wanders", 2000, 2200), 100, 300).Q = &chance
		between(s.function("app", "known", 60, 70), 9, 11).Q = &sure
		return s
	}
	first := func(s sheet, clear float64) string {
		o := defaults()
		o.Clear = clear
		found := Find(s, o)
		expect.Equal(t, found[0].Minor, false, "the first one is minor")
		return found[0].Function
	}
	expect.Equal(t, first(sheetOf(), .005), "known", "one is clear")
	expect.Equal(t, first(sheetOf(), 0), "wanders", "any may come first")
	expect.Equal(t, first(sheetOf(), .01), "wanders", "both are clear")
	for end, want := range map[float64]string{2500: "wanders", 2700: "known", 1800: "known"} {
		s := sheetOf()
		s.fragment("app", "app.main", 2100, end)
		expect.Equal(t, first(s, .005), want, "the root execution takes 2.1 s and then %v ms", end)
	}
}

// What one side alone has was tested by no rate: its size says where it stands, and it is before the first clear finding of which less is sure.
func TestWhereOneSidedFindingsStand(t *testing.T) {
	chance, sure := .01, 1e-6
	order := func(isClear bool, appeared float64) (of []string) {
		var s sheet
		between(s.function("app", "wanders", 2000, 2200), 100, 300).Q = &chance
		if isClear {
			between(s.function("app", "known", 60, 70), 9, 11).Q = &sure
		}
		s.oneSided("app", "app.new", "enter new", "new", 0, appeared)
		between(s[len(s)-1].Change, appeared-1, appeared+1)
		o := defaults()
		o.Clear = .005
		for _, f := range Find(s, o) {
			of = append(of, f.Function)
		}
		return of
	}
	expect.Slice(t, order(false, 50), []string{"wanders", "new"}, "none is clear, and a greater one is")
	expect.Slice(t, order(false, 150), []string{"new", "wanders"}, "none is clear")
	expect.Slice(t, order(true, 50), []string{"new", "known", "wanders"}, "beside a smaller one that is clear")
	expect.Slice(t, order(true, 8), []string{"known", "wanders", "new"}, "beside a greater one that is clear")
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
