package history_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/history"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/testdata/expect"
)

const ms = 1e6

// stepping is 2 ms everywhere, but for the steps given by component: what it takes from a release on.
func stepping(steps map[string]map[int]float64) func(string, int) float64 {
	return func(component string, release int) float64 {
		ns := 2 * ms
		for r := range release + 1 {
			if to, has := steps[component][r]; has {
				ns = to
			}
		}
		return ns
	}
}

// TestChanges finds what changed and where: great and small, up and down, in the middle and near the ends, twice, what appears,
// vanishes, or comes with the newest release. All else has not changed.
func TestChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("TestFresh makes a history with one job and with two; steps of twelve releases are looked for in full tests")
	}
	tables := look(t, job(t, 12, stepping(map[string]map[int]float64{
		"a": {6: 40 * ms}, "b": {10: 20 * ms}, "c": {2: 1 * ms}, "d": {4: 4 * ms, 8: 9 * ms}, "e": {11: 7 * ms},
		"f": {0: -1, 5: 3 * ms}, "g": {7: -1},
	})))
	got := slices.DeleteFunc(said(tables), func(s string) bool { return strings.HasPrefix(s, "g vanished") })
	want := []string{
		"a regressed in v7 confirmed", "b regressed in v11 confirmed", "d regressed in v9 confirmed", "e regressed in v12 unconfirmed",
		"f appeared in v6 confirmed", "d regressed in v5 confirmed", "c improved in v3 confirmed",
	}
	expect.Slice(t, got[:min(len(got), len(want))], want, "history")
	gone := func(p schema.ChangePoint) bool {
		return p.Component == "g" && p.Verdict == schema.Vanished && p.Release == "v8" && p.Confirmed && p.AfterNs == 0
	}
	if !slices.ContainsFunc(tables.Points, gone) {
		t.Error("g did not vanish")
	}
	for i, p := range tables.Points {
		expect.Equal(t, p.Rank, int64(i+1), "rank of %d", i+1)
		if verdicts.IsChange(p.Verdict) && p.Component > "g" {
			t.Errorf("%+v did not change", p)
		}
	}
	p := tables.Points[0] // 2 to 40 ms and up to 3 % more, in one of nine or ten root executions
	if math.Abs(float64(p.BeforeNs)-2.03*ms/10) > .03*ms || *p.EffectLoNs >= *p.EffectNs || *p.EffectHiNs <= *p.EffectNs || *p.RatioLo > 20 || *p.RatioHi < 18 {
		t.Errorf("%+v", p)
	}
}

// TestValues computes the median of the runs of a release: of a by hand, per root execution of all components.
func TestValues(t *testing.T) {
	j := job(t, 2, func(string, int) float64 { return ms })
	seen := 0
	for _, v := range valuesOf(t, look(t, j)) {
		if v.Component != "a" || v.Level != schema.LevelTransition || v.Subject != "exit f" {
			continue
		}
		seen++
		const want = 101_000 // the runs of a take 0, 1 and 2 % more in v1, and 3, 0 and 1 % in v2
		if v.ValueNs != want || v.Runs != 3 || v.Segment != 1 {
			t.Errorf("%+v, want %d ns", v, want)
		}
	}
	expect.Equal(t, seen, 2, "values of a")
}

// TestSegments sees that values are numbered by segment, and that every subject has one value a release.
func TestSegments(t *testing.T) {
	if testing.Short() {
		t.Skip("segments are numbered in full tests")
	}
	tables := look(t, job(t, 9, stepping(map[string]map[int]float64{"a": {4: 4 * ms}})))
	segments, count := make(map[int64][]int64), 0
	for _, v := range valuesOf(t, tables) {
		if v.Position != int64(len(segments[v.Series])+1) || v.Release != []string{"v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9"}[v.Position-1] {
			t.Fatalf("%+v comes after %d values", v, len(segments[v.Series]))
		}
		segments[v.Series] = append(segments[v.Series], v.Segment)
	}
	for _, p := range tables.Points {
		if got := segments[p.Series]; p.Component == "a" && slices.Equal(got, []int64{1, 1, 1, 1, 2, 2, 2, 2, 2}) {
			count++
		}
	}
	if count != 2 { // leaving f, and its run time
		t.Errorf("%d subjects of a have two segments: %v", count, segments)
	}
}

