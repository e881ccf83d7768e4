package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Engine runs stages over partitions of a lake.
type Engine struct {
	Lake     *lake.Lake
	Stages   []Stage // in the order of Order
	Jobs     int
	Memory   int64 // bytes that tasks may hold together
	Progress *Meter
	Log      func(event string, fields ...any)

	// Executor runs the tasks; nil is goroutines of this process, within Jobs and Memory.
	Executor Executor

	mu    sync.Mutex
	plans map[planKey]*plan
}

type planKey struct {
	partition lake.Partition
	stage     string
}

// plan is what a stage is to do for a partition.
type plan struct {
	stage       *Stage
	inputs      map[string]*lake.Manifest
	sources     []lake.Input
	fingerprint string
	tasks       [][]int // the buckets of each
	staging     *lake.Staging
}

// Outcome is what a stage did for a partition.
type Outcome struct {
	Partition lake.Partition
	Stage     string
	Fresh     bool // there was nothing to do
	Rows      map[string]int64
	Elapsed   time.Duration
}

// Run brings the tables of all stages up to date for every partition. It returns what the stages did, by
// partition in the order given, then by stage.
func (e *Engine) Run(ctx context.Context, partitions []lake.Partition) ([]Outcome, error) {
	if e.Executor == nil {
		e.Executor = newLocal(e, e.Jobs, e.Memory)
	}
	e.plans = make(map[planKey]*plan)
	outcomes := make([][]Outcome, len(partitions))
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(e.Jobs)
	for i, p := range partitions {
		group.Go(func() (err error) {
			outcomes[i], err = e.runPartition(inner, p)
			return err
		})
	}
	err := group.Wait()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return slices.Concat(outcomes...), err
}

