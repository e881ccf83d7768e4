package lake_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestSweep checks that only what manifests name stays under the tables, in a lake whose folder has a
// name full of wildcards; and that staged work and files that are no table's stay.
func TestSweep(t *testing.T) {
	l := open(t, filepath.Join(t.TempDir(), "[a-lake]*?"))
	commit(t, l, "kept")
	kept := dataFiles(t, l)
	s, _ := generation(t, l, "staged")
	expect.OK(t, s.MarkDone(0, lake.Done{}))
	for _, stray := range []string{
		"events/run=a/bucket=0/part-00000-deadbeef.parquet", "events/run=a/bucket=7/part-00000-deadbeef.parquet",
		"events/run=b/bucket=0/part-00000-deadbeef.parquet", "samples/run=a/bucket=0/part-00000-deadbeef.parquet",
		"changes/comparison=x/part-00000-deadbeef.parquet", "_manifests/run=a.json.new", ".tracelake-123/tracelake.duckdb",
	} {
		write(t, filepath.Join(l.Dir, stray), "half")
	}
	write(t, filepath.Join(l.Dir, "tracelake.duckdb"), "views")
	living, ended := filepath.Join(l.Dir, "tracelake.duckdb."+lake.NewAttempt()+".new"), "tracelake.duckdb."+lake.EndedAttempt()+".new"
	write(t, filepath.Join(l.Dir, ended), "half")
	write(t, living, "half")
	tidy(t, l)
	if err := os.Remove(living); err != nil {
		t.Errorf("what a living process writes of the views: %v", err)
	}
	expect.Slice(t, dataFiles(t, l), append(kept, "tracelake.duckdb"), "a sweep leaves")
	for _, gone := range []string{"events/run=b", "events/run=a/bucket=7", "samples/run=a", "_manifests/run=a.json.new", ".tracelake-123", ended} {
		if _, err := os.Stat(filepath.Join(l.Dir, gone)); err == nil {
			t.Errorf("a sweep leaves %s", gone)
		}
	}
	if done, err := s.Done(0); err != nil || done == nil {
		t.Errorf("a sweep removes staged work: %v", err)
	}
}

func tidy(t *testing.T, l *lake.Lake) {
	t.Helper()
	tidied, err := l.Tidy(t.Context())
	if err != nil || len(tidied.Busy) > 0 {
		t.Fatalf("%+v, %v", tidied, err)
	}
}

// TestDrop checks that a dropped table's partition is gone with its files, and dropping it again is no error.
func TestDrop(t *testing.T) {
	l := open(t, t.TempDir())
	commit(t, l, "only")
	for range 2 {
		expect.OK(t, l.DropTables(t.Context(), run, "events"))
		expect.Equal(t, read(t, l, "events"), "", "a dropped table holds")
	}
	if files := dataFiles(t, l); len(files) != 1 || read(t, l, "runs") != "only runs" {
		t.Errorf("files are %q", files)
	}
	if v, err := l.Inventory(run); err != nil || len(v.Tables) != 1 || v.Table("runs") == nil {
		t.Errorf("the inventory is %+v, %v", v, err)
	}
}

// TestStagedWork checks what a later process finds of staged work: tasks that are done with their files, and
// nothing of another fingerprint.
func TestStagedWork(t *testing.T) {
	l := open(t, filepath.Join(t.TempDir(), "[a-lake]*?"))
	s, manifests := generation(t, l, "first")
	expect.OK(t, s.MarkDone(3, lake.Done{Files: map[string][]lake.File{"events": manifests[0].Files}}))
	again, _ := l.Stage("stage", run, manifests[0].Fingerprint)
	done, err := again.Done(3)
	if err != nil || done == nil || len(done.Files["events"]) != 2 {
		t.Fatalf("got %+v, %v", done, err)
	}
	if done, err := again.Done(4); done != nil || err != nil {
		t.Errorf("a task that never ran is done: %v", err)
	}
	write(t, again.Path(manifests[0].Files[0]), "cut off")
	if done, err := again.Done(3); done != nil || err != nil {
		t.Errorf("a task whose file is short is done: %v", err)
	}
	expect.Value(l.Stage("stage", run, lake.Fingerprint("second", 1, nil, nil)))(t)
	if left, _ := os.ReadDir(filepath.Join(l.Dir, "_work", run.String())); len(left) != 1 {
		t.Errorf("staged under two fingerprints: %v", left)
	}
}

// TestRetag checks that a file that was staged under one fingerprint is committed under another.
func TestRetag(t *testing.T) {
	l := open(t, t.TempDir())
	s, manifests := generation(t, l, "early")
	late := lake.Fingerprint("late", 1, nil, nil)
	for _, m := range manifests {
		m.Fingerprint = late
		for i, f := range m.Files {
			m.Files[i] = s.Retag(f, late)
		}
	}
	expect.OK(t, s.Commit(manifests...))
	expect.Equal(t, read(t, l, "runs"), "early runs", "runs")
	expect.Slice(t, dataFiles(t, l)[2:], []string{"runs/run=a/part-00000-" + late[:8] + ".parquet"}, "files")
}

// TestMarksOfKilledMakers checks that whoever makes a lake, or writes into it, removes what a process left that was killed while it made
// it, and nothing of a process that lives.
func TestMarksOfKilledMakers(t *testing.T) {
	dir := t.TempDir()
	half, living := filepath.Join(dir, "_lake.json."+lake.EndedAttempt()+".new"), filepath.Join(dir, "_lake.json."+lake.NewAttempt()+".new")
	for range 2 { // before there is a lake, and when there is one
		write(t, half, "half")
		write(t, living, "half")
		open(t, dir)
		if _, err := os.Stat(half); err == nil {
			t.Error("half of a mark stays")
		}
		if _, err := os.Stat(living); err != nil {
			t.Errorf("what a living process writes is gone: %v", err)
		}
	}
}
