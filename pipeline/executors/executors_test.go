package executors

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// number is a row of the toy tables.
type number struct {
	N int64 `parquet:"n"`
}

// tasks is how many tasks the toy stage has beside its finishing one.
const tasks = 12

var toy = lake.Run("toy")

// toyLake is a lake with a table of a bucket a task.
func toyLake(t *testing.T) *lake.Lake {
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	fingerprint := lake.Fingerprint("toy", 1, nil, nil)
	s := expect.Value(l.Stage("toy", toy, fingerprint))(t)
	m := &lake.Manifest{Table: "given", Stage: "toy", Fingerprint: fingerprint}
	for k := range tasks {
		m.Files = append(m.Files, expect.Value(lake.Write(s, "given", k, []number{{int64(k)}}))(t))
	}
	expect.OK(t, s.Commit(m))
	return l
}

// engine has a stage that doubles numbers, and fails at one of them.
func engine(l *lake.Lake, fails int64) *pipeline.Engine {
	s := pipeline.Stage{Name: "doubled", Reads: []string{"given"}, Writes: []string{"doubled"}, BytesPerRow: 1}
	s.Run = func(t *pipeline.Task) error {
		rows, err := pipeline.ReadRows[number](t, "given")
		if err != nil {
			return err
		}
		if rows[0].N == fails {
			return fmt.Errorf("%d cannot be doubled", fails)
		}
		return pipeline.WriteRows(t, "doubled", []number{{2 * rows[0].N}})
	}
	return &pipeline.Engine{Lake: l, Stages: []pipeline.Stage{s}}
}

// launcher does tasks as processes of their own would: each with an engine that knows nothing but the lake. Some of them it loses.
func launcher(l *lake.Lake, fails int64, lose func(task int) bool) Launch {
	return func(ctx context.Context, w Work) error {
		var lost error
		for _, task := range w.Tasks {
			if lose(task) {
				lost = errors.New("a node is gone")
				continue
			}
			engine(l, fails).RunPublishedTask(ctx, toy, w.Stage, task) // the record says what became of it
		}
		return lost
	}
}

func run(l *lake.Lake, patience time.Duration, launch Launch) ([]pipeline.Outcome, error) {
	e := engine(l, -1)
	e.Executor = &Recorded{Plans: e, Lake: l.Dir, Launch: launch, Attempts: 3, Patience: patience}
	return e.Run(context.Background(), []lake.Partition{toy})
}

// TestLostTasksAreSentAgain sees that whatever an engine loses, all tasks get done.
func TestLostTasksAreSentAgain(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 1))
		l := toyLake(t)
		expect.Value(run(l, time.Minute, launcher(l, -1, func(int) bool { return rng.IntN(3) == 0 })))(t)
		m := expect.Value(l.Manifest("doubled", toy))(t)
		for k, f := range m.Files {
			rows := expect.Value(lake.ReadFile[number](t.Context(), l, f))(t)
			if len(m.Files) != tasks || f.Bucket != k || rows[0].N != int64(2*k) {
				t.Fatalf("seed %d: file %d of %d has %v", seed, k, len(m.Files), rows)
			}
		}
	}
}

// TestTaskThatAlwaysFails sees that its own message ends the work, after as many attempts as it may have.
func TestTaskThatAlwaysFails(t *testing.T) {
	l, attempts := toyLake(t), 0
	_, err := run(l, time.Minute, launcher(l, 7, func(task int) bool {
		if task == 7 {
			attempts++
		}
		return false
	}))
	if err == nil || !strings.Contains(err.Error(), "7 cannot be doubled") || !strings.Contains(err.Error(), "3 times") || attempts != 3 {
		t.Fatalf("%d attempts: %v", attempts, err)
	}
	// The reason may be gone when somebody tries again: what failed before does not count.
	attempts = 0
	_, err = run(l, time.Minute, func(ctx context.Context, w Work) error {
		attempts++
		return launcher(l, []int64{7, 7, -1}[min(attempts-1, 2)], func(int) bool { return false })(ctx, w)
	})
	if err != nil || attempts != 3 {
		t.Fatalf("%d attempts: %v", attempts, err)
	}
}

// TestPatience sees that an engine that does nothing is given up, with what it said.
func TestPatience(t *testing.T) {
	l := toyLake(t)
	_, err := run(l, 50*time.Millisecond, launcher(l, -1, func(task int) bool { return task > 9 }))
	if err == nil || !strings.Contains(err.Error(), "10-11") || !strings.Contains(err.Error(), "a node is gone") {
		t.Fatal(err)
	}
}

// TestProgramsThatCannotStart sees that a program that is not there, or may not be run, is tried once. One that runs and fails is tried again.
func TestProgramsThatCannotStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "program")
	expect.OK(t, os.WriteFile(file, []byte("#!/bin/sh\nexit 127\n"), 0o644))
	for path, want := range map[string]string{"no-such-program": "not found", file + "s": "no such file", file: "permission denied"} {
		_, err := run(toyLake(t), time.Hour, Program(path, io.Discard))
		expect.Refused(t, err, "--executor exec:"+path+": it cannot be started: ", "%s", path)
		expect.Refused(t, err, want, "%s", path)
	}
	expect.OK(t, os.Chmod(file, 0o755))
	_, err := run(toyLake(t), 50*time.Millisecond, Program(file, io.Discard))
	expect.Refused(t, err, "no task of doubled got done", "a program that fails")
}

// TestTaskLists sees that numbers of tasks are read as they are written.
func TestTaskLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		var all []int
		for n := range 40 {
			if rng.IntN(2) == 0 {
				all = append(all, n)
			}
		}
		if len(all) == 0 {
			continue
		}
		if got := expect.Value(ParseTasks(FormatTasks(all)))(t); !slices.Equal(got, all) {
			t.Fatalf("%v became %v", all, got)
		}
	}
	if got := FormatTasks([]int{0, 1, 2, 5, 7, 8}); got != "0-2,5,7-8" {
		t.Error(got)
	}
	for _, wrong := range []string{"", "-", "a", "3-1", "-2", "1,,2", "0-99999999"} {
		if got, err := ParseTasks(wrong); err == nil {
			t.Errorf("%q: %v", wrong, got)
		}
	}
}
