package verdict

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// rootRuns are the run times of the root executions of a kind: numbers and sums of both sides.
func rootRuns(function string, n, m, base, cand int64) schema.Change {
	return schema.Change{
		Level: schema.LevelFragment, Component: "web", Function: function, Fragment: "web." + function, Metric: "runtime", Verdict: schema.Undetermined,
		RunsBase: 3, RunsCand: 3, NBase: n, NCand: m, TotalBaseNs: base, TotalCandNs: cand,
	}
}

// pathTime is a part of the critical paths of a kind of root executions.
func pathTime(function, part string, base, cand int64) schema.Change {
	return schema.Change{
		Level: schema.LevelCriticalPath, Component: "web", Fragment: "web." + function, Subject: part, Metric: "execution", Verdict: schema.NotAsked,
		RunsBase: 3, RunsCand: 3, NBase: 1, NCand: 1, TotalBaseNs: base, TotalCandNs: cand,
	}
}

// Whatever the root executions and the parts of their paths, also of kinds that one side lacks, the account adds up.
func TestPathAccountAddsUp(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		changes := []schema.Change{rootRuns("always", 10, 10, 1e6, 2e6)}
		for k := range 1 + r.IntN(4) {
			name := fmt.Sprint("get", k)
			n, m := r.Int64N(50), r.Int64N(50)
			changes = append(changes, rootRuns(name, n, m, n*r.Int64N(1e9), m*r.Int64N(1e9)))
			for p := range 1 + r.IntN(12) {
				changes = append(changes, pathTime(name, fmt.Sprint("execution f", p), n*r.Int64N(1e8), m*r.Int64N(1e8)))
			}
		}
		a := New(sides(3, 3), changes, nil).paths
		sum := a.MixNs + a.UncoveredNs
		for _, p := range a.Parts {
			sum += p.EffectNs
			expect.Equal(t, p.EffectNs, p.CandNs-p.BaseNs, "a part")
		}
		expect.Equal(t, sum, a.CandNs-a.BaseNs, "sum of the parts")
	}
}

// Twice as many slow requests are a change of the mix, and no part of any path is slower.
func TestPathAccountOfMix(t *testing.T) {
	changes := []schema.Change{
		rootRuns("fast", 90, 80, 90e6, 80e6), pathTime("fast", "execution web.fast", 90e6, 80e6),
		rootRuns("slow", 10, 20, 10*11e6, 20*11e6), pathTime("slow", "execution web.slow", 10*11e6, 20*11e6),
	}
	a := New(sides(3, 3), changes, nil).paths
	expect.Equal(t, a.MixNs, 1e6, "mix")
	expect.Equal(t, a.UncoveredNs, 0, "not covered")
	for _, p := range a.Parts {
		expect.Equal(t, p.EffectNs, 0, "a part")
	}
	effects, texts := a.lines(false)
	expect.Slice(t, effects, []string{"+1.00 ms", "0 ns", "+1.00 ms"}, "effects")
	expect.Slice(t, texts, []string{"another mix of root executions", "2 other parts", "run time of a root execution: 2.00 ms -> 3.00 ms"}, "texts")
}

