package rootcause

import (
	"fmt"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// The costs of a function are those of its typical run, which lack what all functions of a run share; those of a step are the means of
// the runs. Without runs, and without an effect, what is known stands in.
func TestCostsOfASubject(t *testing.T) {
	runs := func(costs ...float64) (of []Run) {
		for _, c := range costs {
			of = append(of, Run{CostNs: c, Count: 2})
		}
		return of
	}
	ns := func(x float64) *int64 { return whole(x) }
	for _, c := range []struct {
		what string
		of   Subject
		want string
	}{
		{"a step", Subject{Base: runs(100, 140), Cand: runs(300, 320), Change: &schema.Change{
			Level: schema.LevelTransition, CostBaseNs: ns(110), CostCandNs: ns(290), EffectNs: ns(180), EffectLoNs: ns(150), EffectHiNs: ns(210)}},
			"120/2 310/2 190, 180 (150 to 210)"},
		{"a function", Subject{Base: runs(100, 140), Cand: runs(300, 320), Change: &schema.Change{
			Level: schema.LevelFunction, CostBaseNs: ns(110), CostCandNs: ns(290), EffectNs: ns(180), EffectLoNs: ns(150), EffectHiNs: ns(210)}},
			"110/2 290/2 180, 180 (150 to 210)"},
		{"a new function", Subject{Cand: runs(300, 320), Change: &schema.Change{
			Level: schema.LevelFunction, CostCandNs: ns(290), EffectNs: ns(290), EffectLoNs: ns(250), EffectHiNs: ns(330)}},
			"0/0 290/2 290, 290 (250 to 330)"},
		{"a function that is gone", Subject{Base: runs(300, 320), Change: &schema.Change{
			Level: schema.LevelFunction, CostBaseNs: ns(290), EffectNs: ns(-290)}},
			"290/2 0/0 -290, -290 (-290 to -290)"},
		{"a function without an effect", Subject{Base: runs(100, 140), Cand: runs(300, 320), Change: &schema.Change{
			Level: schema.LevelFunction, CostBaseNs: ns(110), CostCandNs: ns(290)}},
			"120/2 310/2 190, 190 (190 to 190)"},
		{"a step of unknown runs", Subject{Change: &schema.Change{Level: schema.LevelTransition, CostCandNs: ns(290)}},
			"0/0 290/0 290, 290 (290 to 290)"},
		{"a step of one run a side", Subject{Base: runs(100), Cand: runs(50), Change: &schema.Change{Level: schema.LevelTransition}},
			"100/2 50/2 -50, -50 (-50 to -50)"},
	} {
		g := newCostChange(&c.of)
		expect.Equal(t, fmt.Sprintf("%v/%v %v/%v %v, %v (%v to %v)", g.base.CostNs, g.base.Count, g.cand.CostNs, g.cand.Count, g.diffNs,
			g.effect, g.lo, g.hi), c.want, "%s", c.what)
	}
}

// A step is off the critical paths where both sides have paths and it is on none of them.
func TestOffPaths(t *testing.T) {
	zero, some := int64(0), int64(7)
	for _, c := range []struct {
		base, cand *int64
		want       bool
	}{{&zero, &zero, true}, {&some, &zero, false}, {&zero, &some, false}, {nil, &zero, false}, {&zero, nil, false}, {nil, nil, false}} {
		g := newCostChange(&Subject{Change: &schema.Change{CriticalBaseNs: c.base, CriticalCandNs: c.cand}})
		expect.Equal(t, g.isOffPaths(), c.want, "%v and %v", c.base, c.cand)
	}
}

// Where only short calls are gone, none of the others is slower, though a call takes longer on average.
func TestAMixIsOfCalls(t *testing.T) {
	g := costChange{Subject: &Subject{Change: &schema.Change{Statement: schema.Mix}}, base: Run{1200, 1200}, cand: Run{600, 300}, diffNs: -600}
	if slower, called := g.splitDifference(); slower != 0 || called != -600 {
		t.Errorf("got %v slower and %v called, want 0 and -600", slower, called)
	}
	g.Change.Statement = schema.EachCall
	if slower, called := g.splitDifference(); slower != 750 || called != -1350 {
		t.Errorf("got %v slower and %v called, want 750 and -1350", slower, called)
	}
}
