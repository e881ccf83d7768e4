package runs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/schema"
)

// BaselinesTable is the table that keeps the runs of every baseline, a partition for each.
const BaselinesTable = plan.BaselinesTable

// BaselinePartition returns the partition of a baseline.
// The name must have passed CheckBaselineName.
func BaselinePartition(name string) lake.Partition {
	return lake.Partition{Key: "baseline", Name: name}
}

// CheckBaselineName reports why a baseline cannot have a name, which becomes the name of a folder.
// The rule is that of runs, so that @name cannot be confused with a path or with key=value.
func CheckBaselineName(name string) error {
	if lake.CheckName(name) != nil {
		return nameErrorf("%q cannot name a baseline: use letters, digits, '.', '_', '+' and '-', beginning with a letter or digit", name)
	}
	return nil
}

// StoreBaseline stores runs as a baseline, which replaces one of the same name. It keeps the order of the runs and the
// fingerprints of their ingests.
// The runs are named, not copied. The caller holds the lock of the lake.
func StoreBaseline(ctx context.Context, e *pipeline.Engine, name string, runs []string) error {
	_, err := e.RunStage(ctx, BaselinePartition(name), plan.Baseline(runs))
	return err
}

// ReadBaseline returns the names of the runs of a baseline in their stored order, dropped runs included.
// A name that no baseline has is a NameError, which lists those that exist.
func ReadBaseline(l *lake.Lake, name string) (runs []string, err error) {
	if err := CheckBaselineName(name); err != nil {
		return nil, err
	}
	m, err := l.Manifest(BaselinesTable, BaselinePartition(name))
	if err != nil {
		return nil, err
	}
	if m == nil {
		return nil, noBaseline(l, name)
	}
	rows, err := lake.Read[schema.BaselineRun](l, BaselinesTable, BaselinePartition(name))
	for _, row := range rows {
		runs = append(runs, row.Run)
	}
	return runs, err
}

// noBaseline lists the baselines that the lake has.
// It is a NameError, unless the lake cannot be listed.
func noBaseline(l *lake.Lake, name string) error {
	partitions, err := l.Partitions("baseline")
	if err != nil {
		return err
	}
	var names []string
	for _, p := range partitions {
		names = append(names, p.Name)
	}
	if len(names) == 0 {
		return nameErrorf("no baseline %s: the lake has none; analyze baseline set makes one", name)
	}
	return nameErrorf("no baseline %s; the lake has %s", name, FirstNames(names))
}

// Dropped returns those of some names that no run of the lake has, whose runs are the sorted names of all.
// They keep their order.
func Dropped(names, all []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, has := slices.BinarySearch(all, name)
		return has
	})
}

// baselineRuns returns the runs that @name means. A baseline with a dropped run is an error: a comparison with the
// remaining runs would silently be another one.
func baselineRuns(l *lake.Lake, name string, all []string) ([]string, error) {
	names, err := ReadBaseline(l, name)
	if err != nil {
		return nil, err
	}
	if gone := Dropped(names, all); len(gone) > 0 {
		return nil, fmt.Errorf("baseline %s names %s, dropped since: ingest again, or set the baseline anew with analyze baseline set %s",
			name, strings.Join(gone, ", "), name)
	}
	return names, nil
}
