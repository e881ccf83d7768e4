package verdict

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/jsonrows"
	"github.com/tracelake/tracelake/testdata/expect"
)

// sides is a comparison with some numbers of runs.
func sides(base, cand int) Comparison {
	c := Comparison{ID: "x", Method: MethodRuns, Rules: verdicts.Defaults(), Lake: "lake", Gate: Gate{ExitCode: 3}}
	for i := range base {
		c.Base = append(c.Base, fmt.Sprintf("b%d", i+1))
	}
	for i := range cand {
		c.Cand = append(c.Cand, fmt.Sprintf("c%d", i+1))
	}
	return c
}

// gated is a comparison with the words of a gate.
func gated(c Comparison, words ...string) Comparison {
	c.Gate.Words = words
	return c
}

// root is the run time of the initial fragment app.main: 1 ms before, and an effect in microseconds.
func root(verdict string, effect int64) schema.Change {
	base, diff, needed := int64(1e6), 1000*effect, int64(12)
	lo, hi, cand := diff-5000, diff+5000, base+diff
	c := schema.Change{
		Level: schema.LevelFragment, Component: "app", Fragment: "app.main", Subject: "app.main", Function: "main", Verdict: verdict,
		EffectNs: &diff, EffectLoNs: &lo, EffectHiNs: &hi, CostBaseNs: &base, CostCandNs: &cand,
	}
	if verdict == schema.Undetermined {
		c.RunsNeeded = &needed
	}
	return c
}

// other is the run time of another initial fragment.
func other(verdict string, effect int64) schema.Change {
	c := root(verdict, effect)
	c.Fragment, c.Subject, c.Function = "app.other", "app.other", "other"
	return c
}

// step is a step of lib.work with a verdict; finding 0 is none.
func step(verdict string, finding int64) schema.Change {
	c := schema.Change{Level: schema.LevelTransition, Component: "lib", Fragment: "lib.work from app", Subject: "exit f", Function: "f", Peer: "app", Verdict: verdict}
	if finding > 0 {
		c.Finding = &finding
	}
	return c
}

// caused is a change by a step that has a cause.
func caused(c schema.Change, cause string) schema.Change {
	c.RootCause = cause
	return c
}

// cause is a finding with an effect in microseconds.
func cause(number int64, verdict, function string, effect int64) schema.Finding {
	return schema.Finding{
		Finding: number, Verdict: verdict, Kind: schema.KindSlower, Level: schema.LevelTransition, Component: "lib", Function: function,
		Fragment: "lib.work from app", Subject: "exit " + function, EffectNs: 1000 * effect, SlowerNs: 1000 * effect, CountBase: 1, CountCand: 1,
	}
}

// fewerCalls is a caller that leaves out calls, with an effect in microseconds.
func fewerCalls(effect int64) schema.Finding {
	f := cause(1, schema.CountChanged, "main", effect)
	f.Kind, f.Component, f.Fragment, f.Subject = schema.KindCalled, "app", "app.main", "calls to ads"
	return f
}

