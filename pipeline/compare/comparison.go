// Package compare drives the comparison of baseline runs with candidate runs: it gathers the time samples
// and metrics of all runs fragment by fragment, pairs the automata, judges every step (package samplechanges)
// and writes the tables matches, estimates, findings and changes.
//
// Where the runs' compositions say what their critical paths spend time on, these are compared as well, and every
// step is told how much time its function spends on them.
//
// Runs are the unit: their summaries are compared with one another (package verdicts), and what changed is put down to
// its root causes (package rootcause).
//
// A task is a bucket of the first baseline run. It goes through the components of the bucket portion by portion, so that what
// is known of all runs for one portion fits into memory (portion.go). A run whose components lie in other buckets is read once
// for each bucket that it shares components with. A task reduces what the runs say of a subject to what its judgement needs
// (verdicts.Reduction), and hands it to the last task through the staging area (staged.go). The last task judges all subjects
// together, since false discoveries are counted over all of them. Its memory does not grow with the number of runs, but for
// functions and parts of critical paths. Of all runs at once, only fragments are in memory (model.go), in every process once.
package compare

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/memory"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/definitions"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// Spec is what a comparison depends on beside the runs' tables. Its JSON stands in the manifests.
type Spec struct {
	Base, Cand []string              // runs
	Noise      []string              // older runs that show how much runs differ among themselves
	Blocks     []int                 // by run of Base, Cand and Noise: runs of one block are compared with each other; nil: all with all
	Options    samplechanges.Options // how samples are compared with samples
	ByRuns     bool                  // verdicts follow from comparing runs with runs, and not from Options.Method
	Verdicts   verdicts.Options      // how runs are judged against runs: margin, level and floor
	Matching   matching.Method       // how the transitions of fragments that changed are paired

	OmitsShort bool `json:",omitempty"` // recorders left out short calls: which steps are there is chance, and takes no verdict

	Definitions *definitions.Set `json:",omitempty"` // what users define; nil: nothing
}

// Runs are the runs in the order of Blocks.
func (s *Spec) Runs() []string { return slices.Concat(s.Base, s.Cand, s.Noise) }

// Job is one comparison and the engine that runs it.
type Job struct {
	*pipeline.Engine
	ID string // of the partition that is written
	Spec
}

// Result is what a comparison found.
type Result struct {
	Changes   []schema.Change    // by rank
	Findings  []schema.Finding   // by number
	Estimates []schema.Estimate  // by rank of their changes; Read has them, Run leaves them in the lake
	Factors   []schema.RunFactor // by run, baseline first; none where functions were not compared
	Exchanges []schema.Exchange  // by number; none where functions were not compared

	Contributions []schema.Contribution // by component and function; none where functions were not compared
	Errors        []schema.ErrorShare   // the greatest difference first; none where no trace says how executions ended

	functions *functions       // the comparison of functions, where verdicts follow from runs
	ranked    []*schema.Change // those of the subjects, by rank, of which Changes are copies
	positions []int32          // of them, among the subjects
}

// heldShare is the part of the memory of all tasks that judging may have held without being cleared at once at its end: what reading its result adds is
// less than all that garbage may grow to.
const heldShare = 8

// heldBytes is what a sample takes while it is judged: two times of it as they are read, and both again where the runs of
// a side are put together.
const heldBytes = 32

// sharedBytes is the memory of what is known of all runs at once: a fragment with its names, and a part of critical paths.
var sharedBytes = map[string]int64{"fragments": 400, "compositions": 40}

// Stage declares a comparison. The table changes, from which readers know that the comparison is there, is committed last.
func Stage(s Spec) pipeline.Stage {
	return pipeline.Stage{
		Name: "compare", Version: 39, Doc: "compares runs with runs, step by step, and finds the causes of what changed",
		Options: s, Runs: s.Runs(),
		Reads: []string{"fragments", "transitions", "samples", "metrics", "summaries"}, Uses: []string{"compositions", "annotations"},
		Writes: []string{"matches", "run_factors", "exchanges", "estimates", "contributions", "error_shares", "findings", "changes"},
		Sized:  "samples", BytesPerRow: heldBytes, MostBytes: 2 * mostBytes, SharedBytes: sharedBytes, Run: runBucket, Finish: finish,
	}
}

// Run compares, unless the lake has the result already, and reports whether it had.
func Run(ctx context.Context, j Job) (r *Result, fresh bool, err error) {
	p := lake.Comparison(j.ID)
	out, err := j.RunStage(ctx, p, Stage(j.Spec))
	if err != nil {
		return nil, false, err
	}
	if !out.Fresh && j.Memory > 0 && memory.Held() > j.Memory/heldShare {
		debug.FreeOSMemory() // what judging took, before its result is in memory beside it
	}
	r, err = readResult(j.Lake, p)
	return r, out.Fresh, err
}

// Read reads a comparison as the lake has it, with its estimates and what it was asked for. Both are nil where the lake has none of this name.
func Read(l *lake.Lake, id string) (*Result, *Spec, error) {
	p := lake.Comparison(id)
	m, err := l.Manifest("changes", p)
	if err != nil || m == nil {
		return nil, nil, err
	}
	s := new(Spec)
	if err := json.Unmarshal([]byte(m.Options), s); err != nil {
		return nil, nil, fmt.Errorf("comparison %s: %w: compare again", id, err)
	}
	r, err := readResult(l, p)
	return r, s, cmp.Or(err, lake.ReadInto(&r.Estimates, l, "estimates", p))
}

