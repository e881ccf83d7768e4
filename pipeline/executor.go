package pipeline

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/memory"
	"github.com/tracelake/tracelake/pipeline/workers"
)

// Executor decides where and when the tasks of a stage run. It knows a stage by its name and a task by
// its number, so that it may as well run them in other processes over the same lake, with Engine.RunTask. Several
// calls may be under way at a time, for different stages and partitions.
type Executor interface {
	// RunTasks runs some tasks of a stage, and returns when all are done, or when one failed and none runs any more.
	RunTasks(ctx context.Context, p lake.Partition, stage string, tasks []int) error
}

// Local runs tasks on goroutines of this process: at most Jobs at a time, and only as many as their
// memory fits into the budget. A task that is larger than the budget runs alone. What tasks need is estimated of rows; where
// they hold more than that, as they do of names by the million, no further one starts beside them.
type Local struct {
	engine  *Engine
	jobs    *semaphore.Weighted
	memory  *semaphore.Weighted
	budget  int64        // bytes
	held    func() int64 // bytes that this process holds
	running atomic.Int64 // tasks
}

// NewLocal makes the executor of an engine that has none. It keeps within the engine's Jobs and Memory over all stages
// and partitions that it runs.
func NewLocal(e *Engine) *Local {
	jobs, memories := semaphore.NewWeighted(int64(max(e.Jobs, 1))), semaphore.NewWeighted(e.budget())
	return &Local{engine: e, jobs: jobs, memory: memories, budget: e.budget(), held: memory.Held}
}

// RunTasks implements Executor. Tasks start in the order of their numbers. One that waits for memory keeps later ones from
// starting, even smaller ones, so that no large task waits for ever.
func (l *Local) RunTasks(ctx context.Context, p lake.Partition, stage string, tasks []int) error {
	group, inner := workers.WithContext(ctx)
	for _, i := range tasks {
		weight, err := l.engine.TaskBytes(p, stage, i)
		if err != nil {
			group.Go(func() error { return err })
			break
		}
		// A task that is larger than the budget takes all of it, and so runs alone.
		weight = min(max(weight, 1), l.budget)
		if err := l.acquire(inner, weight); err != nil {
			break
		}
		group.Go(func() error {
			defer l.release(weight)
			defer l.running.Add(-1)
			return l.engine.RunTask(inner, p, stage, i)
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// acquire waits for a job, then for memory: a task that waits for memory counts as a job, and nothing overtakes it.
func (l *Local) acquire(ctx context.Context, weight int64) error {
	if err := l.jobs.Acquire(ctx, 1); err != nil {
		return err
	}
	if err := l.memory.Acquire(ctx, weight); err != nil {
		l.jobs.Release(1)
		return err
	}
	if err := l.awaitRoom(ctx); err != nil {
		l.release(weight)
		return err
	}
	l.running.Add(1)
	return nil
}

// roomPause is the time between two looks at what running tasks hold.
const roomPause = 5 * time.Millisecond

// leastHeld is what this process may hold beside what its tasks need, as their budget does not know it.
const leastHeld = 128 << 20

// awaitRoom waits while tasks run that hold more than the budget by a quarter.
func (l *Local) awaitRoom(ctx context.Context) error {
	for l.running.Load() > 0 && l.held() > max(l.budget/4*5, leastHeld) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(roomPause):
		}
	}
	return nil
}

// release gives back what acquire took, for the task that waits longest.
func (l *Local) release(weight int64) {
	l.memory.Release(weight)
	l.jobs.Release(1)
}

// Each does n things, at most jobs at a time, and returns their results in order. It is for work inside a task, and for
// answers that are printed and not kept. The first error cancels the rest and is returned; when ctx ends, its error is. Do
// must not change what the others read. Results are in memory together: what is large is better a table of a stage.
func Each[T any](ctx context.Context, jobs, n int, do func(ctx context.Context, i int) (T, error)) ([]T, error) {
	out := make([]T, n)
	group, inner := workers.WithContext(ctx)
	group.SetLimit(max(jobs, 1))
	for i := range n {
		group.Go(func() (err error) {
			if err = inner.Err(); err == nil {
				out[i], err = do(inner, i)
			}
			return err
		})
	}
	err := group.Wait()
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return out, err
}
