package verdict

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// rootOf returns the run time of an initial fragment that takes 33.3 -> 33.4 ms by the mean of nine runs a side, and other figures by the test.
func rootOf(verdict string, base, cand, lo, hi int64) schema.Change {
	c, effect, one := root(verdict, 0), cand-base, 1.
	c.CostBaseNs, c.CostCandNs, c.EffectNs, c.EffectLoNs, c.EffectHiNs = &base, &cand, &effect, &lo, &hi
	c.CountBase, c.CountCand = &one, &one
	c.RunsBase, c.RunsCand, c.NBase, c.NCand, c.TotalBaseNs, c.TotalCandNs = 9, 9, 9, 9, 9*33_300_000, 9*33_400_000
	return c
}

// TestMeansAreNamed sees that the headline says which mean its figures are: of strata of 6, 27 and 67 ms the geometric one is 22.1 ms while the sides
// below say 33.3 ms a run; where runs have unlike numbers of executions, the mean of their means is another one than that of all executions.
func TestMeansAreNamed(t *testing.T) {
	for _, test := range []struct {
		of      schema.Change
		figures string // as they begin
		word    string
	}{
		{rootOf(schema.Undetermined, 33_300_400, 33_399_600, -90_000, 300_000), "mean 33.3 ms -> 33.4 ms, ", meanPlain},
		{rootOf(schema.Undetermined, 22_100_000, 22_200_000, -90_000, 300_000), "geometric mean of the runs 22.1 ms -> 22.2 ms, ", meanGeometric},
		{rootOf(schema.Undetermined, 33_300_400, 33_700_000, -90_000, 990_000), "geometric mean of the runs 33.3 ms -> 33.7 ms, ", meanGeometric}, // of one side it is the plain mean, too
		{rootOf(schema.Undetermined, 22_100_000, 22_200_000, -90_000, 290_001), "mean of the runs 22.1 ms -> 22.2 ms, ", meanOfRuns},
		{rootOf(schema.Unchanged, 22_100_000, 22_200_000, -90_000, 290_001), "geometric mean of the runs 22.1 ms -> 22.2 ms, ", meanGeometric},
	} {
		r := New(sides(9, 9), []schema.Change{test.of}, nil)
		figures := r.rootFigures(&test.of)
		expect.Equal(t, strings.HasPrefix(figures, test.figures), true, "%s", figures)
		expect.Equal(t, r.means().Roots, test.word, "the word for programs")
		expect.Equal(t, strings.HasSuffix(r.meansText(), " the mean of all its executions is 33.3 ms -> 33.4 ms."), test.word != meanPlain, "%s", r.meansText())
	}
}

// TestMeansOfNoRun sees that a side without runs, or without executions, has no mean, whatever else is known.
func TestMeansOfNoRun(t *testing.T) {
	for _, lacks := range []func(c *schema.Change){
		func(c *schema.Change) { c.RunsBase = 0 }, func(c *schema.Change) { c.RunsCand = 0 }, func(c *schema.Change) { c.NBase = 0 }, func(c *schema.Change) { c.NCand = 0 },
		func(c *schema.Change) { c.CostBaseNs = nil }, func(c *schema.Change) { c.CostCandNs = nil },
	} {
		c := rootOf(schema.Undetermined, 33_300_400, 33_399_600, -90_000, 300_000)
		lacks(&c)
		expect.Equal(t, meanOf(&c), "", "%+v", c)
	}
}

// TestSumsAreReconciled says what a run time is beside the sum of own times where either side differs by more than 2 %, and nothing where neither does.
func TestSumsAreReconciled(t *testing.T) {
	for _, c := range []struct {
		base, cand int64 // own times
		said       bool
	}{{33_300_000, 33_400_000, false}, {32_640_000, 34_060_000, false}, {32_600_000, 33_400_000, true}, {33_300_000, 34_100_000, true}, {40_000_000, 40_000_000, true}} {
		of := sides(9, 9)
		of.Contributions = []schema.Contribution{{Component: "lib", Function: "f", BaseNs: c.base, CandNs: c.cand, DifferenceNs: c.cand - c.base}}
		r := New(of, []schema.Change{rootOf(schema.Undetermined, 33_300_000, 33_400_000, -90_000, 300_000)}, nil)
		expect.Equal(t, strings.Contains(r.elapsedText(), "It differs from the sum"), c.said, "own times %d -> %d: %s", c.base, c.cand, r.elapsedText())
	}
}

// TestEveryFormatNamesItsMeans writes a report whose headline is a geometric mean in all formats: each names it, and reconciles it with the account.
func TestEveryFormatNamesItsMeans(t *testing.T) {
	of := sides(9, 9)
	of.Contributions = []schema.Contribution{{Component: "lib", Function: "f", BaseNs: 33_300_000, CandNs: 33_400_000, DifferenceNs: 100_000}}
	cost := int64(7)
	changes := []schema.Change{
		rootOf(schema.Undetermined, 22_100_000, 22_200_000, -90_000, 300_000),
		{Level: schema.LevelFunction, Component: "lib", Function: "f", CostBaseNs: &cost},
	}
	found := []schema.Finding{
		{Finding: 1, Verdict: schema.Regressed, Level: schema.LevelTransition, Component: "lib", Function: "f", BaseNs: 7, EffectNs: 9},
		{Finding: 2, Verdict: schema.Regressed, Level: schema.LevelTransition, Component: "lib", Function: "g", BaseNs: 5, EffectNs: 8},
	}
	r := New(of, changes, found)
	for format, wants := range map[string][]string{
		Text:     {"geometric mean of the runs 22.1 ms", "the mean of the baseline and", "of single steps geometric means", "the mean of all its executions"},
		Markdown: {"geometric mean of the runs 22.1 ms", "the mean of the baseline and", "of single steps geometric means", "the mean of all its executions"},
		JUnit:    {"geometric mean of the runs 22.1 ms", `name="root_executions_are" value="geometric_mean_of_runs"`},
		JSON:     {"geometric mean of the runs 22.1 ms", `"means":{"root_executions":"geometric_mean_of_runs","findings":"typical_run","account":"mean_of_runs","path_account":"mean"}`},
	} {
		var out bytes.Buffer
		expect.OK(t, r.Write(&out, format, 10))
		said := strings.Join(strings.Fields(strings.ReplaceAll(out.String(), "-&gt;", "->")), " ")
		for _, want := range wants {
			expect.Equal(t, strings.Contains(said, want), true, "%s in %s:\n%s", want, format, said)
		}
	}
	expect.Equal(t, r.Sentences().Findings[1].Means, "effects those of the typical run, base -> cand geometric means of the runs", "the page of a finding")
	expect.Equal(t, strings.Contains(r.Sentences().Elapsed, "the mean of all its executions"), true, "the page reconciles: %s", r.Sentences().Elapsed)
}