// TestFewReleases compares the newest of few releases with all before it, and nothing else.
func TestFewReleases(t *testing.T) {
	if testing.Short() {
		t.Skip("histories of few releases are made in full tests")
	}
	for _, n := range []int{2, 7} {
		tables := look(t, job(t, n, stepping(map[string]map[int]float64{"a": {n - 1: 30 * ms}, "b": {n / 2: 30 * ms}})))
		got := said(tables)
		if len(got) == 0 || !slices.ContainsFunc(got, func(s string) bool {
			return strings.HasPrefix(s, "a regressed") && strings.HasSuffix(s, " unconfirmed")
		}) {
			t.Errorf("%d releases: %q", n, got)
		}
		for _, p := range tables.Points {
			if p.Confirmed || p.Position != int64(n) || p.RankP != nil {
				t.Errorf("%d releases: %+v", n, p)
			}
		}
	}
}

// TestCosts has the runs of the values.
func TestCosts(t *testing.T) {
	j := job(t, 3, stepping(nil))
	for _, v := range valuesOf(t, look(t, j)) {
		costs, err := history.Costs(context.Background(), j, v.Series)
		if err != nil || len(costs) != 3 || len(costs[0]) != 3 {
			t.Fatal(costs, err)
		}
		runs := slices.Sorted(slices.Values(costs[v.Position-1]))
		if math.Abs(runs[1]-float64(v.ValueNs)) > 1 {
			t.Fatalf("%+v: %v", v, runs)
		}
		if v.Series > 5 {
			break
		}
	}
	if _, err := history.Costs(context.Background(), j, 1_000_000); err == nil {
		t.Error("there is no such subject")
	}
}

// TestFresh sees that a history is made again when a run, a release or an option is another, and only then, and that its bytes
// do not depend on how many work on it.
func TestFresh(t *testing.T) {
	j := job(t, 3, stepping(map[string]map[int]float64{"a": {2: 4 * ms}}))
	want := look(t, j)
	before, values := contents(t, j.Lake), valuesOf(t, want)
	got, fresh, err := history.Run(context.Background(), j)
	if err != nil || !fresh || !reflect.DeepEqual(got.Points, want.Points) || !reflect.DeepEqual(valuesOf(t, got), values) {
		t.Errorf("again: fresh %t, %v", fresh, err)
	}
	expect.OK(t, j.Lake.DropTables(t.Context(), lake.Comparison("x"), "change_points"))
	j.Jobs = 1
	look(t, j)
	if after := contents(t, j.Lake); !reflect.DeepEqual(before, after) {
		t.Error("other bytes")
	}
	j.Series.MinSegment = 3
	look(t, j)
	j.Verdicts.Margin = .1
	look(t, j)
	j.Releases[0].Name = "v0"
	look(t, j)
	put(t, j.Lake, "v3-0", machine{"a": 5 * ms})
	look(t, j)
}

func contents(t *testing.T, l *lake.Lake) (all []string) {
	t.Helper()
	for _, table := range []string{"history", "change_points"} {
		m, err := l.Manifest(table, lake.Comparison("x"))
		if err != nil || m == nil {
			t.Fatal(table, m, err)
		}
		text := expect.Value(os.ReadFile(l.Path(m.Files[0])))(t)
		all = append(all, string(text))
	}
	return all
}

