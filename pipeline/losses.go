package pipeline

import (
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
)

// WriteLosses gathers the losses in the manifests of a run's tables into the table losses.
func WriteLosses(l *lake.Lake, p lake.Partition) error {
	tables, err := l.Tables()
	if err != nil {
		return err
	}
	losses := []schema.Loss{}
	var inputs []lake.Input
	for _, table := range tables {
		m, err := l.Manifest(table, p)
		if err != nil {
			return err
		}
		if m == nil || table == "losses" {
			continue
		}
		losses = append(losses, m.Losses...)
		inputs = append(inputs, lake.Input{Name: table, Fingerprint: m.Fingerprint})
	}
	const stage, version = "losses", 1
	fingerprint := lake.Fingerprint(stage, version, nil, inputs)
	have, err := l.Manifest("losses", p)
	if err != nil || have != nil && have.Fingerprint == fingerprint {
		return err
	}
	staging, err := l.Stage(stage, p, fingerprint)
	if err != nil {
		return err
	}
	defer staging.Discard()
	w, err := staging.Create("losses", lake.NoBucket, 0)
	if err != nil {
		return err
	}
	if err := parquet.WriteRows(w, losses); err != nil {
		w.Abandon()
		return err
	}
	f, err := w.Finish(int64(len(losses)))
	if err != nil {
		return err
	}
	return staging.Commit(&lake.Manifest{
		Table: "losses", Partition: p.String(), Stage: stage, Version: version, Inputs: inputs,
		Fingerprint: fingerprint, Files: []lake.File{f},
	})
}
