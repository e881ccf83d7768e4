package lake_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// memoryStorage is Storage in memory, as an object store is: it has no folders, only names with slashes.
type memoryStorage struct {
	mu    sync.Mutex
	files map[string][]byte
}

// memoryObject is a file of memoryStorage.
type memoryObject struct{ *bytes.Reader }

func (memoryObject) Close() error { return nil }

func (s *memoryStorage) Open(name string) (lake.Object, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, has := s.files[name]
	if !has {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return memoryObject{bytes.NewReader(text)}, nil
}

// newMemoryObject is a file being written. It exists once it is committed.
type newMemoryObject struct {
	bytes.Buffer
	storage *memoryStorage
	name    string
}

func (f *newMemoryObject) Commit() error { return f.storage.Replace(f.name, f.Bytes()) }
func (f *newMemoryObject) Close() error  { return f.Commit() }
func (f *newMemoryObject) Abandon()      {}

func (s *memoryStorage) Create(name string) (lake.NewObject, error) {
	return &newMemoryObject{storage: s, name: name}, nil
}

func (s *memoryStorage) Replace(name string, text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files[name] = slices.Clone(text)
	return nil
}

func (s *memoryStorage) Claim(name string, text []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, has := s.files[name]; has {
		return &fs.PathError{Op: "claim", Path: name, Err: fs.ErrExist}
	}
	s.files[name] = slices.Clone(text)
	return nil
}

func (s *memoryStorage) Publish(from, to string) error {
	f, err := s.Open(from)
	if err != nil {
		return err
	}
	text := make([]byte, f.Size())
	_, err = f.ReadAt(text, 0)
	return errors.Join(err, s.Claim(to, text))
}

func (s *memoryStorage) Rename(from, to string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, has := s.files[from]
	if !has {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	delete(s.files, from)
	s.files[to] = text
	return nil
}

func (s *memoryStorage) Remove(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, has := s.files[name]; !has {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	delete(s.files, name)
	return nil
}

func (s *memoryStorage) RemoveAll(folder string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.files {
		if strings.HasPrefix(name, folder+"/") {
			delete(s.files, name)
		}
	}
	return nil
}

func (s *memoryStorage) List(folder string) (names []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if folder != "" {
		folder += "/"
	}
	for name := range s.files {
		if rest, is := strings.CutPrefix(name, folder); is {
			if below, _, inFolder := strings.Cut(rest, "/"); inFolder {
				rest = below + "/"
			}
			names = append(names, rest)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func (s *memoryStorage) Stamp(name string) (string, error) {
	f, err := s.Open(name)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	_, err = io.Copy(sum, io.NewSectionReader(f, 0, f.Size()))
	return string(sum.Sum(nil)), err
}

// Changed returns the same time for all: a test that needs an order uses files.
func (s *memoryStorage) Changed(name string) (time.Time, error) {
	_, err := s.Open(name)
	return time.Time{}, err
}

func (s *memoryStorage) Path(name string) string                { return "memory:" + name }
func (s *memoryStorage) MakeFolder(string) error                { return nil }
func (s *memoryStorage) Prune(string) error                     { return nil }
func (s *memoryStorage) Sync(...string) error                   { return nil }
func (s *memoryStorage) Touch(name string) error                { return nil }
func (s *memoryStorage) Scratch(string) (schema.Scratch, error) { return nil, errors.ErrUnsupported }
func (s *memoryStorage) ScratchFolder(folder string) (string, error) {
	return "", errors.ErrUnsupported
}

func inMemory(t *testing.T) (*lake.Lake, *memoryStorage) {
	t.Helper()
	s := &memoryStorage{files: make(map[string][]byte)}
	if _, err := lake.OpenStorage(s, false); err == nil || !strings.Contains(err.Error(), "memory: is not a lake") {
		t.Fatalf("an empty storage is a lake: %v", err)
	}
	l, err := lake.OpenStorage(s, true)
	noError(t, err)
	return l, s
}

// number is a row of a table.
type number struct {
	N int64 `parquet:"n"`
}

// commitTables commits a table of events in three buckets, and one of numbers, whose rows depend on the version.
func commitTables(t *testing.T, l *lake.Lake, version int) {
	t.Helper()
	o := &lake.Origin{Stage: "test", Version: version}
	s, err := l.Stage(o.Stage, run, o.Fingerprint())
	noError(t, err)
	var files []lake.File
	for bucket := range 3 {
		ev := schema.NewEvents()
		for i := range 50 {
			addEvent(ev, int64(3*i+bucket))
		}
		w, err := s.CreateTable("events", bucket, 0, ev)
		noError(t, err)
		w.SetGroupRows(7)
		noError(t, w.Finish(ev))
		files = append(files, w.File)
	}
	numbers, err := lake.Write(s, "numbers", lake.NoBucket, []number{{int64(version)}, {7}})
	noError(t, err)
	noError(t, s.MarkDone(0, lake.Done{Files: map[string][]lake.File{"numbers": {numbers}}}))
	if done, err := s.Done(0); err != nil || done == nil {
		t.Fatalf("a task that is done is not: %v", err)
	}
	noError(t, s.Commit(o.Manifest("numbers", []lake.File{numbers}), o.Manifest("events", files)))
}

// TestLakeInMemory commits, reads, replaces and drops tables of a lake whose storage has no folders and no paths.
func TestLakeInMemory(t *testing.T) {
	l, s := inMemory(t)
	for version := 1; version <= 2; version++ {
		commitTables(t, l, version)
		rows, err := lake.Read[number](l, "numbers", run)
		if err != nil || !slices.Equal(rows, []number{{int64(version)}, {7}}) {
			t.Fatalf("numbers are %v, %v", rows, err)
		}
		ev, next := schema.NewEvents(), int64(0)
		err = l.ScanEvents(t.Context(), "a", ev, lake.ScanOptions{}, func() error {
			for _, seq := range ev.Seq {
				if seq != next {
					t.Fatalf("event %d stands at %d", seq, next)
				}
				next++
			}
			return nil
		})
		if err != nil || next != 150 {
			t.Fatalf("%d events, %v", next, err)
		}
		if len(s.files) != 1+1+4 { // the lake's mark, the inventory, four files
			t.Errorf("%d files are left", len(s.files))
		}
	}
	if _, err := lake.Read[number](l, "other", run); !errors.As(err, new(*lake.NotAnalyzedError)) {
		t.Errorf("a missing table: %v", err)
	}
	s.files["events/run=b/part-00000-00000000.parquet"] = nil
	noError(t, l.DropTables(t.Context(), run, "events"))
	noError(t, l.Drop(t.Context(), run))
	if _, err := l.Tidy(t.Context()); err != nil || len(s.files) != 1 {
		t.Errorf("%d files after all tables are dropped, %v", len(s.files), err)
	}
}

// rowMeter counts rows.
type rowMeter int64

func (m *rowMeter) Advance(rows int64) { *m += rowMeter(rows) }

// TestScan reads some columns of the buckets that are wanted, and passes over row groups by their bounds. The meter counts
// all rows, so that it reaches what was expected.
func TestScan(t *testing.T) {
	l, _ := inMemory(t)
	commitTables(t, l, 1)
	m, err := l.Table("events", run)
	noError(t, err)
	var meter rowMeter
	var seqs []int64
	ev := schema.NewEvents()
	o := lake.ScanOptions{Columns: []string{"seq"}, Meter: &meter, Skip: func(s lake.Stats) bool {
		lo, hi, known := s.Ints("seq")
		return known && (hi < 40 || lo > 60)
	}}
	err = l.Scan(t.Context(), m.InBuckets(0, 2), ev, o, func() error {
		if len(ev.TimeNs) > 0 {
			t.Error("a column is read that is not wanted")
		}
		seqs = append(seqs, ev.Seq...)
		return nil
	})
	if err != nil || meter != 100 || len(seqs) != 3*7 || slices.Min(seqs) != 23 || slices.Max(seqs) != 62 {
		t.Errorf("%d events %v, %d counted, %v", len(seqs), seqs, meter, err)
	}
	if all := m.InBuckets(lake.NoBucket); len(all) != 3 || len(m.InBuckets()) != 0 {
		t.Errorf("all buckets have %d files, none %d", len(all), len(m.InBuckets()))
	}
}
