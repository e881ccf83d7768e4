package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// The life of a stage in many processes: one publishes its plan, any number run its tasks, one commits. Each finds in the lake what it
// needs, so that whatever starts processes can be the engine of such a stage. Nobody holds the lease of the partition in between: a
// process that brings the same stage up to date meanwhile makes the same tables, and the others find that nothing is left to do.

// Published is the plan of a stage that lies in the staging area.
type Published struct {
	Fingerprint string        `json:"fingerprint,omitempty"` // of the tables that the tasks will make
	Phases      [][]int       `json:"phases"`                // tasks by number: those of a phase run in any order, when the phase before is done
	Tasks       []PlannedTask `json:"tasks"`                 // by number
}

// Publish plans a stage for a partition and leaves the plan in the staging area. It has no tasks where the tables of the stage are up to date.
func (e *Engine) Publish(ctx context.Context, p lake.Partition, stage string) (*Published, error) {
	s, err := e.declared(stage)
	if err != nil {
		return nil, err
	}
	release, err := e.Lake.Lease(ctx, p)
	if err != nil {
		return nil, err
	}
	defer release()
	if fresh, err := e.isFresh(p, stage); err != nil || fresh {
		return &Published{Phases: [][]int{}, Tasks: []PlannedTask{}}, err
	}
	pl, err := e.newPlan(p, s)
	if err != nil {
		return nil, err
	}
	if err := e.publish(pl); err != nil {
		return nil, err
	}
	tasks, err := e.plannedTasks(p, s)
	if err == nil {
		err = e.expect(p, s, tasks)
	}
	return &Published{pl.fingerprint, slices.DeleteFunc(pl.phases(), func(phase []int) bool { return len(phase) == 0 }), tasks}, err
}

// RunPublishedTask is RunTask in a process that was started for the task: it leaves a note of an error for the process that waits. It
// reports whether there was something to do: not where the stage is up to date by now.
func (e *Engine) RunPublishedTask(ctx context.Context, p lake.Partition, stage string, task int) (had bool, err error) {
	err = e.RunTask(ctx, p, stage, task)
	if errors.As(err, new(*lake.NotPlannedError)) {
		if fresh, unknown := e.isFresh(p, stage); unknown == nil && fresh {
			return false, nil
		}
		return false, fmt.Errorf("%w: plan it first", err)
	}
	if err != nil && ctx.Err() == nil {
		if pl, planned := e.planned(p, stage); planned == nil {
			err = errors.Join(err, pl.staging.MarkFailed(task, err.Error()))
		}
	}
	return true, err
}

// isFresh reports whether the tables of a stage are up to date.
func (e *Engine) isFresh(p lake.Partition, stage string) (bool, error) {
	s, err := e.declared(stage)
	if err != nil {
		return false, err
	}
	pl, err := e.outdated(p, s)
	return pl == nil, err
}

// CommitStage makes the tables of a published stage exist, all of whose tasks must be done.
func (e *Engine) CommitStage(ctx context.Context, p lake.Partition, stage string) (Outcome, error) {
	out := Outcome{Partition: p, Stage: stage, Rows: make(map[string]int64)}
	release, err := e.Lake.Lease(ctx, p)
	if err != nil {
		return out, err
	}
	defer release()
	pl, err := e.planned(p, stage)
	if errors.As(err, new(*lake.NotPlannedError)) {
		fresh, unknown := e.isFresh(p, stage)
		if unknown == nil && fresh {
			out.Fresh = true
			return out, nil
		}
		return out, fmt.Errorf("%w: plan it first", err)
	}
	if err != nil {
		return out, err
	}
	defer e.forget(p, stage)
	return out, e.commit(pl, &out)
}

// Undone is a task without a record that it is done.
type Undone struct {
	Task   int          // its number
	Failed *lake.Failed // how often attempts at it failed; nil: none did that could say so
}

// Undone lists those of some tasks of a published stage that are not done, whatever became of the processes that were to do them.
func (e *Engine) Undone(p lake.Partition, stage string, tasks []int) (undone []Undone, err error) {
	pl, err := e.planned(p, stage)
	if err != nil {
		return nil, err
	}
	return UndoneIn(pl.staging, tasks, pl.staging.Done)
}

// UndoneIn is Undone in a staging area, of which done finds records.
func UndoneIn(staging *lake.Staging, tasks []int, done func(task int) (*lake.Done, error)) (undone []Undone, err error) {
	for _, task := range tasks {
		record, err := done(task)
		if err != nil {
			return nil, err
		}
		if record == nil {
			undone = append(undone, Undone{task, staging.Failed(task)})
		}
	}
	return undone, nil
}

// Stale lists the stages of the engine whose tables are not up to date for a partition.
func (e *Engine) Stale(p lake.Partition) (stale []string, err error) {
	for i := range e.Stages {
		s := &e.Stages[i]
		pl, err := e.outdated(p, s)
		if err != nil && !errors.As(err, new(missingTable)) {
			return nil, err
		}
		if pl != nil || err != nil {
			stale = append(stale, s.Name)
		}
	}
	return stale, nil
}

// FingerprintOf returns the fingerprint of a published stage.
func (e *Engine) FingerprintOf(p lake.Partition, stage string) (string, error) {
	pl, err := e.planned(p, stage)
	if err != nil {
		return "", err
	}
	return pl.fingerprint, nil
}
