package verdict

import (
	"cmp"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// errorHeading stands above the table of functions that fail more or less often.
const errorHeading = "Executions that ended with an error: share of the calls of a function in all runs of a side, and difference in percentage points:"

// errorRows are the functions whose failures are worth a row: those that fail in another share of their calls.
// Unchanged and undetermined shares are left out: of most functions nothing fails.
func (r *Report) errorRows() (rows []schema.ErrorShare) {
	for _, e := range r.Errors {
		if e.Verdict == schema.FailsMore || e.Verdict == schema.FailsLess || e.Verdict == schema.Candidate {
			rows = append(rows, e)
		}
	}
	return rows
}

// errorTable is the table of functions that fail more or less often, nil if there are none. Names go through a function that makes
// them safe.
//
//	verdict                          base -> cand  points  95 % interval       q  where       such as
//	fails more  0.1 % of 1,198 -> 5.03 % of 1,204   +4.93   +4.1 to +5.8  <0.001  pay.charge  execution 412 of c1
func (r *Report) errorTable(top int, safe func(string) string) *texttab.Table {
	rows := r.errorRows()
	if len(rows) == 0 {
		return nil
	}
	table := texttab.New("lrrrrll")
	table.Row("verdict", "base -> cand", "points", "95 % interval", "q", "where", "such as")
	for i := range rows[:min(top, len(rows))] {
		e := &rows[i]
		// An example is an execution that failed, by its number in the table executions.
		example := ""
		if e.Run != nil && e.Example != nil {
			example = fmt.Sprintf("execution %d of %s", *e.Example, *e.Run)
		}
		table.Row(Words(e.Verdict), safe(fromTo(callShare(e.FailedBase, e.CallsBase), callShare(e.FailedCand, e.CallsCand))), points(e.Difference),
			fmt.Sprintf("%s to %s", points(e.Lo), points(e.Hi)), safe(qText(&e.Q)), safe(e.Component+"."+e.Function), safe(example))
	}
	if more := len(rows) - top; more > 0 {
		table.Row("", "", "", "", "", fmt.Sprintf("and %s more", texttab.Count(more)), "")
	}
	return table
}

// callShare writes a share of calls, and how many there are.
func callShare(failed, calls int64) string {
	if calls == 0 {
		return "no call"
	}
	return fmt.Sprintf("%.3g %% of %s", 100*float64(failed)/float64(calls), texttab.Count(calls))
}

// points writes a difference of shares in percentage points.
func points(share float64) string { return fmt.Sprintf("%+.3g", 100*share) }

// failing names the function whose failures changed most of those with a verdict, and counts the others; "" is none.
//
//	pay.charge fails in 5.03 % of 1,204 calls, before in 0.1 % of 1,198, and 2 more
func (r *Report) failing(verdict string) string {
	// Rows come with the greatest change first.
	first, n := -1, 0
	for i := range r.Errors {
		if r.Errors[i].Verdict == verdict {
			if n++; first < 0 {
				first = i
			}
		}
	}
	if n == 0 {
		return ""
	}
	e := &r.Errors[first]
	return fmt.Sprintf("%s.%s fails in %s calls, before in %s", e.Component, e.Function, callShare(e.FailedCand, e.CallsCand), callShare(e.FailedBase, e.CallsBase)) + andMore(n-1)
}

// errorSentence adds to the verdict on times that something fails more often; "" where nothing does.
func (r *Report) errorSentence() string {
	if text := cmp.Or(r.failing(schema.FailsMore), r.failing(schema.Candidate)); text != "" {
		return "; " + text
	}
	return ""
}

// writeErrors writes the functions that fail more or less often.
func (r *Report) writeErrors(out io.Writer, top int) error {
	table := r.errorTable(top, func(name string) string { return name })
	if table == nil {
		return nil
	}
	fmt.Fprintln(out, texttab.Wrap(errorHeading, r.width(), ""))
	if err := r.writeTable(out, table, 5, "such as", "q", "95 % interval", "points"); err != nil {
		return err
	}
	fmt.Fprintln(out)
	return nil
}
