package ingest

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// An ingest in many processes has the life of a stage in many processes (pipeline/protocol.go): one publishes its plan, any number do its
// tasks, one commits. The tasks of a long trace of lines are those of an ingest in slices, with the join as one more: it weaves again what
// supposed wrong, so that whoever joins after it finds that done and reads only the ends of slices. Each process that writes buckets, and
// the one that commits, joins for itself. Any other trace is one task.

// storedPlan is what lies in the staging area for the processes that do the tasks. Where the job cuts nothing, there is one task.
type storedPlan struct {
	Fingerprint string
	Job         Job
}

// Tasks are those of an ingest whose plan lies in the lake. It is used by one goroutine.
type Tasks struct {
	job         Job
	slices      *slicing // nil: the whole trace is one task
	staging     *lake.Staging
	fingerprint string // of the work: of the files as they were, and of the options
	joined      bool
}

// Publish plans an ingest and leaves the plan in the lake. There are no tasks where the lake has the run. The trace lies in files that
// every process finds at the same path.
func Publish(ctx context.Context, j Job) (*Tasks, *pipeline.Published, error) {
	release, err := j.Lake.Lease(ctx, lake.Run(j.Run))
	if err != nil {
		return nil, nil, err
	}
	defer release()
	standing, err := j.Standing()
	if err == nil {
		err = j.checkReplace(standing)
	}
	if err != nil || standing.Fresh && !j.Strict { // which looks at bad lines again
		return nil, &pipeline.Published{Phases: [][]int{}, Tasks: []pipeline.PlannedTask{}}, err
	}
	if j.Place == "" {
		j.Place = j.Paths[0] // its folders stand in the manifest, as they were written
	}
	j.Paths = slices.Clone(j.Paths)
	for i := range j.Paths {
		if j.Paths[i], err = filepath.Abs(j.Paths[i]); err != nil {
			return nil, nil, err
		}
	}
	if j.Cut.Bytes == 0 {
		j.Cut.Bytes = sliceBytes
	}
	if s := newIntake(ctx, &j).slice(); s == nil || len(s.slices) < 2 {
		j.Cut = Cut{Bytes: -1}
	}
	t, err := newTasks(ctx, j)
	if err != nil {
		return nil, nil, err
	}
	if t.staging, err = j.Lake.Stage(StageName, lake.Run(j.Run), t.fingerprint); err != nil {
		return nil, nil, err
	}
	t.adopt()
	return t, t.published(), t.staging.StorePlan(storedPlan{t.fingerprint, j})
}

// FindTasks finds the ingest of a run whose plan lies in the lake: complete gives the job what is not in the plan. It refuses a plan when the
// files are not as they were, or where this program would make something else of them. Without a plan the error is a *lake.NotPlannedError.
func FindTasks(ctx context.Context, l *lake.Lake, run string, complete func(*Job) error) (*Tasks, error) {
	var stored storedPlan
	staging, err := l.Planned(StageName, lake.Run(run), &stored)
	if err != nil {
		return nil, err
	}
	stored.Job.Lake = l
	if err := complete(&stored.Job); err != nil {
		return nil, err
	}
	t, err := newTasks(ctx, stored.Job)
	if err != nil {
		return nil, err
	}
	if t.fingerprint != stored.Fingerprint {
		return nil, fmt.Errorf("the trace of run %s, a file that says what its functions are, or the program changed after it was planned: plan it again", run)
	}
	t.staging = staging
	t.adopt()
	return t, nil
}

// newTasks plans the tasks of a job, outside of any staging area.
func newTasks(ctx context.Context, j Job) (*Tasks, error) {
	t := &Tasks{job: j}
	if j.Cut.Bytes > 0 {
		if t.slices = newIntake(ctx, &t.job).slice(); t.slices == nil {
			return nil, fmt.Errorf("the trace of run %s cannot be read in slices any more: plan it again", j.Run)
		}
		t.fingerprint = t.slices.fingerprint()
		return t, nil
	}
	files, err := j.files()
	if err != nil {
		return nil, err
	}
	var inputs []lake.Input
	for _, path := range files {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, inputOf(path, info.Size(), info.ModTime().UnixNano()))
	}
	t.fingerprint = j.workOf(j.Cut, inputs)
	return t, nil
}