func TestRefused(t *testing.T) {
	j := job(t, 2, stepping(nil))
	twice, empty, unknown, one := j, j, j, j
	twice.Releases = []history.Release{{"1", []string{"v1-0", "v1-1"}}, {"2", []string{"v1-1"}}}
	empty.Releases = []history.Release{{"1", []string{"v1-0"}}, {"2", nil}}
	unknown.Releases = []history.Release{{"1", []string{"v1-0"}}, {"2", []string{"none"}}}
	one.Releases = j.Releases[:1]
	for want, j := range map[string]history.Job{
		"run v1-1 stands in release 1 and in release 2": twice, "release 2 has no runs": empty, "a history takes two releases or more": one,
		"run none has no table fragments: analyze it first, with analyze run none": unknown,
	} {
		if _, _, err := history.Run(context.Background(), j); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := history.Run(cancelled, j); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestMoves has f of g lie in h from some release on: the move is one point, which has what both
// sides take. What vanishes while nothing appears, or appears later, stays what it is.
func TestMoves(t *testing.T) {
	if testing.Short() {
		t.Skip("moves of functions are looked for in full tests")
	}
	of := func(steps map[string]map[int]float64) (words []string) {
		for _, p := range look(t, job(t, 12, stepping(steps))).Points {
			if verdicts.IsChange(p.Verdict) && p.Component > "f" && p.Level != schema.LevelTransition {
				words = append(words, fmt.Sprintf("%s %s in %s, %.1f -> %.1f", p.Subject, p.Verdict, p.Release, float64(p.BeforeNs)/ms, float64(p.AfterNs)/ms))
			}
			if p.Verdict == schema.Moved && (p.EffectNs == nil || *p.EffectNs != p.AfterNs-p.BeforeNs || p.Q != nil || p.EffectLoNs != nil) {
				t.Errorf("%+v", p)
			}
		}
		return words
	}
	expect.Slice(t, of(map[string]map[int]float64{"g": {7: -1}, "h": {0: -1, 7: 6 * ms}}), []string{"g.f -> h.f moved in v8, 0.2 -> 0.7"}, "moved")
	got := of(map[string]map[int]float64{"g": {5: -1}, "h": {0: -1, 8: 6 * ms}})
	expect.Slice(t, got, []string{"h.f appeared in v9, 0.0 -> 0.7", "g.f vanished in v6, 0.2 -> 0.0"}, "one after the other")
}

// TestMovesOfSteps has f of g lie in h from some release on: the steps in which it is called, and in which its answer is awaited, are named once
// each. Those of a call that stops while another one begins elsewhere stay what they are. Ten fragments of ten calls each are 100 root executions.
func TestMovesOfSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("moves of steps are looked for in full tests")
	}
	of := func(steps map[string]map[int]float64) (words []string) {
		for _, p := range look(t, jobWith(t, []string{caller}, 12, stepping(steps))).Points {
			if verdicts.IsChange(p.Verdict) && p.Level == schema.LevelTransition && p.Component == caller {
				words = append(words, fmt.Sprintf("%s %s in %s, %.1f -> %.1f", p.Subject, p.Verdict, p.Release, float64(p.BeforeNs)/ms, float64(p.AfterNs)/ms))
			}
		}
		slices.Sort(words)
		for i := 0; i+1 < len(words); i++ { // of the two calls
			expect.Equal(t, words[i+1], words[i], "both calls")
			words = slices.Delete(words, i, i+1)
		}
		return words
	}
	expect.Slice(t, of(map[string]map[int]float64{"g": {7: -1}, "h": {0: -1, 7: 6 * ms}}), []string{
		"enter f send to g -> enter f send to h moved in v8, 0.1 -> 0.1", "exit f receive from g -> exit f receive from h moved in v8, 0.2 -> 0.6",
	}, "moved")
	expect.Slice(t, of(map[string]map[int]float64{"g": {5: -1}, "h": {0: -1, 8: 6 * ms}}), []string{
		"enter f send to g vanished in v6, 0.1 -> 0.0", "enter f send to h appeared in v9, 0.0 -> 0.1",
		"exit f receive from g vanished in v6, 0.2 -> 0.0", "exit f receive from h appeared in v9, 0.0 -> 0.6",
	}, "one after the other")
}

