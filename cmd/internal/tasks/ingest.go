package tasks

import (
	"context"
	"errors"
	"fmt"

	"github.com/tracelake/tracelake/cmd/internal/mapping"
	"github.com/tracelake/tracelake/cmd/internal/views"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	readers "github.com/tracelake/tracelake/stages/ingest"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// findIngest finds the ingest of a run that was planned; nil where there is none and the lake has the run, so that nothing is to be done.
func (f *command) findIngest(ctx context.Context, run string) (*ingest.Tasks, *lake.Lake, error) {
	l, err := stores.Open(f.Lake, false)
	if err != nil {
		return nil, nil, err
	}
	t, err := ingest.FindTasks(ctx, l, run, f.completeJob)
	if errors.As(err, new(*lake.NotPlannedError)) {
		have, unknown := l.Manifest("runs", lake.Run(run))
		if unknown == nil && have != nil {
			f.Logger(f.stderr).Info(fmt.Sprintf("ingest of %s: nothing is planned, the lake has the run", run))
			return nil, l, nil
		}
		err = fmt.Errorf("%w: plan it first, by ingest --plan", err)
	}
	return t, l, err
}

// completeJob gives the job of a plan what this process has of its own.
func (f *command) completeJob(j *ingest.Job) error {
	formats := readers.Formats()
	j.Detect, j.Find = ingest.DetectAmong(formats, j.Format, j.Options), ingest.FindAmong(formats, j.Format)
	j.Jobs, j.Memory = f.Jobs, f.TaskMemory()/2
	m, err := mapping.Read(j.MappedBy)
	if err == nil {
		m.Apply(j)
	}
	j.Say = func(sentence string) { f.Logger(f.stderr).Info("run " + j.Run + ": " + sentence) }
	return err
}

// ingestTasks does tasks of an ingest, one after the other.
func (f *command) ingestTasks(ctx context.Context, run string, tasks []int) error {
	t, _, err := f.findIngest(ctx, run)
	if err != nil || t == nil {
		return err
	}
	for _, task := range tasks {
		if err := t.Run(ctx, task); err != nil {
			return fmt.Errorf("task %d: %w", task, err)
		}
	}
	return nil
}

// commitIngest makes a run exist, and what follows from that.
func (f *command) commitIngest(ctx context.Context, run string) error {
	t, l, err := f.findIngest(ctx, run)
	if err != nil || t == nil {
		return err
	}
	r, losses, err := t.Commit(ctx)
	if err != nil {
		return fmt.Errorf("ingest of %s: %w", run, err)
	}
	if err := pipeline.WriteLosses(ctx, l, lake.Run(run)); err != nil {
		return err
	}
	lost := int64(0)
	for _, loss := range losses {
		lost += loss.Count
	}
	f.Logger(f.stderr).Info(fmt.Sprintf("ingest of %s: committed, %s; %s in the table losses", run, texttab.Plural(r.Events, "event"), texttab.Plural(lost, "record")))
	return views.Follow(ctx, l)
}
