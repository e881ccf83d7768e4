package tasks

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/executors"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// allocated is set where Slurm started this process.
const allocated = "SLURM_JOB_ID"

// Elsewhere are the flags that say where tasks run.
type Elsewhere struct {
	*console.Globals
	// Worker returns the program that has the command task.
	Worker func() (string, error)

	stderr   io.Writer
	executor string        // local, slurm, kubernetes or exec:PROGRAM
	nodes    int           // of an allocation, or pods at a time
	pod      string        // a file that says what pods are like
	array    bool          // a job each run
	element  string        // which of the runs, in a job of an array
	attempts int           // at a task that fails
	patience time.Duration // without a task that gets done
}

// AddElsewhere declares the flags of a command over runs.
func AddElsewhere(c *cobra.Command, g *console.Globals, stderr io.Writer) *Elsewhere {
	f := AddWorkers(c, g, stderr)
	p := c.Flags()
	p.BoolVar(&f.array, "array", false, "for --executor slurm and kubernetes: a job or pod of its own for every run")
	p.StringVar(&f.element, "element", "", "analyze only the K-th of the runs (from 0); - as the engine says that started this process (see analyze task)")
	return f
}

// AddWorkers declares the flags of a command that is one job.
func AddWorkers(c *cobra.Command, g *console.Globals, stderr io.Writer) *Elsewhere {
	f := &Elsewhere{Globals: g, Worker: os.Executable, stderr: stderr}
	p := c.Flags()
	p.StringVar(&f.executor, "executor", "local", "where tasks run: local, slurm, kubernetes, or exec:PROGRAM, which gets run, stage and numbers of tasks")
	p.IntVar(&f.nodes, "nodes", 1, "for --executor slurm: how many nodes to ask for; for kubernetes: how many pods run at a time")
	p.StringVar(&f.pod, "pod", "", "for --executor kubernetes: a file with the pod that does tasks, as YAML or JSON (default: like the pod of this process)")
	p.IntVar(&f.attempts, "attempts", 3, "for other executors than local: how often a task may fail")
	p.DurationVar(&f.patience, "patience", 10*time.Minute, "for other executors than local: how long tasks are sent again while none gets done")
	return f
}

// Check refuses flags that make no sense.
func (f *Elsewhere) Check() error {
	program, isProgram := strings.CutPrefix(f.executor, "exec:")
	switch {
	case f.executor != "local" && f.executor != "slurm" && f.executor != "kubernetes" && (!isProgram || program == ""):
		return console.Usagef("--executor %q: local, slurm, kubernetes or exec:PROGRAM", f.executor)
	case f.nodes < 1:
		return console.Usagef("--nodes %d: at least one", f.nodes)
	case f.attempts < 1:
		return console.Usagef("--attempts %d: at least one", f.attempts)
	case f.array && f.executor != "slurm" && f.executor != "kubernetes":
		return console.Usagef("--array is for --executor slurm and kubernetes")
	case f.pod != "" && f.executor != "kubernetes":
		return console.Usagef("--pod is for --executor kubernetes")
	}
	return nil
}

// Element returns the run that is the element of this process, or all runs where it is none.
func (f *Elsewhere) Element(runs []string) ([]string, error) {
	number := f.element
	if f.isElement() {
		number = "-"
	}
	if number == "" {
		return runs, nil
	}
	if number == "-" {
		var err error
		if number, err = fromEnvironment(elements...); err != nil {
			return nil, err
		}
	}
	k, err := executors.ParseTasks(number)
	if err != nil || len(k) != 1 {
		return nil, console.Usagef("--element %q: a number, or -", f.element)
	}
	if k[0] >= len(runs) {
		return nil, console.Usagef("--element %d: there are %s, counted from 0", k[0], texttab.Plural(int64(len(runs)), "run"))
	}
	return runs[k[0] : k[0]+1], nil
}

// isElement says whether this process was started for one run of an array.
func (f *Elsewhere) isElement() bool {
	if f.executor == "kubernetes" {
		return f.array && os.Getenv(indexed) != ""
	}
	return f.array && os.Getenv(allocated) != ""
}

// IsLocal says whether tasks run in this process.
func (f *Elsewhere) IsLocal() bool { return f.executor == "local" }

// Executor returns the executor of planned tasks; nil is the engine's own.
func (f *Elsewhere) Executor(e executors.Plans) (pipeline.Executor, error) {
	if f.executor == "local" || f.array {
		return nil, nil
	}
	program, err := f.Worker()
	if err != nil {
		return nil, err
	}
	lake, err := stores.Absolute(f.Lake)
	if err != nil {
		return nil, err
	}
	r := &executors.Recorded{Plans: e, Lake: lake, Attempts: f.attempts, Patience: f.patience, Warn: func(text string) { f.Logger(f.stderr).Warn(text) }}
	if path, is := strings.CutPrefix(f.executor, "exec:"); is {
		r.Launch = executors.Program(path, f.stderr)
		return r, nil
	}
	if f.executor == "kubernetes" {
		j, err := f.jobs(context.Background(), lake)
		if err != nil {
			return nil, err
		}
		r.Launch = j.Launch
		return r, nil
	}
	s := &executors.Slurm{
		Job: os.Getenv(allocated), Nodes: os.Getenv("SLURM_JOB_NODELIST"), Analyze: program, Out: f.stderr,
		Flags:    []string{"--lake", lake, "--quiet", "--jobs", "1", "--memory", f.Memory.String()},
		Programs: executors.Programs{Srun: "srun", Sinfo: "sinfo"},
	}
	r.Launch = s.Launch
	return r, nil
}

// Submit has an engine run this command line, and waits: Slurm on nodes of its own, Kubernetes in a pod for every run of an array. It does
// nothing and returns false where tasks run elsewhere, and where the engine started this process. A controller of Slurm that forgot a job says
// that it ended well: what is undone then, as the lake says, is submitted again.
func (f *Elsewhere) Submit(ctx context.Context, runs []string, undone func() ([]string, error)) (did bool, err error) {
	if !f.IsLocal() {
		console.Linger(ctx) // what is submitted is cancelled
	}
	if f.executor == "kubernetes" && f.array && !f.isElement() {
		return true, f.submitPods(ctx, runs, undone)
	}
	if f.executor != "slurm" || os.Getenv(allocated) != "" {
		return false, nil
	}
	program, err := os.Executable()
	if err != nil {
		return true, err
	}
	lake, err := stores.Absolute(f.Lake)
	if err != nil {
		return true, err
	}
	shared := lake // a folder that the nodes see, too
	if stores.IsObjects(lake) {
		if shared, err = os.Getwd(); err != nil {
			return true, err
		}
	}
	a := &executors.Allocation{
		Nodes: f.nodes, Args: append([]string{program}, os.Args[1:]...), Sbatch: "sbatch", Scancel: "scancel",
		Log: filepath.Join(shared, fmt.Sprintf(".tracelake-slurm-%d.log", os.Getpid())),
	}
	if f.array {
		a.Elements = len(runs)
	}
	var left []string
	for range f.attempts {
		exit, err := a.Run(ctx, f.stderr)
		if err == nil && exit != 0 {
			err = console.Exit(exit)
		}
		if err != nil {
			return true, err
		}
		if left, err = undone(); err != nil || len(left) == 0 {
			return true, err
		}
		f.Logger(f.stderr).Warn("Slurm says that its job ended well, but these runs are not analyzed: " + strings.Join(left, ", "))
	}
	return true, fmt.Errorf("after %s by Slurm these runs are not analyzed: %s", texttab.Plural(int64(f.attempts), "job"), strings.Join(left, ", "))
}
