package pipeline

import (
	"context"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// Executor decides where and when the tasks of a stage run. It knows a stage by its name and a task by
// its number, so that it may as well run them on other machines over the same lake.
type Executor interface {
	RunStage(ctx context.Context, p lake.Partition, stage string, tasks int) error
}

// Local runs tasks on goroutines of this process: at most Jobs at a time, and only as many as their
// memory fits into the budget. A task that is larger than the budget runs alone.
type Local struct {
	engine *Engine
	jobs   *semaphore.Weighted
	memory *semaphore.Weighted
	budget int64
}

func newLocal(e *Engine, jobs int, budget int64) *Local {
	return &Local{e, semaphore.NewWeighted(int64(jobs)), semaphore.NewWeighted(budget), budget}
}

// RunStage implements Executor.
func (l *Local) RunStage(ctx context.Context, p lake.Partition, stage string, tasks int) error {
	group, inner := errgroup.WithContext(ctx)
	for i := range tasks {
		weight, err := l.engine.TaskBytes(p, stage, i)
		if err != nil {
			return err
		}
		weight = min(max(weight, 1), l.budget)
		if err := l.acquire(inner, weight); err != nil {
			break
		}
		group.Go(func() error {
			defer l.release(weight)
			return l.engine.RunTask(inner, p, stage, i)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

func (l *Local) acquire(ctx context.Context, weight int64) error {
	if err := l.jobs.Acquire(ctx, 1); err != nil {
		return err
	}
	if err := l.memory.Acquire(ctx, weight); err != nil {
		l.jobs.Release(1)
		return err
	}
	return nil
}

func (l *Local) release(weight int64) {
	l.memory.Release(weight)
	l.jobs.Release(1)
}
