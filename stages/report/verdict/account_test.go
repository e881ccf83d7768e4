package verdict

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// Whatever the contributions and the effects that findings show for them, the parts add up to the difference of the totals.
func TestAccountAddsUp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	verdicts := []string{schema.Regressed, schema.Improved, schema.Appeared, schema.Vanished, schema.Unchanged, schema.Undetermined, schema.NotAsked, schema.ShapeChanged}
	for range 200 {
		var list []schema.Contribution
		var findings []schema.Finding
		want := int64(0)
		for i := range 1 + r.IntN(30) {
			c := schema.Contribution{Component: "lib", Function: string(rune('a' + i)), Verdict: verdicts[r.IntN(len(verdicts))], CommonNs: r.Int64N(2e6) - 1e6}
			c.BaseNs, c.CandNs = r.Int64N(1e9), r.Int64N(1e9)
			c.DifferenceNs = c.CandNs - c.BaseNs - c.CommonNs
			want += c.CandNs - c.BaseNs
			list = append(list, c)
			if r.IntN(2) == 0 && (c.Verdict == schema.Regressed || c.Verdict == schema.Improved) {
				f := cause(int64(len(findings)+1), c.Verdict, c.Function, r.Int64N(1e6)-5e5)
				findings = append(findings, f)
			}
			if c.Verdict == schema.Appeared && r.IntN(4) == 0 { // what it was a part of may be any of the others
				f := cause(int64(len(findings)+1), schema.MovedCost, c.Function, 0)
				f.Kind, f.MovedFrom = schema.KindDivided, "lib."+string(rune('a'+r.IntN(30)))
				findings = append(findings, f)
			}
		}
		a, sum := accountOf(list, findings), int64(0)
		functions := 0
		for _, p := range a.Parts {
			sum += p.EffectNs
			functions += p.Functions
		}
		expect.Equal(t, sum, want, "sum of the parts")
		expect.Equal(t, a.CandNs-a.BaseNs, want, "difference of the totals")
		expect.Equal(t, functions, len(list), "functions")
	}
	if accountOf(nil, nil) != nil {
		t.Error("there is an account of nothing")
	}
}

// Where no function differs, none is named.
func TestAccountOfEqualSides(t *testing.T) {
	a := accountOf([]schema.Contribution{{Component: "lib", Function: "f", Verdict: schema.Unchanged, BaseNs: 1e6, CandNs: 1e6}}, nil)
	effects, texts := a.lines(nil)
	expect.Slice(t, effects, []string{"0 ns", "0 ns"}, "effects")
	expect.Slice(t, texts, []string{"1 function not shown to have changed", "own time of all functions: 1.00 ms"}, "texts")
}

// Of a part that takes less the function is named that takes least, and none that takes longer.
func TestLeadOfAPart(t *testing.T) {
	part := func(ns ...int64) accountPart {
		var list []schema.Contribution
		for i, d := range ns {
			list = append(list, schema.Contribution{Component: "lib", Function: string(rune('a' + i)), Verdict: schema.Unchanged, CandNs: 1e6 + d, BaseNs: 1e6, DifferenceNs: d})
		}
		return accountOf(list, nil).Parts[0]
	}
	for _, c := range []struct {
		ns   []int64
		want string
	}{{[]int64{500, -300, -400}, "c"}, {[]int64{500, -300, -100}, "a"}, {[]int64{500, -500}, "a"}, {[]int64{-5}, "a"}, {[]int64{0}, ""}} {
		if got := part(c.ns...); got.Led != "lib."+c.want && got.Led != c.want || got.LedNs*got.EffectNs < 0 {
			t.Errorf("%v is led by %s, %d", c.ns, got.Led, got.LedNs)
		}
	}
}

// The account names what contributes most, and sums up what is small in one line, so that the column still adds up.
func TestWriteAccount(t *testing.T) {
	c := sides(3, 3)
	one, two := int64(1), int64(2)
	c.Contributions = []schema.Contribution{
		{Component: "lib", Function: "f", Verdict: schema.Regressed, BaseNs: 1e6, CandNs: 4e6, DifferenceNs: 3e6, Finding: &one},
		{Component: "lib", Function: "g", Verdict: schema.Appeared, CandNs: 2e5, DifferenceNs: 1.8e5, CommonNs: 2e4, Finding: &two},
		{Component: "lib", Function: "h", Verdict: schema.Appeared, CandNs: 1e5, DifferenceNs: 1e5},
		{Component: "lib", Function: "i", Verdict: schema.Vanished, BaseNs: 1e3, DifferenceNs: -1e3},
		{Component: "lib", Function: "j", Verdict: schema.Unchanged, BaseNs: 1e6, CandNs: 1.1e6, CommonNs: 1e5},
	}
	f := cause(1, schema.Regressed, "f", 2900)
	f.Component, f.Function = "lib", "f"
	c.Common = &Common{Ratio: 1.1, Lo: .9, Hi: 1.3, P: .3}
	var out bytes.Buffer
	if err := New(c, nil, []schema.Finding{f}).writeAccount(&out); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimPrefix(`
What adds up to the difference, per root execution, mean of the runs:
   +2.90 ms  1 function slower: lib.f
    +300 us  2 functions new, one of them a finding (+200 us), most of all lib.g (+200 us)
    +100 us  all functions alike: the machine, the build or drift, not shown to differ; effects are without it
    +100 us  single runs: means differ from what the typical run shows
   -1.00 us  all else
=  +3.40 ms  own time of all functions: 2.00 ms -> 5.40 ms

`, "\n")
	expect.Equal(t, out.String(), want, "account")
}

