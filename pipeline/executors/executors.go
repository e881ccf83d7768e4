// Package executors has the tasks of stages run by other processes, which an engine outside starts: a program of the site, or Slurm.
//
// Whatever an engine reports, the records of the tasks decide. A task that left none is sent again: its process was killed, its node
// is gone, or the engine lost it. A task that fails again and again ends the work with its own message.
package executors

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
)

// Work is what an engine is to start processes for: tasks of one stage that do not wait for each other.
type Work struct {
	Lake        string // the folder
	Run         string // its name; comparison=NAME for a comparison
	Stage       string // its name
	Fingerprint string // of the tables that the tasks make
	Tasks       []int  // by number
	Bytes       int64  // of memory that the largest task needs, as the engine estimates it
}

// Launch starts processes that do the tasks, and returns when all have ended. An error is told only where the records of tasks say
// nothing.
type Launch func(ctx context.Context, w Work) error

// FinalError is the error of a Launch that would fail again, as of a command line that the processes refuse.
type FinalError struct{ Err error }

// Error implements error.
func (e *FinalError) Error() string { return e.Err.Error() }

// Unwrap returns the error itself.
func (e *FinalError) Unwrap() error { return e.Err }

// Plans knows tasks whose plan lies in the lake: a pipeline.Engine those of stages, an ingest its own.
type Plans interface {
	// Undone lists those of some tasks that have no record.
	Undone(p lake.Partition, stage string, tasks []int) ([]pipeline.Undone, error)
	// FingerprintOf returns the fingerprint of the work.
	FingerprintOf(p lake.Partition, stage string) (string, error)
	// TaskBytes estimates the memory that a task needs, in bytes.
	TaskBytes(p lake.Partition, stage string, task int) (int64, error)
}

// Recorded runs tasks by processes that a Launch starts.
type Recorded struct {
	Plans    Plans
	Lake     string        // the folder, as the processes find it
	Launch   Launch        // starts the processes
	Attempts int           // at a task that fails, until it is given up
	Patience time.Duration // for how long tasks are sent again while none of them gets done
	Warn     func(string)  // takes a sentence when tasks are sent again
}

// pauses are the waits before tasks are sent again, in turn; the last one is repeated.
var pauses = []time.Duration{0, 100 * time.Millisecond, time.Second, 5 * time.Second}

// RunTasks implements pipeline.Executor.
func (r *Recorded) RunTasks(ctx context.Context, p lake.Partition, stage string, tasks []int) error {
	undone, err := r.Plans.Undone(p, stage, tasks)
	if err != nil || len(undone) == 0 {
		return err
	}
	// What failed before this process began does not count: the reason may be gone.
	before := make(map[int]int)
	for _, u := range undone {
		before[u.Task] = failures(u)
	}
	w, err := r.workOf(p, stage)
	if err != nil {
		return err
	}
	progress, round := time.Now(), 0
	for {
		if err := w.take(r.Plans, p, undone); err != nil {
			return err
		}
		said := r.Launch(ctx, w)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		left, err := r.Plans.Undone(p, stage, w.Tasks)
		if err != nil || len(left) == 0 {
			return err
		}
		if errors.As(said, new(*FinalError)) {
			return said
		}
		for _, u := range left {
			if n := failures(u) - before[u.Task]; n >= r.Attempts {
				return fmt.Errorf("task %d failed %d times, at last on %s: %s", u.Task, n, u.Failed.Host, u.Failed.Message)
			}
		}
		if len(left) < len(undone) {
			progress, round = time.Now(), 0
		}
		if waited := time.Since(progress); waited > r.Patience {
			return errors.Join(fmt.Errorf("for %s no task of %s got done, of those that are left: %s", waited.Round(time.Second), stage, FormatTasks(numbers(left))), said)
		}
		r.warn(p, stage, left, said)
		undone = left
		select {
		case <-time.After(pauses[min(round, len(pauses)-1)]):
		case <-ctx.Done():
			return ctx.Err()
		}
		round++
	}
}

// workOf describes the work on a stage, without its tasks.
func (r *Recorded) workOf(p lake.Partition, stage string) (Work, error) {
	fingerprint, err := r.Plans.FingerprintOf(p, stage)
	name := p.Name
	if p.Key != "run" {
		name = p.String()
	}
	return Work{Lake: r.Lake, Run: name, Stage: stage, Fingerprint: fingerprint}, err
}

// take makes the undone tasks those of the work.
func (w *Work) take(e Plans, p lake.Partition, undone []pipeline.Undone) error {
	w.Tasks, w.Bytes = numbers(undone), 0
	for _, task := range w.Tasks {
		bytes, err := e.TaskBytes(p, w.Stage, task)
		if err != nil {
			return err
		}
		w.Bytes = max(w.Bytes, bytes)
	}
	return nil
}

// warn tells that tasks are sent again, and what the engine said.
func (r *Recorded) warn(p lake.Partition, stage string, left []pipeline.Undone, said error) {
	if r.Warn == nil {
		return
	}
	text := fmt.Sprintf("%s of %s: tasks are sent again that left no record: %s", stage, p.Name, FormatTasks(numbers(left)))
	for _, u := range left {
		if u.Failed != nil {
			text += fmt.Sprintf("; task %d said: %s", u.Task, u.Failed.Message)
			break
		}
	}
	if said != nil {
		text += "; the engine said: " + said.Error()
	}
	r.Warn(text)
}

// failures is how often attempts at a task failed and said so.
func failures(u pipeline.Undone) int {
	if u.Failed == nil {
		return 0
	}
	return u.Failed.Times
}

// numbers lists the tasks that are not done.
func numbers(undone []pipeline.Undone) []int {
	tasks := make([]int, len(undone))
	for i, u := range undone {
		tasks[i] = u.Task
	}
	return tasks
}
