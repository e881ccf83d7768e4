package lake

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// Staging is a stage's tables of one partition while they are made. Tasks add files and are marked done;
// Commit makes the tables exist. What a killed process staged is found again by the next one.
type Staging struct {
	lake        *Lake
	partition   Partition
	fingerprint string
	dir         string
}

// Stage opens the staging area of a stage for a partition and drops what was staged for it under
// another fingerprint.
func (l *Lake) Stage(stage string, p Partition, fingerprint string) (*Staging, error) {
	parent := filepath.Join(l.Dir, "_work", p.String())
	s := &Staging{l, p, fingerprint, filepath.Join(parent, stage+"-"+fingerprint[:16])}
	entries, err := os.ReadDir(parent)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		dir := filepath.Join(parent, e.Name())
		if len(e.Name()) == len(filepath.Base(s.dir)) && strings.HasPrefix(e.Name(), stage+"-") && dir != s.dir {
			if err := os.RemoveAll(dir); err != nil {
				return nil, err
			}
		}
	}
	return s, os.MkdirAll(s.dir, 0o777)
}

// planFile holds what other processes need to run tasks of the stage.
const planFile = "plan.json"

// StorePlan leaves the plan of the stage for the processes that run its tasks.
func (s *Staging) StorePlan(plan any) error {
	text, err := json.Marshal(plan)
	if err != nil {
		return err
	}
	return replaceFile(filepath.Join(s.dir, planFile), text)
}

// Planned finds the staging area of a stage for a partition, and reads the plan that another process left there.
func (l *Lake) Planned(stage string, p Partition, plan any) (*Staging, error) {
	parent := filepath.Join(l.Dir, "_work", p.String())
	entries, err := os.ReadDir(parent)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		fingerprint, is := strings.CutPrefix(e.Name(), stage+"-")
		if !is || len(fingerprint) != 16 {
			continue
		}
		s := &Staging{l, p, fingerprint, filepath.Join(parent, e.Name())}
		text, err := os.ReadFile(filepath.Join(s.dir, planFile))
		if err == nil {
			err = json.Unmarshal(text, plan)
		}
		if err != nil {
			return nil, fmt.Errorf("plan of %s for %s: %w", stage, p.Name, err)
		}
		return s, nil
	}
	return nil, fmt.Errorf("%s is not planned for %s", stage, p.Name)
}

// Discard forgets everything staged.
func (s *Staging) Discard() error { return os.RemoveAll(s.dir) }

// NoBucket is the bucket of a table that has none.
const NoBucket = -1

// Writer is a staged file being written.
type Writer struct {
	*bufio.Writer
	file *os.File
	sum  hash.Hash32
	out  File
}

// Create starts a file of a table: part number part of a bucket, or of the whole partition (NoBucket).
func (s *Staging) Create(table string, bucket, part int) (*Writer, error) {
	name := fmt.Sprintf("part-%05d-%s.parquet", part, s.fingerprint[:8])
	dir := filepath.Join(table, s.partition.String())
	if bucket != NoBucket {
		dir = filepath.Join(dir, fmt.Sprintf("bucket=%d", bucket))
	}
	path := filepath.Join(s.dir, dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	w := &Writer{file: f, sum: crc32.New(crc32.MakeTable(crc32.Castagnoli))}
	w.out = File{Path: filepath.ToSlash(filepath.Join(dir, name)), Bucket: bucket}
	w.Writer = bufio.NewWriterSize(summing{w}, 1<<18)
	return w, nil
}

// summing counts and sums what goes to the file.
type summing struct{ w *Writer }

func (s summing) Write(p []byte) (int, error) {
	n, err := s.w.file.Write(p)
	s.w.sum.Write(p[:n])
	s.w.out.Bytes += int64(n)
	return n, err
}

// Path is where a file lies while it is staged.
func (s *Staging) Path(f File) string { return filepath.Join(s.dir, filepath.FromSlash(f.Path)) }

// Finish closes the file, which has rows rows, and returns its entry in the manifest.
func (w *Writer) Finish(rows int64) (File, error) {
	err := errors.Join(w.Flush(), w.file.Sync(), w.file.Close())
	w.out.Rows = rows
	w.out.Crc32c = fmt.Sprintf("%08x", w.sum.Sum32())
	return w.out, err
}

// Retag names a staged file after another fingerprint, for a stage that learns its fingerprint only at its
// end. The file moves when it is committed.
func (s *Staging) Retag(f File, fingerprint string) File {
	f.staged = f.Path
	f.Path = strings.Replace(f.Path, "-"+s.fingerprint[:8]+".parquet", "-"+fingerprint[:8]+".parquet", 1)
	return f
}

// Abandon closes and removes the file.
func (w *Writer) Abandon() {
	w.file.Close()
	os.Remove(w.file.Name())
}

// Done is the record of a finished task.
type Done struct {
	Files  map[string][]File `json:"files"` // by table
	Losses []schema.Loss     `json:"losses,omitempty"`
}

func (s *Staging) donePath(task int) string {
	return filepath.Join(s.dir, fmt.Sprintf("done-%05d.json", task))
}

// MarkDone records that a task has finished.
func (s *Staging) MarkDone(task int, d Done) error {
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return replaceFile(s.donePath(task), text)
}

// Done returns the record of a task, or nil when it has not finished or its files are gone.
func (s *Staging) Done(task int) (*Done, error) {
	text, err := os.ReadFile(s.donePath(task))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d := new(Done)
	if json.Unmarshal(text, d) != nil {
		return nil, nil
	}
	for _, files := range d.Files {
		for _, f := range files {
			info, err := os.Stat(s.Path(f))
			if err != nil || info.Size() != f.Bytes {
				return nil, nil
			}
		}
	}
	return d, nil
}
