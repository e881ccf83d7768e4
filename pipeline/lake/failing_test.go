package lake_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// failing is a Storage one of whose operations fails, once.
type failing struct {
	storage lake.Storage
	mu      sync.Mutex
	left    int    // operations until the one that fails; negative: none does
	failed  string // that operation, and the file
	name    string // the file
}

var errStorage = errors.New("the storage does not answer")

// step is the operation that fails, or one of the others.
func (f *failing) step(operation, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left--
	if f.left != -1 {
		f.left = max(f.left, -2)
		return nil
	}
	f.failed, f.name = operation+" "+name, name
	return &fs.PathError{Op: operation, Path: name, Err: errStorage}
}

// failingObject is a file of which a read may fail.
type failingObject struct {
	lake.Object
	of   *failing
	name string
}

func (o failingObject) ReadAt(p []byte, at int64) (int, error) {
	if err := o.of.step("read", o.name); err != nil {
		return 0, err
	}
	return o.Object.ReadAt(p, at)
}

// newFailingObject is a file being written of which a write or the end may fail.
type newFailingObject struct {
	lake.NewObject
	of   *failing
	name string
}

func (o newFailingObject) Write(p []byte) (int, error) {
	if err := o.of.step("write", o.name); err != nil {
		return 0, err
	}
	return o.NewObject.Write(p)
}

func (o newFailingObject) Commit() error {
	return cmp.Or(o.of.step("commit", o.name), o.NewObject.Commit())
}
func (o newFailingObject) Close() error {
	return cmp.Or(o.of.step("close", o.name), o.NewObject.Close())
}

// after does an operation unless it is the one that fails.
func after[T any](f *failing, operation, name string, do func() (T, error)) (value T, err error) {
	if err := f.step(operation, name); err != nil {
		return value, err
	}
	return do()
}

// afterwards is after for operations that return nothing.
func afterwards(f *failing, operation, name string, do func() error) error {
	_, err := after(f, operation, name, func() (struct{}, error) { return struct{}{}, do() })
	return err
}

func (f *failing) Open(name string) (lake.Object, error) {
	return after(f, "open", name, func() (lake.Object, error) {
		o, err := f.storage.Open(name)
		return failingObject{o, f, name}, err
	})
}

func (f *failing) create(name string, create func(string) (lake.NewObject, error)) (lake.NewObject, error) {
	return after(f, "create", name, func() (lake.NewObject, error) {
		o, err := create(name)
		return newFailingObject{o, f, name}, err
	})
}

func (f *failing) Create(name string) (lake.NewObject, error) {
	return f.create(name, f.storage.Create)
}
func (f *failing) Replace(name string, text []byte) error {
	return afterwards(f, "replace", name, func() error { return f.storage.Replace(name, text) })
}
func (f *failing) Claim(name string, text []byte) error {
	return afterwards(f, "claim", name, func() error { return f.storage.Claim(name, text) })
}
func (f *failing) Publish(from, to string) error {
	return afterwards(f, "publish", to, func() error { return f.storage.Publish(from, to) })
}
func (f *failing) Rename(from, to string) error {
	return afterwards(f, "rename", to, func() error { return f.storage.Rename(from, to) })
}
func (f *failing) Sync(folders ...string) error {
	return afterwards(f, "sync", folders[0], func() error { return f.storage.Sync(folders...) })
}
func (f *failing) Touch(name string) error {
	return afterwards(f, "touch", name, func() error { return f.storage.Touch(name) })
}
func (f *failing) Remove(name string) error {
	return afterwards(f, "remove", name, func() error { return f.storage.Remove(name) })
}
func (f *failing) RemoveAll(folder string) error {
	return afterwards(f, "remove all", folder, func() error { return f.storage.RemoveAll(folder) })
}
func (f *failing) MakeFolder(folder string) error {
	return afterwards(f, "make", folder, func() error { return f.storage.MakeFolder(folder) })
}
func (f *failing) Prune(folder string) error {
	return afterwards(f, "prune", folder, func() error { return f.storage.Prune(folder) })
}
func (f *failing) List(folder string) ([]string, error) {
	return after(f, "list", folder, func() ([]string, error) { return f.storage.List(folder) })
}
func (f *failing) Stamp(name string) (string, error) {
	return after(f, "stamp", name, func() (string, error) { return f.storage.Stamp(name) })
}
func (f *failing) Changed(name string) (time.Time, error) {
	return after(f, "changed", name, func() (time.Time, error) { return f.storage.Changed(name) })
}
func (f *failing) Path(name string) string { return f.storage.Path(name) }
func (f *failing) Scratch(folder string) (schema.Scratch, error) {
	return f.storage.Scratch(folder)
}
func (f *failing) ScratchFolder(folder string) (string, error) {
	return f.storage.ScratchFolder(folder)
}

