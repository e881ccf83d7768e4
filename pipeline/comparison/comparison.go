// Package comparison drives the comparison of baseline runs with candidate runs: it gathers the time samples
// and metrics of all runs fragment by fragment, pairs the automata, judges every step (package changes)
// and commits the tables changes and matches.
//
// Where the runs' compositions say what their critical paths spend time on, these are compared as well, and every
// step is told how much time its function spends on them.
//
// It works bucket by bucket of the first baseline run, so that only the samples of one bucket of every run
// are in memory. A run whose components lie in other buckets is read once for each bucket that it shares
// components with.
package comparison

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/columns"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/changes"
	"github.com/tracelake/tracelake/stages/matching"
)

// StageName and StageVersion stand in the manifests of a comparison.
const (
	StageName    = "compare"
	StageVersion = 3
)

// Job is one comparison.
type Job struct {
	Lake       *lake.Lake
	ID         string
	Base, Cand []string // runs
	Options    changes.Options
	Matching   matching.Method
	Jobs       int
	Progress   *pipeline.Meter
}

// options are what the tables depend on beside the runs' tables.
type options struct {
	Base, Cand []string
	Options    changes.Options
	Matching   matching.Method
}

// reads are the tables of every run that a comparison needs; uses are those that it reads where they are.
var (
	reads = []string{"fragments", "transitions", "samples", "metrics"}
	uses  = []string{"compositions"}
)

// Run compares, unless the lake has the result already, and returns the changes in the order of their ranks.
func Run(ctx context.Context, j Job) (all []schema.Change, fresh bool, err error) {
	fingerprint, inputs, err := j.fingerprint()
	if err != nil {
		return nil, false, err
	}
	p := lake.Comparison(j.ID)
	have, err := j.Lake.Manifest("changes", p)
	if err != nil {
		return nil, false, err
	}
	if have != nil && have.Fingerprint == fingerprint {
		all, err := columns.ReadRows[schema.Change](j.Lake.Path(have.Files[0]))
		return all, true, err
	}
	changed, matches, err := j.compare(ctx)
	if err != nil {
		return nil, false, err
	}
	staging, err := j.Lake.Stage(StageName, p, fingerprint)
	if err != nil {
		return nil, false, err
	}
	defer staging.Discard()
	manifest := func(table string, f lake.File) *lake.Manifest {
		return &lake.Manifest{
			Table: table, Partition: p.String(), Stage: StageName, Version: StageVersion, Inputs: inputs,
			Options: lake.OptionText(j.options()), Fingerprint: fingerprint, Files: []lake.File{f},
		}
	}
	changesFile, err := write(staging, "changes", changed)
	if err != nil {
		return nil, false, err
	}
	matchesFile, err := write(staging, "matches", matches)
	if err != nil {
		return nil, false, err
	}
	return changed, false, staging.Commit(manifest("matches", matchesFile), manifest("changes", changesFile))
}

func (j *Job) options() options { return options{j.Base, j.Cand, j.Options, j.Matching} }

func (j *Job) runs() []string { return slices.Concat(j.Base, j.Cand) }

func (j *Job) fingerprint() (string, []lake.Input, error) {
	var inputs []lake.Input
	for _, run := range j.runs() {
		for _, table := range slices.Concat(reads, uses) {
			m, err := j.Lake.Manifest(table, lake.Run(run))
			switch {
			case err != nil:
				return "", nil, err
			case m != nil:
				inputs = append(inputs, lake.Input{Name: table + " of " + run, Fingerprint: m.Fingerprint})
			case slices.Contains(reads, table):
				return "", nil, fmt.Errorf("run %s has no table %s: analyze it first, with analyze run %s", run, table, run)
			}
		}
	}
	return lake.Fingerprint(StageName, StageVersion, j.options(), inputs), inputs, nil
}

func write[T any](staging *lake.Staging, table string, rows []T) (lake.File, error) {
	w, err := staging.Create(table, lake.NoBucket, 0)
	if err != nil {
		return lake.File{}, err
	}
	if err := columns.WriteRows(w, rows); err != nil {
		w.Abandon()
		return lake.File{}, err
	}
	return w.Finish(int64(len(rows)))
}

// compare judges all groups of components and ranks what it found.
func (j *Job) compare(ctx context.Context) ([]schema.Change, []schema.Match, error) {
	models := make([]*model, len(j.runs()))
	for i, run := range j.runs() {
		var err error
		if models[i], err = readModel(j.Lake, run); err != nil {
			return nil, nil, err
		}
	}
	paths, err := j.readPaths(ctx, models)
	if err != nil {
		return nil, nil, err
	}
	if j.Matching != matching.ByWalk {
		j.settle(models)
	}
	groups := groupsOf(models)
	results := make([]*judge, len(groups))
	workers, inner := errgroup.WithContext(ctx)
	workers.SetLimit(j.Jobs)
	for i, g := range groups {
		workers.Go(func() error {
			results[i] = &judge{job: j, models: models, paths: paths, group: g}
			return results[i].run(inner)
		})
	}
	if err := workers.Wait(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, nil, err
	}
	var all []schema.Change
	var matches []schema.Match
	for _, r := range results {
		all, matches = append(all, r.changes...), append(matches, r.matches...)
	}
	all = append(all, j.paths(models, paths)...)
	changes.Rank(all)
	return all, matches, nil
}
