package verdict

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// pathPart is a part of critical paths of two runs a side.
func pathPart(fragment, subject, category, verdict string, base, cand int64) schema.Change {
	return schema.Change{
		Level: schema.LevelCriticalPath, Fragment: fragment, Subject: subject, Metric: category, Verdict: verdict,
		TotalBaseNs: base, TotalCandNs: cand, RunsBase: 2, RunsCand: 2, NBase: 2, NCand: 4, ImpactNs: (cand - base) / 2,
	}
}

var somePaths = []schema.Change{ // by rank
	pathPart("a.loop", "idle a", "idle", schema.Faster, 9e6, 1e6),
	pathPart("b.main", "execution b.main", "execution", schema.Slower, 0, 4e6),
	pathPart("a.loop", "execution a.f", "execution", schema.Slower, 4e6, 6e6),
	pathPart("a.loop", "execution a.g", "execution", schema.Slower, 4e6, 5e6),
	pathPart("c.loop", "execution c.f", "execution", schema.Unchanged, 8e6, 8e6),
	pathPart("a.loop", "execution a.h", "execution", schema.Unchanged, 3e6, 3e6),
}

// Fragments stand by their greatest change, with the time of all their parts; idle time comes last.
func TestPathChanges(t *testing.T) {
	var got []string
	for _, p := range changesByFragment(somePaths) {
		text := fmt.Sprintf("%s %d %d:", p.Fragment, p.BaseNs, p.CandNs)
		for _, c := range p.Parts {
			text += " " + c.Subject + ","
		}
		got = append(got, text)
	}
	want := []string{"a.loop 10000000 7500000: execution a.f, execution a.g, idle a,", "b.main 0 2000000: execution b.main,"}
	expect.Slice(t, got, want, "paths")
}

func TestWritePaths(t *testing.T) {
	many := slices.Clone(somePaths)
	for i := range 4 {
		many = append(many, pathPart(fmt.Sprintf("d%d.loop", i), "execution d.f", "execution", schema.Slower, 1e6, 2e6))
	}
	var out strings.Builder
	expect.OK(t, writePaths(&out, many, 5))
	for _, line := range []string{
		"Critical paths: a.loop: 10.0 ms -> 7.50 ms per run\n", "+1.00 ms  2.00 ms -> 3.00 ms  1 -> 2  execution a.f\n", "2 more parts changed\n",
		"The critical paths of 3 more initial fragments changed: analyze query critical-path-change\n",
	} {
		if strings.Count(out.String(), line) != 1 {
			t.Errorf("%q is not there once:\n%s", line, out.String())
		}
	}
	expect.Equal(t, strings.Count(out.String(), "Critical paths: "), mostPaths, "fragments")
	got := pathRowsOf(many, 5)
	changes := expect.Value(json.Marshal(got[0].Changes))(t)
	if len(got) != mostPaths || len(got[0].Changes) != 1 || !strings.Contains(string(changes), `"subject":"execution a.f"`) {
		t.Errorf("for machines: %+v\n%s", got, changes)
	}
}

func TestOnPaths(t *testing.T) {
	zero, some := int64(0), int64(20_200_000)
	for _, c := range []struct {
		base, cand *int64
		want       string
	}{{&some, &some, "20.2 ms"}, {&zero, &zero, "never"}, {&zero, &some, "never -> 20.2 ms"}, {nil, &some, "unknown -> 20.2 ms"}, {nil, nil, "unknown"}} {
		expect.Equal(t, criticalTimes(&schema.Change{CriticalBaseNs: c.base, CriticalCandNs: c.cand}), c.want, "critical")
	}
}

// A part of critical paths that takes longer is no regression of its own.
func TestPathsDoNotFail(t *testing.T) {
	fails := func(changes []schema.Change, words ...string) bool {
		return NewPooled(Comparison{Method: "dyn", Gate: Gate{Words: words}}, changes).Failed()
	}
	if fails(somePaths, "regressed", "changed") {
		t.Error("parts of critical paths fail a comparison")
	}
	all := append(slices.Clone(somePaths), schema.Change{Level: schema.LevelTransition, Verdict: schema.Slower})
	if !fails(all, "improved", "regressed") || fails(all, "improved") || fails(all) {
		t.Error("a slower step fails another word than regressed")
	}
}
