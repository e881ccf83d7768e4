package history

import (
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
)

const (
	valuesTable = "history"
	pointsTable = "change_points"
)

// commit makes the tables exist.
func (j *Job) commit(t *Tables, fingerprint string, inputs []lake.Input) error {
	p := lake.Comparison(j.ID)
	staging, err := j.Lake.Stage(StageName, p, fingerprint)
	if err != nil {
		return err
	}
	defer staging.Discard()
	values, err := write(staging, valuesTable, t.Values)
	if err != nil {
		return err
	}
	points, err := write(staging, pointsTable, t.Points)
	if err != nil {
		return err
	}
	manifest := func(table string, f lake.File) *lake.Manifest {
		return &lake.Manifest{
			Table: table, Partition: p.String(), Stage: StageName, Version: StageVersion, Inputs: inputs,
			Options: lake.OptionText(j.options()), Fingerprint: fingerprint, Files: []lake.File{f},
		}
	}
	return staging.Commit(manifest(valuesTable, values), manifest(pointsTable, points))
}

func write[T any](staging *lake.Staging, table string, rows []T) (lake.File, error) {
	w, err := staging.Create(table, lake.NoBucket, 0)
	if err != nil {
		return lake.File{}, err
	}
	if err := parquet.WriteRows(w, rows); err != nil {
		w.Abandon()
		return lake.File{}, err
	}
	return w.Finish(int64(len(rows)))
}
