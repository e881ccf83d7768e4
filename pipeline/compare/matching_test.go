package compare_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/testdata/expect"
)

func compareRuns(t *testing.T, j compare.Job) []schema.Change {
	t.Helper()
	all, _, err := run(t.Context(), j)
	expect.OK(t, err)
	return all
}

// lines say of every step and fragment what became of it, in the order of the text.
func lines(all []schema.Change, verdict func(string) string) (out []string) {
	for _, c := range all {
		out = append(out, fmt.Sprintf("%s %s %d %d", c.Level, verdict(c.Verdict), c.NBase+c.NCand, c.TotalBaseNs+c.TotalCandNs))
	}
	slices.Sort(out)
	return out
}

// TestMovedAcrossBuckets checks that a component with another name in another bucket is compared with itself.
func TestMovedAcrossBuckets(t *testing.T) {
	for bucket := range 3 {
		l := open(t)
		put(t, l, "base", machine{"a": {0, ms}, "b": {1, 2 * ms}})
		put(t, l, "cand", machine{"a": {0, ms}, "d": {bucket, 9 * ms}})
		all := compareRuns(t, job(l, "base", "cand"))
		expect.Equal(t, said(all), "b.f exit f slower, b.f b.f -> d.f moved", "bucket %d", bucket)
		for _, c := range all {
			if moved := c.Component == "b"; moved != (c.CandFragment == "d.f") || c.Component == "d" {
				t.Errorf("%s %s: fragment %q in the candidate", c.Component, c.Subject, c.CandFragment)
			}
		}
		checkMatches(t, l)
	}
}

func checkMatches(t *testing.T, l *lake.Lake) {
	t.Helper()
	rows := expect.Value(lake.Read[schema.Match](l, "matches", lake.Comparison("x")))(t)
	var got []string
	for _, r := range rows {
		got = append(got, strings.Join([]string{r.Level, r.Fragment, r.CandFragment, r.Kind, r.Status}, " "))
	}
	slices.Sort(got)
	want := []string{
		"fragment a.f  enter both", "fragment b.f d.f enter both", "transition a.f  enter both", "transition a.f  exit both",
		"transition b.f d.f enter both", "transition b.f d.f exit both",
	}
	expect.Slice(t, got, want, "matches")
}

// TestAmbiguousMove checks that nothing is reported to have moved to one of two places.
func TestAmbiguousMove(t *testing.T) {
	l := open(t)
	put(t, l, "base", machine{"a": {0, ms}, "b": {1, 2 * ms}})
	put(t, l, "cand", machine{"a": {0, ms}, "c": {1, 2 * ms}, "d": {2, 2 * ms}})
	expect.Equal(t, wholeFragments(compareRuns(t, job(l, "base", "cand"))), "b.f, c.f, d.f", "whole fragments")
}

// wholeFragments are the fragments that one side lacks under their names. Runs by hand have no run times, which would
// say which side.
func wholeFragments(all []schema.Change) string {
	var subjects []string
	compared := make(map[string]bool) // step by step: both sides have them
	for _, c := range all {
		compared[c.Fragment] = compared[c.Fragment] || c.Level == schema.LevelTransition
	}
	for _, c := range all {
		if c.Level == schema.LevelFragment && (c.CandFragment != "" || !compared[c.Fragment]) {
			subjects = append(subjects, c.Subject)
		}
	}
	slices.Sort(subjects)
	return strings.Join(subjects, ", ")
}

// TestSidesSwapped checks that what appeared vanishes, that what moved moves back, and that a run equals its copy.
func TestSidesSwapped(t *testing.T) {
	l := open(t)
	put(t, l, "base", machine{"a": {0, ms}, "b": {1, 2 * ms}, "c": {2, ms}})
	put(t, l, "copy", machine{"a": {0, ms}, "b": {1, 2 * ms}, "c": {2, ms}})
	put(t, l, "cand", machine{"a": {0, 9 * ms}, "d": {0, 2 * ms}, "c": {1, ms / 2}})
	there, back := compareRuns(t, job(l, "base", "cand")), compareRuns(t, job(l, "cand", "base"))
	swapped := func(verdict string) string {
		other := map[string]string{schema.Appeared: schema.Vanished, schema.Vanished: schema.Appeared, schema.Slower: schema.Faster, schema.Faster: schema.Slower}
		if v, has := other[verdict]; has {
			return v
		}
		return verdict
	}
	expect.Slice(t, lines(back, swapped), lines(there, strings.Clone), "there, and back")
	expect.Equal(t, said(compareRuns(t, job(l, "base", "copy"))), "", "a run against its copy")
}

// TestSameBytesWithMoreJobs checks that the tables do not depend on how many work on them.
func TestSameBytesWithMoreJobs(t *testing.T) {
	var want string
	for jobs := 1; jobs <= 3; jobs++ {
		l := open(t)
		put(t, l, "base", machine{"a": {0, ms}, "b": {1, 2 * ms}, "c": {2, ms}})
		put(t, l, "cand", machine{"a": {2, 9 * ms}, "d": {0, 2 * ms}, "c": {1, ms / 2}})
		j := job(l, "base", "cand")
		j.Jobs = jobs
		compareRuns(t, j)
		got := ""
		for _, table := range []string{"changes", "matches"} {
			m := expect.Value(l.Manifest(table, lake.Comparison("x")))(t)
			data := expect.Value(os.ReadFile(filepath.Clean(l.Path(m.Files[0]))))(t)
			got += string(data)
		}
		if want == "" {
			want = got
		} else if got != want {
			t.Errorf("%d jobs write other bytes than 1", jobs)
		}
	}
}

// TestMatchingIsAnOption checks that a comparison with another way to match is another one.
func TestMatchingIsAnOption(t *testing.T) {
	l := open(t)
	put(t, l, "base", machine{"b": {1, 2 * ms}})
	put(t, l, "cand", machine{"d": {0, 2 * ms}})
	j := job(l, "base", "cand")
	for _, c := range []struct {
		method matching.Method
		want   string
	}{{matching.ByDifference, "b.f -> d.f"}, {matching.ByWalk, "b.f, d.f"}} {
		j.Matching = c.method
		all, fresh, err := run(t.Context(), j)
		if err != nil || fresh || wholeFragments(all) != c.want {
			t.Errorf("%s: %s, fresh %v, %v", c.method, wholeFragments(all), fresh, err)
		}
	}
}
