package verdict

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// An effect without what all functions share says what the times of the runs add up to, where that is something else.
func TestPlainText(t *testing.T) {
	one, two := int64(1), int64(2)
	f := cause(1, schema.Regressed, "f", 17)
	of := func(change func(c *schema.Contribution)) string {
		c := schema.Contribution{Component: "lib", Function: "f", Verdict: schema.Regressed, Finding: &one, BaseNs: 22_700, CandNs: 45_200, CommonNs: 4_100}
		change(&c)
		r := &Report{Comparison: Comparison{Contributions: []schema.Contribution{{Component: "lib", Function: "e", Finding: &one, Verdict: schema.Regressed}, c}}}
		return r.plainText(&f)
	}
	for _, c := range []struct {
		name   string
		change func(c *schema.Contribution)
		want   string
	}{
		{"both", func(*schema.Contribution) {}, "; plain means are 22.7 us -> 45.2 us, +22.5 us: +4.10 us of it all functions share, +1.40 us is of single runs"},
		{"shared alone", func(c *schema.Contribution) { c.CommonNs = 5_400 }, "; plain means are 22.7 us -> 45.2 us, +22.5 us: +5.40 us of it all functions share"},
		{"single runs alone", func(c *schema.Contribution) { c.CommonNs = 0 }, "; plain means are 22.7 us -> 45.2 us, +22.5 us: +5.50 us is of single runs"},
		{"the same", func(c *schema.Contribution) { c.CandNs = 40_500 }, ""},
		{"another function", func(c *schema.Contribution) { c.Function = "g" }, ""},
		{"another component", func(c *schema.Contribution) { c.Component = "app" }, ""},
		{"another finding", func(c *schema.Contribution) { c.Finding = &two }, ""},
		{"another verdict", func(c *schema.Contribution) { c.Verdict = schema.Undetermined }, ""},
		{"no finding", func(c *schema.Contribution) { c.Finding = nil }, ""},
	} {
		expect.Equal(t, of(c.change), c.want, "%s", c.name)
	}
	f.Kind = schema.KindDivided
	expect.Equal(t, of(func(*schema.Contribution) {}), "", "functions told apart: their figures are plain ones")
}

// TestLongestText names the longest call of each run where it makes half of a difference, of a function that is called several times.
func TestLongestText(t *testing.T) {
	one := int64(1)
	of := func(verdict string, effect, base, cand, longestBase, longestCand int64, calls float64) string {
		f := cause(1, verdict, "f", 0)
		f.EffectNs = effect
		c := schema.Contribution{Component: "lib", Function: "f", Verdict: verdict, Finding: &one, BaseNs: base, CandNs: cand,
			LongestBaseNs: longestBase, LongestCandNs: longestCand, CallsBase: calls, CallsCand: calls}
		return (&Report{Comparison: Comparison{Contributions: []schema.Contribution{c}}}).longestText(&f)
	}
	for _, c := range []struct{ name, got, want string }{
		{"27.5 of 36.1 us", of(schema.Regressed, 33_500, 25_100, 61_200, 4_000, 31_500, 10), "; one call a run, the longest, makes +27.5 us of it"},
		{"a call that is gone", of(schema.Improved, -21_400, 30_700, 8_600, 22_200, 3_000, 54), "; one call a run, the longest, makes -19.2 us of it"},
		{"of what is new", of(schema.Appeared, 39_700, 0, 39_700, 0, 27_000, 9), "; one call a run, the longest, makes +27.0 us of it"},
		{"half", of(schema.Regressed, 20_000, 0, 20_000, 0, 10_000, 10), "; one call a run, the longest, makes +10.0 us of it"},
		{"less than half", of(schema.Regressed, 20_000, 0, 20_000, 0, 9_999, 10), ""},
		{"less than half of the effect", of(schema.Regressed, 20_001, 0, 15_000, 0, 10_000, 10), ""},
		{"the other way", of(schema.Regressed, 20_000, 10_000, 30_000, 20_000, 5_000, 10), ""},
		{"few calls", of(schema.Regressed, 20_000, 0, 20_000, 0, 19_000, 3), ""},
		{"unknown", of(schema.Regressed, 20_000, 10_000, 30_000, 0, 0, 10), ""},
	} {
		expect.Equal(t, c.got, c.want, "%s", c.name)
	}
}