// Every verdict on the whole says what is known, and the words of --fail-on that it meets.
func TestVerdictOnTheWhole(t *testing.T) {
	unchanged := step(schema.Unchanged, 0)
	for _, c := range []struct {
		name     string
		of       Comparison
		changes  []schema.Change
		findings []schema.Finding
		want     string
		tripped  string
	}{
		{"one cause", sides(3, 3), []schema.Change{root(schema.Regressed, 500), step(schema.Regressed, 1)},
			[]schema.Finding{cause(1, schema.Regressed, "f", 480)},
			"REGRESSED: one root cause makes a root execution 500 us slower (1.00 ms -> 1.50 ms, +50.0 %; 95 % interval +495 to +505 us): lib.f",
			"regressed changed"},
		{"two causes", sides(3, 3), []schema.Change{root(schema.Regressed, 500)},
			[]schema.Finding{cause(1, schema.Regressed, "f", 300), cause(2, schema.Regressed, "g", 200)},
			"REGRESSED: 2 root causes make a root execution 500 us slower (1.00 ms -> 1.50 ms, +50.0 %; 95 % interval +495 to +505 us), led by lib.f (+300 us)",
			"regressed changed"},
		{"a cause that does not show in the whole", sides(3, 3), []schema.Change{root(schema.Unchanged, 20), step(schema.Regressed, 1)},
			[]schema.Finding{cause(1, schema.Regressed, "f", 20)},
			"REGRESSED: one root cause costs a root execution 20.0 us more: lib.f; a root execution is shown to be unchanged (1.00 ms -> 1.02 ms, +2.00 %; 95 % interval +15.0 to +25.0 us)",
			"regressed changed"},
		{"a regression without a cause", sides(3, 3), []schema.Change{root(schema.Unchanged, 0), step(schema.Regressed, 0)}, nil,
			"REGRESSED: a step is slower: exit f in lib.work from app; a root execution is shown to be unchanged (1.00 ms, 0.00 %; 95 % interval -5.00 to +5.00 us)",
			"regressed changed"},
		{"several initial fragments", sides(3, 3), []schema.Change{other(schema.Unchanged, 0), root(schema.Regressed, 500)}, []schema.Finding{cause(1, schema.Regressed, "f", 500)},
			"REGRESSED: one root cause makes app.main 500 us slower (1.00 ms -> 1.50 ms, +50.0 %; 95 % interval +495 to +505 us): lib.f",
			"regressed changed"},
		{"several that are slower", sides(3, 3), []schema.Change{other(schema.Undetermined, 900), other(schema.Regressed, 400), root(schema.Regressed, 500)}, []schema.Finding{cause(1, schema.Regressed, "f", 500)},
			"REGRESSED: one root cause makes app.main 500 us slower (1.00 ms -> 1.50 ms, +50.0 %; 95 % interval +495 to +505 us) and 1 more initial fragment slower: lib.f",
			"regressed changed undetermined"},
		{"several that are unchanged", sides(3, 3), []schema.Change{other(schema.Unchanged, 1), root(schema.Unchanged, 0), unchanged}, nil,
			"UNCHANGED: 1 of 1 steps are shown to be unchanged; all 2 initial fragments are shown to be unchanged", ""},
		{"what appeared makes its caller slower", sides(3, 3), []schema.Change{withFinding(root(schema.Regressed, 500), 1), step(schema.Appeared, 1)},
			[]schema.Finding{cause(1, schema.Appeared, "f", 500)},
			"REGRESSED: one root cause makes a root execution 500 us slower (1.00 ms -> 1.50 ms, +50.0 %; 95 % interval +495 to +505 us): lib.f",
			"regressed changed"},
		{"improved", sides(3, 3), []schema.Change{root(schema.Improved, -250), step(schema.Improved, 1)}, []schema.Finding{cause(1, schema.Improved, "f", -250)},
			"IMPROVED: one root cause makes a root execution 250 us faster (1.00 ms -> 750 us, -25.0 %; 95 % interval -255 to -245 us): lib.f",
			"improved changed"},
		{"fewer calls, and something faster beside them", sides(3, 3), []schema.Change{root(schema.Improved, -250)},
			[]schema.Finding{fewerCalls(-240), cause(2, schema.Improved, "f", -10)},
			"CHANGED: app.main makes fewer calls to ads; beside that, one root cause saves a root execution 10.0 us: lib.f; " +
				"a root execution is 250 us faster (1.00 ms -> 750 us, -25.0 %; 95 % interval -255 to -245 us)",
			"improved changed"},
		{"something faster, and fewer calls beside it", sides(3, 3), []schema.Change{root(schema.Improved, -250)},
			[]schema.Finding{cause(1, schema.Improved, "f", -240), fewerCalls(-10)},
			"IMPROVED: one root cause makes a root execution 250 us faster (1.00 ms -> 750 us, -25.0 %; 95 % interval -255 to -245 us): lib.f",
			"improved changed"},
		{"others are waited for less", sides(3, 3), []schema.Change{
			root(schema.Improved, -250), step(schema.Improved, 1), caused(step(schema.Regressed, 0), "waits for lib.g"), caused(step(schema.Regressed, 0), "other steps"),
		}, []schema.Finding{cause(1, schema.Improved, "f", -250)},
			"IMPROVED: one root cause makes a root execution 250 us faster (1.00 ms -> 750 us, -25.0 %; 95 % interval -255 to -245 us): lib.f",
			"improved changed"},
		{"mixed", sides(3, 3), []schema.Change{root(schema.Undetermined, -20)},
			[]schema.Finding{cause(1, schema.Improved, "f", -60), cause(2, schema.Regressed, "g", 40), cause(3, schema.Appeared, "h", 30)},
			"MIXED: whether a root execution changed is undetermined (1.00 ms -> 980 us, -2.00 %; 95 % interval -25.0 to -15.0 us); " +
				"one root cause costs a root execution 40.0 us more: lib.g; one root cause saves a root execution 60.0 us: lib.f; all else that appeared or vanished (1 finding) adds up to +30.0 us",
			"regressed improved changed undetermined"},
		{"moved cost", sides(3, 3), []schema.Change{root(schema.Unchanged, 0), step(schema.Regressed, 1), step(schema.Improved, 2)},
			[]schema.Finding{cause(1, schema.MovedCost, "f", 40), cause(2, schema.MovedCost, "g", -40)},
			"CHANGED: 2 costs moved between callees of one caller; a root execution is shown to be unchanged (1.00 ms, 0.00 %; 95 % interval -5.00 to +5.00 us)",
			"changed"},
		{"behaviour", sides(3, 3), []schema.Change{root(schema.Unchanged, 0), step(schema.Appeared, 0), step(schema.CountChanged, 0), step(schema.CountChanged, 0), unchanged}, nil,
			"CHANGED: 1 step appeared, 2 steps changed in number; a root execution is shown to be unchanged (1.00 ms, 0.00 %; 95 % interval -5.00 to +5.00 us)",
			"changed"},
		{"unchanged", sides(3, 3), []schema.Change{root(schema.Unchanged, 0), unchanged, unchanged, unchanged, step(schema.Undetermined, 0)}, nil,
			"UNCHANGED: 3 of 4 steps are shown to be unchanged, 1 is undetermined; a root execution is shown to be unchanged (1.00 ms, 0.00 %; 95 % interval -5.00 to +5.00 us)",
			""},
		{"the whole is open", sides(3, 3), []schema.Change{root(schema.Undetermined, 20), unchanged}, nil,
			"UNDETERMINED: nothing is shown to have changed, but whether a root execution did is undetermined (1.00 ms -> 1.02 ms, +2.00 %; 95 % interval +15.0 to +25.0 us); " +
				"with 12 runs per side half of such cases are decided; 1 of 1 steps are shown to be unchanged",
			"undetermined"},
		{"most steps are open", sides(3, 3), []schema.Change{root(schema.Unchanged, 0), unchanged, step(schema.Undetermined, 0), needing(step(schema.Undetermined, 0), 5)}, nil,
			"UNDETERMINED: nothing is shown to have changed, but 1 of 3 steps are shown to be unchanged, 2 are undetermined; 5 runs per side would decide 50 % of what is undetermined",
			""},
		{"one against one", sides(1, 1), []schema.Change{root(schema.Candidate, 500)}, []schema.Finding{cause(1, schema.Candidate, "f", 500)},
			"NO VERDICT: too few runs (1 against 1) to separate a change of the release from differences between runs; 1 candidate stands out from the noise: lib.f", "candidate"},
		{"five against two", sides(5, 2), []schema.Change{root(schema.Undetermined, 0)}, nil,
			"NO VERDICT: too few runs (5 against 2) to separate a change of the release from differences between runs; nothing stands out from the noise", "undetermined"},
		{"one against one, one-sided", sides(1, 1), []schema.Change{root(schema.Undetermined, 0), step(schema.Appeared, 0)}, []schema.Finding{cause(1, schema.Appeared, "f", 500)},
			"NO VERDICT: too few runs (1 against 1) to separate a change of the release from differences between runs; no time stands out from the noise, but 1 step appeared", "changed undetermined"},
		{"nothing", sides(3, 3), nil, nil, "UNCHANGED: 0 of 0 steps are shown to be unchanged; no initial fragment is on both sides", ""},
	} {
		o := New(gated(c.of, gateWords...), c.changes, c.findings)
		expect.Equal(t, o.whole+": "+o.summary, c.want, "%s", c.name)
		var words []string
		for _, w := range o.hits {
			words = append(words, w.Word)
		}
		expect.Equal(t, strings.Join(words, " "), c.tripped, "%s: --fail-on", c.name)
	}
}

