package verdict

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestOddRun names a run in which all functions took otherwise, where the others of its side agree, and the runs are of one kind.
func TestOddRun(t *testing.T) {
	with := func(factors ...float64) Comparison {
		c := sides(3, len(factors))
		for _, name := range c.Base {
			c.Factors = append(c.Factors, schema.RunFactor{Run: name, Factor: 1})
		}
		for i, factor := range factors {
			c.Factors = append(c.Factors, schema.RunFactor{Run: c.Cand[i], Factor: factor})
		}
		return c
	}
	told := " than the other runs of its side, in all functions alike: what is a mean of the runs holds a part of that. Record it again if something disturbed it, or leave it out."
	for _, c := range []struct {
		of   Comparison
		want string
	}{
		{with(1.37, 1, .98), "c1 takes 38 % longer" + told},
		{with(1, 1, 1.21, 1.02), "c3 takes 21 % longer" + told},
		{with(1, .7, 1), "c2 takes 30 % less long" + told},
		{with(1.37, 1.2, 1.05, .9), ""}, // they wander
		{with(1.19, 1, 1), ""},
		{with(1.37, 1), ""}, // of two nobody knows which
	} {
		expect.Equal(t, New(c.of, nil, nil).oddRunText(c.of.Cand), c.want, "%+v", c.of.Factors)
	}
	paired, unknown := with(1.37, 1, 1), with(1.37, 1, 1)
	paired.Blocks, unknown.Factors = []int{0, 1, 2, 0, 1, 2}, unknown.Factors[:5]
	expect.Equal(t, New(paired, nil, nil).oddRunText(paired.Cand), "", "runs within blocks")
	expect.Equal(t, New(unknown, nil, nil).oddRunText(unknown.Cand), "", "a run without a factor")
	odd := with(1.37, 1, .98)
	expect.Slice(t, New(odd, nil, nil).Strata.Warnings, []string{"c1 takes 38 % longer" + told}, "warnings")
}
