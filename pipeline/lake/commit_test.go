package lake_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

var run = lake.Run("a")

// generation stages a version of two tables, the text of whose files begins with the version's name. The
// first has two buckets, the second none.
func generation(t *testing.T, l *lake.Lake, name string) (*lake.Staging, []*lake.Manifest) {
	t.Helper()
	fingerprint := lake.Fingerprint(name, 1, nil, nil)
	s := expect.Value(l.Stage("stage", run, fingerprint))(t)
	events := &lake.Manifest{Table: "events", Fingerprint: fingerprint}
	events.Files = []lake.File{stageText(t, s, "events", 0, name+" events 0"), stageText(t, s, "events", 1, name+" events 1")}
	runs := &lake.Manifest{Table: "runs", Fingerprint: fingerprint}
	runs.Files = []lake.File{stageText(t, s, "runs", lake.NoBucket, name+" runs")}
	return s, []*lake.Manifest{events, runs}
}

func stageText(t *testing.T, s *lake.Staging, table string, bucket int, text string) lake.File {
	t.Helper()
	w := expect.Value(s.Create(table, bucket, 0))(t)
	w.WriteString(text)
	f := expect.Value(w.Finish(1))(t)
	return f
}

func commit(t *testing.T, l *lake.Lake, name string) {
	t.Helper()
	s, manifests := generation(t, l, name)
	expect.OK(t, s.Commit(manifests...))
}

// read is what a table holds: the text of its files, or "" when it does not exist.
func read(t *testing.T, l *lake.Lake, table string) string {
	t.Helper()
	m := expect.Value(l.Manifest(table, run))(t)
	if m == nil {
		return ""
	}
	var texts []string
	for _, f := range m.Files {
		text := expect.Value(os.ReadFile(l.Path(f)))(t)
		texts = append(texts, string(text))
	}
	return strings.Join(texts, ", ")
}

// wanted is what the tables of a generation hold.
func wanted(name string) map[string]string {
	return map[string]string{"events": name + " events 0, " + name + " events 1", "runs": name + " runs"}
}

// dataFiles lists the files that lie under the tables, named or not.
func dataFiles(t *testing.T, l *lake.Lake) (names []string) {
	t.Helper()
	expect.OK(t, fs.WalkDir(os.DirFS(l.Dir), ".", func(name string, e fs.DirEntry, err error) error {
		if e != nil && !e.IsDir() && !strings.HasPrefix(name, "_") {
			names = append(names, name)
		}
		return err
	}))
	return names
}

// TestCommit checks that a new generation takes the place of the old one, and that nothing of the old one nor
// of the staging is left.
func TestCommit(t *testing.T) {
	l := open(t, t.TempDir())
	for _, name := range []string{"old", "new"} {
		commit(t, l, name)
		for table, want := range wanted(name) {
			expect.Equal(t, read(t, l, table), want, "%s holds", table)
		}
		files := dataFiles(t, l)
		expect.Equal(t, len(files), 3, "files of one generation: %q", files)
	}
	if left, _ := filepath.Glob(filepath.Join(l.Dir, "_work", "*", "*")); len(left) > 0 {
		t.Errorf("staged work is left: %q", left)
	}
	v, err := l.Inventory(run)
	if err != nil || len(v.Tables) != 2 || v.Table("events") == nil || v.Table("runs") == nil {
		t.Errorf("the inventory is %+v, %v", v, err)
	}
	files, err := l.Files()
	if err != nil || len(files["events"]) != 2 || len(files["runs"]) != 1 {
		t.Errorf("files are %q, %v", files, err)
	}
	partitions, err := l.Partitions("run")
	if err != nil || !slices.Equal(partitions, []lake.Partition{run}) {
		t.Errorf("partitions are %v, %v", partitions, err)
	}
}

// step is one change to the disk that Commit makes.
type step func() error

// steps are what Commit does, one change to the disk at a time, for a new generation over an old one. It
// follows Commit line by line.
func steps(t *testing.T, l *lake.Lake, s *lake.Staging, manifests, before []*lake.Manifest) (all []step) {
	t.Helper()
	for _, m := range manifests {
		for _, f := range m.Files {
			all = append(all, func() error {
				os.MkdirAll(filepath.Dir(l.Path(f)), 0o777)
				return os.Link(s.Path(f), l.Path(f))
			})
		}
	}
	target, staged := filepath.Join(l.Dir, "_manifests", "run=a.json"), filepath.Join(l.Dir, "_leases", "run=a.1.gone.commit")
	text := inventoryText(t, manifests)
	all = append(all,
		func() error { return os.WriteFile(staged, text[:len(text)/2], 0o666) },
		func() error { return os.WriteFile(staged, text, 0o666) },
		func() error { return os.Rename(staged, target) })
	for _, m := range before {
		for _, f := range m.Files {
			all = append(all, func() error { return os.Remove(l.Path(f)) })
		}
	}
	return append(all, func() error { return os.RemoveAll(filepath.Join(l.Dir, "_work")) })
}

