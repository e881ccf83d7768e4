package lake_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// disk is Storage on a disk that may lose its power before any step. It promises what POSIX does and no more: the bytes of a
// file are durable when it was synced, and what a folder has under a name when the folder was. Everything else may be on the
// disk or not, in any combination: bytes of files, and each change of a name by itself.
type disk struct {
	left    int                 // steps until the power fails; negative: it does not
	steps   int                 // that were made
	live    map[string]*content // what processes see: files, and folders, whose names end with a slash
	durable map[string]*content // what is on the disk for certain
	pending []nameChange        // those that are not durable yet, in their order
}

// content is that of a file. Links share it.
type content struct {
	bytes  []byte
	synced bool
}

// nameChange gives a name a content, or takes it.
type nameChange struct {
	name    string
	content *content // nil: it is removed
}

var errPower = errors.New("the power has failed")

func newDisk(left int) *disk {
	return &disk{left: left, live: make(map[string]*content), durable: make(map[string]*content)}
}

// step counts a step, or fails as all do without power.
func (d *disk) step() error {
	if d.left == 0 {
		return errPower
	}
	d.left--
	d.steps++
	return nil
}

// set changes a name, and makes the folders above it.
func (d *disk) set(name string, c *content) {
	if c == nil {
		delete(d.live, name)
	} else {
		for folder := path.Dir(strings.TrimSuffix(name, "/")); folder != "."; folder = path.Dir(folder) {
			if d.live[folder+"/"] == nil {
				d.set(folder+"/", new(content))
			}
		}
		d.live[name] = c
	}
	d.pending = append(d.pending, nameChange{name, c})
}

// folderOf is the folder in which a name stands, as Sync names it.
func folderOf(name string) string {
	return strings.TrimPrefix(path.Dir(strings.TrimSuffix(name, "/")), ".")
}

func missing(name string) error { return &fs.PathError{Op: "find", Path: name, Err: fs.ErrNotExist} }

func (d *disk) Open(name string) (lake.Object, error) {
	if d.left == 0 {
		return nil, errPower
	}
	c := d.live[name]
	if c == nil {
		return nil, missing(name)
	}
	return (&memoryStorage{files: map[string][]byte{name: c.bytes}}).Open(name)
}

// newDiskObject is a file being written.
type newDiskObject struct {
	*disk
	name string
	*content
}

func (f newDiskObject) Write(p []byte) (int, error) {
	f.bytes = append(f.bytes, p...)
	return len(p), f.step()
}

func (f newDiskObject) Commit() error {
	err := f.step()
	f.synced = err == nil
	return err
}

func (f newDiskObject) Close() error { return f.step() }
func (f newDiskObject) Abandon()     { f.Remove(f.name) }

func (d *disk) Create(name string) (lake.NewObject, error) {
	if err := d.step(); err != nil {
		return nil, err
	}
	f := newDiskObject{d, name, new(content)}
	d.set(name, f.content)
	return f, nil
}

// write makes a small file whose bytes are durable under a name that may not be, as a folder of a file system does.
func (d *disk) write(name string, text []byte) error {
	f, err := d.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Commit())
}

func (d *disk) Replace(name string, text []byte) error {
	if err := d.write(name+".new", text); err != nil {
		return err
	}
	return d.Rename(name+".new", name)
}

func (d *disk) Claim(name string, text []byte) error {
	if err := d.write(name+".new", text); err != nil {
		return err
	}
	return errors.Join(d.Publish(name+".new", name), d.Remove(name+".new"))
}

func (d *disk) Publish(from, to string) error {
	switch err := d.step(); {
	case err != nil:
		return err
	case d.live[from] == nil:
		return missing(from)
	case d.live[to] != nil:
		return &fs.PathError{Op: "link", Path: to, Err: fs.ErrExist}
	}
	d.set(to, d.live[from])
	return nil
}

func (d *disk) Rename(from, to string) error {
	if err := d.step(); err != nil {
		return err
	}
	c := d.live[from]
	if c == nil {
		return missing(from)
	}
	d.set(to, c)
	d.set(from, nil)
	return nil
}

func (d *disk) Remove(name string) error {
	if err := d.step(); err != nil {
		return err
	}
	if d.live[name] == nil {
		return missing(name)
	}
	d.set(name, nil)
	return nil
}

