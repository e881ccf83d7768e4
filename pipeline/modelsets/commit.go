package modelsets

import (
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
)

// commit makes the tables exist.
func (j *Job) commit(t *Tables, fingerprint string, inputs []lake.Input) error {
	p := lake.Comparison(j.ID)
	staging, err := j.Lake.Stage(StageName, p, fingerprint)
	if err != nil {
		return err
	}
	defer staging.Discard()
	var manifests []*lake.Manifest
	for _, table := range []struct {
		name  string
		rows  int
		write func(w *lake.Writer) error
	}{
		{"variants", len(t.Variants), func(w *lake.Writer) error { return parquet.WriteRows(w, t.Variants) }},
		{"lattice", len(t.Lattice), func(w *lake.Writer) error { return parquet.WriteRows(w, t.Lattice) }},
		{"differences", len(t.Differences), func(w *lake.Writer) error { return parquet.WriteRows(w, t.Differences) }},
		{"entity_changes", len(t.Changes), func(w *lake.Writer) error { return parquet.WriteRows(w, t.Changes) }},
	} {
		f, err := write(staging, table.name, table.rows, table.write)
		if err != nil {
			return err
		}
		manifests = append(manifests, &lake.Manifest{
			Table: table.name, Partition: p.String(), Stage: StageName, Version: StageVersion, Inputs: inputs,
			Options: lake.OptionText(j.options()), Fingerprint: fingerprint, Files: []lake.File{f},
		})
	}
	return staging.Commit(manifests...)
}

func write(staging *lake.Staging, table string, rows int, f func(w *lake.Writer) error) (lake.File, error) {
	w, err := staging.Create(table, lake.NoBucket, 0)
	if err != nil {
		return lake.File{}, err
	}
	if err := f(w); err != nil {
		w.Abandon()
		return lake.File{}, err
	}
	return w.Finish(int64(rows))
}
