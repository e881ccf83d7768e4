package reconciliation

import (
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestExclusionContradicts reads specifications that only an exclusion contradicts, and one that it does not.
func TestExclusionContradicts(t *testing.T) {
	for _, c := range []struct{ constraints, one, two, want string }{
		{"Precedence f <= g Precedence g <= f Exclusion f # g", "f", "g",
			"the traces and what orders them contradict each other: f[1] of one before or with g[1] of two (f <= g, main.lc:1:48); " +
				"g[1] of two before or with f[1] of one (g <= f, main.lc:1:66); " +
				"so event 0 of one and event 0 of two are one, but their clocks exclude each other (f # g, main.lc:1:71)"},
		{"Synchronizes h = g Precedence f <= g Precedence h <= f Exclusion f # g", "f", "g+h",
			"the traces and what orders them contradict each other: f[1] of one before or with g[1] of two (f <= g, main.lc:1:67); " +
				"h[1] of two before or with f[1] of one (h <= f, main.lc:1:85); " +
				"so event 0 of one and event 0 of two are one, but their clocks exclude each other (f # g, main.lc:1:90)"},
		{"Exclusion f # g", "f+g", ".",
			"the traces and what orders them contradict each other: clocks that exclude each other both tick at event 0 of one (f # g, main.lc:1:35)"},
		{"Precedence f < g Exclusion f # g", "f . f", "g . g", ""},
	} {
		spec := specify(t, "Specification s { Clock f, g, h [ "+c.constraints+" ] }")
		m := NewModel([]*Unit{trace(t, spec, "one", c.one), trace(t, spec, "two", c.two)})
		m.Specify(spec)
		a, err := m.Arrange()
		expect.OK(t, err)
		got := ""
		if err := a.Exclude(); err != nil {
			got = err.Error()
		}
		expect.Equal(t, got, c.want, "%s", c.constraints)
	}
}