// runPartition runs every stage as soon as the tables that it reads are there.
func (e *Engine) runPartition(ctx context.Context, p lake.Partition) ([]Outcome, error) {
	outcomes := make([]Outcome, len(e.Stages))
	written := make(map[string]chan struct{})
	for _, s := range e.Stages {
		for _, table := range s.Writes {
			written[table] = make(chan struct{})
		}
	}
	group, inner := errgroup.WithContext(ctx)
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
			if outcomes[i], err = e.runStage(inner, p, s); err != nil {
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

// runStage brings the tables of one stage up to date.
func (e *Engine) runStage(ctx context.Context, p lake.Partition, s *Stage) (Outcome, error) {
	started := time.Now()
	out := Outcome{Partition: p, Stage: s.Name, Rows: make(map[string]int64)}
	pl, fresh, err := e.plan(p, s)
	if err != nil {
		return out, fmt.Errorf("%s of %s: %w", s.Name, p.Name, err)
	}
	if fresh {
		out.Fresh = true
		return out, nil
	}
	err = e.Executor.RunStage(ctx, p, s.Name, len(pl.tasks))
	if err == nil {
		err = e.commit(p, pl, &out)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		err = fmt.Errorf("%s of %s: %w", s.Name, p.Name, err)
	}
	out.Elapsed = time.Since(started)
	if e.Log != nil && err == nil {
		e.Log("stage", "run", p.Name, "stage", s.Name, "seconds", out.Elapsed.Seconds(), "rows", out.Rows)
	}
	return out, err
}

// plan finds what a stage reads and whether it has anything to do.
func (e *Engine) plan(p lake.Partition, s *Stage) (pl *plan, fresh bool, err error) {
	pl = &plan{stage: s, inputs: make(map[string]*lake.Manifest)}
	for _, table := range s.Reads {
		m, err := e.Lake.Manifest(table, p)
		if err != nil {
			return nil, false, err
		}
		if m == nil {
			return nil, false, fmt.Errorf("the lake has no table %s of it", table)
		}
		pl.inputs[table] = m
		pl.sources = append(pl.sources, lake.Input{Name: table, Fingerprint: m.Fingerprint})
	}
	pl.fingerprint = lake.Fingerprint(s.Name, s.Version, s.Options, pl.sources)
	if fresh, err = e.upToDate(p, s, pl.fingerprint); err != nil || fresh {
		return nil, fresh, err
	}
	for _, m := range pl.inputs {
		e.Progress.Expect(m.Rows())
	}
	pl.tasks = tasks(s, pl.inputs)
	if pl.staging, err = e.Lake.Stage(s.Name, p, pl.fingerprint); err != nil {
		return nil, false, err
	}
	e.mu.Lock()
	e.plans[planKey{p, s.Name}] = pl
	e.mu.Unlock()
	return pl, false, nil
}

func (e *Engine) upToDate(p lake.Partition, s *Stage, fingerprint string) (bool, error) {
	for _, table := range s.Writes {
		m, err := e.Lake.Manifest(table, p)
		if err != nil || m == nil || m.Fingerprint != fingerprint {
			return false, err
		}
	}
	return true, nil
}

// tasks puts the buckets of all that a stage reads into tasks.
func tasks(s *Stage, inputs map[string]*lake.Manifest) [][]int {
	return slices.Collect(slices.Chunk(buckets(s, inputs), max(s.Group, 1)))
}

// buckets lists the buckets of all that a stage reads. A table without buckets adds none: its
// rows belong to every task, or to the only one.
func buckets(s *Stage, inputs map[string]*lake.Manifest) []int {
	if s.Whole {
		return []int{lake.NoBucket}
	}
	var all []int
	for _, m := range inputs {
		for _, f := range m.Files {
			all = append(all, f.Bucket)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) > 1 && all[0] == lake.NoBucket {
		all = all[1:]
	}
	return all
}

func (e *Engine) planOf(p lake.Partition, stage string) *plan {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.plans[planKey{p, stage}]
}

// rowGroupBytes is what reading and writing a row group takes beside what a stage holds.
const rowGroupBytes = 64 << 20

// TaskBytes is the memory that a task needs.
func (e *Engine) TaskBytes(p lake.Partition, stage string, task int) (int64, error) {
	pl := e.planOf(p, stage)
	rows := int64(0)
	for _, bucket := range pl.tasks[task] {
		rows += rowsOf(pl.inputs[pl.stage.Reads[0]], bucket)
	}
	if pl.stage.Streamed {
		rows = min(rows, 1<<18)
	}
	return rowGroupBytes*min(1, rows/(1<<14)) + rows*pl.stage.BytesPerRow, nil
}

func rowsOf(m *lake.Manifest, bucket int) (rows int64) {
	for _, f := range m.Files {
		if bucket == lake.NoBucket || f.Bucket == bucket {
			rows += f.Rows
		}
	}
	return rows
}

// RunTask does one task of a stage, unless it is done already.
func (e *Engine) RunTask(ctx context.Context, p lake.Partition, stage string, task int) error {
	pl := e.planOf(p, stage)
	done, err := pl.staging.Done(task)
	if err != nil || done != nil {
		return err
	}
	t := &Task{ctx: ctx, engine: e, plan: pl, buckets: pl.tasks[task], bucket: pl.tasks[task][0], Memory: max(e.Memory-rowGroupBytes, 1)}
	t.done.Files = make(map[string][]lake.File)
	if err := pl.stage.Run(t); err != nil {
		return errors.Join(err, t.abandon())
	}
	t.done.Losses = t.Ledger.Losses(stage)
	return pl.staging.MarkDone(task, t.done)
}

// commit makes the tables of a stage exist once all its tasks are done.
func (e *Engine) commit(p lake.Partition, pl *plan, out *Outcome) error {
	files := make(map[string][]lake.File)
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
	}
	var manifests []*lake.Manifest
	for i, table := range pl.stage.Writes {
		m := &lake.Manifest{
			Table: table, Partition: p.String(), Stage: pl.stage.Name, Version: pl.stage.Version,
			Options: lake.OptionText(pl.stage.Options), Inputs: pl.sources, Fingerprint: pl.fingerprint, Files: files[table],
		}
		if i == 0 {
			m.Losses = losses.Losses(pl.stage.Name)
		}
		out.Rows[table] = m.Rows()
		manifests = append(manifests, m)
	}
	return pl.staging.Commit(manifests...)
}
