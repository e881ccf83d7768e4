package plan

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/evaluate"
	"github.com/tracelake/tracelake/pipeline/history"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/inject"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/pipeline/modelsets"
	"github.com/tracelake/tracelake/pipeline/reconcile"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/levels"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/changepoint"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// taskVariable makes the test binary a worker: it names a lake, a partition, a stage and a task.
const taskVariable = "TRACELAKE_TASK"

// TestMain runs the tests, or the one task that the environment names.
func TestMain(m *testing.M) {
	task := os.Getenv(taskVariable)
	if task == "" {
		os.Exit(m.Run())
	}
	if err := runNamedTask(strings.Split(task, "\n")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// runNamedTask knows nothing but the names and the lake.
func runNamedTask(names []string) error {
	l, err := lake.Open(names[0], false)
	if err != nil {
		return err
	}
	number, err := strconv.Atoi(names[4])
	if err != nil {
		return err
	}
	e := &pipeline.Engine{Lake: l, Stages: allStages(), Jobs: 1}
	return e.RunTask(context.Background(), lake.Partition{Key: names[1], Name: names[2]}, names[3], number)
}

// allStages lists every stage, of one run and over several, for processes that run tasks by the name of their stage
// (pipeline.Engine.RunTask). The options and runs of each are found in the staging area.
func allStages() []pipeline.Stage {
	return append(Stages(Options{Models: new(Models), Gains: true, Steps: true}),
		compare.Stage(compare.Spec{}), history.Stage(history.Spec{}), modelsets.Stage(modelsets.Spec{}), reconcile.Stage(reconcile.Options{}), inject.Stage(inject.Options{}), evaluate.Stage(evaluate.Spec{}),
		Baseline(nil))
}

// processes runs every task in a process of its own, the last ones first and a few at a time.
type processes struct {
	lake  *lake.Lake
	tasks atomic.Int64 // how many were run
}

func (x *processes) RunTasks(ctx context.Context, p lake.Partition, stage string, tasks []int) error {
	_, err := pipeline.Each(ctx, 3, len(tasks), func(ctx context.Context, i int) (none struct{}, err error) {
		task := tasks[len(tasks)-1-i]
		worker := exec.CommandContext(ctx, os.Args[0])
		worker.Env = append(os.Environ(), taskVariable+"="+strings.Join([]string{x.lake.Dir, p.Key, p.Name, stage, strconv.Itoa(task)}, "\n"))
		x.tasks.Add(1)
		if out, err := worker.CombinedOutput(); err != nil {
			return none, fmt.Errorf("task %d of %s: %w: %s", task, stage, err, out)
		}
		return none, nil
	})
	return err
}

// interrupted is an executor that stops after some tasks, as a killed process does, leaving what they staged.
type interrupted struct {
	pipeline.Executor
	left int
}

func (x *interrupted) RunTasks(ctx context.Context, p lake.Partition, stage string, tasks []int) error {
	run := tasks[:min(x.left, len(tasks))]
	x.left -= len(run)
	if err := x.Executor.RunTasks(ctx, p, stage, run); err != nil || len(run) == len(tasks) {
		return err
	}
	return errKilled
}

var errKilled = fmt.Errorf("killed")

// threeRuns ingests three runs of one program into a new lake: the second takes other ways and the third is slower.
func threeRuns(t *testing.T) *lake.Lake {
	t.Helper()
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	for run, name := range runNames {
		ingestText(t, l, name, program(run))
		spread(t, l, lake.Run(name))
	}
	return l
}

// ingestText ingests a trace in the format of the thesis as a run.
func ingestText(t *testing.T, l *lake.Lake, run, trace string) {
	t.Helper()
	path := writeTrace(t, "trace.txt", trace)
	detect := func(string, []byte) (schema.Format, error) { return text.Thesis(), nil }
	_, _, err := ingest.Run(t.Context(), ingest.Job{
		Lake: l, Run: run, Paths: []string{path}, Detect: detect, Incomplete: "complete", Untraced: "ignore", Jobs: 1,
	})
	expect.OK(t, err)
}

// writeTrace writes a trace, and returns its path. The lake keeps the names of up to three folders of a trace, which are the same
// in every test.
func writeTrace(t *testing.T, name, trace string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "traces", "of", "test")
	expect.OK(t, os.MkdirAll(dir, 0o755))
	path := filepath.Join(dir, name)
	expect.OK(t, os.WriteFile(path, []byte(trace), 0o644))
	return path
}

// spread puts the events of a run into several buckets, as an ingest does with a trace that is a thousand times longer.
func spread(t *testing.T, l *lake.Lake, p lake.Partition) {
	t.Helper()
	const buckets = 5
	m, err := l.Manifest("events", p)
	if err != nil || len(m.Files) != 1 {
		t.Fatal(m, err)
	}
	all := schema.NewEvents()
	in := expect.Value(l.Reader(m.Files[0], all))(t)
	defer in.Close()
	if more, err := in.Next(); !more || err != nil || int64(len(all.Seq)) != m.Rows() {
		t.Fatal("the events are more than a row group", err)
	}
	staging := expect.Value(l.Stage("spread", p, m.Fingerprint))(t)
	m.Files = nil
	for bucket := range buckets {
		rows := schema.NewEvents()
		rows.Names = all.Names
		for i, component := range all.Component {
			if int(component)%buckets == bucket {
				schema.AppendRows(rows, all, i, i+1)
			}
		}
		w := expect.Value(staging.CreateTable("events", bucket, 0, rows))(t)
		expect.OK(t, w.Finish(rows))
		m.Files = append(m.Files, w.File)
	}
	expect.OK(t, staging.Commit(m))
}

var runNames = []string{"r0", "r1", "r2"}

// program is a trace of components that each call their own functions.
func program(run int) string {
	var trace strings.Builder
	now := 0
	line := func(component int, sign, function string) {
		now += 3 + run/2*(component%4) + (now+run)%3
		fmt.Fprintf(&trace, "%d c%02d %s %s\n", now, component, sign, function)
	}
	for i := range 30 {
		for c := range 20 {
			line(c, ">", "f")
			if (i+c)%5 != 0 || run != 1 {
				line(c, ">", "g")
				line(c, "<", "g")
			}
			line(c, "<", "f")
		}
	}
	return trace.String()
}

// job is one piece of work for an engine over a lake with three runs.
type job struct {
	partition lake.Partition
	stage     pipeline.Stage
}

func jobs() []job {
	of := compare.Spec{
		Base: runNames[:1], Cand: runNames[1:2], Noise: runNames[2:], Matching: matching.ByDifference, Verdicts: verdicts.Defaults(), ByRuns: true,
		Options: samplechanges.Options{Method: sampletests.DYN, Normalisation: schema.NormFragmentAbsolute, Thresholds: sampletests.Defaults()},
	}
	bySamples := of
	bySamples.ByRuns, bySamples.Noise = false, nil
	releases := history.Spec{Series: changepoint.Defaults(), Verdicts: verdicts.Defaults(), Matching: matching.ByDifference}
	sets := modelsets.Spec{Of: modelsets.Fragments, Options: levels.Defaults}
	for i, run := range runNames {
		releases.Releases = append(releases.Releases, history.Release{Name: fmt.Sprint("v", i), Runs: []string{run}})
		sets.Sets = append(sets.Sets, modelsets.Set{Name: fmt.Sprint("v", i), Runs: []string{run}})
	}
	units := reconcile.Options{Name: "rig", Units: []reconcile.Unit{{Name: "a", Run: runNames[0]}, {Name: "b", Run: runNames[2]}}, Messages: true, Correct: true}
	full := !testing.Short()
	trials := evaluate.Spec{
		Cells: []evaluate.Cell{{Name: "all", Runs: runNames}}, Trace: runNames[0], Parts: evaluate.Parts{AA: true, Faults: full, Power: full}, Seeds: 2, Splits: 3,
		Verdicts: verdicts.Defaults(), Thresholds: sampletests.Defaults(),
	}
	return []job{
		{lake.Comparison("runs"), compare.Stage(of)},
		{lake.Comparison("samples"), compare.Stage(bySamples)},
		{lake.Comparison("history"), history.Stage(releases)},
		{lake.Comparison("levels"), modelsets.Stage(sets)},
		{lake.Run("rig"), reconcile.Stage(units)},
		{lake.Run("noisy"), inject.Stage(inject.Options{Name: "noisy", Run: runNames[1], Fault: faults.Fault{Kind: faults.Noise, DeltaNs: 1e6}, Slack: 1})},
		{evaluate.Partition(trials), evaluate.Stage(trials)},
		{lake.Partition{Key: "baseline", Name: "b"}, Baseline(runNames[:2])},
	}
}

// analyze brings all runs up to date, component models included.
func analyze(t *testing.T, e *pipeline.Engine) {
	t.Helper()
	stages := expect.Value(pipeline.Order(Stages(Options{Constraints: constraints.Defaults(), Models: new(Models), Gains: true, Steps: true}), Given...))(t)
	e.Stages = stages
	var partitions []lake.Partition
	for _, run := range runNames {
		partitions = append(partitions, lake.Run(run))
	}
	expect.Value(e.Run(t.Context(), partitions))(t)
}

// runJobs does all jobs, and returns what they answer beside their tables.
func runJobs(t *testing.T, e *pipeline.Engine) (answers string) {
	t.Helper()
	for _, j := range jobs() {
		out, err := e.RunStage(t.Context(), j.partition, j.stage)
		if err != nil || out.Fresh {
			t.Fatalf("%s: fresh %t, %v", j.partition, out.Fresh, err)
		}
		if j.stage.Name == "evaluate" { // the types in its answer have numbers of the process
			out.Answer = fmt.Append(nil, *expect.Value(evaluate.Answered(out.Answer))(t))
		}
		answers += fmt.Sprintf("%s: %s\n", j.partition, out.Answer)
	}
	return answers
}

// TestTasksInProcessesOfTheirOwn runs every task of three runs, and of comparisons, a history, levels, a reconciliation, an
// evaluation and a baseline over them, in a process of its own that knows the lake and the names only. The lake must be that of one process.
func TestTasksInProcessesOfTheirOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: some hundred processes")
	}
	one, many := threeRuns(t), threeRuns(t)
	local := &pipeline.Engine{Lake: one, Jobs: 2, Memory: 1 << 30}
	analyze(t, local)
	want := runJobs(t, local)
	x := &processes{lake: many}
	apart := &pipeline.Engine{Lake: many, Jobs: 2, Executor: x}
	analyze(t, apart)
	if runJobs(t, apart) != want {
		t.Error("other answers from processes of their own")
	}
	if x.tasks.Load() < 100 {
		t.Errorf("only %d tasks: the trace is too small to be divided", x.tasks.Load())
	}
	laketest.CheckSame(t, "in processes of their own", laketest.Hashes(t, many.Dir), laketest.Hashes(t, one.Dir))
}

