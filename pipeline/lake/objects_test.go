package lake_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// memoryObjects is a store of objects in memory, with conditions on writes. It counts what is read, and says when objects came.
type memoryObjects struct {
	*memoryStorage
	reads   map[string]int
	changed time.Time
	before  func() // runs before a conditional write; nil: nothing does
}

func (s *memoryObjects) Open(name string) (lake.Object, error) {
	s.reads[name]++
	return s.memoryStorage.Open(name)
}

func (s *memoryObjects) CreateOnce(name string) (lake.NewObject, error) {
	return &newOnce{newMemoryObject{storage: s.memoryStorage, name: name}}, nil
}

// newOnce is an object that takes its name unless another one has it.
type newOnce struct{ newMemoryObject }

func (f *newOnce) Commit() error {
	f.storage.mu.Lock()
	have, has := f.storage.files[f.name]
	f.storage.mu.Unlock()
	if has && !bytes.Equal(have, f.Bytes()) {
		return fs.ErrExist
	}
	return f.storage.Replace(f.name, f.Bytes())
}

func (s *memoryObjects) ReplaceIf(name, stamp string, text []byte) error {
	if s.before != nil {
		before := s.before
		s.before = nil
		before()
	}
	if now, err := s.Stamp(name); err == nil && now != stamp || err != nil && stamp != "" {
		return lake.ErrChanged
	}
	return s.Replace(name, text)
}

func (s *memoryObjects) ReadStamped(name string) (text []byte, stamp string, err error) {
	s.reads[name]++
	if stamp, err = s.Stamp(name); err != nil {
		return nil, "", err
	}
	return s.files[name], stamp, nil
}

func (s *memoryObjects) Stamps(folder string) (map[string]string, error) {
	stamps := make(map[string]string)
	for name := range s.files {
		if rest, in := strings.CutPrefix(name, folder+"/"); in && !strings.Contains(rest, "/") {
			stamps[rest] = expect.Value(s.Stamp(name))(nil)
		}
	}
	return stamps, nil
}

func (s *memoryObjects) Changed(name string) (time.Time, error) {
	_, err := s.Stamp(name)
	return s.changed, err
}

func inObjects(t *testing.T) (*lake.Lake, *memoryObjects) {
	t.Helper()
	s := &memoryObjects{memoryStorage: &memoryStorage{files: make(map[string][]byte)}, reads: make(map[string]int), changed: time.Now()}
	return expect.Value(lake.OpenStorage(s, true))(t), s
}

// stageNumbers stages a table that gets its name at once, and returns its manifest.
func stageNumbers(t *testing.T, l *lake.Lake, version int, rows ...number) (*lake.Staging, *lake.Manifest) {
	t.Helper()
	o := &lake.Origin{Stage: "test", Version: version}
	s := expect.Value(l.Stage(o.Stage, run, o.Fingerprint()))(t)
	s.NameAtOnce([]string{"numbers"})
	f := expect.Value(lake.Write(s, "numbers", lake.NoBucket, rows))(t)
	return s, o.Manifest("numbers", []lake.File{f})
}

// TestObjectsAreNamedAtOnce writes a file under the name that it will have, where nobody sees it before the commit; other tables move.
func TestObjectsAreNamedAtOnce(t *testing.T) {
	l, s := inObjects(t)
	staged, m := stageNumbers(t, l, 1, number{7})
	if _, there := s.files[m.Files[0].Path]; !there {
		t.Errorf("the file has another name: %v", slices.Collect(maps2(s.files)))
	}
	other := expect.Value(lake.Write(staged, "others", lake.NoBucket, []number{{8}}))(t)
	if _, there := s.files[other.Path]; there {
		t.Error("a file of a table that is not named at once has its name")
	}
	if _, err := lake.Read[number](l, "numbers", run); !errors.As(err, new(*lake.NotAnalyzedError)) {
		t.Errorf("a table before its commit: %v", err)
	}
	o := &lake.Origin{Stage: "test", Version: 1}
	expect.OK(t, staged.Commit(m, o.Manifest("others", []lake.File{other})))
	expect.Slice(t, expect.Value(lake.Read[number](l, "numbers", run))(t), []number{{7}}, "rows")
	expect.Slice(t, expect.Value(lake.Read[number](l, "others", run))(t), []number{{8}}, "rows of the other table")
	expect.Equal(t, l.Local(), false, "the lake is a folder")
	stamps := expect.Value(l.Stamps())(t)
	expect.Equal(t, len(stamps), 1, "stamps")
	expect.Equal(t, stamps["run=a"], expect.Value(s.Stamp("_manifests/run=a.json"))(t), "the stamp of the run")
}

// maps2 are the keys of a map.
func maps2(files map[string][]byte) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range files {
			if !yield(name) {
				return
			}
		}
	}
}