// adopt has the slices lie in the staging area.
func (t *Tasks) adopt() {
	if t.slices != nil {
		t.slices.staging = t.staging
	}
}

// bucketTasks is how many tasks write buckets, of which the last one writes that of the placeholders. A trace that ends where components
// are placed needs two of them only.
func (s *slicing) bucketTasks() int { return bucketsFor(s.bytes) + 1 }

// published says which tasks there are.
func (t *Tasks) published() *pipeline.Published {
	p := &pipeline.Published{Fingerprint: t.fingerprint}
	if t.slices == nil {
		p.Phases, p.Tasks = [][]int{{0}}, []pipeline.PlannedTask{{Memory: t.bytesOf(0)}}
		return p
	}
	s := t.slices
	p.Tasks = make([]pipeline.PlannedTask, s.firstBucket()+s.bucketTasks())
	for i, of := range s.slices {
		p.Tasks[firstSlice+i].Bytes = of.to - of.from
	}
	p.Tasks[placeTask].First = true
	for bucket := range s.bucketTasks() {
		p.Tasks[s.firstBucket()+bucket].Bucket = &bucket
	}
	phases := make([][]int, 4) // each reads what those before left
	for task := range p.Tasks {
		p.Tasks[task].Memory = t.bytesOf(task)
		phase := 0
		switch {
		case task >= s.firstBucket():
			phase = 3
		case task == s.joinTask():
			phase = 2
		case task > placeTask:
			phase = 1
		}
		phases[phase] = append(phases[phase], task)
	}
	p.Phases = phases
	return p
}

// bytesOf estimates the memory that a task needs.
func (t *Tasks) bytesOf(task int) int64 {
	if t.slices == nil {
		return 4 * t.job.Memory // of which a quarter is for reading
	}
	return sliceMemory*t.slices.cut.Bytes + pieceMemory
}

// pieceMemory is what parsing a piece of text and writing a row group take beside a slice.
const pieceMemory = 96 << 20

// Undone lists those of some tasks that are not done.
func (t *Tasks) Undone(_ lake.Partition, _ string, tasks []int) ([]pipeline.Undone, error) {
	return pipeline.UndoneIn(t.staging, tasks, t.staging.DoneUnread)
}

// FingerprintOf returns the fingerprint of the work. That of the tables follows from the bytes of the trace, which nobody has read yet.
func (t *Tasks) FingerprintOf(lake.Partition, string) (string, error) { return t.fingerprint, nil }

// TaskBytes estimates the memory that a task needs, in bytes.
func (t *Tasks) TaskBytes(_ lake.Partition, _ string, task int) (int64, error) {
	return t.bytesOf(task), nil
}

// Run does a task, unless it is done already. It leaves a note of an error for the process that waits.
func (t *Tasks) Run(ctx context.Context, task int) error {
	err := t.do(ctx, task)
	if err != nil && ctx.Err() == nil {
		err = errors.Join(err, t.staging.MarkFailed(task, err.Error()))
	}
	return err
}

// do is Run without the note.
func (t *Tasks) do(ctx context.Context, task int) error {
	last := 0
	if s := t.slices; s != nil {
		last = s.firstBucket() + s.bucketTasks() - 1
	}
	if task < 0 || task > last {
		return fmt.Errorf("%s of %s has no task %d: it has %d", StageName, t.job.Run, task, last+1)
	}
	if t.slices != nil {
		if err := t.slices.place(ctx); err != nil || task == placeTask {
			return err
		}
	}
	_, err := pipeline.Recorded(ctx, t.staging, 1, task, 1, func(ctx context.Context, _ int, to *lake.Staging) (*lake.Done, error) {
		return t.work(ctx, task, to)
	})
	return err
}

// work does a task that is not done, when components are placed.
func (t *Tasks) work(ctx context.Context, task int, to *lake.Staging) (*lake.Done, error) {
	s := t.slices
	switch {
	case s == nil:
		return t.whole(ctx, to)
	case task < s.joinTask():
		return s.hashOrWeave(ctx, task-hashTask, to)
	case task == s.joinTask():
		err := t.join(ctx)
		if errors.As(err, new(*againError)) {
			return t.whole(ctx, to)
		}
		return new(lake.Done), err
	}
	joined, err := s.doneBefore(s.joinTask())
	bucket := task - s.firstBucket()
	if err != nil || joined.Answer != nil || bucket > s.buckets { // the join read the trace as a whole, or there is no such bucket
		return new(lake.Done), err
	}
	if err := t.join(ctx); err != nil {
		return nil, err
	}
	return s.writeBucket(ctx, bucket, to)
}

