// Package history drives the look at a series of releases, each of one run or several: it pairs the subjects of all runs
// (package compare), reduces every subject to one value per release, finds the releases in which a level changes
// (package changepoint), has the segments on both sides of such a change compared run by run (package verdicts), and commits
// the tables history and change_points.
//
// A change that only the newest release shows may be something that its runs share, such as a busy machine: only a later
// release can tell. So the newest is compared with the rest of its segment, and a change found this way is not confirmed.
//
// Of the changes of a release each cause is told once, and what follows from it is marked (causes.go).
//
// What all functions of a run have in common, such as a slower night of the machine, is a series of its own and is taken out of
// the others (factors.go).
//
// A function that moved or was renamed in some release is named once (moves.go), and so is what has other names by that (places.go). The series stay
// two, but for fragments of the newest release that behave as one of before did: these go on under its name.
package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	"github.com/tracelake/tracelake/stages/change/definitions"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// Release is a release with its runs.
type Release struct {
	Name string   // of the release, as the user gave it
	Runs []string // names of its runs in the lake
}

// Spec holds the choices of a history. With the tables of the runs it determines the result, so its JSON is part of the
// fingerprint in the manifests.
type Spec struct {
	Releases []Release           // in order
	Series   changepoint.Options // how the change points of a series are found
	Verdicts verdicts.Options    // how each change point is judged
	Matching matching.Method     // how transitions of different releases are paired

	Definitions *definitions.Set `json:",omitempty"` // what users define; nil: nothing
}

// Runs are the runs of all releases, in order. None stands in two.
func (s *Spec) Runs() (all []string) {
	for _, r := range s.Releases {
		all = append(all, r.Runs...)
	}
	return all
}

// Job is one history and the engine that runs it.
type Job struct {
	*pipeline.Engine
	ID string // of the partition that is written
	Spec
}

// Tables are the results of a history. There is a value of every subject in every release, far more than anybody prints, so they
// are read one by one.
type Tables struct {
	Points []schema.ChangePoint                          // by rank
	Values func(each func(v *schema.ReleaseValue)) error // by subject, then by release; v holds for the call
}

const (
	valuesTable = "history"
	pointsTable = "change_points"
)

// Stage declares a history. Its tasks pair the components of a bucket; what they find is put in order by the last one,
// since a change is judged beside all others.
func Stage(s Spec) pipeline.Stage {
	return pipeline.Stage{
		Name: "history", Version: 14, Doc: "finds the releases in which the cost of a step changes",
		Options: s, Runs: s.Runs(),
		Reads: []string{"fragments", "transitions", "summaries"}, Uses: []string{"compositions"},
		Writes: []string{valuesTable, pointsTable},
		Run:    runBucket, Finish: finish,
	}
}

// runBucket pairs the subjects of the components of one bucket.
func runBucket(t *pipeline.Task) error {
	var s Spec
	if err := t.Options(&s); err != nil {
		return err
	}
	return compare.ObserveBucket(t, s.paired())
}

// finish gathers all subjects, finds the change points and writes both tables.
func finish(t *pipeline.Task) error {
	var s Spec
	if err := t.Options(&s); err != nil {
		return err
	}
	o, err := compare.Observed(t, s.paired())
	if err != nil {
		return err
	}
	s.Verdicts.Components = o.Limits()
	l := s.found(o)
	return cmp.Or(pipeline.WriteEach(t, valuesTable, l.valueRows), pipeline.WriteRows(t, pointsTable, l.rankedPoints()))
}

// Run looks at the releases, unless the lake has the result already, and reports whether it had.
func Run(ctx context.Context, j Job) (t *Tables, fresh bool, err error) {
	if err := j.check(); err != nil {
		return nil, false, err
	}
	p := lake.Comparison(j.ID)
	out, err := j.RunStage(ctx, p, Stage(j.Spec))
	if err != nil {
		return nil, false, err
	}
	t = &Tables{Values: func(each func(v *schema.ReleaseValue)) error { return lake.ReadEach(j.Lake, valuesTable, p, each) }}
	return t, out.Fresh, lake.ReadInto(&t.Points, j.Lake, pointsTable, p)
}

// check checks that there are two releases at least, that each has runs, and that no run stands in two.
func (s *Spec) check() error {
	if len(s.Releases) < 2 {
		return errors.New("a history takes two releases or more")
	}
	of := make(map[string]string)
	for _, r := range s.Releases {
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

// paired is the comparison in which the subjects of all runs are paired: those of the newest release with those of all
// others.
func (s *Spec) paired() compare.Spec {
	last := len(s.Releases) - 1
	of := compare.Spec{
		Definitions: s.Definitions, Cand: s.Releases[last].Runs, Matching: s.Matching, Verdicts: s.Verdicts,
		Options: samplechanges.Options{Method: sampletests.DYN, Normalisation: schema.NormFragmentAbsolute, Thresholds: sampletests.Defaults()},
	}
	for _, r := range s.Releases[:last] {
		of.Base = append(of.Base, r.Runs...)
	}
	return of
}
