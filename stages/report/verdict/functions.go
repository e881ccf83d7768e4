package verdict

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// ByFunction is the word that asks for the own times of functions.
const ByFunction = "function"

// functionsByChange are the contributions of all functions, the greatest difference first, whatever its sign.
func (c *Comparison) functionsByChange() []schema.Contribution {
	rows := slices.Clone(c.Contributions)
	slices.SortStableFunc(rows, func(a, b schema.Contribution) int {
		return cmp.Or(
			-cmp.Compare(magnitude(a.CandNs-a.BaseNs), magnitude(b.CandNs-b.BaseNs)),
			cmp.Compare(a.Component, b.Component), cmp.Compare(a.Function, b.Function),
		)
	})
	return rows
}

// writeByFunction writes the own times of functions over all fragments in which they run. Calls that only wait for another component
// have none: what they wait for is the callee's, or the way's.
func (r *Report) writeByFunction(out io.Writer, top int) error {
	if r.By != ByFunction {
		return nil
	}
	rows := r.functionsByChange()
	if len(rows) == 0 {
		_, err := fmt.Fprint(out, "Own times by function: no function was compared.\n\n")
		return err
	}
	fmt.Fprint(out, "Own time by function over all fragments, per root execution, mean of the runs:\n")
	t := texttab.New("rrrll")
	t.Row("base", "cand", "change", "verdict", "where")
	// rest sums up the rows that are cut, all the whole table, so that both lines reconcile with the rows above.
	var rest, all schema.Contribution
	shown := min(top, len(rows))
	for i := range rows {
		of := &rows[i]
		all.BaseNs, all.CandNs = all.BaseNs+of.BaseNs, all.CandNs+of.CandNs
		if i >= shown {
			rest.BaseNs, rest.CandNs = rest.BaseNs+of.BaseNs, rest.CandNs+of.CandNs
			continue
		}
		t.Row(timesOf(of, Words(of.Verdict), fmt.Sprintf("%s.%s, %s", of.Component, of.Function, callsText(of.CallsBase, of.CallsCand)))...)
	}
	if more := len(rows) - shown; more > 0 {
		t.Row(timesOf(&rest, "", texttab.Plural(more, "more function")+" with --top")...)
	}
	t.Row(timesOf(&all, "", "own time of all functions")...)
	if err := r.writeTable(out, t, 4); err != nil {
		return err
	}
	_, err := fmt.Fprintln(out)
	return err
}

// timesOf returns a row of times with what stands behind them.
func timesOf(c *schema.Contribution, rest ...string) []string {
	return append([]string{texttab.Duration(c.BaseNs), texttab.Duration(c.CandNs), texttab.Change(c.CandNs - c.BaseNs)}, rest...)
}
