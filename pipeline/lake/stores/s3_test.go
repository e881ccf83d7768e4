package stores

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/objecttest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// where is the name of the tests' lake.
const where = "s3://" + objecttest.Bucket + "/a/lake"

// storage connects to a store of a test.
func storage(t *testing.T) (*s3Storage, *objecttest.Store) {
	store := objecttest.Start(t)
	return expect.Value(connect(objecttest.Bucket, "a/lake"))(t), store
}

// write writes an object through a file.
func write(s *s3Storage, name string, text []byte) error {
	f, err := s.Create(name)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	return f.Commit()
}

// read reads an object through its blocks.
func read(s *s3Storage, name string) ([]byte, error) {
	o, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	return io.ReadAll(io.NewSectionReader(o, 0, o.Size()))
}

// someBytes are bytes of which no part is like another.
func someBytes(n int) []byte {
	text := make([]byte, n)
	rand.NewChaCha8([32]byte{1}).Read(text)
	return text
}

// TestMethods goes through what a lake asks of its storage.
func TestMethods(t *testing.T) {
	s, _ := storage(t)
	if _, err := s.Open("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing object: %v", err)
	}
	if _, _, err := s.ReadStamped("none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing text: %v", err)
	}
	expect.OK(t, s.Claim("x/claim", []byte("mine")))
	expect.OK(t, s.Claim("x/claim", []byte("mine"))) // as after a lost answer
	if err := s.Claim("x/claim", []byte("theirs")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second claim: %v", err)
	}
	text, stamp, err := s.ReadStamped("x/claim")
	expect.OK(t, err)
	expect.Equal(t, string(text), "mine", "the claimed text")
	expect.OK(t, s.ReplaceIf("x/claim", stamp, []byte("other")))
	if err := s.ReplaceIf("x/claim", stamp, []byte("third")); !errors.Is(err, lake.ErrChanged) {
		t.Errorf("a write on a condition that does not hold: %v", err)
	}
	if err := s.ReplaceIf("x/claim", "", []byte("third")); !errors.Is(err, lake.ErrChanged) {
		t.Errorf("a write of what is there already: %v", err)
	}
	if err := s.ReplaceIf("x/gone", stamp, []byte("third")); !errors.Is(err, lake.ErrChanged) {
		t.Errorf("a write of what is not there: %v", err)
	}
	expect.OK(t, s.Touch("x/claim"))
	if err := s.Touch("x/gone"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a touch of a missing object: %v", err)
	}
	expect.OK(t, s.Publish("x/claim", "y/z/claim+1 2"))
	if err := s.Publish("x/claim", "y/z/claim+1 2"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second publication: %v", err)
	}
	expect.OK(t, s.Rename("x/claim", "y/moved"))
	expect.Slice(t, expect.Value(s.List(""))(t), []string{"y/"}, "the names in the lake")
	expect.Slice(t, expect.Value(s.List("y"))(t), []string{"moved", "z/"}, "the names in a folder")
	stamps := expect.Value(s.Stamps("y"))(t)
	expect.Equal(t, stamps["moved"], expect.Value(s.Stamp("y/moved"))(t), "the stamp in a list")
	expect.OK(t, s.RemoveAll("y"))
	expect.Slice(t, expect.Value(s.List(""))(t), nil, "the names after all is removed")
}

// TestBlocks reads objects of several blocks: at any place, from many goroutines, by another process than the one that wrote it. A block is
// asked for once.
func TestBlocks(t *testing.T) {
	s, store := storage(t)
	for _, size := range []int{0, 1, blockBytes, blockBytes + 1, 5*blockBytes - 7} {
		text := someBytes(size)
		name := fmt.Sprint("object", size)
		expect.OK(t, write(s, name, text))
		for _, reader := range []*s3Storage{s, expect.Value(connect(objecttest.Bucket, "a/lake"))(t)} {
			before := store.Requests(http.MethodGet)
			o := expect.Value(reader.Open(name))(t)
			var readers sync.WaitGroup
			for i := range 8 {
				readers.Go(func() {
					at := rand.New(rand.NewPCG(uint64(i), 7))
					for range 20 {
						offset := at.Int64N(int64(size) + 1)
						p := make([]byte, at.IntN(2*blockBytes))
						n, err := o.ReadAt(p, offset)
						if want := text[offset:min(int(offset)+len(p), size)]; !bytes.Equal(p[:n], want) || err != nil && !errors.Is(err, io.EOF) {
							t.Errorf("%d bytes at %d of %d: %d bytes, %v", len(p), offset, size, n, err)
						}
					}
				})
			}
			readers.Wait()
			if blocks := (size + blockBytes - 1) / blockBytes; store.Requests(http.MethodGet)-before > blocks {
				t.Errorf("%d blocks took %d requests", blocks, store.Requests(http.MethodGet)-before)
			}
			expect.OK(t, o.Close())
		}
	}
}