// TestDividedIsNotShown has a function that one side tells apart: what is not shown to differ is no part of the sentence and of what outweighs, and
// the line of the account has what the finding says, whatever all functions share.
func TestDividedIsNotShown(t *testing.T) {
	one := int64(1)
	contributions := []schema.Contribution{
		{Component: "lib", Function: "f", Verdict: schema.Improved, BaseNs: 9e5, CandNs: 6e5, DifferenceNs: -2e5, CommonNs: -1e5, Finding: &one},
		{Component: "lib", Function: "g", Verdict: schema.Appeared, CandNs: 2e5, DifferenceNs: 3e5, CommonNs: -1e5, Finding: &one},
		{Component: "lib", Function: "h", Verdict: schema.Vanished, BaseNs: 1e5, DifferenceNs: -9e4, CommonNs: -1e4},
	}
	f := cause(1, schema.MovedCost, "g", -100)
	f.Component, f.Function, f.Kind, f.MovedFrom = "lib", "g", schema.KindDivided, "lib.f"
	unsure := accountOf(contributions, []schema.Finding{f})
	expect.Equal(t, unsure.sentence(), "1 function is gone (-100 us)", "not shown")
	expect.Equal(t, unsure.shownNs(), -1e5, "not shown")
	effects, texts := unsure.lines(nil)
	expect.Slice(t, effects, []string{"-100 us", "-100 us", "-200 us"}, "effects")
	expect.Slice(t, texts, []string{
		"1 function gone, which is no finding: lib.h",
		"2 functions told apart on one side only, not shown to differ together, most of all lib.f (-300 us)", "own time of all functions: 1.00 ms -> 800 us",
	}, "texts")
	f.Verdict = schema.Improved
	sure := accountOf(contributions, []schema.Finding{f})
	expect.Equal(t, sure.sentence(), "1 function is gone (-100 us) and 2 told apart on one side only (-100 us)", "shown")
	expect.Equal(t, sure.shownNs(), -2e5, "shown")
}

// A step that is slower in a function that is faster has its own finding: the function counts with what its finding says, and the table says which is
// the step.
func TestAccountOfAStepAgainstItsFunction(t *testing.T) {
	whole, step := cause(1, schema.Improved, "f", -121), cause(2, schema.Regressed, "f", 34)
	whole.Component, whole.Level, step.Component, step.Level = "lib", schema.LevelFunction, "lib", schema.LevelTransition
	c := sides(3, 3)
	c.Contributions = []schema.Contribution{{Component: "lib", Function: "f", Verdict: schema.Improved, BaseNs: 372_000, CandNs: 314_000, DifferenceNs: -58_000}}
	r := New(c, nil, []schema.Finding{whole, step})
	expect.Equal(t, r.account.sentence(), "1 function is faster (-121 us)", "sentence")
	expect.Equal(t, r.stepText(&step)+"; "+r.stepText(&whole), ", in one step; ", "words")
}

// Findings of single steps count for a mixed verdict beside whole functions: the sentence says what they do, and the account in how many functions that are not shown
// to have changed they lie.
func TestStepsBesideTheAccount(t *testing.T) {
	whole, steps, same := cause(1, schema.Regressed, "f", 500), cause(2, schema.Improved, "g", -121), cause(3, schema.Improved, "f", -40)
	whole.Component, whole.Level = "lib", schema.LevelFunction
	steps.Component, steps.Level, same.Component, same.Level = "lib", schema.LevelTransition, "lib", schema.LevelTransition
	c := sides(3, 3)
	c.Contributions = []schema.Contribution{
		{Component: "lib", Function: "f", Verdict: schema.Regressed, BaseNs: 100_000, CandNs: 600_000, DifferenceNs: 500_000},
		{Component: "lib", Function: "g", Verdict: schema.Undetermined, BaseNs: 400_000, CandNs: 380_000, DifferenceNs: -20_000},
		{Component: "lib", Function: "h", Verdict: schema.Undetermined, BaseNs: 400_000, CandNs: 400_000},
	}
	r := New(c, []schema.Change{root(schema.Regressed, 300)}, []schema.Finding{whole, steps, same})
	expect.Equal(t, r.whole, wholeMixed, "verdict")
	if want := "1 function is slower (+500 us); beside whole functions, 2 root causes save a root execution 161 us in total, led by lib.g (-121 us)"; !strings.HasSuffix(r.summary, want) {
		t.Errorf("%s, and no %s", r.summary, want)
	}
	_, texts := r.account.lines(nil)
	expect.Equal(t, texts[1], "2 functions not shown to have changed as a whole, one of them with steps that are findings, most of all lib.g (-20.0 us)", "the others")
	// What has a direction that no finding has is named, and where both have single steps they are told in one breath.
	faster := New(c, []schema.Change{root(schema.Undetermined, 3), step(schema.Regressed, 0)}, []schema.Finding{steps})
	if want := "; beside whole functions, a step is slower: exit f in lib.work from app, and one root cause saves a root execution 121 us: lib.g"; faster.whole != wholeMixed || !strings.HasSuffix(faster.summary, want) {
		t.Errorf("%s: %s, and no %s", faster.whole, faster.summary, want)
	}
	// Where all findings are functions as a whole, nothing is beside them.
	alone := New(c, []schema.Change{root(schema.Regressed, 300)}, []schema.Finding{whole})
	if strings.Contains(alone.summary, "beside") {
		t.Error(alone.summary)
	}
}
