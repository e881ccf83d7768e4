package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/plantable"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// leastTaskBytes is less of a trace than a task is worth.
const leastTaskBytes = 1 << 16

// checkElsewhere refuses what cannot be done in several processes.
func (f *flags) checkElsewhere() error {
	if err := f.elsewhere.Check(); err != nil {
		return err
	}
	if !slices.Contains([]string{"", "text", "json"}, f.plan) {
		return console.Usagef("--plan=%s: text or json", f.plan)
	}
	if f.taskBytes < leastTaskBytes {
		return console.Usagef("--task-bytes %s: at least %s", f.taskBytes, console.Bytes(leastTaskBytes))
	}
	what := "--executor"
	if f.plan != "" {
		what = "--plan"
	} else if f.elsewhere.IsLocal() {
		return nil
	}
	if f.split != "" || f.follow {
		return console.Usagef("%s is for whole traces that lie in files: neither --split nor --follow go with it", what)
	}
	return nil
}

// isElsewhere says whether the work is planned for other processes.
func (f *flags) isElsewhere() bool { return f.plan != "" || !f.elsewhere.IsLocal() }

// planAll leaves the plans of all runs in the lake.
func (f *flags) planAll(ctx context.Context, jobs []ingest.Job, names []*runName) error {
	write := plantable.WritePublished
	if f.plan == "json" {
		write = plantable.WritePublishedJSON
	}
	for i, j := range jobs {
		if err := place(&j, names[i]); err != nil {
			return err
		}
		_, published, err := ingest.Publish(ctx, j)
		if err != nil {
			return fmt.Errorf("run %s: %w", j.Run, err)
		}
		if len(published.Tasks) > 0 {
			f.Logger(f.stderr).Info(fmt.Sprintf("run %s: the plan is in the lake; analyze task %s %s TASKS does its tasks", j.Run, j.Run, ingest.StageName))
		}
		if err := write(f.stdout, published); err != nil {
			return err
		}
	}
	return nil
}

// makeRun ingests a trace here, or has its tasks run elsewhere.
func (f *flags) makeRun(ctx context.Context, j ingest.Job) (*schema.Run, []schema.Loss, error) {
	if f.elsewhere.IsLocal() {
		return ingest.Run(ctx, j)
	}
	t, published, err := ingest.Publish(ctx, j)
	if err != nil {
		return nil, nil, err
	}
	if t == nil { // another process has made it meanwhile
		return ingest.Run(ctx, j)
	}
	executor, err := f.elsewhere.Executor(t)
	if err != nil {
		return nil, nil, err
	}
	for _, tasks := range published.Phases {
		if err := executor.RunTasks(ctx, lake.Run(j.Run), ingest.StageName, tasks); err != nil {
			return nil, nil, err
		}
	}
	return t.Commit(ctx)
}

// missing names the runs that the lake does not have after an engine said that all ended well.
func missing(l *lake.Lake, jobs []ingest.Job, names []*runName) (runs []string, err error) {
	for i, j := range jobs {
		have, err := l.Manifest("runs", lake.Run(j.Run))
		if err == nil && have == nil && names[i] != nil { // it may have its name without folders, from before
			have, err = l.Manifest("runs", lake.Run(names[i].file))
		}
		if err != nil {
			return nil, err
		}
		if have == nil {
			runs = append(runs, j.Run)
		}
	}
	return runs, nil
}
