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