// TestMovesOfOthers has f of g lie in h from some release on: what names it beside its own fragments and the steps of its callers is named once, too. Its
// messages, the parts of critical paths, and the fragment of what it calls, whose steps have no points of their own. The same holds where f moves in the
// newest release, whose fragments go on under the names of before, and of a function that is renamed. What stops while the other one begins elsewhere stays what it is.
func TestMovesOfOthers(t *testing.T) {
	of := func(steps map[string]map[int]float64, more ...string) (words []string) {
		for _, p := range look(t, jobWith(t, append(more, caller), 8, stepping(steps))).Points {
			if p.Verdict == schema.Moved && (p.EffectNs == nil || *p.EffectNs != p.AfterNs-p.BeforeNs || p.Q != nil || p.EffectLoNs != nil) {
				t.Errorf("%+v", p)
			}
			own := p.Level == schema.LevelFragment && p.Component != callee || p.Level == schema.LevelTransition && p.Component != callee
			if verdicts.IsChange(p.Verdict) && !own {
				words = append(words, fmt.Sprintf("%s %s: %s %s", p.Level, p.Component, p.Subject, p.Verdict))
			}
		}
		slices.Sort(words)
		return words
	}
	others := []string{
		"critical_path h: contention for g: g.f -> contention for h: h.f moved",
		"critical_path h: execution g.f -> execution h.f moved",
		"critical_path h: message from z to g.f -> message from z to h.f moved",
		"critical_path z: message from g to z.f -> message from h to z.f moved",
		"message h: transit of f from z to g -> transit of f from z to h moved",
		"message h: transit of sub from y to g -> transit of sub from y to h moved",
		"message y: transit of sub from g -> transit of sub from h moved",
		"message z: transit of f from g -> transit of f from h moved",
	}
	called := []string{"fragment y: y.sub from g -> y.sub from h moved"}
	moved := of(map[string]map[int]float64{"g": {4: -1}, "h": {0: -1, 4: 2 * ms}})
	expect.Slice(t, moved, slices.Concat(others[:4], called, others[4:]), "moved")
	newest := of(map[string]map[int]float64{"g": {7: -1}, "h": {0: -1, 7: 2 * ms}})
	expect.Slice(t, newest, others, "moved in the newest release")
	renamed := of(map[string]map[int]float64{"g": {4: -1}, "h": {0: -1, 4: 2 * ms}}, renaming)
	expect.Slice(t, renamed, []string{
		"critical_path g: contention for g: g.lookup -> contention for g: g.lookup_all moved",
		"critical_path g: execution g.lookup -> execution g.lookup_all moved",
		"critical_path g: message from z to g.lookup -> message from z to g.lookup_all moved",
		"critical_path z: message from g to z.lookup -> message from g to z.lookup_all moved",
		"message g: transit of lookup from z -> transit of lookup_all from z moved",
		"message z: transit of lookup from g -> transit of lookup_all from g moved",
	}, "renamed")
	apart := of(map[string]map[int]float64{"g": {3: -1}, "h": {0: -1, 5: 2 * ms}})
	if slices.ContainsFunc(apart, func(s string) bool { return strings.Contains(s, schema.Moved) }) || len(apart) != 2*(len(others)+2) {
		t.Errorf("one after the other: %q", apart)
	}
}

// TestCauses sees that each cause of a release is told once: the fragments whose step takes longer, and the steps of the caller that waits, follow from that step, and
// nothing of another component or another release does. What follows has a rank behind all that stands for itself.
func TestCauses(t *testing.T) {
	tables := look(t, jobWith(t, []string{caller}, 12, stepping(map[string]map[int]float64{"a": {6: 40 * ms}, "b": {6: 20 * ms, 9: 60 * ms}, "g": {9: 30 * ms}})))
	var told, follow []string
	for _, p := range tables.Points {
		switch {
		case !verdicts.IsChange(p.Verdict):
		case p.Follows == nil:
			told = append(told, p.Component+": "+p.Subject+" in "+p.Release)
			expect.Equal(t, len(follow), 0, "what follows, before %s", told[len(told)-1])
		default:
			first := tables.Points[*p.Follows-1]
			follow = append(follow, p.Component+": "+p.Subject+" from "+first.Component+": "+first.Subject)
			expect.Equal(t, first.Release, p.Release, "%s", follow[len(follow)-1])
		}
	}
	expect.Slice(t, told, []string{"b: exit f in v10", "a: exit f in v7", "g: exit f in v10", "b: exit f in v7"}, "told")
	expect.Slice(t, follow, []string{
		"b: b.f from b: exit f", "a: a.f from a: exit f", "g: g.f from g: exit f", "z: exit f receive from g from g: exit f", "z: exit f receive from g from g: exit f", "b: b.f from b: exit f",
	}, "what follows")
}