// TestJobsResume stops each job over several runs after any number of its tasks, with one and with two jobs in turn. The next
// attempt does only what is left, and the bytes are those of an undisturbed one.
func TestJobsResume(t *testing.T) {
	l := threeRuns(t)
	analyze(t, &pipeline.Engine{Lake: l, Jobs: 2})
	for _, j := range jobs() {
		t.Run(j.partition.Name, func(t *testing.T) {
			t.Parallel() // they wait for the disk most of the time
			killAndResume(t, copyOf(t, l), j)
		})
	}
}

// copyOf copies a lake into a folder of its own.
func copyOf(t *testing.T, l *lake.Lake) *lake.Lake {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "copy")
	expect.OK(t, os.CopyFS(dir, os.DirFS(l.Dir)))
	c := expect.Value(lake.Open(dir, true))(t)
	return c
}

// killAndResume does a job undisturbed, then stops it after more and more of its tasks, until it is no longer stopped.
func killAndResume(t *testing.T, l *lake.Lake, j job) {
	expect.Value((&pipeline.Engine{Lake: l, Jobs: 2}).RunStage(t.Context(), j.partition, j.stage))(t)
	want := laketest.Hashes(t, l.Dir)
	killed, parallel, growth := true, 1, 2
	if testing.Short() {
		growth = 10
	}
	for after := 0; killed; after += 1 + after*growth/4 {
		for _, table := range j.stage.Writes {
			expect.OK(t, l.DropTables(t.Context(), j.partition, table))
		}
		e := &pipeline.Engine{Lake: l, Jobs: parallel, Memory: 1 << 28}
		e.Executor = &interrupted{pipeline.NewLocal(e), after}
		_, err := e.RunStage(t.Context(), j.partition, j.stage)
		if killed = err == errKilled; killed {
			checkResumed(t, l, parallel, j, after)
		} else if err != nil {
			t.Fatal(err)
		}
		what := fmt.Sprintf("%s with %d jobs, stopped after %d tasks", j.partition, parallel, after)
		laketest.CheckSame(t, what, laketest.Hashes(t, l.Dir), want)
		parallel = 3 - parallel
	}
}

// checkResumed goes on with a job of which some tasks are done, and counts those that run.
func checkResumed(t *testing.T, l *lake.Lake, parallel int, j job, done int) {
	t.Helper()
	if have, err := l.Inventory(j.partition); err != nil || len(have.Tables) > 0 {
		t.Errorf("%s: a stopped job left a table, %v", j.partition, err)
	}
	var ran atomic.Int64
	counting := func(run func(*pipeline.Task) error) func(*pipeline.Task) error {
		return func(task *pipeline.Task) error {
			ran.Add(1)
			return run(task)
		}
	}
	s := j.stage
	s.Run = counting(s.Run)
	if s.Finish != nil {
		s.Finish = counting(s.Finish)
	}
	const all = 1 << 20 // more than there are tasks
	e := &pipeline.Engine{Lake: l, Jobs: parallel}
	x := &interrupted{pipeline.NewLocal(e), all}
	e.Executor = x
	expect.Value(e.RunStage(t.Context(), j.partition, s))(t)
	if planned := all - x.left; ran.Load() != int64(planned-done) {
		t.Errorf("%s: %d tasks ran after %d of %d were done", j.partition, ran.Load(), done, planned)
	}
}