func (d *disk) RemoveAll(folder string) error {
	for name := range d.live {
		if strings.HasPrefix(name, folder+"/") && !strings.HasSuffix(name, "/") {
			if err := d.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// Sync makes the names in some folders durable.
func (d *disk) Sync(folders ...string) error {
	for _, folder := range folders {
		if err := d.step(); err != nil {
			return err
		}
		d.pending = slices.DeleteFunc(d.pending, func(c nameChange) bool {
			is := folderOf(c.name) == folder
			if is {
				c.apply(d.durable)
			}
			return is
		})
	}
	return nil
}

func (c nameChange) apply(to map[string]*content) {
	if c.content == nil {
		delete(to, c.name)
	} else {
		to[c.name] = c.content
	}
}

// afterPowerFailure is what the disk may have when the power is back. Names that are not durable are there or not, and bytes that
// are not durable are some of those that were written.
func (d *disk) afterPowerFailure(r *rand.Rand) *memoryStorage {
	names := make(map[string]*content)
	for name, c := range d.durable {
		names[name] = c
	}
	kept := r.Float64() // in some failures nearly all changes have reached the disk, in others none
	for _, c := range d.pending {
		if r.Float64() < kept {
			c.apply(names)
		}
	}
	s := &memoryStorage{files: make(map[string][]byte)}
	for name, c := range names {
		whole := !strings.HasSuffix(name, "/")
		for folder := folderOf(name); folder != ""; folder = folderOf(folder) {
			whole = whole && names[folder+"/"] != nil
		}
		if whole {
			s.files[name] = c.bytes
			if !c.synced {
				s.files[name] = c.bytes[:r.IntN(len(c.bytes)+1)]
			}
		}
	}
	return s
}

func (d *disk) List(folder string) ([]string, error) {
	all := &memoryStorage{files: make(map[string][]byte)}
	for name := range d.live {
		if !strings.HasSuffix(name, "/") {
			all.files[name] = nil
		}
	}
	return all.List(folder)
}

func (d *disk) Stamp(name string) (string, error) {
	if d.live[name] == nil {
		return "", missing(name)
	}
	return fmt.Sprintf("%p", d.live[name]), nil
}

func (d *disk) Changed(name string) (time.Time, error) {
	_, err := d.Stamp(name)
	return time.Time{}, err
}

func (d *disk) Path(name string) string                     { return "disk:" + name }
func (d *disk) MakeFolder(string) error                     { return nil }
func (d *disk) Prune(string) error                          { return nil }
func (d *disk) Touch(string) error                          { return nil }
func (d *disk) Scratch(string) (schema.Scratch, error)      { return nil, errors.ErrUnsupported }
func (d *disk) ScratchFolder(folder string) (string, error) { return "", errors.ErrUnsupported }

// TestPowerLoss plays a history of a lake, cuts the power before every one of its steps, and looks at what the disk may have
// then. What a command said to be done is there, whole: the lake is the one before the command in hand or the one after it.
func TestPowerLoss(t *testing.T) {
	if testing.Short() {
		t.Skip("one job writes, and its power is cut, in full tests")
	}
	const failures = 2 // of each step
	whole := newDisk(-1)
	states := expect.Value(history(whole))(t)
	if whole.steps < 100 || len(states) != 10 {
		t.Fatalf("%d steps, %d states: too few for this test", whole.steps, len(states))
	}
	for left := range whole.steps {
		d := newDisk(left)
		said, err := history(d)
		if !errors.Is(err, errPower) {
			t.Fatalf("without power after %d steps: %v", left, err)
		}
		for n := range failures {
			after := d.afterPowerFailure(rand.New(rand.NewPCG(uint64(left), uint64(n))))
			got, err := stateOf(after)
			possible := states[len(said)-1 : min(len(said)+1, len(states))]
			if err != nil || !slices.Contains(possible, got) {
				t.Fatalf("after %d steps, %d commands done: the lake has %q, %v; want one of %q", left, len(said)-1, got, err, possible)
			}
		}
	}
}

// history makes tables of two runs, replaces, adds and drops them, and returns what the lake had after each command that said
// it was done.
func history(d *disk) (states []string, err error) {
	states = []string{""} // there is no lake, or it is empty
	l, err := lake.OpenStorage(d, true)
	if err != nil {
		return states, err
	}
	b := lake.Run("b")
	for _, command := range []func() error{
		func() error { return commitVersion(l, run, 1, "runs", "events") },
		func() error { return commitVersion(l, b, 1, "runs", "events") },
		func() error { return commitVersion(l, run, 2, "samples", "losses") },
		func() error { return commitVersion(l, run, 3, "runs", "events") },
		func() error { return commitVersion(l, run, 4, "losses") },
		func() error { return l.DropTables(context.Background(), run, "samples") },
		func() error { return l.Drop(context.Background(), b) },
		func() error { return l.Drop(context.Background(), run) },
		func() error { return commitVersion(l, b, 5, "runs", "events") },
	} {
		if err := command(); err != nil {
			return states, err
		}
		state, err := stateOf(d)
		if err != nil {
			return states, err
		}
		states = append(states, state)
	}
	return states, nil
}

// commitVersion commits tables that hold a version, in two files each.
func commitVersion(l *lake.Lake, p lake.Partition, version int, tables ...string) error {
	o := &lake.Origin{Stage: tables[0], Version: version}
	s, err := l.Stage(o.Stage, p, o.Fingerprint())
	if err != nil {
		return err
	}
	var manifests []*lake.Manifest
	staged := make(map[string][]lake.File)
	for _, table := range tables {
		for bucket := range 2 {
			f, err := lake.Write(s, table, bucket, []number{{int64(version)}})
			if err != nil {
				return err
			}
			staged[table] = append(staged[table], f)
		}
		manifests = append(manifests, o.Manifest(table, staged[table]))
	}
	if err := s.MarkDone(0, lake.Done{Files: staged}); err != nil {
		return err
	}
	return s.Commit(manifests...)
}

// stateOf is all that a lake has, in one text. A lake that is not there has nothing.
func stateOf(s lake.Storage) (string, error) {
	l, err := lake.OpenStorage(s, false)
	if err != nil && strings.Contains(err.Error(), "is not a lake") {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	all, err := l.Inventories()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, v := range all {
		for _, m := range v.Tables {
			fmt.Fprintf(&out, "%s/%s", v.Partition, m.Table)
			for _, f := range m.Files {
				rows, err := lake.ReadFile[number](context.Background(), l, f)
				if err != nil {
					return "", err
				}
				fmt.Fprint(&out, rows)
			}
		}
	}
	return out.String(), nil
}