// TestObjectsOfAnotherBuild finds other bytes under a name: those of a table that exists are refused with a sentence, and what no inventory
// names is replaced.
func TestObjectsOfAnotherBuild(t *testing.T) {
	l, s := inObjects(t)
	_, m := stageNumbers(t, l, 1, number{7})
	name := m.Files[0].Path
	_, m = stageNumbers(t, l, 1, number{9}) // the same name with other rows
	expect.Equal(t, m.Files[0].Path, name, "the name")
	staged, m := stageNumbers(t, l, 1, number{9})
	expect.OK(t, staged.Commit(m))
	expect.Slice(t, expect.Value(lake.Read[number](l, "numbers", run))(t), []number{{9}}, "rows")
	o := &lake.Origin{Stage: "test", Version: 1}
	again := expect.Value(l.Stage(o.Stage, run, o.Fingerprint()))(t)
	again.NameAtOnce([]string{"numbers"})
	_, err := lake.Write(again, "numbers", lake.NoBucket, []number{{10}})
	fails(t, err, name+" exists, with other bytes", "use the program that made it")
	// A file that is gone when it is committed is told.
	staged, m = stageNumbers(t, l, 2, number{11})
	delete(s.files, m.Files[0].Path)
	fails(t, staged.Commit(m), "is gone: run the command again")
}

// TestObjectsThatChange has another process commit between the look at an inventory and its replacement: both commits stay.
func TestObjectsThatChange(t *testing.T) {
	l, s := inObjects(t)
	staged, m := stageNumbers(t, l, 1, number{7})
	s.before = func() {
		other := &lake.Inventory{Partition: "run=a", Tables: []*lake.Manifest{{Table: "faster"}}}
		s.files["_manifests/run=a.json"] = expect.Value(lake.Seal(other))(t)
	}
	expect.OK(t, staged.Commit(m))
	v := expect.Value(l.Inventory(run))(t)
	if v.Table("faster") == nil || v.Table("numbers") == nil {
		t.Errorf("tables are %+v", v.Tables)
	}
}

// TestObjectsAreSpared leaves what is younger than an hour when a lake is tidied, since who wrote it may be about to commit it; what is
// older goes.
func TestObjectsAreSpared(t *testing.T) {
	for age, stays := range map[time.Duration]bool{0: true, 59 * time.Minute: true, 61 * time.Minute: false} {
		l, s := inObjects(t)
		s.changed = time.Now().Add(-age)
		const stray = "numbers/run=a/part-00000-01234567.parquet"
		s.files[stray] = []byte("stray")
		tidied := expect.Value(l.Tidy(t.Context()))(t)
		_, there := s.files[stray]
		expect.Equal(t, there, stays, "a file of %v stays", age)
		expect.Equal(t, tidied.Files == 0, stays, "files of %v that are counted: %d", age, tidied.Files)
	}
}

// TestInventoriesAreKept reads an inventory once as long as it does not change, and again when it does.
func TestInventoriesAreKept(t *testing.T) {
	l, s := inObjects(t)
	staged, m := stageNumbers(t, l, 1, number{7})
	expect.OK(t, staged.Commit(m))
	const name = "_manifests/run=a.json"
	expect.Value(l.Inventory(run))(t)
	before := s.reads[name]
	for range 5 {
		expect.Value(l.Inventory(run))(t)
	}
	expect.Equal(t, s.reads[name], before, "reads of an inventory that did not change")
	staged, m = stageNumbers(t, l, 2, number{8})
	expect.OK(t, staged.Commit(m))
	expect.Equal(t, expect.Value(l.Table("numbers", run))(t).Version, 2, "the version of the table")
	// Of very many partitions not all are kept, and all are right.
	for range 2 {
		for i := range 150 {
			p := lake.Run(fmt.Sprint("r", i))
			if s.files["_manifests/"+p.String()+".json"] == nil {
				s.files["_manifests/"+p.String()+".json"] = expect.Value(lake.Seal(&lake.Inventory{Partition: p.String(), Tables: []*lake.Manifest{{Table: p.Name}}}))(t)
			}
			if v := expect.Value(l.Inventory(p))(t); v.Table(p.Name) == nil {
				t.Errorf("the inventory of %s is %+v", p, v)
			}
		}
	}
}

// TestOrderOfPartitions sorts partitions by name, though the names of their files sort otherwise, and finds the newest one of a table.
func TestOrderOfPartitions(t *testing.T) {
	l, s := inObjects(t)
	for _, p := range []lake.Partition{lake.Run("a"), lake.Run("a-b"), lake.Run("a.b"), {Key: "comparison", Name: "a"}} {
		s.files["_manifests/"+p.String()+".json"] = expect.Value(lake.Seal(&lake.Inventory{Partition: p.String(), Tables: []*lake.Manifest{{Table: "t" + p.Name}}}))(t)
	}
	var names []string
	for _, p := range expect.Value(l.Partitions("run"))(t) {
		names = append(names, p.Name)
	}
	expect.Slice(t, names, []string{"a", "a-b", "a.b"}, "runs")
	all := expect.Value(l.Inventories())(t)
	expect.Equal(t, len(all), 4, "inventories")
	expect.Equal(t, expect.Value(l.Newest("run", "ta"))(t), "a", "the newest run with a table")
	expect.Equal(t, expect.Value(l.Newest("run", "other"))(t), "", "the newest run with a table that none has")
	s.files["_manifests/run=z.json"] = expect.Value(lake.Seal(&lake.Inventory{Partition: "run=z", Tables: []*lake.Manifest{{Table: "ta"}}}))(t)
	expect.Equal(t, expect.Value(l.Newest("run", "ta"))(t), "z", "of two of one time, the last by name")
}
