package pipeline

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// plan is what a stage has to do for a partition. It follows from the lake and the stage's declaration alone, but for the
// options, the runs and the number of parts, which stand in the staging area: so any process finds the same plan (Engine.planned).
type plan struct {
	stage       *Stage
	partition   lake.Partition
	inputs      map[reference]*lake.Manifest // of the tables that are there
	origin      lake.Origin
	fingerprint string
	tasks       []int   // the bucket of each: of those that prepare first; the last is NoBucket if the stage has a Finish
	prepares    int     // how many tasks come before all others
	ends        bool    // the last task is the Finish of the stage
	byLifeline  bool    // every bucket of a group has a task
	buckets     int     // of all tasks together: sets the size of row groups
	groups      [][]int // of buckets with lifelines of the same components
	staging     *lake.Staging
	announced   *lake.Decoded // who knows that the tasks will read their files; nil: nobody

	once   sync.Once // of what tasks share, see Shared
	shared any
	failed error
}

// storedPlan is what another process needs of a plan beside the lake and the stage's declaration.
type storedPlan struct {
	Fingerprint string          `json:"fingerprint"`
	Options     json.RawMessage `json:"options"`
	Runs        []string        `json:"runs,omitempty"`
	Parts       int             `json:"parts,omitempty"`
}

// newPlan finds what a stage reads for a partition, and its fingerprint. It reads manifests and no rows: a fraction of a
// millisecond for each input.
func (e *Engine) newPlan(p lake.Partition, s *Stage) (*plan, error) {
	pl := &plan{stage: s, partition: p, inputs: make(map[reference]*lake.Manifest)}
	pl.origin = lake.Origin{Stage: s.Name, Version: s.Version, Options: s.Options}
	of := new(lake.Inventory)
	for _, ref := range s.references(p) {
		// The tables of a run are those of one instant: a plan never mixes what two ingests of it made.
		if of.Partition != ref.partition.String() {
			var err error
			if of, err = e.Lake.Inventory(ref.partition); err != nil {
				return nil, err
			}
		}
		m := of.Table(ref.table)
		if m == nil {
			if slices.Contains(s.Reads, ref.table) {
				return nil, s.missing(ref)
			}
			continue
		}
		name := ref.table
		if s.Runs != nil {
			name += " of " + ref.partition.Name
		}
		pl.inputs[ref] = m
		pl.origin.Inputs = append(pl.origin.Inputs, lake.Input{Name: name, Fingerprint: m.Fingerprint})
	}
	pl.fingerprint = pl.origin.Fingerprint()
	// Processes that plan the same stage get the same tasks under the same numbers: both follow from the manifests and the
	// declaration alone.
	for _, m := range pl.inputs {
		if s.Runs == nil && m.Groups != nil { // all tables of a run that have groups have the same ones
			pl.groups = m.Groups
		}
	}
	pl.byLifeline = s.ByLifeline && pl.worthSpreading()
	pl.tasks = pl.bucketsOf(s)
	pl.buckets = len(pl.tasks)
	if s.Prepare != nil && pl.byLifeline {
		pl.prepares, pl.tasks = len(pl.groups), slices.Concat(homes(pl.groups), pl.tasks)
	}
	if pl.ends = s.Finish != nil && (!s.ByLifeline || pl.groups != nil); pl.ends {
		pl.tasks = append(pl.tasks, lake.NoBucket)
	}
	return pl, nil
}

// phases lists the tasks in groups that follow each other. Those of a group run in any order: those that prepare something for others,
// then all others, then the finishing one, which reads what the others staged.
func (pl *plan) phases() [][]int {
	all := make([]int, len(pl.tasks))
	for i := range all {
		all[i] = i
	}
	last := len(all)
	if pl.ends {
		last--
	}
	return [][]int{all[:pl.prepares], all[pl.prepares:last], all[last:]}
}

// worthSpreading reports whether what all buckets of a group read of components as a whole is less than what they read of
// their lifelines together. It looks at the whole run, so that the tables of all groups lie alike.
func (pl *plan) worthSpreading() bool {
	largest, common, own := 0, int64(0), int64(0)
	for _, group := range pl.groups {
		largest = max(largest, len(group))
		for ref, m := range pl.inputs {
			for _, f := range m.InBuckets(group[0]) {
				switch ref.table {
				case pl.stage.Common:
					common += f.Rows
				case pl.stage.Reads[0]:
					own += f.Rows
				}
			}
		}
	}
	return common*int64(largest) <= own
}

