package main

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/tracelake/tracelake/pipeline/evaluate"
)

// evaluated is an evaluation with what it is of.
type evaluated struct {
	*evaluate.Result
	job     evaluate.Job
	command string
}

// sheet is a table for machines: a cell is a text, an int or a float64.
type sheet struct {
	name string
	head []string
	rows [][]any
}

// tables are all tables that there are.
func (e *evaluated) tables() (all []sheet) {
	for _, t := range []sheet{e.aaTable(), e.ablationTable(), e.faultTable(), e.powerTable(), e.fdrTable()} {
		if len(t.rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}

func (e *evaluated) aaTable() sheet {
	t := sheet{name: "aa", head: []string{
		"cell", "runs", "splits", "alarmed", "alarmed_transitions", "alarms", "shape_changed", "count_changed", "later_sooner", "unchanged", "undetermined",
		"covered", "unchanged_at_margin",
	}}
	for _, a := range append(evaluate.Together(e.AA), e.AA...) {
		t.rows = append(t.rows, []any{
			a.Cell, a.Runs, a.Splits, a.Alarmed.Rate(), a.AlarmedSteps.Rate(), a.Alarms.Rate(), a.Shape.Rate(), a.Count.Rate(), a.Displaced.Rate(), a.Unchanged.Rate(),
			a.Undetermined.Rate(), a.Covered.Rate(), a.Wrong.Rate(),
		})
	}
	return t
}

func (e *evaluated) ablationTable() sheet {
	t := sheet{name: "ablation", head: []string{"runs", "method", "splits", "alarmed", "alarms"}}
	for _, r := range evaluate.RivalsTogether(e.Ablation) {
		t.rows = append(t.rows, []any{r.Runs, r.Method, r.Alarmed.Of, r.Alarmed.Rate(), r.Alarms.Rate()})
	}
	return t
}

func (e *evaluated) faultTable() sheet {
	t := sheet{name: "faults", head: []string{
		"setting", "kind", "magnitude", "method", "precision", "recall", "f1", "undefined", "prevalence", "visible", "matters", "material_recall",
		"material_f1",
	}}
	for _, x := range e.Trials {
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

func (e *evaluated) powerTable() sheet {
	t := sheet{name: "power", head: []string{"runs", "subjects", "effect", "changed", "regressed", "detected"}}
	for _, p := range evaluate.PowerOverall(e.Power) {
		t.rows = append(t.rows, []any{p.Runs, p.Class, p.Effect, p.Named.Of, p.Named.Rate(), p.Detected.Rate()})
	}
	return t
}

func (e *evaluated) fdrTable() sheet {
	t := sheet{name: "fdr", head: []string{"cell", "runs", "change", "verdicts", "false", "fdr", "found"}}
	for _, f := range append(evaluate.FDROverall(e.FDR), e.FDR...) {
		t.rows = append(t.rows, []any{f.Cell, f.Runs, f.Change, f.False.Of, f.False.Hits, f.Expected, f.Found.Rate()})
	}
	return t
}

// writeCSV writes numbers with three digits; what is not known is empty.
func (t *sheet) writeCSV(out io.Writer) error {
	w := csv.NewWriter(out)
	if err := w.Write(t.head); err != nil {
		return err
	}
	for _, row := range t.rows {
		var cells []string
		for _, v := range row {
			cells = append(cells, plain(v))
		}
		if err := w.Write(cells); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

func plain(v any) string {
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

// forMachines is the table as JSON has it: what is not known is null.
func (t *sheet) forMachines() []map[string]any {
	out := []map[string]any{}
	for _, row := range t.rows {
		object := make(map[string]any)
		for i, v := range row {
			if f, is := v.(float64); is && math.IsNaN(f) {
				v = nil
			}
			object[t.head[i]] = v
		}
		out = append(out, object)
	}
	return out
}
