package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

func mustRun(t *testing.T, e *pipeline.Engine) []pipeline.Outcome {
	t.Helper()
	outcomes := expect.Value(e.Run(t.Context(), []lake.Partition{run}))(t)
	return outcomes
}

// TestEveryTableOnce sees that two stages run once for every bucket, that the second reads what the first
// wrote, and that manifests say what the files hold.
func TestEveryTableOnce(t *testing.T) {
	l := toyLake(t)
	var runs atomic.Int64
	outcomes := mustRun(t, engine(l, double("given", "twice", &runs), double("twice", "fourfold", &runs)))
	expect.Equal(t, runs.Load(), 2*buckets, "tasks")
	if !exists(t, l, "twice") || !exists(t, l, "fourfold") {
		t.Error("a table is missing")
	}
	expect.Equal(t, outcomes[1].Rows["fourfold"], 4*21, "rows of fourfold")
}

// TestFresh sees when a stage has nothing to do: only while its version, its options and its inputs are
// the same. What follows from a table that is made anew is made anew too.
func TestFresh(t *testing.T) {
	l := toyLake(t)
	var first, second atomic.Int64
	e := engine(l, double("given", "twice", &first), double("twice", "fourfold", &second))
	for _, c := range []struct {
		what          string
		change        func()
		first, second int64
	}{
		{"the first time", func() {}, buckets, buckets},
		{"again", func() {}, 0, 0},
		{"another version of the second", func() { e.Stages[1].Version = 2 }, 0, buckets},
		{"other options of the second", func() { e.Stages[1].Options = struct{ K int }{3} }, 0, buckets},
		{"another version of the first", func() { e.Stages[0].Version = 2 }, buckets, buckets},
		{"another trace", func() { give(t, l, run, "second trace") }, buckets, buckets},
		{"a table dropped", func() { l.DropTables(t.Context(), run, "twice") }, buckets, 0},
	} {
		first.Store(0)
		second.Store(0)
		c.change()
		outcomes := mustRun(t, e)
		if first.Load() != c.first || second.Load() != c.second {
			t.Errorf("%s: %d and %d tasks ran, want %d and %d", c.what, first.Load(), second.Load(), c.first, c.second)
		}
		if outcomes[0].Fresh != (c.first == 0) || outcomes[1].Fresh != (c.second == 0) {
			t.Errorf("%s: the outcomes say fresh %v and %v", c.what, outcomes[0].Fresh, outcomes[1].Fresh)
		}
	}
}

// TestFreshInAllTables drops either table of a stage that writes two: it runs again.
func TestFreshInAllTables(t *testing.T) {
	l := toyLake(t)
	var runs atomic.Int64
	s := double("given", "twice", &runs)
	s.Writes = append(s.Writes, "more")
	work := s.Run
	s.Run = func(task *pipeline.Task) error {
		if err := work(task); err != nil {
			return err
		}
		return pipeline.WriteRows(task, "more", []number{{1}})
	}
	e := engine(l, s)
	mustRun(t, e)
	for _, table := range s.Writes {
		expect.OK(t, l.DropTables(t.Context(), run, table))
		if mustRun(t, e)[0].Fresh || !exists(t, l, table) {
			t.Errorf("%s is not made again", table)
		}
	}
	if !mustRun(t, e)[0].Fresh {
		t.Error("a stage whose tables are all there runs again")
	}
}

// TestFailureAndResume sees that a stage with a failed task leaves no table, that the error names stage and
// run, and that the next attempt does only the tasks that were not done.
func TestFailureAndResume(t *testing.T) {
	l := toyLake(t)
	var runs atomic.Int64
	broken := errors.New("broken")
	s := double("given", "twice", &runs)
	work := s.Run
	s.Run = func(task *pipeline.Task) error {
		if task.Rows("given") == buckets { // the last bucket
			return broken
		}
		return work(task)
	}
	e := engine(l, s)
	e.Jobs = 1
	_, err := e.Run(t.Context(), []lake.Partition{run})
	if !errors.Is(err, broken) || err.Error() != "twice of toy: broken" {
		t.Errorf("got %v", err)
	}
	if exists(t, l, "twice") {
		t.Error("a stage that failed left a table")
	}
	expect.Equal(expect.Must(t), runs.Load(), buckets-1, "tasks done before the failure")
	expect.Value(l.Tidy(t.Context()))(t)
	runs.Store(0)
	mustRun(t, engine(l, double("given", "twice", &runs)))
	if runs.Load() != 1 || !exists(t, l, "twice") {
		t.Errorf("%d tasks ran to resume, want 1", runs.Load())
	}
	undisturbed := toyLake(t)
	mustRun(t, engine(undisturbed, double("given", "twice", &runs)))
	laketest.CheckSame(t, "resumed", laketest.Hashes(t, l.Dir), laketest.Hashes(t, undisturbed.Dir))
}

