package plan

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
)

// BaselinesTable keeps the runs of every baseline, a partition for each.
const BaselinesTable = "baselines"

// Baseline declares a baseline: the names of runs to compare others with. It reads no rows; that the runs stand in its
// inputs makes it depend on their ingests, so that a run that was ingested again makes the baseline another one.
func Baseline(runs []string) pipeline.Stage {
	return pipeline.Stage{
		Name: "baseline", Version: 1, Doc: "stores the names of runs, to compare others with",
		Options: runs, Runs: runs, Reads: []string{"runs"}, Writes: []string{BaselinesTable}, Whole: true, Run: writeBaseline,
	}
}

// writeBaseline writes the names with their positions from 1.
func writeBaseline(t *pipeline.Task) error {
	var runs []string
	if err := t.Options(&runs); err != nil {
		return err
	}
	rows := make([]schema.BaselineRun, len(runs))
	for i, run := range runs {
		rows[i] = schema.BaselineRun{Run: run, Position: int64(i + 1)}
	}
	return pipeline.WriteRows(t, BaselinesTable, rows)
}