// TestParts uploads and copies an object in parts.
func TestParts(t *testing.T) {
	s, store := storage(t)
	defer func(part, most, copied int64) { partBytes, mostParts, copiedAtOnce = part, most, copied }(partBytes, mostParts, copiedAtOnce)
	partBytes = 5 << 20 // the least that S3 takes
	text := someBytes(11 << 20)
	store.Fail(objecttest.Every(2, http.MethodPut, objecttest.Busy))
	expect.OK(t, write(s, "large", text))
	store.Fail(nil)
	other := expect.Value(connect(objecttest.Bucket, "a/lake"))(t)
	if got, err := read(other, "large"); err != nil || !bytes.Equal(got, text) {
		t.Errorf("an upload in parts has %d bytes of %d, %v", len(got), len(text), err)
	}
}

// TestOnce writes files that are there already: the same bytes are as good, others are an error, after which the file may be committed again.
func TestOnce(t *testing.T) {
	s, store := storage(t)
	for _, lost := range []bool{false, true} {
		name := fmt.Sprint("once", lost)
		if lost {
			store.Fail(objecttest.Every(1, http.MethodPut, onceLost(store)))
		}
		for range 2 {
			f := expect.Value(s.CreateOnce(name))(t)
			f.Write([]byte("right"))
			expect.OK(t, f.Commit())
		}
		store.Fail(nil)
	}
	f := expect.Value(s.CreateOnce("oncetrue"))(t)
	f.Write([]byte("wrong"))
	if err := f.Commit(); !errors.Is(err, fs.ErrExist) {
		t.Fatalf("other bytes under the name: %v", err)
	}
	expect.OK(t, s.Remove("oncetrue"))
	expect.OK(t, f.Commit())
	expect.Equal(t, string(expect.Value(read(s, "oncetrue"))(t)), "wrong", "the object that was committed again")
}

// onceLost has the answer to the first request lost.
func onceLost(store *objecttest.Store) objecttest.Fault {
	time.AfterFunc(50*time.Millisecond, func() { store.Fail(nil) })
	return objecttest.Lost
}

// TestFaults has every third request of a kind fail. What is written is there, and what is claimed is claimed by one.
func TestFaults(t *testing.T) {
	for _, fault := range []objecttest.Fault{objecttest.Busy, objecttest.Cut, objecttest.Lost} {
		for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodHead, http.MethodPost, http.MethodDelete} {
			t.Run(fmt.Sprint(method, fault), func(t *testing.T) {
				s, store := storage(t)
				store.Fail(objecttest.Every(3, method, fault))
				text := someBytes(3*blockBytes + 5)
				for i := range 3 {
					expect.OK(t, write(s, "object", text))
					got, err := read(expect.Value(connect(objecttest.Bucket, "a/lake"))(t), "object")
					if err != nil || !bytes.Equal(got, text) {
						t.Errorf("%d bytes are read of %d, %v", len(got), len(text), err)
					}
					name := fmt.Sprint("x/", i)
					expect.OK(t, s.Claim(name, []byte(name)))
					_, stamp, err := s.ReadStamped(name)
					expect.OK(t, err)
					expect.OK(t, s.ReplaceIf(name, stamp, []byte("next")))
					expect.OK(t, s.Remove("object"))
				}
				expect.OK(t, s.RemoveAll("x"))
				if store.Faults() == 0 && method != http.MethodPost {
					t.Error("no request failed")
				}
				expect.Slice(t, expect.Value(s.List(""))(t), nil, "what is left")
			})
		}
	}
}

// TestProbe makes lakes in stores of several kinds. One that passes over conditions is refused, and so is one that passes over them now and then.
func TestProbe(t *testing.T) {
	store := objecttest.Start(t)
	for every, refused := range map[int]bool{1: true, 7: true, 0: false} {
		store.Fail(nil)
		if every > 0 {
			store.Fail(objecttest.Every(every, http.MethodPut, objecttest.Unsaid))
		}
		_, err := Open(where+fmt.Sprint(every), true)
		if refused != (err != nil && strings.Contains(err.Error(), "cannot hold a lake: of 32 writers")) {
			t.Errorf("a store that passes over every condition no. %d: %v", every, err)
		}
	}
	store.Fail(objecttest.Every(5, http.MethodPut, objecttest.Lost))
	_, err := Open(where+"lost", true)
	expect.OK(t, err)
}

