package main

import (
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
)

const (
	baselinesTable  = "baselines"
	baselineStage   = "baseline"
	baselineVersion = 1
)

// baselinePartition is the partition of a baseline.
func baselinePartition(name string) lake.Partition {
	return lake.Partition{Key: "baseline", Name: name}
}

// storeBaseline makes a baseline of runs, in the place of the one of before.
func storeBaseline(l *lake.Lake, name string, runs []string) error {
	p := baselinePartition(name)
	var rows []schema.BaselineRun
	var inputs []lake.Input
	for i, run := range runs {
		m, err := l.Manifest("runs", lake.Run(run))
		if err != nil {
			return err
		}
		rows = append(rows, schema.BaselineRun{Run: run, Position: int64(i + 1)})
		inputs = append(inputs, lake.Input{Name: "runs of " + run, Fingerprint: m.Fingerprint})
	}
	fingerprint := lake.Fingerprint(baselineStage, baselineVersion, runs, inputs)
	staging, err := l.Stage(baselineStage, p, fingerprint)
	if err != nil {
		return err
	}
	defer staging.Discard()
	file, err := stageBaseline(staging, rows)
	if err != nil {
		return err
	}
	return staging.Commit(&lake.Manifest{
		Table: baselinesTable, Partition: p.String(), Stage: baselineStage, Version: baselineVersion, Inputs: inputs,
		Options: lake.OptionText(runs), Fingerprint: fingerprint, Files: []lake.File{file},
	})
}

func stageBaseline(staging *lake.Staging, rows []schema.BaselineRun) (lake.File, error) {
	w, err := staging.Create(baselinesTable, lake.NoBucket, 0)
	if err != nil {
		return lake.File{}, err
	}
	if err := parquet.WriteRows(w, rows); err != nil {
		w.Abandon()
		return lake.File{}, err
	}
	return w.Finish(int64(len(rows)))
}

// readBaseline reads the names of the runs of a baseline, in their order.
func readBaseline(l *lake.Lake, name string) (runs []string, err error) {
	if err := checkBaseline(name); err != nil {
		return nil, err
	}
	m, err := l.Manifest(baselinesTable, baselinePartition(name))
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, noBaseline(l, name)
	}
	rows, err := parquet.ReadRows[schema.BaselineRun](l.Path(m.Files[0]))
	for _, row := range rows {
		runs = append(runs, row.Run)
	}
	return runs, err
}

// noBaseline says which baselines there are.
func noBaseline(l *lake.Lake, name string) error {
	partitions, err := l.Partitions(baselinesTable)
	if err != nil {
		return err
	}
	var names []string
	for _, p := range partitions {
		names = append(names, p.Name)
	}
	if len(names) == 0 {
		return console.Usagef("no baseline %s: the lake has none; analyze baseline set makes one", name)
	}
	return console.Usagef("no baseline %s; the lake has %s", name, shorten(names))
}

// baselineRuns are the runs that @name stands for: all of them, or an error.
func baselineRuns(l *lake.Lake, name string, runs map[string]schema.Run) ([]string, error) {
	names, err := readBaseline(l, name)
	if err != nil {
		return nil, err
	}
	if gone := dropped(names, runs); len(gone) > 0 {
		return nil, fmt.Errorf("baseline %s names %s, dropped since: ingest again, or set the baseline anew with analyze baseline set %s",
			name, strings.Join(gone, ", "), name)
	}
	return names, nil
}