func withFinding(c schema.Change, number int64) schema.Change {
	c.Finding = &number
	return c
}

func needing(c schema.Change, runs int64) schema.Change {
	c.RunsNeeded = &runs
	return c
}

// Metrics and messages never fail a comparison: they follow from steps.
func TestGateLevels(t *testing.T) {
	for _, level := range []string{schema.LevelMetric, schema.LevelMessage, schema.LevelTransition, schema.LevelFragment, schema.LevelCriticalPath} {
		c := schema.Change{Level: level, Component: "lib", Fragment: "lib.f from app", Function: "f", Peer: "app", Subject: "it", Verdict: schema.Regressed}
		o := New(gated(sides(3, 3), gateRegressed), []schema.Change{c}, nil)
		expect.Equal(t, (len(o.hits) == 0), level == schema.LevelMetric || level == schema.LevelMessage, "%s: %+v", level, o.hits)
	}
}

// The reasons for the exit code stand in the last line.
func TestExitLine(t *testing.T) {
	slow, found := []schema.Change{root(schema.Regressed, 500)}, []schema.Finding{cause(1, schema.Regressed, "f", 480)}
	for _, c := range []struct {
		of       Comparison
		failOn   []string
		changes  []schema.Change
		findings []schema.Finding
		want     string
	}{
		{sides(3, 3), nil, slow, found, ""},
		{sides(3, 3), []string{"improved", "regressed"}, slow, found, "exit code 3: --fail-on regressed: finding 1, lib.f, regressed"},
		{sides(3, 3), []string{"improved"}, slow, found, "exit code 0: --fail-on improved: nothing found"},
		{sides(2, 3), []string{"regressed"}, nil, nil, "exit code 0: --fail-on regressed: a verdict needs three runs per side"},
		{sides(2, 3), []string{"candidate"}, nil, nil, "exit code 0: --fail-on candidate: nothing found"},
	} {
		var out bytes.Buffer
		expect.OK(t, New(gated(c.of, c.failOn...), c.changes, c.findings).WriteDocument(&out, Text, 10))
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if got := lines[len(lines)-1]; c.want != "" && got != c.want || c.want == "" && strings.HasPrefix(got, "exit code") {
			t.Errorf("%v: %q, want %q", c.failOn, got, c.want)
		}
	}
}