// failingObjects is failing for a store of objects.
type failingObjects struct {
	*failing
	objects lake.Objects
}

func (f failingObjects) CreateOnce(name string) (lake.NewObject, error) {
	return f.create(name, f.objects.CreateOnce)
}
func (f failingObjects) ReplaceIf(name, stamp string, text []byte) error {
	return afterwards(f.failing, "replace", name, func() error { return f.objects.ReplaceIf(name, stamp, text) })
}
func (f failingObjects) ReadStamped(name string) (text []byte, stamp string, err error) {
	text, err = after(f.failing, "read", name, func() ([]byte, error) {
		text, stamp, err = f.objects.ReadStamped(name)
		return text, err
	})
	return text, stamp, err
}
func (f failingObjects) Stamps(folder string) (map[string]string, error) {
	return after(f.failing, "stamps", folder, func() (map[string]string, error) { return f.objects.Stamps(folder) })
}

// trial is a lake of some files, as a process finds it that has just started.
type trial struct {
	files   map[string][]byte
	raw     lake.Storage // never fails
	failing *failing
	storage lake.Storage // fails
	lake    *lake.Lake   // nil where opening it is what is tried
}

// newTrial has a copy of some files in a storage of files or of objects.
func newTrial(t *testing.T, files map[string][]byte, objects, open bool) *trial {
	t.Helper()
	memory := &memoryStorage{files: maps.Clone(files)}
	c := &trial{files: memory.files, raw: memory, failing: &failing{storage: memory, left: -2}}
	c.storage = c.failing
	if objects {
		o := &memoryObjects{memoryStorage: memory, reads: make(map[string]int)}
		c.raw, c.storage = o, failingObjects{c.failing, o}
	}
	if open {
		c.lake = expect.Value(lake.OpenStorage(c.storage, true))(expect.Must(t))
		c.lake.SetExpiry(time.Millisecond)
	}
	return c
}

// operation is something that a lake can do. It returns what it finds or has done.
type operation struct {
	name string
	do   func(t *testing.T, c *trial) (string, error)
	// without is which failures it gets over, in a folder and in a store of objects, since what it does is whole without these steps.
	// Without the latter the steps are the same.
	without, withoutObjects string
}

// passing shortens what the names of attempts say.
var passing = regexp.MustCompile(`attempt-[0-9a-f]+-[0-9]+-[0-9]+-[0-9]+|-[0-9a-f]{8,16}\b`)

// try has every step of an operation fail, one after the other: the error must come out and name the file, nobody may see half of what was
// to be done, and the next process does all of it. Only the steps that the operation states may fail without an error.
func (o *operation) try(t *testing.T, files map[string][]byte, objects bool) {
	open := o.name != "open"
	whole := newTrial(t, files, objects, open)
	before := visible(t, whole.raw)
	answer := expect.Value(o.do(t, whole))(expect.Must(t))
	done := visible(t, whole.raw)
	var gotOver []string
	n := 0
	for ; ; n++ {
		c := newTrial(t, files, objects, open)
		c.failing.left = n
		got, err := o.do(t, c)
		c.failing.left = -2
		if c.failing.failed == "" {
			break
		}
		failed := passing.ReplaceAllString(c.failing.failed, "*")
		if err == nil {
			expect.Equal(t, got, answer, "the answer without %q", failed)
			gotOver = append(gotOver, failed)
		} else if !strings.Contains(err.Error(), errStorage.Error()) || !strings.Contains(err.Error(), c.failing.name) {
			t.Errorf("after %q the error is %v", failed, err)
		}
		if now := visible(t, c.raw); now != before && now != done {
			t.Errorf("after %q the lake has\n%s, before\n%s, and when it is done\n%s", failed, now, before, done)
		}
		if open { // the next process
			next := newTrial(t, c.files, objects, open)
			got, err = o.do(t, next)
			if err != nil || got != answer || visible(t, next.raw) != done {
				t.Errorf("after %q the next process has %q, %v, want %q\n%s, want\n%s", failed, got, err, answer, visible(t, next.raw), done)
			}
		}
	}
	want := o.without
	if objects {
		want = cmp.Or(o.withoutObjects, inObjectsOnly(o.without))
	}
	expect.Equal(t, strings.Join(gotOver, "; "), want, "%s: of %d steps those may fail", o.name, n)
}