// readResult reads the tables of a comparison, but not the estimates, which are many.
func readResult(l *lake.Lake, p lake.Partition) (*Result, error) {
	r := new(Result)
	return r, cmp.Or(
		lake.ReadInto(&r.Changes, l, "changes", p), lake.ReadInto(&r.Findings, l, "findings", p),
		lake.ReadInto(&r.Factors, l, "run_factors", p), lake.ReadInto(&r.Exchanges, l, "exchanges", p),
		lake.ReadInto(&r.Contributions, l, "contributions", p),
		lake.ReadInto(&r.Errors, l, "error_shares", p),
	)
}

// runBucket judges the samples of a bucket.
func runBucket(t *pipeline.Task) error {
	var s Spec
	if err := t.Options(&s); err != nil {
		return err
	}
	return judgeBucket(t, s, false)
}

// finish judges the subjects of all buckets by runs, ranks them and finds their causes.
func finish(t *pipeline.Task) error {
	var s Spec
	if err := t.Options(&s); err != nil {
		return err
	}
	c, err := atEnd(t, s, false)
	if err != nil {
		return err
	}
	e, err := keepEstimates(t)
	if err != nil {
		return err
	}
	defer e.close()
	// Subjects are judged by what was staged of them for that, and are read when it is gone.
	paths := c.criticalPaths()
	v, err := c.judgeStaged(t, paths, e)
	if err != nil {
		return err
	}
	o, err := c.gathered(t, paths)
	if err != nil {
		return err
	}
	if o.defined, err = c.defined(t.Context()); err != nil {
		return err
	}
	o.lifetimes = c.lifetimesOf(&o.Sides)
	c.applyAll(o, v)
	r := new(Result)
	functions, err := c.judgeRest(t.Context(), o, e, r)
	if err != nil {
		return err
	}
	// What functions were compared by takes as much memory as root causes, which come next.
	r.functions = nil
	if err := c.explainLifetimes(t.Context(), o); err != nil {
		return err
	}
	c.conclude(o, r)
	settle(r.Contributions, functions)
	o.forgetRuns()
	// What pairs the sides is only handed through, when what judging took is gone.
	matches, err := pipeline.StagedRows[schema.Match](t, matchesTable)
	if err != nil {
		return err
	}
	return cmp.Or(
		pipeline.WriteRows(t, "run_factors", r.Factors), pipeline.WriteRows(t, "exchanges", r.Exchanges),
		pipeline.WriteRows(t, "matches", matches), pipeline.WriteEach(t, "estimates", e.byRank(r.positions)), e.err(),
		pipeline.WriteRows(t, "contributions", r.Contributions), pipeline.WriteRows(t, "error_shares", r.Errors),
		pipeline.WriteRows(t, "findings", r.Findings), pipeline.WriteEach(t, "changes", r.eachChange),
	)
}

// judgeAll judges all subjects in the order of their families: functions and the run times of initial fragments first, then
// what they contain. It puts what changed down to its causes. Exchanges and errors are left out.
func (j *comparison) judgeAll(o *Observations) *Result {
	r := new(Result)
	j.judgeByRuns(o.Subjects, o.Sides, nil, 0)
	functions := j.judgeFamilies(o, nil, r)
	j.conclude(o, r)
	settle(r.Contributions, functions)
	return r
}

// judgeRest judges what judgeAll does where the subjects of groups and the parts of critical paths are judged already, but for root causes, and
// what rests on the comparison of functions alone.
func (j *comparison) judgeRest(ctx context.Context, o *Observations, e *estimates, r *Result) (functions []Subject, err error) {
	functions = j.judgeFamilies(o, e, r)
	if !j.ByRuns {
		return functions, nil
	}
	if r.Errors, err = j.errorShares(ctx, r.functions); err != nil {
		return nil, err
	}
	j.forgetFunctions()
	r.Exchanges = j.exchanges(r.functions, o.Subjects)
	return functions, nil
}

// judgeFamilies compares functions, asks what they contain, and adds functions and what users define to the subjects, of which it returns
// the functions.
func (j *comparison) judgeFamilies(o *Observations, e *estimates, r *Result) []Subject {
	if !j.ByRuns {
		o.relocations = j.relocationsOf(nil)
		j.addDefined(o, e)
		return nil
	}
	f := j.judgeFunctions(&o.Sides)
	o.relocations = j.relocationsOf(f.pairs)
	functions := j.judgeFirst(f, o.Subjects, &o.Sides)
	if functions != nil {
		if !f.result.Together {
			attribute(o.Subjects, functions)
		}
		ask(o.Subjects, functions, f.result.Together)
		functions = append(functions, f.unasked(j, &o.Sides)...)
	}
	first := len(o.Subjects)
	o.Subjects = append(o.Subjects, functions...)
	j.addDefined(o, e)
	j.state(o, f)
	functions = o.Subjects[first:][:len(functions)]
	r.functions, r.Factors, r.Contributions = f, f.factors(j), f.contributions(functions)
	return functions
}

// forgetRuns drops what judged the subjects, of which only the changes are left to be written.
func (o *Observations) forgetRuns() {
	for i := range o.Subjects {
		s := &o.Subjects[i]
		s.Observed.Runs, s.costs, s.reduced = nil, nil, nil
	}
}

// forgetFunctions drops what every run says of every function: exchanges need costs alone.
func (j *comparison) forgetFunctions() {
	for _, m := range j.models {
		m.summaries.functions = make(map[functionKey]verdicts.Run)
	}
}

// addDefined judges lifetimes and what users define, which are questions of their own and families of hypotheses of their own.
func (j *comparison) addDefined(o *Observations, e *estimates) {
	j.judgeByRuns(o.lifetimes, o.Sides, e, len(o.Subjects))
	o.Subjects = append(o.Subjects, o.lifetimes...)
	j.judgeByRuns(o.defined, o.Sides, e, len(o.Subjects))
	o.Subjects = append(o.Subjects, o.defined...)
}
