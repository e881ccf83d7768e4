package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/workers"
	"github.com/tracelake/tracelake/schema"
)

// Engine runs stages over partitions of a lake. It is also the means that jobs are given: where the lake is, and how many
// goroutines and bytes they may use. Fields are set before it is used and not changed while it runs.
type Engine struct {
	Lake     *lake.Lake                        // where stages read and write
	Stages   []Stage                           // those of Run, in the order of Order; of RunTask, all that it may be asked for
	Jobs     int                               // tasks at a time, and goroutines of what a task does in parallel; 0 is 1
	Memory   int64                             // bytes that tasks may hold together; 0 is no limit
	Progress *Meter                            // may be nil
	Log      func(event string, fields ...any) // takes a line for every stage that is done; may be nil

	// Executor runs the tasks; nil is goroutines of this process, within Jobs and Memory.
	Executor Executor

	accounts accounts      // what tasks cost
	decoded  *lake.Decoded // columns that tasks of Run share; nil: every task reads for itself

	mu    sync.Mutex
	plans map[planKey]*plan // found again from the lake by processes that do not have them
}

// Outcome is what a stage did for a partition.
type Outcome struct {
	Partition lake.Partition   // that the stage wrote, or found written
	Stage     string           // the name of the stage
	Fresh     bool             // all tables were up to date, so that nothing was done
	Rows      map[string]int64 // by table that was written
	Answer    []byte           // what the last task said beside its tables (Task.Answer); nil where nothing was done
	Elapsed   time.Duration    // wall time
}

// Run brings the tables of all stages up to date for every partition. It returns what the stages did, by
// partition in the order given, then by stage.
func (e *Engine) Run(ctx context.Context, partitions []lake.Partition) ([]Outcome, error) {
	if e.Executor == nil {
		e.decoded = lake.NewDecoded(decodedBytes(e.budget()))
		defer func() { e.decoded = nil }()
	}
	executor := e.executor()
	outcomes := make([][]Outcome, len(partitions))
	group, inner := workers.WithContext(ctx)
	group.SetLimit(max(e.Jobs, 1))
	for i, p := range partitions {
		group.Go(func() (err error) {
			outcomes[i], err = e.runPartition(inner, executor, p)
			return err
		})
	}
	err := group.Wait()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return slices.Concat(outcomes...), err
}

// RunStage brings the tables of one stage up to date for one partition. The stage need not be among e.Stages.
func (e *Engine) RunStage(ctx context.Context, p lake.Partition, s Stage) (Outcome, error) {
	if err := e.Lake.Recover(p); err != nil {
		return Outcome{}, err
	}
	out, err := e.runStage(ctx, e.executor(), p, &s)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return out, err
}

// executor is a new Local where no other executor is set, so that its budget follows Jobs and Memory of this call.
func (e *Engine) executor() Executor {
	if e.Executor != nil {
		return e.Executor
	}
	return NewLocal(e)
}

// runPartition runs every stage as soon as the tables that it reads are there. A goroutine waits for each stage; it holds
// nothing until its tasks run, so that their number does not matter.
func (e *Engine) runPartition(ctx context.Context, executor Executor, p lake.Partition) ([]Outcome, error) {
	outcomes := make([]Outcome, len(e.Stages))
	if err := e.Lake.Recover(p); err != nil {
		return nil, err
	}
	written := make(map[string]chan struct{})
	for _, s := range e.Stages {
		for _, table := range s.Writes {
			written[table] = make(chan struct{})
		}
	}
	group, inner := workers.WithContext(ctx)
	for i := range e.Stages {
		group.Go(func() error {
			s := &e.Stages[i]
			for _, table := range s.Reads {
				if ready := written[table]; ready != nil {
					select {
					case <-ready:
					case <-inner.Done():
						return inner.Err()
					}
				}
			}
			var err error
			if outcomes[i], err = e.runStage(inner, executor, p, s); err != nil {
				return err
			}
			for _, table := range s.Writes {
				close(written[table])
			}
			return nil
		})
	}
	err := group.Wait()
	return outcomes, err
}

// runStage plans a stage, has its tasks run, and commits its tables. An error of a stage of one run names both; the errors
// of stages over several runs say themselves which run they are about.
func (e *Engine) runStage(ctx context.Context, executor Executor, p lake.Partition, s *Stage) (Outcome, error) {
	started := time.Now()
	out := Outcome{Partition: p, Stage: s.Name, Rows: make(map[string]int64)}
	err := e.bringUpToDate(ctx, executor, p, s, &out)
	if err != nil && s.Runs == nil && !errors.Is(err, context.Canceled) {
		err = fmt.Errorf("%s of %s: %w", s.Name, p.Name, err)
	}
	out.Elapsed = time.Since(started)
	if e.Log != nil && err == nil && !out.Fresh {
		e.Log("stage", "run", p.Name, "stage", s.Name, "seconds", out.Elapsed.Seconds(), "rows", out.Rows)
	}
	return out, err
}

// outdated plans a stage unless its tables are up to date, which a stage without tables never is.
func (e *Engine) outdated(p lake.Partition, s *Stage) (*plan, error) {
	pl, err := e.newPlan(p, s)
	if err != nil {
		return nil, err
	}
	if len(s.Writes) == 0 {
		return pl, nil
	}
	have, err := e.Lake.Inventory(p)
	if err != nil || have.Fresh(pl.fingerprint, s.Writes...) {
		return nil, err
	}
	return pl, nil
}

