package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/schema"
	readers "github.com/tracelake/tracelake/stages/ingest"
	"github.com/tracelake/tracelake/stages/timing/constraints"
)

// fault is a line of faults.tsv.
type fault struct {
	day, time, service, kind string   // as faults.tsv has them; a time as 03:51:02
	injectedNs               int64    // ns since 1970, on the clock of the spans
	files                    []string // hours and minutes of its tables, as 03_51
}

// readFaults reads faults.tsv: day, time, seconds on the clock of the spans, service, kind, and minutes with blanks between.
func readFaults(path string) (faults []fault, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := csv.NewReader(file)
	// Values may hold commas, but no tabs.
	lines.Comma = '\t'
	rows, err := lines.ReadAll()
	if err != nil {
		return nil, err
	}
	// Columns: day, time, seconds, service, kind, minutes.
	for i, row := range rows {
		if i == 0 {
			continue // the header
		}
		seconds, err := strconv.ParseInt(row[2], 10, 64)
		if err != nil || strings.TrimSpace(row[5]) == "" { // a fault without tables has nothing to rank
			return nil, fmt.Errorf("%s:%d: a time in seconds and files are needed", path, i+1)
		}
		faults = append(faults, fault{row[0], row[1], row[3], row[4], seconds * 1e9, strings.Fields(row[5])})
	}
	return faults, nil
}

// paths are the tables of a fault.
func (f *fault) paths(folder string) (paths []string) {
	for _, minute := range f.files {
		paths = append(paths, filepath.Join(folder, "fault", f.day+"_"+minute+".csv"))
	}
	return paths
}

// normalDays lists the days with fault-free minutes.
func normalDays(folder string) (days []string, err error) {
	files, err := os.ReadDir(filepath.Join(folder, "normal"))
	// Files come by name, DAY_MINUTE, so that those of a day stand together.
	for _, file := range files {
		day, _, _ := strings.Cut(file.Name(), "_")
		days = append(days, day)
	}
	return slices.Compact(days), err
}

// normal returns the run of the fault-free minutes of a day.
func (d *folder) normal(ctx context.Context, day string) (run string, err error) {
	// All fault-free minutes of a day are one run, named after the day, so that faults of one day share it.
	paths, err := filepath.Glob(filepath.Join(d.path, "normal", day+"_*"))
	if err != nil || len(paths) == 0 {
		return "", fmt.Errorf("normal has no minute of %s", day)
	}
	run = "normal-" + day
	return run, d.ingest(ctx, run, paths)
}

// readingBytes is the memory in which a table, and then its requests, are read: 1 GiB.
const readingBytes = 1 << 30

// pods makes services of the names of pods.
const pods = "service=^(.*)-[0-9a-z]+-[a-z0-9]+$"

// ingest makes one run of tables of spans, with its executions, unless the lake has it.
func (d *folder) ingest(ctx context.Context, run string, paths []string) error {
	// Tables may be packed; the name without .zst is tried first.
	for i, path := range paths {
		if _, err := os.Stat(path); err != nil {
			paths[i] = path + ".zst"
		}
	}
	// Spans are columns of a table; a service is a pod without the two random parts of its name.
	o, formats := schema.ReadingOptions{Component: pods}, readers.Formats()
	t := ingest.Job{
		Lake: d.lake, Run: run, Paths: paths, Options: o, Jobs: 1, Memory: readingBytes, Format: "spans", Incomplete: "complete", Untraced: "ignore",
		Detect: ingest.DetectAmong(formats, "spans", o), Find: ingest.FindAmong(formats, "spans"),
	}
	have, err := t.Standing()
	if err == nil && !have.Fresh { // fresh: a fault of the same day has made it already
		_, _, err = ingest.Run(ctx, t)
	}
	if err != nil {
		return err
	}
	// Only executions: what the ranking reads needs no other stage.
	stages := slices.DeleteFunc(plan.Stages(plan.Options{Constraints: constraints.Defaults()}), func(s pipeline.Stage) bool { return s.Name != "executions" })
	engine := &pipeline.Engine{Lake: d.lake, Stages: stages, Jobs: 1}
	_, err = engine.Run(ctx, []lake.Partition{lake.Run(run)})
	return err
}
