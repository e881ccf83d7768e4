// Package compare drives the comparison of baseline runs with candidate runs: it gathers the time samples
// and metrics of all runs fragment by fragment, pairs the automata, judges every step (package changes)
// and commits the tables changes and matches.
//
// Where the runs' compositions say what their critical paths spend time on, these are compared as well, and every
// step is told how much time its function spends on them.
//
// Runs are the unit: their summaries are compared with one another (package verdicts), and what changed is put down to
// its root causes (package rootcause).
//
// It works bucket by bucket of the first baseline run, so that only the samples of one bucket of every run
// are in memory. A run whose components lie in other buckets is read once for each bucket that it shares
// components with.
package compare

import (
	"context"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// StageName and StageVersion stand in the manifests of a comparison.
const (
	StageName    = "compare"
	StageVersion = 4
)

// Job is one comparison.
type Job struct {
	Lake       *lake.Lake
	ID         string
	Base, Cand []string // runs
	Noise      []string // older runs that tell how much runs differ among themselves
	Blocks     []int    // by run of Base, Cand and Noise: runs of one block are compared with each other; nil: all with all
	Options    samplechanges.Options
	ByRuns     bool // verdicts follow from comparing runs with runs, and not from Options.Method
	Verdicts   verdicts.Options
	Matching   matching.Method
	Jobs       int
	Progress   *pipeline.Meter

	summariesOnly bool
}

// Result is what a comparison found.
type Result struct {
	Changes   []schema.Change   // by rank
	Findings  []schema.Finding  // by number
	Estimates []schema.Estimate // by rank of their changes
}

// options are what the tables depend on beside the runs' tables.
type options struct {
	Base, Cand, Noise []string
	Blocks            []int
	Options           samplechanges.Options
	ByRuns            bool
	Verdicts          verdicts.Options
	Matching          matching.Method
}

// reads are the tables of every run that a comparison needs; uses are those that it reads where they are.
var (
	reads = []string{"fragments", "transitions", "samples", "metrics", "summaries"}
	uses  = []string{"compositions"}
)

// Run compares, unless the lake has the result already, and says whether it had.
func Run(ctx context.Context, j Job) (*Result, bool, error) {
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
		r, err := read(j.Lake, p)
		return r, true, err
	}
	r, matches, err := j.compare(ctx)
	if err != nil {
		return nil, false, err
	}
	return r, false, j.commit(r, matches, fingerprint, inputs)
}

func (j *Job) options() options {
	return options{j.Base, j.Cand, j.Noise, j.Blocks, j.Options, j.ByRuns, j.Verdicts, j.Matching}
}

func (j *Job) runs() []string { return slices.Concat(j.Base, j.Cand, j.Noise) }

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

// compare judges everything that there is to compare, and ranks what it found.
func (j *Job) compare(ctx context.Context) (*Result, []schema.Match, error) {
	o, err := j.observe(ctx)
	if err != nil {
		return nil, nil, err
	}
	estimates := j.judgeByRuns(o.Subjects, o.Sides)
	return j.conclude(o, estimates), o.matches, nil
}
