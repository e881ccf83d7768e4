package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/tasks"
	"github.com/tracelake/tracelake/pipeline"
)

// addWorkers declares the flags that say where the tasks of a comparison run, and the one that only plans it.
func (a *app) addWorkers(c *cobra.Command, plan *bool) *tasks.Elsewhere {
	c.Flags().BoolVar(plan, "plan", false, "leave the plan of the comparison in the lake for analyze task and analyze commit, and print it, instead of comparing")
	return tasks.AddWorkers(c, &a.Globals, a.stderr)
}

// goElsewhere has the tasks of a comparison, and of the runs that it brings up to date, run where the flags say. It reports whether
// the engine there has done all of it: Slurm runs the command once more in an allocation.
func (a *app) goElsewhere(ctx context.Context, e *pipeline.Engine, elsewhere *tasks.Elsewhere) (did bool, err error) {
	if elsewhere == nil { // part of another command, which said where
		if a.executor != nil {
			e.Executor, err = a.executor(e)
		}
		return false, err
	}
	if did, err := elsewhere.Submit(ctx, nil, func() ([]string, error) { return nil, nil }); did || err != nil {
		return did, err
	}
	a.executor = elsewhere.Executor
	e.Executor, err = a.executor(e)
	return false, err
}