// Pairs of runs count as the runs of a side do.
func TestPairsForVerdicts(t *testing.T) {
	j := sides(3, 3)
	for blocks, want := range map[string]int{"123123": 3, "123124": 2, "111111": 1, "123456": 0} {
		j.Blocks = nil
		for _, b := range blocks {
			j.Blocks = append(j.Blocks, int(b-'0'))
		}
		expect.Equal(t, j.RunsPerSide(), want, "%s: pairs", blocks)
	}
}

// JSON has an interval where the text has one: not of one run a side, unless older runs show how much runs differ.
func TestIntervalsOfJSON(t *testing.T) {
	lo, hi := int64(400), int64(600)
	changed := root(schema.Regressed, 500)
	changed.EffectLoNs, changed.EffectHiNs = &lo, &hi
	found := cause(1, schema.Regressed, "f", 480)
	found.EffectLoNs, found.EffectHiNs = lo, hi
	older := sides(1, 1)
	older.Noise = []string{"n1"}
	for _, c := range []struct {
		of   Comparison
		want string // the ends
	}{{sides(1, 1), "null null"}, {older, "400 600"}, {sides(1, 2), "400 600"}, {sides(3, 3), "400 600"}} {
		d := New(c.of, []schema.Change{changed}, []schema.Finding{found}).document(1)
		for name, rows := range map[string][]jsonrows.Row{"findings": d.Findings, "root executions": d.Roots, "changes": d.Changes} {
			expect.Equal(t, len(rows), 1, "%s", name)
			var row map[string]json.RawMessage
			expect.OK(t, json.Unmarshal(expect.Value(json.Marshal(rows[0]))(t), &row))
			expect.Equal(t, string(row["effect_lo_ns"])+" "+string(row["effect_hi_ns"]), c.want, "interval of %s", name)
		}
	}
}

// Where a change by half counts as none, the report says how to see smaller ones.
func TestLargeFloor(t *testing.T) {
	small, large := root(schema.Unchanged, 0), root(schema.Unchanged, 0)
	cost := int64(3140)
	small.CostBaseNs, small.CostCandNs = &cost, &cost
	note := "A root execution takes 3.14 us, and changes of up to 10.0 us count as none: see smaller ones with --floor 157ns."
	expect.Equal(t, strings.Join(New(sides(5, 5), []schema.Change{small}, nil).Strata.Warnings, ""), note, "of a short root execution")
	expect.Equal(t, len(New(sides(5, 5), []schema.Change{large}, nil).Strata.Warnings), 0, "notes on a long one")
	expect.Equal(t, len(New(sides(5, 5), []schema.Change{small, other(schema.Unchanged, 0)}, nil).Strata.Warnings), 0, "notes on a short and a long one")
	expect.Equal(t, len(New(sides(2, 2), []schema.Change{small}, nil).Strata.Warnings), 0, "notes without a verdict")
}

// A run that ended early is named, with what to do about it.
func TestShortRun(t *testing.T) {
	c := sides(5, 5)
	c.Runs = make(map[string]schema.Run)
	for i, name := range append(append([]string(nil), c.Base...), c.Cand...) {
		c.Runs[name] = schema.Run{Events: 8300 + 10*int64(i)}
	}
	expect.Equal(t, len(New(c, nil, nil).Strata.Warnings), 0, "notes on runs that are alike")
	c.Runs["c3"] = schema.Run{Events: 83}
	note := "c3 has 83 events, the median run of that side 8,360. What it did not reach some runs lack, and that is not judged. " +
		"If it ended early, leave it out: name the others one by one, each with --cand."
	expect.Equal(t, strings.Join(New(c, nil, nil).Strata.Warnings, ""), note, "notes on one that ended early")
}
