package pipeline

import (
	"context"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// lossesTable is the table of the losses of all stages of a run.
const lossesTable = "losses"

// WriteLosses gathers the losses in the manifests of a run's tables into the table losses. It is a stage that reads
// manifests and no rows, of whatever tables the run has.
func WriteLosses(ctx context.Context, l *lake.Lake, p lake.Partition) error {
	have, err := l.Inventory(p)
	if err != nil {
		return err
	}
	var tables []string
	for _, m := range have.Tables {
		if m.Table != lossesTable {
			tables = append(tables, m.Table)
		}
	}
	e := &Engine{Lake: l}
	_, err = e.RunStage(ctx, p, Stage{
		Name: lossesTable, Version: 1, Uses: tables, Writes: []string{lossesTable}, Whole: true, Run: gatherLosses,
	})
	return err
}

// gatherLosses copies the losses of all manifests, in the order of the tables' names. A run without a loss has a table without
// rows, which says that nothing was lost.
func gatherLosses(t *Task) error {
	losses := []schema.Loss{}
	for _, table := range t.plan.stage.Uses {
		if m := t.own(table); m != nil {
			losses = append(losses, m.Losses...)
		}
	}
	return WriteRows(t, lossesTable, losses)
}
