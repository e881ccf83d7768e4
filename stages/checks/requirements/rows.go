package requirements

import (
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/spec"
)

// Row is the outcome as the table checks has it, of a specification with a name.
func (o *Outcome) Row(sp *spec.Spec, name string, semantics Semantics) schema.CheckResult {
	row := schema.CheckResult{
		Spec: name, Check: o.Check, Value: o.Value, Verdict: semantics.Word(o.Verdict), Semantics: string(semantics), Finite: o.Finite,
		States: o.States, Triggers: known(o.Triggers), Failures: o.Failures, Open: o.Open, Vacuous: o.Vacuous(),
		MarginNs: known(o.MarginNs), BoundNs: known(o.BoundNs), Threshold: o.Threshold, LargestGapNs: known(o.LargestGapNs), Formula: sp.Words(o.Formula),
	}
	if !math.IsNaN(o.Robustness) {
		row.Robustness = &o.Robustness
	}
	if len(o.Failing) > 0 {
		row.FirstFailureSeq, row.FirstFailureNs = &o.Failing[0].Seq, &o.Failing[0].TimeNs
	}
	return row
}

// FailureRows are the failing states of the outcome as the table check_failures has them.
func (o *Outcome) FailureRows(name string) (rows []schema.CheckFailure) {
	for i := range o.Failing {
		f := &o.Failing[i]
		rows = append(rows, schema.CheckFailure{
			Spec: name, Check: o.Check, Value: o.Value, Seq: f.Seq, TimeNs: f.TimeNs, Component: f.Component, Function: f.Function,
			DelayNs: known(f.DelayNs), ExcessNs: known(f.ExcessNs),
		})
	}
	return rows
}

// OfRow is the outcome of a row, of which the formula is given, without its failing states and without what only an evaluation knows:
// the numbers of states, and how long 99 % of the answers took.
func OfRow(row *schema.CheckResult, f *spec.Formula) Outcome {
	o := Outcome{
		Check: row.Check, Value: row.Value, Formula: f, BoundNs: orNone(row.BoundNs), Q99Ns: schema.NoValue,
		Robustness: math.NaN(), Threshold: row.Threshold, LargestGapNs: orNone(row.LargestGapNs),
		Judgement: mtl.Judgement{
			Verdict: verdictOf(row), Finite: row.Finite, States: row.States, Triggers: orNone(row.Triggers), Failures: row.Failures, Open: row.Open,
			MarginNs: orNone(row.MarginNs), Tightest: schema.NoValue,
		},
	}
	if row.Robustness != nil {
		o.Robustness = *row.Robustness
	}
	return o
}

// FailingOfRow is the failing state of a row.
func FailingOfRow(row *schema.CheckFailure) Failing {
	return Failing{
		State: schema.NoValue, Seq: row.Seq, TimeNs: row.TimeNs, Component: row.Component, Function: row.Function,
		DelayNs: orNone(row.DelayNs), ExcessNs: orNone(row.ExcessNs),
	}
}

// verdictOf is the verdict of a row. Where three words were asked for, the run as it is tells which of the two in the middle it was.
func verdictOf(row *schema.CheckResult) mtl.Verdict {
	for v := mtl.Undefined; v <= mtl.Good; v++ {
		if Four.Word(v) == row.Verdict {
			return v
		}
	}
	if row.Finite {
		return mtl.StillTrue
	}
	return mtl.StillFalse
}

// known is a value, or nil for schema.NoValue.
func known(v int64) *int64 {
	if v == schema.NoValue {
		return nil
	}
	return &v
}

// orNone is the inverse of known.
func orNone(v *int64) int64 {
	if v == nil {
		return schema.NoValue
	}
	return *v
}
