package compare

import (
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
)

// commit makes the tables of a comparison one after the other; changes, by which it is known to be there, comes last.
func (j *Job) commit(r *Result, matches []schema.Match, fingerprint string, inputs []lake.Input) error {
	p := lake.Comparison(j.ID)
	staging, err := j.Lake.Stage(StageName, p, fingerprint)
	if err != nil {
		return err
	}
	defer staging.Discard()
	var manifests []*lake.Manifest
	add := func(table string, f lake.File, err error) error {
		manifests = append(manifests, &lake.Manifest{
			Table: table, Partition: p.String(), Stage: StageName, Version: StageVersion, Inputs: inputs,
			Options: lake.OptionText(j.options()), Fingerprint: fingerprint, Files: []lake.File{f},
		})
		return err
	}
	file, err := write(staging, "matches", matches)
	if err := add("matches", file, err); err != nil {
		return err
	}
	file, err = write(staging, "estimates", r.Estimates)
	if err := add("estimates", file, err); err != nil {
		return err
	}
	file, err = write(staging, "findings", r.Findings)
	if err := add("findings", file, err); err != nil {
		return err
	}
	file, err = write(staging, "changes", r.Changes)
	if err := add("changes", file, err); err != nil {
		return err
	}
	return staging.Commit(manifests...)
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

// read reads the result of a comparison that the lake has.
func read(l *lake.Lake, p lake.Partition) (*Result, error) {
	r := new(Result)
	var err error
	if r.Changes, err = readTable[schema.Change](l, "changes", p); err != nil {
		return nil, err
	}
	if r.Findings, err = readTable[schema.Finding](l, "findings", p); err != nil {
		return nil, err
	}
	r.Estimates, err = readTable[schema.Estimate](l, "estimates", p)
	return r, err
}

func readTable[T any](l *lake.Lake, table string, p lake.Partition) ([]T, error) {
	m, err := l.Manifest(table, p)
	if err != nil {
		return nil, err
	}
	return parquet.ReadRows[T](l.Path(m.Files[0]))
}