// homes lists the first bucket of every group.
func homes(groups [][]int) (buckets []int) {
	for _, group := range groups {
		buckets = append(buckets, group[0])
	}
	return buckets
}

// missing is the error for a table that is not there. In front of it the engine names a stage of one run, and the run.
func (s *Stage) missing(ref reference) error {
	if s.Runs == nil {
		return missingTable(ref.table)
	}
	return &lake.NotAnalyzedError{Run: ref.partition.Name, Table: ref.table}
}

// missingTable is the name of a table that a stage reads and its partition does not have.
type missingTable string

// Error implements error.
func (table missingTable) Error() string {
	return fmt.Sprintf("the lake has no table %s of it", string(table))
}

// publish leaves the plan of a stage that has something to do in the staging area, for every process that runs its tasks.
// What an earlier attempt with the same fingerprint staged is kept; what another fingerprint staged is dropped.
func (e *Engine) publish(pl *plan) (err error) {
	for _, m := range pl.inputs {
		e.Progress.Expect(m.Rows())
	}
	if pl.staging, err = e.Lake.Stage(pl.stage.Name, pl.partition, pl.fingerprint); err != nil {
		return err
	}
	pl.staging.NameAtOnce(pl.stage.Writes)
	options := json.RawMessage(lake.OptionText(pl.stage.Options))
	if err := pl.staging.StorePlan(storedPlan{pl.fingerprint, options, pl.stage.Runs, pl.stage.Parts}); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.plans == nil {
		e.plans = make(map[planKey]*plan)
	}
	e.plans[planKey{pl.partition, pl.stage.Name}] = pl
	return nil
}

// planned finds the plan of a stage for a partition: the one that this process made or found before, else the one that
// follows from the staging area. It refuses a plan when the fingerprint of the inputs that the lake has now, with the
// stage as this program declares it, is not the one that was planned: the files staged so far belong to other tables.
func (e *Engine) planned(p lake.Partition, stage string) (*plan, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if pl := e.plans[planKey{p, stage}]; pl != nil {
		return pl, nil
	}
	declared, err := e.declared(stage)
	if err != nil {
		return nil, err
	}
	var stored storedPlan
	staging, err := e.Lake.Planned(stage, p, &stored)
	if err != nil {
		return nil, err
	}
	s := *declared
	s.Options, s.Runs, s.Parts = stored.Options, stored.Runs, stored.Parts
	pl, err := e.newPlan(p, &s)
	if err != nil {
		return nil, err
	}
	if pl.fingerprint != stored.Fingerprint {
		return nil, fmt.Errorf("the tables that %s of %s reads, or the program, changed after it was planned: plan it again", stage, p.Name)
	}
	if e.plans == nil {
		e.plans = make(map[planKey]*plan)
	}
	pl.staging = staging
	staging.NameAtOnce(s.Writes)
	e.plans[planKey{p, stage}] = pl
	return pl, nil
}

// declared finds a stage of the engine by its name.
func (e *Engine) declared(stage string) (*Stage, error) {
	at := slices.IndexFunc(e.Stages, func(s Stage) bool { return s.Name == stage })
	if at < 0 {
		return nil, fmt.Errorf("no stage is called %s", stage)
	}
	return &e.Stages[at], nil
}

// forget drops a plan with what its tasks share.
func (e *Engine) forget(p lake.Partition, stage string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.plans, planKey{p, stage})
}

// planKey is what a task is known by beside its number.
type planKey struct {
	partition lake.Partition
	stage     string
}