// TestNames opens what cannot be opened, with errors that say what to do.
func TestNames(t *testing.T) {
	objecttest.Start(t)
	for name, want := range map[string]string{
		"s3://":             "write s3://BUCKET/PREFIX",
		"s3://nowhere/lake": "there is no bucket nowhere: make it",
		where:               "is not a lake (no _lake.json): ingest a trace first",
	} {
		if _, err := Open(name, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// run is the partition of the tests.
var run = lake.Run("a")

// number is a row of a table.
type number struct {
	N int64 `parquet:"n"`
}

// commit commits a table with one number.
func commit(l *lake.Lake, table string, n int64) error {
	o := &lake.Origin{Stage: table, Version: int(n)}
	s, err := l.Stage(o.Stage, run, o.Fingerprint())
	if err != nil {
		return err
	}
	f, err := lake.Write(s, table, lake.NoBucket, []number{{n}})
	if err != nil {
		return err
	}
	if err := s.MarkDone(0, lake.Done{Files: map[string][]lake.File{table: {f}}}); err != nil {
		return err
	}
	return s.Commit(o.Manifest(table, []lake.File{f}))
}

// TestManyWriters has several processes, as it were, commit tables of one run at a time, while requests fail: none loses another's, and nothing
// is left beside what the inventory names.
func TestManyWriters(t *testing.T) {
	store := objecttest.Start(t)
	expect.Value(Open(where, true))(t)
	var n atomic.Int64
	var failed sync.Map // of a request how often it failed: one that fails ten times is given up, as it should be
	store.Fail(func(r *http.Request) objecttest.Fault {
		fault := []objecttest.Fault{objecttest.None, objecttest.Busy, objecttest.None, objecttest.Lost, objecttest.None, objecttest.Cut, objecttest.None}[n.Add(1)%7]
		times, _ := failed.LoadOrStore(r.Method+r.URL.String(), new(atomic.Int64))
		if fault == objecttest.None || times.(*atomic.Int64).Add(1)%6 == 0 {
			times.(*atomic.Int64).Store(0)
			return objecttest.None
		}
		return fault
	})
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			l, err := Open(where, false)
			for i := int64(1); i <= 3 && err == nil; i++ {
				err = commit(l, fmt.Sprint("numbers", w), i)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	writers.Wait()
	store.Fail(nil)
	l := expect.Value(Open(where, false))(t)
	for w := range 4 {
		rows, err := lake.Read[number](l, fmt.Sprint("numbers", w), run)
		if err != nil || !slices.Equal(rows, []number{{3}}) {
			t.Errorf("table %d has %v, %v", w, rows, err)
		}
	}
	s := expect.Value(connect(objecttest.Bucket, "a/lake"))(t)
	expect.Slice(t, expect.Value(s.List(""))(t), []string{"_lake.json", "_manifests/", "numbers0/", "numbers1/", "numbers2/", "numbers3/"}, "the names in the lake")
	expect.Equal(t, len(expect.Value(s.List("numbers0/run=a"))(t)), 1, "files of a table")
}

// TestSleeper has a holder of a lease sleep between its look at the lease and its commit: its request reaches the store only when another process
// has taken over and committed. The sleeper must find that it lost, and its commit must not take the place of the other's.
func TestSleeper(t *testing.T) {
	store := objecttest.Start(t)
	sleeper := expect.Value(Open(where, true))(t)
	expect.OK(t, commit(sleeper, "first", 1))
	asleep := make(chan struct{})
	var once sync.Once
	store.Fail(func(r *http.Request) objecttest.Fault {
		fault := objecttest.None
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "_manifests/run=a.json") {
			once.Do(func() { fault = objecttest.Asleep; close(asleep) })
		}
		return fault
	})
	done := make(chan error)
	go func() { done <- commit(sleeper, "second", 1) }()
	<-asleep
	s := expect.Value(connect(objecttest.Bucket, "a/lake"))(t)
	names := expect.Value(s.List("_leases"))(t)
	expect.Equal(t, len(names), 1, "leases")
	expect.OK(t, s.Remove("_leases/"+names[0])) // as a successor does
	expect.OK(t, commit(expect.Value(Open(where, false))(t), "third", 1))
	store.Wake()
	if err := <-done; err == nil {
		t.Error("the sleeper says that it committed")
	}
	v := expect.Value(expect.Value(Open(where, false))(t).Inventory(run))(t)
	var tables []string
	for _, m := range v.Tables {
		tables = append(tables, m.Table)
		rows, err := lake.Read[number](expect.Value(Open(where, false))(t), m.Table, run)
		if err != nil || len(rows) != 1 {
			t.Errorf("table %s has %v, %v", m.Table, rows, err)
		}
	}
	expect.Slice(t, tables, []string{"first", "third"}, "tables after both")
}
