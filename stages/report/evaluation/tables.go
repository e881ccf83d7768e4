package evaluation

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/tracelake/tracelake/stages/evaluation/results"
)

// csvTable is a table for programs. A cell is a string, an int or a float64.
type csvTable struct {
	name string   // of the file, and the key in JSON
	head []string // the names of the columns
	rows [][]any  // as many cells as columns
}

// csvTables returns the tables of all parts that were evaluated.
func (r *Report) csvTables() (all []csvTable) {
	for _, t := range []csvTable{r.aaTable(), r.ablationTable(), r.faultTable(), r.powerTable(), r.fdrTable()} {
		if len(t.rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// aaTable has the A/A results, first those of all cells together, then cell by cell. Rates are
// shares from 0 to 1.
func (r *Report) aaTable() csvTable {
	t := csvTable{name: "aa", head: []string{
		"cell", "runs", "splits", "alarmed", "alarmed_transitions", "alarms", "shape_changed", "count_changed", "later_sooner", "unchanged", "undetermined",
		"covered", "unchanged_at_margin",
	}}
	for _, a := range append(results.Together(r.AA), r.AA...) {
		t.rows = append(t.rows, []any{
			a.Cell, a.Runs, a.Splits, a.Alarmed.Rate(), a.AlarmedSteps.Rate(), a.Alarms.Rate(), a.Shape.Rate(), a.Count.Rate(), a.Displaced.Rate(), a.Unchanged.Rate(),
			a.Undetermined.Rate(), a.Covered.Rate(), a.Wrong.Rate(),
		})
	}
	return t
}

// ablationTable has the false alarms of all methods on transitions.
func (r *Report) ablationTable() csvTable {
	t := csvTable{name: "ablation", head: []string{"runs", "method", "splits", "alarmed", "alarms"}}
	for _, by := range results.Together(r.Ablation) {
		t.rows = append(t.rows, []any{by.Runs, by.Method, by.Alarmed.Of, by.Alarmed.Rate(), by.Alarms.Rate()})
	}
	return t
}

// faultTable has a row for every setting, fault and method that can judge so few runs. Others have no seed that was scored.
func (r *Report) faultTable() csvTable {
	t := csvTable{name: "faults", head: []string{
		"setting", "kind", "magnitude", "method", "precision", "recall", "f1", "undefined", "prevalence", "visible", "matters", "material_recall",
		"material_f1",
	}}
	for _, x := range r.Trials {
		if x.Seeds == 0 {
			continue
		}
		t.rows = append(t.rows, []any{
			x.Setting, string(x.Fault.Fault.Kind), x.Fault.Name, x.Method, x.Score.Precision, x.Score.Recall, x.Score.F1, x.Undefined,
			x.Score.Prevalence, x.Visible, x.Matters, x.Material.Recall, x.Material.F1,
		})
	}
	return t
}

// powerTable has the power of release verdicts by number of runs, class of subjects and effect. regressed is the share that is
// called so; detected also counts other words for a change.
func (r *Report) powerTable() csvTable {
	t := csvTable{name: "power", head: []string{"runs", "subjects", "effect", "changed", "regressed", "detected"}}
	for _, p := range results.Together(r.Power) {
		t.rows = append(t.rows, []any{p.Runs, p.Class, p.Effect, p.Named.Of, p.Named.Rate(), p.Detected.Rate()})
	}
	return t
}

// fdrTable has the false discoveries among true ones, first those of all cells together.
func (r *Report) fdrTable() csvTable {
	t := csvTable{name: "fdr", head: []string{"cell", "runs", "change", "verdicts", "false", "fdr", "found"}}
	for _, f := range append(results.Together(r.FDR), r.FDR...) {
		t.rows = append(t.rows, []any{f.Cell, f.Runs, f.Change, f.False.Of, f.False.Hits, f.Expected, f.Found.Rate()})
	}
	return t
}

// writeCSV writes numbers with three digits, which is more than a few hundred seeds tell; unknown numbers are empty.
func (t *csvTable) writeCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	if err := w.Write(t.head); err != nil {
		return err
	}
	for _, row := range t.rows {
		var cells []string
		for _, v := range row {
			cells = append(cells, csvText(v))
		}
		if err := w.Write(cells); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// csvText writes a cell: an int, a float64 or a string, which are all that rows have.
func csvText(v any) string {
	switch v := v.(type) {
	case int:
		return strconv.Itoa(v)
	case float64:
		if math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return v.(string)
}

// jsonRows returns the rows as objects by the names of the columns; unknown numbers are null.
func (t *csvTable) jsonRows() []map[string]any {
	out := []map[string]any{}
	for _, row := range t.rows {
		object := make(map[string]any)
		for i, v := range row {
			// JSON has no NaN.
			if f, is := v.(float64); is && math.IsNaN(f) {
				v = nil
			}
			object[t.head[i]] = v
		}
		out = append(out, object)
	}
	return out
}