// doneBefore is the record of a task that others follow.
func (s *slicing) doneBefore(task int) (*lake.Done, error) {
	done, err := s.staging.DoneUnread(task)
	if err == nil && done == nil {
		err = fmt.Errorf("task %d is not done", task)
	}
	return done, err
}

// join joins what the slices left, once in this process.
func (t *Tasks) join(ctx context.Context) error {
	if t.joined {
		return nil
	}
	s := t.slices
	var all []*lake.Done
	for task := hashTask; task < s.joinTask(); task++ {
		done, err := s.doneBefore(task)
		if err != nil {
			return err
		}
		all = append(all, done)
	}
	err := s.joinAll(ctx, all)
	t.joined = err == nil
	return err
}

// wholeMade is what the task of a whole trace says to the commit.
type wholeMade struct {
	Made made
	Said []string // about the trace, for the user
}

// whole is the task that reads the trace as a whole.
func (t *Tasks) whole(ctx context.Context, to *lake.Staging) (*lake.Done, error) {
	var files map[string][]lake.File
	var answer wholeMade
	j := t.job
	j.Cut = Cut{}
	err := passes(ctx, &j, func(in *intake) error {
		answer.Said = nil
		j.Say = func(sentence string) { answer.Said = append(answer.Said, sentence) }
		if err := to.Abandon(); err != nil { // what a pass before wrote
			return err
		}
		in.staging = to
		if err := in.open(); err != nil {
			return err
		}
		var run *schema.Run
		var err error
		if files, run, err = in.writeTables(ctx); err == nil {
			answer.Made = in.made(run)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = gob.NewEncoder(&text).Encode(answer) // names may have any bytes, which JSON would not keep
	return &lake.Done{Files: files, Answer: text.Bytes()}, err
}

// Commit makes the run exist when all tasks are done, and returns what Run returns.
func (t *Tasks) Commit(ctx context.Context) (*schema.Run, []schema.Loss, error) {
	release, err := t.job.Lake.Lease(ctx, lake.Run(t.job.Run))
	if err != nil {
		return nil, nil, err
	}
	defer release()
	task := 0
	if t.slices != nil {
		task = t.slices.joinTask()
	}
	done, err := t.staging.Done(task)
	switch {
	case err != nil:
		return nil, nil, err
	case done == nil:
		return nil, nil, fmt.Errorf("task %d is not done", task)
	case done.Answer != nil:
		return t.commitWhole(done)
	}
	return t.commitSlices(ctx)
}

// commitWhole commits what the task of the whole trace made.
func (t *Tasks) commitWhole(done *lake.Done) (*schema.Run, []schema.Loss, error) {
	var of wholeMade
	if err := gob.NewDecoder(bytes.NewReader(done.Answer)).Decode(&of); err != nil {
		return nil, nil, err
	}
	if err := t.job.commit(t.staging, done.Files, of.Made); err != nil {
		return nil, nil, err
	}
	if t.job.Say != nil {
		for _, sentence := range of.Said {
			t.job.Say(sentence)
		}
	}
	return of.Made.Run, of.Made.Losses, nil
}

// commitSlices commits what the tasks of the buckets made.
func (t *Tasks) commitSlices(ctx context.Context) (*schema.Run, []schema.Loss, error) {
	s := t.slices
	if err := s.place(ctx); err != nil {
		return nil, nil, err
	}
	if err := t.join(ctx); err != nil {
		return nil, nil, err
	}
	var buckets []*lake.Done
	for bucket := range s.buckets + 1 {
		done, err := s.staging.Done(s.firstBucket() + bucket)
		if err != nil {
			return nil, nil, err
		}
		if done == nil {
			return nil, nil, fmt.Errorf("task %d is not done", s.firstBucket()+bucket)
		}
		buckets = append(buckets, done)
	}
	return s.commitBuckets(buckets)
}
