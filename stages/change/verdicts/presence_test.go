package verdicts_test

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/testdata/expect"
)

// in is a step that the runs with a 1 take n times.
func in(n float64, level string, runs ...int) verdicts.Observed {
	o := verdicts.Observed{Level: level, Component: "c"}
	for _, has := range runs {
		if has == 0 {
			o.Runs = append(o.Runs, verdicts.Run{})
		} else {
			o.Runs = append(o.Runs, run(n, 1e6))
		}
	}
	return o
}

// TestOneSidedByChance asks what all runs of one side have: it appeared or vanished, but not where other steps that are as frequent are in some
// runs by chance. What is more frequent than these is told, and so is what is of another level, or one of very many.
func TestOneSidedByChance(t *testing.T) {
	const step = schema.LevelTransition
	subjects := []verdicts.Observed{
		in(1, step, 0, 0, 0, 1, 1, 1), in(1, step, 1, 1, 1, 0, 0, 0), in(9, step, 0, 0, 0, 1, 1, 1), in(1, schema.LevelFragment, 0, 0, 0, 1, 1, 1),
		in(1, step, 1, 1, 1, 1, 1, 1),
	}
	verdictsOf := func(all []verdicts.Observed) (out []string) {
		for _, j := range verdicts.Judge(all, sides(3, 3), verdicts.Defaults())[:4] {
			out = append(out, j.Verdict)
		}
		return out
	}
	expect.Slice(t, verdictsOf(subjects), []string{schema.Appeared, schema.Vanished, schema.Appeared, schema.Appeared}, "where nothing is in some runs")
	for _, runs := range [][]int{{0, 1, 0, 1, 0, 0}, {1, 1, 0, 0, 1, 0}, {0, 1, 1, 1, 0, 0}, {1, 0, 1, 0, 0, 1}, {0, 1, 1, 0, 1, 1}} {
		subjects = append(subjects, in(2, step, runs...))
	}
	expect.Slice(t, verdictsOf(subjects), []string{schema.Undetermined, schema.Undetermined, schema.Appeared, schema.Appeared}, "beside steps that are in some runs")
	expect.Equal(t, verdicts.Judge(subjects, sides(3, 3), verdicts.Defaults())[0].RunsNeeded, 4, "runs needed")
	for range 100 {
		subjects = append(subjects, in(1, step, 0, 0, 0, 1, 1, 1))
	}
	expect.Slice(t, verdictsOf(subjects), []string{schema.Appeared, schema.Vanished, schema.Appeared, schema.Appeared}, "one of a hundred")
}