// inventoryText is an inventory as Commit writes it, made by committing its tables to a lake of its own.
func inventoryText(t *testing.T, manifests []*lake.Manifest) []byte {
	t.Helper()
	l := open(t, t.TempDir())
	s := expect.Value(l.Stage("stage", run, manifests[0].Fingerprint))(t)
	for _, m := range manifests {
		for _, f := range m.Files {
			write(t, s.Path(f), "")
		}
	}
	expect.OK(t, s.Commit(manifests...))
	text := expect.Value(os.ReadFile(filepath.Join(l.Dir, "_manifests", "run=a.json")))(t)
	return text
}

// TestCrash stops a commit after every one of its changes to the disk. All tables must then hold the old
// generation, or all the new one, whole; so it must after a sweep; and a second commit must finish the work.
func TestCrash(t *testing.T) {
	for n := 0; ; n++ {
		l := open(t, t.TempDir())
		commit(t, l, "old")
		var before []*lake.Manifest
		for _, table := range []string{"events", "runs"} {
			m := expect.Value(l.Manifest(table, run))(t)
			before = append(before, m)
		}
		s, manifests := generation(t, l, "new")
		all := steps(t, l, s, manifests, before)
		if n > len(all) {
			return
		}
		for _, do := range all[:n] {
			expect.OK(t, do())
		}
		checkCrashed(t, l, fmt.Sprintf("after %d steps of %d", n, len(all)), n == len(all))
	}
}

func checkCrashed(t *testing.T, l *lake.Lake, when string, finished bool) {
	t.Helper()
	old, fresh := wanted("old"), wanted("new")
	for _, swept := range []bool{false, true} {
		if swept {
			tidy(t, l)
			files := dataFiles(t, l)
			expect.Equal(t, len(files), 3, "%s: a sweep leaves %q", when, files)
		}
		holds := map[string]string{"events": read(t, l, "events"), "runs": read(t, l, "runs")}
		if !maps.Equal(holds, fresh) && (!maps.Equal(holds, old) || finished) {
			t.Errorf("%s, swept %v: the tables hold %q", when, swept, holds)
		}
	}
	commit(t, l, "new")
	for table, want := range fresh {
		expect.Equal(t, read(t, l, table), want, "%s and another commit: %s holds", when, table)
	}
}

// TestStoppedCommit stops Commit itself: a folder that stands where it wants to put a file ends it there.
// Until the inventory is in its place all tables must be the old ones, and no table may lose files before.
func TestStoppedCommit(t *testing.T) {
	old, fresh := wanted("old"), wanted("new")
	for _, c := range []struct {
		where  func(l *lake.Lake, manifests []*lake.Manifest) string
		events string
	}{
		{func(l *lake.Lake, m []*lake.Manifest) string { return l.Path(m[0].Files[0]) }, old["events"]},
		{func(l *lake.Lake, m []*lake.Manifest) string { return l.Path(m[0].Files[1]) }, old["events"]},
		{func(l *lake.Lake, m []*lake.Manifest) string { return l.Path(m[1].Files[0]) }, old["events"]},
	} {
		l := open(t, t.TempDir())
		commit(t, l, "old")
		s, manifests := generation(t, l, "new")
		obstacle := c.where(l, manifests)
		write(t, filepath.Join(obstacle, "in the way"), "")
		fails(t, s.Commit(manifests...), filepath.Base(obstacle))
		if events, runs := read(t, l, "events"), read(t, l, "runs"); events != c.events || runs != old["runs"] {
			t.Errorf("stopped at %s: events hold %q, runs %q", obstacle, events, runs)
		}
		expect.OK(t, os.RemoveAll(obstacle))
		commit(t, l, "new")
		expect.Equal(t, read(t, l, "events")+read(t, l, "runs"), fresh["events"]+fresh["runs"], "stopped at %s and another commit: the tables hold", obstacle)
	}
}
