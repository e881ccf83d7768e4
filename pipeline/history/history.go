// Package history drives the look at a series of releases, each of one run or several: it pairs the subjects of all runs
// (package comparison), reduces every subject to one value per release, finds the releases in which a level changes
// (package series), has the segments on both sides of such a change compared run by run (package verdicts), and commits
// the tables history and change_points.
//
// No later release says whether what only the newest has is a change, or what its runs share. So the newest is compared with
// the rest of its segment, and what is found so is not confirmed.
//
// Fragments that moved are known again only from the newest release to those before.
package history

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// StageName and StageVersion stand in the manifests of a history.
const (
	StageName    = "history"
	StageVersion = 1
)

// Release is a release with its runs.
type Release struct {
	Name string
	Runs []string
}

// Job is one history, its releases in order.
type Job struct {
	Lake     *lake.Lake
	ID       string
	Releases []Release
	Series   changepoint.Options
	Verdicts verdicts.Options
	Matching matching.Method
	Jobs     int
	Progress *pipeline.Meter
}

// Tables are what a history makes: values by subject and release, changes by rank.
type Tables struct {
	Values []schema.ReleaseValue
	Points []schema.ChangePoint
}

// reads are the tables of every run that a history needs; uses are those that it reads where they are.
var (
	reads = []string{"fragments", "transitions", "summaries"}
	uses  = []string{"compositions"}
)

// Run looks at the releases, unless the lake has the result already.
func Run(ctx context.Context, j Job) (t *Tables, fresh bool, err error) {
	if err := j.check(); err != nil {
		return nil, false, err
	}
	fingerprint, inputs, err := j.fingerprint()
	if err != nil {
		return nil, false, err
	}
	if fresh, err = j.fresh(fingerprint); err != nil {
		return nil, false, err
	}
	if fresh {
		t, err = j.read()
		return t, true, err
	}
	o, err := j.observe(ctx)
	if err != nil {
		return nil, false, err
	}
	t = j.tables(o)
	return t, false, j.commit(t, fingerprint, inputs)
}

// check sees that the releases are some, and apart.
func (j *Job) check() error {
	if len(j.Releases) < 2 {
		return errors.New("a history takes two releases or more")
	}
	of := make(map[string]string)
	for _, r := range j.Releases {
		if len(r.Runs) == 0 {
			return fmt.Errorf("release %s has no runs", r.Name)
		}
		for _, run := range r.Runs {
			if other, twice := of[run]; twice {
				return fmt.Errorf("run %s stands in release %s and in release %s", run, other, r.Name)
			}
			of[run] = r.Name
		}
	}
	return nil
}

// options are what the tables depend on beside the runs' tables.
type options struct {
	Releases []Release
	Series   changepoint.Options
	Verdicts verdicts.Options
	Matching matching.Method
}

func (j *Job) options() options { return options{j.Releases, j.Series, j.Verdicts, j.Matching} }

func (j *Job) fingerprint() (string, []lake.Input, error) {
	var inputs []lake.Input
	for _, r := range j.Releases {
		for _, run := range r.Runs {
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
	}
	return lake.Fingerprint(StageName, StageVersion, j.options(), inputs), inputs, nil
}

// fresh says whether both tables are of one fingerprint.
func (j *Job) fresh(fingerprint string) (bool, error) {
	for _, table := range []string{valuesTable, pointsTable} {
		m, err := j.Lake.Manifest(table, lake.Comparison(j.ID))
		if err != nil || m == nil || m.Fingerprint != fingerprint {
			return false, err
		}
	}
	return true, nil
}

func (j *Job) read() (t *Tables, err error) {
	t = new(Tables)
	if t.Values, err = readTable[schema.ReleaseValue](j, valuesTable); err == nil {
		t.Points, err = readTable[schema.ChangePoint](j, pointsTable)
	}
	return t, err
}

func readTable[T any](j *Job, table string) ([]T, error) {
	m, err := j.Lake.Manifest(table, lake.Comparison(j.ID))
	if err != nil {
		return nil, err
	}
	return parquet.ReadRows[T](j.Lake.Path(m.Files[0]))
}

// observe pairs the subjects of all runs: those of the newest release with those of all others.
func (j *Job) observe(ctx context.Context) (*compare.Observations, error) {
	last := len(j.Releases) - 1
	of := compare.Job{
		Lake: j.Lake, Cand: j.Releases[last].Runs, Matching: j.Matching, Verdicts: j.Verdicts, Jobs: j.Jobs, Progress: j.Progress,
		Options: samplechanges.Options{Method: sampletests.DYN, Normalisation: schema.NormFragmentAbsolute, Thresholds: sampletests.Defaults()},
	}
	for _, r := range j.Releases[:last] {
		of.Base = append(of.Base, r.Runs...)
	}
	return compare.Observe(ctx, of)
}
