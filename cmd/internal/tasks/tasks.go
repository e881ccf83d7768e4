// Package tasks has the commands by which other programs run an analysis, a task a process: analyze task and analyze commit, and the flags
// by which analyze run has its tasks run elsewhere.
package tasks

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/views"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/executors"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
)

// Engine returns an engine with all stages of what a name means, a run or comparison=NAME, also with those that it was not asked for.
type Engine func(l *lake.Lake, name string) (*pipeline.Engine, lake.Partition, error)

// command is what both commands share.
type command struct {
	*console.Globals
	stderr io.Writer
	engine Engine
}

// Commands returns analyze task and analyze commit.
func Commands(g *console.Globals, stderr io.Writer, engine Engine) []*cobra.Command {
	f := &command{g, stderr, engine}
	return []*cobra.Command{f.taskCommand(), f.commitCommand()}
}

func (f *command) taskCommand() *cobra.Command {
	var share string
	c := &cobra.Command{
		Use: "task RUN STAGE TASKS", Short: "Do tasks of a stage that was planned, in this process alone",
		Long: `Does tasks of a stage that "analyze plan RUN STAGE" planned: a number as 3, several as 0-15,17, or - for the number that the engine
gives which started this process, in SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX (Kubernetes) or AWS_BATCH_JOB_ARRAY_INDEX.
--share 2/8 does every eighth of them, beginning with the third; --share - the share of this process in a step of Slurm.

A task that is done is not done again, so that any task may be sent as often as one likes, also to several machines at once: all see
the same lake, and the first to finish wins. A task refuses a plan of other inputs, options or versions of the stage. The plan's phases
follow each other; tasks of one phase run in any order. At last "analyze commit RUN STAGE" makes the tables exist.

A comparison is comparison=NAME in the place of RUN, with the stage compare, when "analyze compare --plan" has planned it. The ingest of a
trace is the stage ingest of its run, when "ingest --plan" has planned it.

` + recipes,
		Example: `  analyze plan nightly executions
  seq 0 15 | xargs -P 8 -I{} ssh host{} analyze --lake /shared/lake task nightly executions {}
  analyze commit nightly executions`,
		Args: console.Exactly(3, "name a run, a stage and its tasks"),
		RunE: func(c *cobra.Command, args []string) error {
			return f.task(c.Context(), args[0], args[1], args[2], share)
		},
	}
	c.Flags().StringVar(&share, "share", "", "do a part of the tasks only: K/N for every N-th from the K-th on (from 0), or - as SLURM_PROCID and SLURM_NTASKS say")
	return c
}

// recipes say how other programs use the commands.
const recipes = `Programs that start processes need no more than these three commands:
  a shell      analyze plan RUN STAGE --format json gives phases and tasks; see the example
  Slurm        analyze run --executor slurm does all of it; by hand: sbatch --array=0-15 --wrap "analyze task RUN STAGE -"
  Kubernetes   analyze run --executor kubernetes does all of it; by hand: an Indexed Job with the command analyze task RUN STAGE -
  AWS Batch    an array job of size 16 with the same command`

// task does tasks of a stage, one after the other.
func (f *command) task(ctx context.Context, run, stage, list, share string) error {
	if list == "-" {
		number, err := fromEnvironment(elements...)
		if err != nil {
			return err
		}
		list = number
	}
	tasks, err := executors.ParseTasks(list)
	if err != nil {
		return console.Usagef("%w", err)
	}
	if tasks, err = sharedOut(tasks, share); err != nil {
		return err
	}
	if stage == ingest.StageName {
		return f.ingestTasks(ctx, run, tasks)
	}
	e, p, err := f.open(run)
	if err != nil {
		return err
	}
	for _, task := range tasks {
		had, err := e.RunPublishedTask(ctx, p, stage, task)
		if err != nil {
			return fmt.Errorf("task %d: %w", task, err)
		}
		if !had {
			f.Logger(f.stderr).Info(fmt.Sprintf("%s of %s: up to date", stage, run))
			return nil
		}
	}
	return nil
}

// elements are the variables in which engines number the processes of an array.
var elements = []string{"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"}

// fromEnvironment returns the value of the first variable that is set.
func fromEnvironment(names ...string) (string, error) {
	for _, name := range names {
		if value := os.Getenv(name); value != "" {
			return value, nil
		}
	}
	return "", console.Usagef("-: none of %s is set; give the number", strings.Join(names, ", "))
}

// sharedOut returns the tasks that one of several processes does.
func sharedOut(tasks []int, share string) ([]int, error) {
	if share == "" {
		return tasks, nil
	}
	if share == "-" {
		own, err := fromEnvironment("SLURM_PROCID")
		if err != nil {
			return nil, err
		}
		all, err := fromEnvironment("SLURM_NTASKS", "SLURM_STEP_NUM_TASKS")
		if err != nil {
			return nil, err
		}
		share = own + "/" + all
	}
	own, all, _ := strings.Cut(share, "/")
	k, wrong := strconv.Atoi(own)
	n, wrongToo := strconv.Atoi(all)
	if wrong != nil || wrongToo != nil || k < 0 || k >= n {
		return nil, console.Usagef("--share %q: write K/N with K from 0 to N-1, or -", share)
	}
	var some []int
	for i := k; i < len(tasks); i += n {
		some = append(some, tasks[i])
	}
	return some, nil
}

func (f *command) commitCommand() *cobra.Command {
	return &cobra.Command{
		Use: "commit RUN STAGE", Short: "Make the tables of a planned stage exist, when all its tasks are done",
		Long: `Makes the tables of a stage exist that "analyze plan RUN STAGE" planned and "analyze task" did. Readers see all of them or none.
Where a task is not done it says so and fails; what is done stays. It may be repeated. A comparison is comparison=NAME, with the stage
compare: when it is committed, analyze compare with the same flags prints it at once. An ingest is the stage ingest of its run.`,
		Example: `  analyze commit nightly executions
  analyze commit comparison=fast-vs-slow compare`,
		Args: console.Exactly(2, "name a run and a stage"),
		RunE: func(c *cobra.Command, args []string) error {
			return f.commit(c.Context(), args[0], args[1])
		},
	}
}

// commit makes tables exist, and what follows from that: the losses of the run and the views of the lake.
func (f *command) commit(ctx context.Context, run, stage string) error {
	if stage == ingest.StageName {
		return f.commitIngest(ctx, run)
	}
	e, p, err := f.open(run)
	if err != nil {
		return err
	}
	out, err := e.CommitStage(ctx, p, stage)
	if err != nil {
		return fmt.Errorf("%s of %s: %w", stage, run, err)
	}
	log := f.Logger(f.stderr)
	if out.Fresh {
		log.Info(fmt.Sprintf("%s of %s: up to date", stage, run))
		return nil
	}
	if p.Key == "run" {
		if err := pipeline.WriteLosses(ctx, e.Lake, p); err != nil {
			return err
		}
	}
	log.Info(fmt.Sprintf("%s of %s: committed", stage, run))
	return views.Follow(ctx, e.Lake)
}

// open opens the lake and the engine of a run.
func (f *command) open(run string) (*pipeline.Engine, lake.Partition, error) {
	l, err := stores.Open(f.Lake, false)
	if err != nil {
		return nil, lake.Partition{}, err
	}
	return f.engine(l, run)
}