// Paths that begin behind the start of their root execution leave a part with a name.
func TestPathAccountNamesWhatIsNotCovered(t *testing.T) {
	c := sides(3, 3)
	c.Details = true
	r := New(c, []schema.Change{rootRuns("get", 10, 10, 50e6, 90e6), pathTime("get", "execution web.get", 40e6, 50e6)}, nil)
	var out bytes.Buffer
	expect.OK(t, r.Write(&out, Text, 10))
	for _, want := range []string{"+3.00 ms  not covered by critical paths\n", "+1.00 ms  execution web.get (4.00 ms -> 5.00 ms), not shown to differ\n", "=  +4.00 ms  run time of a root execution: 5.00 ms -> 9.00 ms\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

// A part is said to be shown where a change of it is, or of the function in it. With too few runs nothing is judged, and nothing said.
func TestPathAccountShown(t *testing.T) {
	part := func(function, verdict string) schema.Change {
		c := pathTime("get", "execution web."+function, 40e6, 50e6)
		c.Component, c.Function, c.Verdict = "web", function, verdict
		return c
	}
	changes := []schema.Change{rootRuns("get", 10, 10, 50e6, 90e6), part("a", schema.Regressed), part("b", schema.NotAsked), part("c", schema.Undetermined), part("d", schema.Appeared),
		part("e", schema.NotAsked), part("f", schema.Candidate), part("g", schema.Unchanged)}
	found := cause(1, schema.Regressed, "e", 500)
	found.Component = "web"
	for _, enough := range []bool{true, false} {
		r, undecided := New(sides(3, 3), changes, []schema.Finding{found}), ""
		for i := range r.paths.Parts {
			if p := &r.paths.Parts[i]; !p.Shown {
				undecided += p.Function
			}
		}
		expect.Equal(t, undecided, "bcf", "parts of which nothing is shown")
		_, texts := r.paths.lines(enough)
		marked := 0
		for _, text := range texts {
			if strings.HasSuffix(text, " (4.00 ms -> 5.00 ms), not shown to differ") {
				marked++
			}
		}
		expect.Equal(t, marked, map[bool]int{true: 2}[enough], "marks on the first five, with enough runs: %t", enough)
	}
}

// There is no account where a run of a side has no critical paths.
func TestNoPathAccountOfSomeRuns(t *testing.T) {
	part := pathTime("get", "execution web.get", 40e6, 50e6)
	part.RunsCand = 2
	if a := New(sides(3, 3), []schema.Change{rootRuns("get", 10, 10, 50e6, 90e6), part}, nil).paths; a != nil {
		t.Errorf("there is an account: %+v", a)
	}
}

// A function that has another component in the candidate is one part, with its time before; one that has its old name, too, is not.
func TestPathAccountOfMovedFunctions(t *testing.T) {
	part := func(component string, base, cand int64) schema.Change {
		c := pathTime("get", "execution "+component+".equal", base, cand)
		c.Component, c.Function = component, "equal"
		return c
	}
	moved := schema.Change{Level: schema.LevelFunction, Component: "new", Function: "equal", MovedFrom: "old.equal", Verdict: schema.Undetermined}
	for _, c := range []struct {
		left int64 // what the old name has in the candidate
		want string
	}{
		{0, "execution new.equal, before old.equal: 218000 -> 178000"},
		{1000, "execution old.equal: 218000 -> 1000; execution new.equal: 0 -> 178000"},
	} {
		changes := []schema.Change{rootRuns("get", 1, 1, 1e6, 1e6), part("old", 218_000, c.left), part("new", 0, 178_000), moved}
		var lines []string
		a := New(sides(3, 3), changes, nil).paths
		sum := a.MixNs + a.UncoveredNs
		for _, p := range a.Parts {
			sum += p.EffectNs
			lines = append(lines, fmt.Sprintf("%s: %d -> %d", p.name(), p.BaseNs, p.CandNs))
		}
		expect.Equal(t, strings.Join(lines, "; "), c.want, "parts")
		expect.Equal(t, sum, a.CandNs-a.BaseNs, "sum of the parts")
	}
}

// Functions that one side tells apart are one part: of each alone the report would say the contrary of what it says of all.
func TestPathAccountOfDividedFunctions(t *testing.T) {
	part := func(function string, base, cand int64) schema.Change {
		c := pathTime("get", "execution lib."+function, base, cand)
		c.Component, c.Function = "lib", function
		return c
	}
	changes := []schema.Change{rootRuns("get", 1, 1, 1e6, 1e6), part("upper", 0, 67_000), part("equal", 218_000, 0), part("alike", 0, 150_000), part("near", 10, 15), part("other", 10, 20)}
	for _, f := range [][2]string{{"upper"}, {"alike", "lib.equal"}, {"near"}, {"other"}} {
		changes = append(changes, schema.Change{Level: schema.LevelFunction, Component: "lib", Function: f[0], MovedFrom: f[1], Verdict: schema.Undetermined})
	}
	divided := schema.Finding{Finding: 1, Kind: schema.KindDivided, Verdict: schema.MovedCost, Component: "lib", Function: "upper", MovedFrom: "lib.equal and lib.near"}
	var lines []string
	for _, p := range New(sides(3, 3), changes, []schema.Finding{divided}).paths.Parts {
		lines = append(lines, fmt.Sprintf("%s: %d -> %d", p.name(), p.BaseNs, p.CandNs))
	}
	expect.Slice(t, lines, []string{
		"execution lib.upper with lib.alike and lib.near, told apart on one side only: 218010 -> 217015", "execution lib.other: 10 -> 20",
	}, "parts")
}
