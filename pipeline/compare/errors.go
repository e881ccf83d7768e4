package compare

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/functionchanges"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// failed is what a run says of the executions of a function that failed.
type failed struct {
	number  int64
	example int64 // the first of them
}

// leastShare is the difference of shares of failed calls below which nothing matters, unless the margin is greater.
const leastShare = .001

// failures reads which functions failed in every run; nil where no trace says so of any execution.
func (j *comparison) failures(ctx context.Context) ([]map[functionKey]failed, error) {
	all, some := make([]map[functionKey]failed, len(j.Base)+len(j.Cand)), false
	for i := range all {
		var err error
		if all[i], err = j.failuresOf(ctx, j.models[i].run); err != nil {
			return nil, err
		}
		some = some || len(all[i]) > 0
	}
	if !some {
		return nil, nil
	}
	return all, nil
}

// failuresOf reads which functions failed in a run. Executions are read only where some failed.
func (j *comparison) failuresOf(ctx context.Context, run string) (map[functionKey]failed, error) {
	m, err := j.Lake.Manifest("annotations", lake.Run(run))
	if err != nil || m == nil || m.Rows() == 0 {
		return nil, err
	}
	var ends []int64 // executions that failed
	err = lake.ReadEach(j.Lake, "annotations", lake.Run(run), func(n *schema.Annotation) {
		if n.About == schema.AboutEvent && n.Name == schema.NoteStatus && n.Value == schema.StatusError && n.Seq != nil {
			ends = append(ends, *n.Seq)
		}
	})
	if err != nil || len(ends) == 0 {
		return nil, err
	}
	slices.Sort(ends)
	out, rows := make(map[functionKey]failed), schema.NewExecutions(new(schema.Names))
	if m, err = j.Lake.Table("executions", lake.Run(run)); err != nil {
		return nil, err
	}
	err = j.Lake.Scan(ctx, m.Files, rows, lake.ScanOptions{Columns: []string{"execution", "component", "function"}}, func() error {
		for i, execution := range rows.Execution {
			if _, is := slices.BinarySearch(ends, execution); !is {
				continue
			}
			k := functionKey{rows.Names.Components.Name(rows.Component[i]), rows.Names.Functions.Name(rows.Function[i])}
			f := out[k]
			if f.number++; f.number == 1 || execution < f.example {
				f.example = execution
			}
			out[k] = f
		}
		return nil
	})
	return out, err
}

// errorShares compares how often functions fail. They are a family of hypotheses of their own, so that traces with a status have the
// same rates of all other verdicts as those without.
func (j *comparison) errorShares(ctx context.Context, f *functions) ([]schema.ErrorShare, error) {
	failures, err := j.failures(ctx)
	if err != nil || failures == nil {
		return nil, err
	}
	var rows []schema.ErrorShare
	var tests []functionchanges.FailureChange
	var p []float64
	for i := range f.pairs {
		row, runs := j.errorShare(f, i, failures)
		if row.FailedBase+row.FailedCand == 0 {
			continue
		}
		c := functionchanges.CompareFailures(runs, f.design)
		rows, tests, p = append(rows, row), append(tests, c), append(p, c.Test.P())
	}
	for i, q := range stats.BenjaminiHochberg(p) {
		j.decideErrors(&rows[i], &tests[i], q, f.design.Pairs(len(f.runs)))
	}
	slices.SortStableFunc(rows, func(a, b schema.ErrorShare) int {
		return cmp.Compare(math.Abs(b.Difference), math.Abs(a.Difference))
	})
	return rows, nil
}

// errorShare counts the calls of a function and those that failed, in every run and on both sides.
func (j *comparison) errorShare(f *functions, i int, failures []map[functionKey]failed) (row schema.ErrorShare, runs []functionchanges.Failures) {
	pair := f.pairs[i]
	row.Component, row.Function = pair.name().component, pair.name().function
	runs = make([]functionchanges.Failures, len(f.runs))
	exampleOfCand := false
	for at, run := range f.runs {
		keys, isCand := pair.baseline(), at >= f.design.Base
		if isCand {
			keys = []functionKey{pair.cand}
		}
		calls, number := int64(j.models[run].functionsOf(keys).Count), int64(0)
		for _, k := range keys {
			of := failures[run][k]
			number += of.number
			if of.number > 0 && (row.Run == nil || isCand && !exampleOfCand) {
				name, example := j.models[run].run, of.example
				row.Run, row.Example, exampleOfCand = &name, &example, isCand
			}
		}
		calls = max(calls, number)
		runs[at] = functionchanges.Failures{Failed: float64(number), Calls: float64(calls)}
		if isCand {
			row.CallsCand, row.FailedCand = row.CallsCand+calls, row.FailedCand+number
		} else {
			row.CallsBase, row.FailedBase = row.CallsBase+calls, row.FailedBase+number
		}
	}
	return row, runs
}

// decideErrors fills in the verdict and its figures. The interval and p are of the same test.
func (j *comparison) decideErrors(row *schema.ErrorShare, c *functionchanges.FailureChange, q float64, runs int) {
	lo, hi := c.Test.Interval(j.Verdicts.Level)
	row.Difference, row.Lo, row.Hi = c.Cand-c.Base, max(-1, lo), min(1, hi)
	row.P, row.Q, row.Verdict = c.Test.P(), q, schema.Undetermined
	matters := max(leastShare, j.Verdicts.Limits(row.Component).Margin*c.Base)
	switch {
	case q <= j.Verdicts.FDR && math.Abs(c.Test.Estimate) > matters && row.Lo*row.Hi > 0:
		row.Difference = c.Test.Estimate
		switch {
		case runs < verdicts.MinRuns:
			row.Verdict = schema.Candidate
		case c.Test.Estimate > 0:
			row.Verdict = schema.FailsMore
		default:
			row.Verdict = schema.FailsLess
		}
	case max(-lo, hi) <= matters && runs >= verdicts.MinRuns:
		row.Verdict = schema.Unchanged
	}
}
