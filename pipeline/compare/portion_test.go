package compare_test

import (
	"testing"

	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestPortions checks that the result does not depend on how much memory a task has, which decides how many fragments are compared
// at a time: with a byte it is one.
func TestPortions(t *testing.T) {
	l := open(t)
	runs := machine{"a": {0, ms}, "b": {0, 2 * ms}, "c": {0, 3 * ms}, "d": {1, 4 * ms}}
	for _, run := range []string{"b1", "b2", "b3", "c1", "c2"} {
		put(t, l, run, runs)
	}
	put(t, l, "c3", machine{"a": {1, ms}, "b": {0, 9 * ms}, "c": {2, 3 * ms}})
	for _, byRuns := range []bool{true, false} {
		var results []*compare.Result
		for _, memory := range []int64{0, 1} {
			j := job(l, "b1 b2 b3", "c1 c2 c3")
			j.ByRuns, j.Verdicts, j.Memory = byRuns, verdicts.Defaults(), memory
			if j.ID = "much"; memory > 0 {
				j.ID = "little"
			}
			if byRuns {
				j.ID += "-by-runs"
			}
			r, fresh, err := compare.Run(t.Context(), j)
			if err != nil || fresh || len(r.Changes) == 0 {
				t.Fatal(r, fresh, err)
			}
			results = append(results, r)
		}
		expect.Deep(t, results[0], results[1], "by runs %t: with less memory", byRuns)
	}
}