// bringUpToDate is the life of a stage: plan, tasks, finishing task, commit. The finishing task starts when all others are
// done, which their records say, in whatever process they ran. A stage that is up to date needs no lease, so that any
// number of processes may find that at once; for another one, its process holds the lease of the partition.
func (e *Engine) bringUpToDate(ctx context.Context, executor Executor, p lake.Partition, s *Stage, out *Outcome) error {
	pl, err := e.outdated(p, s)
	if out.Fresh = err == nil && pl == nil; err != nil || out.Fresh {
		return err
	}
	release, err := e.Lake.Lease(ctx, p)
	if err != nil {
		return err
	}
	defer release()
	// Another process may have done the same while this one waited for its lease.
	pl, err = e.outdated(p, s)
	if out.Fresh = err == nil && pl == nil; err != nil || out.Fresh {
		return err
	}
	if err := e.publish(pl); err != nil {
		return err
	}
	defer e.forget(p, s.Name)
	e.announce(pl)
	for _, tasks := range pl.phases() {
		if err := executor.RunTasks(ctx, p, s.Name, tasks); err != nil {
			return err
		}
	}
	return e.commit(pl, out)
}

// RunTask does one task of a stage, unless it is done already. It needs nothing but the lake, the staging area and the
// declaration of the stage in e.Stages, so that any process may run it.
func (e *Engine) RunTask(ctx context.Context, p lake.Partition, stage string, task int) error {
	pl, err := e.planned(p, stage)
	if err != nil {
		return err
	}
	if task < 0 || task >= len(pl.tasks) {
		return fmt.Errorf("%s of %s has no task %d: it has %d", stage, p.Name, task, len(pl.tasks))
	}
	defer pl.announced.Release(pl.files(task)) // also where it is done already
	done, err := pl.staging.Done(task)
	if err != nil || done != nil {
		return err
	}
	// Another attempt at this task may be under way in a process that stands still: this one shares no file with it.
	attempt := pl.staging.Attempt()
	t := &Task{ctx: ctx, engine: e, plan: pl, staging: attempt, number: task, bucket: pl.tasks[task], Memory: max(e.budget()-rowGroupBytes-pl.sharedBytes(), 1)}
	t.done.Files = make(map[string][]lake.File)
	run := pl.stage.Run
	switch {
	case task < pl.prepares:
		run = pl.stage.Prepare
	case pl.finishes(task):
		run = pl.stage.Finish
	}
	account := e.accounts.open()
	err = run(t)
	t.done.Cost = e.accounts.close(account)
	if err != nil {
		return errors.Join(err, t.abandon(), attempt.Abandon())
	}
	t.done.Losses = t.Ledger.Losses(stage)
	return attempt.MarkDone(task, t.done)
}

// budget is the memory of all tasks together, without that for columns which they share.
func (e *Engine) budget() int64 {
	n := int64(1 << 62)
	if e.Memory > 0 {
		n = e.Memory
	}
	if e.decoded != nil {
		n -= decodedBytes(n)
	}
	return n
}

// decodedBytes is the part of a budget that is for columns which tasks share: enough for the events of three buckets of 760,000 in
// 96 MB, since tasks of different stages go through the buckets side by side. At a quarter, two walks over the chart did not fit
// beside it into the other half of --memory 1536MiB.
func decodedBytes(budget int64) int64 { return min(budget/8, 1<<29) }

// announce tells which files the tasks of a stage will read, so that what they have in common with tasks of other stages is
// decoded once. Tasks of the whole run read too much for that.
func (e *Engine) announce(pl *plan) {
	if e.decoded == nil || pl.stage.Whole || pl.isDivided() {
		return
	}
	pl.announced = e.decoded
	for task := range pl.tasks {
		pl.announced.Expect(pl.files(task))
	}
}

// commit makes the tables of a stage exist once all its tasks are done. Files and losses are put together in the order of
// the tasks and not in the order in which these were done, so that manifests are the same on every machine. Losses stand
// with the first table. Staged tables that are not in Stage.Writes go with the staging area.
func (e *Engine) commit(pl *plan, out *Outcome) error {
	files := make(map[string][]lake.File)
	measured := lake.Measured{Fingerprint: pl.fingerprint}
	var losses schema.Ledger
	for task := range pl.tasks {
		done, err := pl.staging.Done(task)
		if err != nil {
			return err
		}
		if done == nil {
			return fmt.Errorf("task %d is not done", task)
		}
		for table, list := range done.Files {
			files[table] = append(files[table], list...)
		}
		losses.MergeLosses(done.Losses)
		measured.Tasks = append(measured.Tasks, done.Cost)
		out.Answer = done.Answer
	}
	if len(pl.stage.Writes) == 0 {
		return pl.staging.Discard()
	}
	var manifests []*lake.Manifest
	for i, table := range pl.stage.Writes {
		m := pl.origin.Manifest(table, files[table])
		if slices.ContainsFunc(m.Files, func(f lake.File) bool { return lake.HomeOf(pl.groups, f.Bucket) != f.Bucket }) {
			m.Groups = pl.groups
		}
		if i == 0 {
			m.Losses = losses.Losses(pl.stage.Name)
		}
		out.Rows[table] = m.Rows()
		manifests = append(manifests, m)
	}
	commit := pl.staging.Commit
	if pl.stage.Replaces {
		commit = pl.staging.CommitAll
	}
	if err := commit(manifests...); err != nil {
		return err
	}
	return e.Lake.StoreMeasured(pl.stage.Name, pl.partition, measured)
}
