package history_test

import (
	"math"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/testdata/expect"
)

// A night on which the machine is slower, and a machine that is slower from some release on, are a series of their own: an outlier
// and a change point there, and nothing in the steps of ten functions. What changes in one function on top is its own, and a
// function that waits is not said to be faster on a slower machine, even where the wait itself becomes ten times as long.
func TestFactors(t *testing.T) {
	if testing.Short() {
		t.Skip("steps of fourteen releases are looked for in full tests")
	}
	tables := look(t, jobWith(t, []string{ownTimes}, 14, func(component string, release int) float64 {
		ns := 2 * ms
		if release == 3 {
			ns *= 1.4
		}
		if release >= 9 {
			ns *= 1.3
		}
		switch {
		case component == "a" && release >= 6:
			ns *= 1.5
		case component == "b":
			ns = 5 * ms
		case component == "c" && release >= 9:
			ns = 50 * ms
		case component == "c":
			ns = 5 * ms
		}
		return ns
	}))
	steps := map[string]string{}
	for _, p := range tables.Points {
		if verdicts.IsChange(p.Verdict) && (p.Level == schema.LevelTransition || p.Level == schema.LevelRunFactor) {
			steps[p.Level+" "+p.Component] += p.Verdict + " in " + p.Release + " "
		}
	}
	expect.Equal(t, len(steps), 3, "subjects with change points: %v", steps)
	expect.Equal(t, steps["transition a"], "regressed in v7 ", "steps of a")
	expect.Equal(t, steps["transition c"], "regressed in v10 ", "steps of c")
	expect.Equal(t, steps["run_factor "], "regressed in v10 ", "factors")
	centre := (math.Log(1.4) + 5*math.Log(1.3)) / 14 // the factors have a mean of 1
	want := 20 * ms / 100 * math.Exp(centre)         // ten of a hundred root executions take 2 ms
	for _, v := range valuesOf(t, tables) {
		switch own := v.Level == schema.LevelTransition && v.ValueNs > 0; {
		case own && v.Follows != (v.Component > "c" || v.Component == "a"):
			t.Errorf("%s follows: %t", v.Component, v.Follows)
		case own && v.Component > "c" && math.Abs(float64(v.ValueNs)/want-1) > .04:
			t.Errorf("%s in %s takes %d ns without the factor", v.Component, v.Release, v.ValueNs)
		}
		if v.Outlier != (v.Release == "v4") && v.Level == schema.LevelRunFactor || v.Outlier && v.Level == schema.LevelTransition {
			t.Errorf("%s of %q in %s is an outlier: %t", v.Level, v.Component, v.Release, v.Outlier)
		}
	}
}