// bucketsOf lists the buckets of all that a stage reads, in ascending order. A table without buckets adds none: its
// rows belong to every task, or to the only one.
func (pl *plan) bucketsOf(s *Stage) []int {
	if s.Whole {
		return []int{lake.NoBucket}
	}
	if s.SliceRows > 0 || s.Parts > 0 {
		return slicesOf(s, pl.inputs)
	}
	var all []int
	for _, m := range pl.inputs {
		for _, f := range m.Files {
			bucket := f.Bucket
			if !pl.byLifeline {
				bucket = lake.HomeOf(m.Groups, bucket)
			}
			all = append(all, bucket)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) > 1 && all[0] == lake.NoBucket {
		all = all[1:]
	}
	return all
}

// slicesOf numbers the slices of time that are the tasks of a stage, which stand in the place of buckets, or its own parts. There
// is one at least.
func slicesOf(s *Stage, inputs map[reference]*lake.Manifest) []int {
	n := int64(s.Parts)
	if n == 0 {
		rows := int64(0)
		for ref, m := range inputs {
			if ref.table == s.Reads[0] {
				rows += m.Rows()
			}
		}
		n = max((rows+s.SliceRows-1)/s.SliceRows, 1)
	}
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

// isDivided reports whether tasks are slices or parts, which are no buckets.
func (pl *plan) isDivided() bool { return pl.stage.SliceRows > 0 || pl.stage.Parts > 0 }

// shareOf is how many of the rows of a table a slice or a part reads.
func (pl *plan) shareOf(m *lake.Manifest) int64 {
	if pl.stage.SliceRows > 0 {
		return min(m.Rows(), pl.stage.SliceRows)
	}
	return (m.Rows() + int64(pl.stage.Parts) - 1) / int64(pl.stage.Parts)
}

// files lists what a task reads, all tables together; nothing for a finishing one.
func (pl *plan) files(task int) (files []lake.File) {
	if pl.finishes(task) {
		return nil
	}
	for _, m := range pl.inputs {
		files = append(files, pl.filesOf(m, task)...)
	}
	return files
}

// finishes reports whether a task is the one that follows all others.
func (pl *plan) finishes(task int) bool { return pl.ends && task == len(pl.tasks)-1 }

// streamedRows is how many rows a task that streams holds at most: a row group that is read and one that is made.
const streamedRows = 1 << 18

// rowGroupBytes is the memory for reading and writing a row group, beside what a stage holds.
const rowGroupBytes = 64 << 20

// TaskBytes estimates the memory that a task needs, in bytes. Buffers for reading and writing count from 16,384 rows on:
// the tasks of small runs need not wait for each other.
func (e *Engine) TaskBytes(p lake.Partition, stage string, task int) (int64, error) {
	pl, err := e.planned(p, stage)
	if err != nil {
		return 0, err
	}
	return pl.taskBytes(task, e.Jobs), nil
}

// taskBytes is TaskBytes of a plan, of which some jobs share the memory that its tasks have in common.
func (pl *plan) taskBytes(task, jobs int) int64 {
	sized := pl.stage.Sized
	if sized == "" {
		sized = slices.Concat(pl.stage.Reads, pl.stage.Uses)[0]
	}
	rows := int64(0)
	for ref, m := range pl.inputs {
		if ref.table == sized && !pl.finishes(task) {
			rows += pl.rowsOf(m, task)
		}
	}
	if pl.stage.Streamed || task < pl.prepares {
		rows = min(rows, streamedRows)
	}
	held := rows * pl.stage.BytesPerRow
	if most := pl.stage.MostBytes; most > 0 {
		held = min(held, most)
	}
	// What tasks share is counted in parts: as many tasks as there are jobs count all of it.
	return rowGroupBytes*min(1, rows/(1<<14)) + held + pl.sharedBytes()/int64(max(jobs, 1))
}

// sharedBytes estimates the memory of what the tasks of a stage share.
func (pl *plan) sharedBytes() (n int64) {
	for ref, m := range pl.inputs {
		n += m.Rows() * pl.stage.SharedBytes[ref.table]
	}
	return n
}

// rowsOf counts the rows of a table that a task for a bucket, or for all, reads. A slice of time or a part has its share of them.
func (pl *plan) rowsOf(m *lake.Manifest, task int) (rows int64) {
	if pl.isDivided() {
		return pl.shareOf(m)
	}
	for _, f := range pl.filesOf(m, task) {
		if pl.tasks[task] == lake.NoBucket || f.Bucket != lake.NoBucket {
			rows += f.Rows
		}
	}
	return rows
}

// filesOf lists the files of a table that a task reads, none of one that is not there. Tables of components as a whole lie in
// the first bucket of a group.
func (pl *plan) filesOf(m *lake.Manifest, task int) []lake.File {
	if m == nil {
		return nil
	}
	bucket := pl.tasks[task]
	if pl.byLifeline && m.Groups != nil && task >= pl.prepares {
		return m.InBucket(bucket)
	}
	return m.InBuckets(lake.HomeOf(pl.groups, bucket))
}