// TestFailedOutput sees that a big table that was begun when its task failed is not there either.
func TestFailedOutput(t *testing.T) {
	l := toyLake(t)
	broken := errors.New("broken")
	s := pipeline.Stage{Name: "big", Reads: []string{"given"}, Writes: []string{"big"}, Run: func(task *pipeline.Task) error {
		rows := schema.NewMetrics(new(schema.Names))
		if _, err := task.Create("big", rows); err != nil {
			return err
		}
		return broken
	}}
	if _, err := engine(l, s).Run(t.Context(), []lake.Partition{run}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if exists(t, l, "big") {
		t.Error("a stage that failed left a table")
	}
}

// TestSameBytes sees that the lake does not depend on how many tasks run at a time.
func TestSameBytes(t *testing.T) {
	var want map[string]string
	for _, jobs := range []int{1, 2, 7} {
		l := toyLake(t)
		var runs atomic.Int64
		e := engine(l, double("given", "twice", &runs), double("twice", "fourfold", &runs), double("given", "other", &runs))
		e.Jobs = jobs
		mustRun(t, e)
		expect.OK(t, pipeline.WriteLosses(t.Context(), l, run))
		if got := laketest.Hashes(t, l.Dir); want == nil {
			want = got
		} else {
			laketest.CheckSame(t, fmt.Sprintf("%d jobs", jobs), got, want)
		}
	}
}

// TestLossesInOrder sees that the losses of tasks are added up, with the first position of the first
// task whatever task was done first, and that the table losses gathers those of all stages.
func TestLossesInOrder(t *testing.T) {
	l := toyLake(t)
	var runs atomic.Int64
	s := double("given", "twice", &runs)
	work := s.Run
	s.Run = func(task *pipeline.Task) error {
		time.Sleep(time.Duration(buckets-task.Rows("given")) * time.Millisecond) // the first comes last
		return work(task)
	}
	e := engine(l, s, double("twice", "fourfold", &runs))
	e.Jobs = buckets
	mustRun(t, e)
	m := expect.Value(l.Manifest("twice", run))(t)
	if len(m.Losses) != 1 || m.Losses[0].Count != 21 || m.Losses[0].FirstPosition != "1" || m.Losses[0].Stage != "twice" {
		t.Errorf("losses are %+v", m.Losses)
	}
	expect.OK(t, pipeline.WriteLosses(t.Context(), l, run))
	checkLosses(t, l)
}

func checkLosses(t *testing.T, l *lake.Lake) {
	t.Helper()
	m, err := l.Manifest("losses", run)
	if err != nil || m == nil || len(m.Files) != 1 {
		t.Fatal(m, err)
	}
	rows := expect.Value(lake.Read[schema.Loss](l, "losses", run))(t)
	var got []string
	for _, r := range rows {
		got = append(got, fmt.Sprintf("%s %s %d at %s", r.Stage, r.Reason, r.Count, r.FirstPosition))
	}
	expect.Equal(t, strings.Join(got, ", "), "fourfold bad_line 42 at 2, twice bad_line 21 at 1", "losses")
}

// TestManyRuns sees that runs do not mix, and that outcomes come in the order in which runs were named.
func TestManyRuns(t *testing.T) {
	l := toyLake(t)
	var partitions []lake.Partition
	for _, name := range []string{"z", "toy", "a"} {
		partitions = append(partitions, lake.Run(name))
		give(t, l, lake.Run(name), name)
	}
	var runs atomic.Int64
	outcomes, err := engine(l, double("given", "twice", &runs)).Run(t.Context(), partitions)
	if err != nil || len(outcomes) != 3 || runs.Load() != 3*buckets {
		t.Fatalf("%d outcomes, %d tasks, %v", len(outcomes), runs.Load(), err)
	}
	for i, o := range outcomes {
		expect.Equal(t, o.Partition, partitions[i], "outcome %d", i)
	}
}

// TestMissingInput sees that a run without the table that a stage reads is an error that names both.
func TestMissingInput(t *testing.T) {
	l := toyLake(t)
	var runs atomic.Int64
	_, err := engine(l, double("given", "twice", &runs)).Run(t.Context(), []lake.Partition{lake.Run("unknown")})
	if err == nil || err.Error() != "twice of unknown: the lake has no table given of it" {
		t.Errorf("got %v", err)
	}
}

// TestTableWithoutBuckets sees that a stage that reads a bucketed table together with one that has no
// buckets runs once for every bucket, and sees all of the latter each time.
func TestTableWithoutBuckets(t *testing.T) {
	l := toyLake(t)
	var runs atomic.Int64
	whole := double("given", "twice", &runs)
	whole.Whole = true
	join := double("given", "join", &runs)
	join.Reads = []string{"given", "twice"}
	join.Run = func(task *pipeline.Task) error {
		runs.Add(1)
		return pipeline.WriteRows(task, "join", make([]number, task.Rows("given")+task.Rows("twice")))
	}
	mustRun(t, engine(l, whole, join))
	expect.Equal(t, runs.Load(), 1+buckets, "tasks, one and one for every bucket")
	m := expect.Value(l.Manifest("join", run))(t)
	expect.Equal(t, m.Rows(), int64(21+buckets*42), "rows of join")
}

// TestCancel sees that a cancelled run returns the caller's error, leaves no table, and can go on.
func TestCancel(t *testing.T) {
	for _, cause := range []error{context.Canceled, context.DeadlineExceeded} {
		l := toyLake(t)
		var runs atomic.Int64
		ctx, cancel := context.WithCancel(t.Context())
		if cause == context.DeadlineExceeded {
			ctx, cancel = context.WithTimeout(t.Context(), time.Millisecond)
		}
		s := double("given", "twice", &runs)
		work := s.Run
		s.Run = func(task *pipeline.Task) error {
			if cause == context.Canceled {
				cancel()
			}
			<-ctx.Done()
			return errors.Join(work(task), ctx.Err())
		}
		_, err := engine(l, s).Run(ctx, []lake.Partition{run})
		cancel()
		if err != cause {
			t.Errorf("got %v, want the caller's %v", err, cause)
		}
		if exists(t, l, "twice") {
			t.Error("a cancelled run left a table")
		}
		mustRun(t, engine(l, double("given", "twice", &runs)))
	}
}