// visible is what readers see of a lake: its tables with their versions and rows. All files are as their manifests say.
func visible(t *testing.T, s lake.Storage) string {
	t.Helper()
	l, err := lake.OpenStorage(s, false)
	if err != nil {
		return ""
	}
	var out strings.Builder
	for _, v := range expect.Value(l.Inventories())(t) {
		for _, m := range v.Tables {
			fmt.Fprintf(&out, "%s %s %d %d\n", v.Partition, m.Table, m.Version, m.Rows())
		}
	}
	expect.Slice(t, expect.Value(l.Verify(context.Background(), nil, nil))(t).Damages, []lake.Damage{}, "damages")
	return out.String()
}

// versioned stages two tables of a run, by all ways in which files are written, and returns their manifests. What tasks recorded before
// is used again.
func versioned(c *trial, version int) (s *lake.Staging, all []*lake.Manifest, err error) {
	o := &lake.Origin{Stage: "test", Version: version}
	if s, err = c.lake.Stage(o.Stage, run, o.Fingerprint()); err != nil {
		return nil, nil, err
	}
	s.NameAtOnce([]string{"numbers"})
	files := make(map[string][]lake.File)
	for bucket := range 2 {
		ev := schema.NewEvents()
		for i := range 20 {
			addEvent(ev, int64(2*i+bucket))
		}
		w, err := s.CreateTable("events", bucket, 0, ev)
		if err != nil {
			return nil, nil, err
		}
		w.SetGroupRows(6)
		if err := cmp.Or(w.WriteFull(ev), w.Finish(ev)); err != nil {
			w.Abandon()
			return nil, nil, err
		}
		files["events"] = append(files["events"], w.File)
	}
	some, err := lake.Write(s, "numbers", 0, []number{{int64(version)}, {7}})
	if err != nil {
		return nil, nil, err
	}
	others, err := lake.WriteEach(s, "numbers", 1, slices.Values([]number{{8}, {9}}))
	if err != nil {
		return nil, nil, err
	}
	files["numbers"] = []lake.File{some, others}
	return s, []*lake.Manifest{o.Manifest("events", files["events"]), o.Manifest("numbers", files["numbers"])}, nil
}

// commitVersioned stages and commits a version.
func commitVersioned(c *trial, version int) error {
	s, all, err := versioned(c, version)
	if err != nil {
		return err
	}
	return s.Commit(all...)
}

// TestFailingStorage has every step fail of everything that a lake does with its storage.
func TestFailingStorage(t *testing.T) {
	if testing.Short() {
		t.Skip("steps of one process fail one by one in full tests")
	}
	for _, objects := range []bool{false, true} {
		first := newTrial(t, noFiles(), objects, true)
		expect.OK(t, commitVersioned(first, 1))
		expect.OK(t, commitVersion(first.lake, lake.Run("b"), 1, "other"))
		expect.OK(t, first.lake.StoreMeasured("test", run, lake.Measured{Fingerprint: "known"}))
		for _, o := range slices.Concat(opening, writing, reading) {
			t.Run(fmt.Sprintf("%s/%v", o.name, objects), func(t *testing.T) {
				files := first.files
				if o.name == "open" {
					files = noFiles()
				}
				if leave := leftovers[o.name]; leave != nil {
					files = maps.Clone(files)
					leave(files)
				}
				o.try(t, files, objects)
			})
		}
	}
}

// noFiles are the files of no lake.
func noFiles() map[string][]byte { return make(map[string][]byte) }
