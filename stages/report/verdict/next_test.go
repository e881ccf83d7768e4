package verdict

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestNextRuns looks at a run that is neither short nor long, and for calls that are gone at one of the side that has them.
func TestNextRuns(t *testing.T) {
	c := sides(3, 3)
	c.Runs = make(map[string]schema.Run)
	for i, ns := range []int64{50, 10, 40} {
		c.Runs[c.Base[i]] = schema.Run{DurationNs: ns}
		c.Runs[c.Cand[i]] = schema.Run{DurationNs: 100 - ns}
	}
	run := func(f schema.Finding) string {
		for _, line := range New(c, nil, []schema.Finding{f}).nextSteps() {
			if _, rest, is := strings.Cut(line, "callers-of --param run="); is {
				name, _, _ := strings.Cut(rest, " ")
				return name
			}
		}
		return ""
	}
	slower := cause(1, schema.Regressed, "f", 500)
	slower.CountBase, slower.CountCand, slower.SlowerNs = 5, 4, 500_000
	expect.Equal(t, run(slower), "c3", "slower calls, of which there are fewer")
	fewer := cause(1, schema.Improved, "f", -500)
	fewer.CountBase, fewer.CountCand, fewer.CalledNs = 5, 1, -500_000
	expect.Equal(t, run(fewer), "b3", "fewer calls")
	more := cause(1, schema.Regressed, "f", 500)
	more.CountBase, more.CountCand, more.CalledNs = 1, 5, 500_000
	expect.Equal(t, run(more), "c3", "more calls")
	gone := cause(1, schema.Vanished, "f", -500)
	expect.Equal(t, run(gone), "b3", "a function that is gone")
	c.Runs = nil
	expect.Equal(t, run(slower), "c1", "runs of which nothing is known")
}

// TestStepOfWhole says both of a finding that a step names and whose figures are those of all calls.
func TestStepOfWhole(t *testing.T) {
	base, effect := int64(56_732), int64(-12_908)
	f := cause(1, schema.Improved, "operate", 0)
	f.EffectNs = -29_185
	f.Component, f.BaseNs, f.Rank, f.Subject, f.Fragment, f.CountBase, f.CountCand = "tool", base, 4, "enter write send to lib", "tool.operate", 1, 1
	f.Level, f.SlowerNs = schema.LevelTransition, -29_185
	whole := schema.Change{Level: schema.LevelFunction, Component: "tool", Function: "operate", CostBaseNs: &base, Rank: 9}
	step := schema.Change{Level: schema.LevelTransition, Component: "tool", Function: "operate", Subject: f.Subject, EffectNs: &effect, Rank: 4}
	half := .5
	f.Statement, f.StatementRatio = schema.EachCall, &half
	r := New(sides(3, 3), []schema.Change{step, whole}, []schema.Finding{f})
	expect.Equal(t, r.happening(&r.findings[0]), "own time of all calls of operate, -12.9 us of it where write calls lib in tool.operate", "less than half of it")
	expect.Equal(t, r.reason(&r.findings[0]), "each call takes half as long: -29.2 us by faster calls (1 call)", "reason")
	effect = -40_000
	expect.Equal(t, r.happening(&r.findings[0]), "own time of all calls of operate, mostly where write calls lib in tool.operate", "most of it")
	r = New(sides(3, 3), []schema.Change{step}, []schema.Finding{f})
	expect.Equal(t, r.happening(&r.findings[0]), "write calls lib in tool.operate", "of the step alone")
}
