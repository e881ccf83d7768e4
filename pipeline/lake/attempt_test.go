package lake_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// attempt stages the table numbers as an attempt at task 0 and returns what its record would state.
func attempt(t *testing.T, s *lake.Staging) lake.Done {
	t.Helper()
	f := expect.Value(lake.Write(s, "numbers", lake.NoBucket, []number{{1}, {7}}))(t)
	return lake.Done{Files: map[string][]lake.File{"numbers": {f}}}
}

// TestLateAttempt has an attempt at a task open its file, stand still while another process does the task and commits it,
// and go on then. Whether it dies with half a file, or finishes, the committed table stays as it was. That once emptied it.
func TestLateAttempt(t *testing.T) {
	for _, dies := range []bool{true, false} {
		l := open(t, t.TempDir())
		o := &lake.Origin{Stage: "numbers"}
		late := expect.Value(l.Stage(o.Stage, run, o.Fingerprint()))(t)
		w := expect.Value(late.Create("numbers", lake.NoBucket, 0))(t)
		s := expect.Value(l.Stage(o.Stage, run, o.Fingerprint()))(t)
		expect.OK(t, s.MarkDone(0, attempt(t, s)))
		d := expect.Value(s.Done(0))(t)
		expect.OK(t, s.Commit(o.Manifest("numbers", d.Files["numbers"])))
		w.WriteString("half a file")
		f, _ := w.Finish(1) // its folder may be gone, and that is as good as death
		if !dies {
			late.MarkDone(0, lake.Done{Files: map[string][]lake.File{"numbers": {f}}})
			attempt(t, late)
		}
		rows, err := lake.Read[number](l, "numbers", run)
		if err != nil || len(rows) != 2 || rows[1].N != 7 {
			t.Errorf("after a late attempt that dies %v: %v, %v", dies, rows, err)
		}
		if v := verify(t, l); len(v.Damages) > 0 {
			t.Errorf("after a late attempt that dies %v: %+v", dies, v.Damages)
		}
	}
}

// TestFirstAttemptWins has two attempts finish one task: the files of the first are the task's, those of the second go.
func TestFirstAttemptWins(t *testing.T) {
	l := open(t, t.TempDir())
	s := expect.Value(l.Stage("stage", run, lake.Fingerprint("stage", 1, nil, nil)))(t)
	first, second := s.Attempt(), s.Attempt()
	made, again := attempt(t, first), attempt(t, second)
	expect.OK(t, first.MarkDone(0, made))
	expect.OK(t, second.MarkDone(0, again))
	for _, who := range []*lake.Staging{s, first, second} {
		d, err := who.Done(0)
		if err != nil || d == nil || who.Path(d.Files["numbers"][0]) != first.Path(made.Files["numbers"][0]) {
			t.Errorf("the task is done by %+v, %v", d, err)
		}
	}
	if _, err := os.Stat(second.Path(again.Files["numbers"][0])); err == nil {
		t.Error("the second attempt leaves its files")
	}
}

// TestRecordsAreCompared finds a record whose file has another byte, although its size is right, and does the task again.
func TestRecordsAreCompared(t *testing.T) {
	l := open(t, t.TempDir())
	s := expect.Value(l.Stage("stage", run, lake.Fingerprint("stage", 1, nil, nil)))(t)
	made := attempt(t, s)
	expect.OK(t, s.MarkDone(0, made))
	path := s.Path(made.Files["numbers"][0])
	text := expect.Value(os.ReadFile(path))(t)
	text[len(text)/2] ^= 1
	expect.OK(t, os.WriteFile(path, text, 0o666))
	next, err := l.Stage("stage", run, lake.Fingerprint("stage", 1, nil, nil)) // as another process finds it
	expect.OK(t, err)
	if d, err := next.Done(0); err != nil || d != nil {
		t.Fatalf("a record of a file with another byte counts: %+v, %v", d, err)
	}
	expect.OK(t, next.MarkDone(0, attempt(t, next)))
	if d, err := next.Done(0); err != nil || d == nil {
		t.Errorf("the task cannot be done again: %v", err)
	}
}

// TestDamagedPublication commits over a file that has the name of a new one and other bytes, and over one that has the same.
func TestDamagedPublication(t *testing.T) {
	l := open(t, t.TempDir())
	s, manifests := generation(t, l, "new")
	write(t, l.Path(manifests[0].Files[0]), "cut o")
	write(t, l.Path(manifests[0].Files[1]), "new events 1")
	expect.OK(t, s.Commit(manifests...))
	expect.Equal(t, read(t, l, "events"), wanted("new")["events"], "events")
}

// TestSweptAttempts removes what an attempt of an ended process left, and neither a record's files nor those of a process
// of which nothing is known.
func TestSweptAttempts(t *testing.T) {
	l := open(t, t.TempDir())
	fingerprint := lake.Fingerprint("stage", 1, nil, nil)
	s := expect.Value(l.Stage("stage", run, fingerprint))(t)
	expect.OK(t, s.MarkDone(0, attempt(t, s)))
	mine := s.Attempt()
	live := mine.Path(attempt(t, mine).Files["numbers"][0])
	folder := filepath.Join(l.Dir, "_work", run.String(), "stage-"+fingerprint[:16])
	names := strings.Split(filepath.Base(live[:strings.Index(live, "/numbers/")]), "-")
	names[3] = "1" // a process of this number that started another time
	dead, other := filepath.Join(folder, strings.Join(names, "-")), filepath.Join(folder, "attempt-01234567-1-1-1")
	for _, f := range []string{dead, other} {
		write(t, filepath.Join(f, "numbers", "half"), "half")
	}
	next := expect.Value(l.Stage("stage", run, fingerprint))(t)
	if d, err := next.Done(0); err != nil || d == nil {
		t.Errorf("the record is gone: %v", err)
	}
	for path, stays := range map[string]bool{live: true, dead: false, other: true} {
		if _, err := os.Stat(path); (err == nil) != stays {
			t.Errorf("%s stays: %v, want %v", path, err == nil, stays)
		}
	}
}

// TestWonByTheEnded keeps the files of a task that a process has done which has ended since, whoever sweeps, and removes what another one left that has not
// done it.
func TestWonByTheEnded(t *testing.T) {
	l := open(t, t.TempDir())
	fingerprint := lake.Fingerprint("stage", 1, nil, nil)
	s := expect.Value(l.Stage("stage", run, fingerprint))(t)
	made := attempt(t, s)
	expect.OK(t, s.MarkDone(0, made))
	folder := filepath.Join(l.Dir, "_work", run.String(), "stage-"+fingerprint[:16])
	name, _, _ := strings.Cut(strings.TrimPrefix(s.Path(made.Files["numbers"][0]), folder+"/"), "/")
	won, lost := lake.EndedAttempt(), lake.EndedAttempt()+"7"
	expect.OK(t, os.Rename(filepath.Join(folder, name), filepath.Join(folder, won)))
	record := filepath.Join(folder, "done-00000.json")
	expect.OK(t, os.WriteFile(record, []byte(strings.ReplaceAll(string(expect.Value(os.ReadFile(record))(t)), name, won)), 0o666))
	for _, sweep := range []func(){
		func() { tidy(t, l) }, func() { expect.Value(l.Stage("stage", run, fingerprint))(t) },
	} {
		write(t, filepath.Join(folder, lost, "numbers", "half"), "half")
		sweep()
		if d, err := s.Done(0); err != nil || d == nil {
			t.Errorf("the files of a task that is done are gone: %v", err)
		}
		if _, err := os.Stat(filepath.Join(folder, lost)); err == nil {
			t.Error("what an ended process left stays")
		}
	}
}
