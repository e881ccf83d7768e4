package lake

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io/fs"
	"path"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// Staging holds the tables that a stage makes of one partition until they exist. Tasks add files and are marked done;
// Commit makes the tables exist. The next process finds again what a killed one staged. Several tasks may stage files of
// different tables, buckets or parts at a time.
type Staging struct {
	lake        *Lake     // where the tables will exist
	partition   Partition // of all tables that are staged
	fingerprint string    // of the work; the files are named after it
	dir         string    // relative to the lake
}

// tagLength and folderTagLength are the hexadecimal digits of a fingerprint in the names of files and of staging folders.
const tagLength, folderTagLength = 8, 16

// Stage opens the staging area of a stage for a partition. It drops what was staged for them under another fingerprint.
// Work under another fingerprint is that of old inputs or options, and can never be committed.
func (l *Lake) Stage(stage string, p Partition, fingerprint string) (*Staging, error) {
	parent := path.Join("_work", p.String())
	own := stage + "-" + fingerprint[:folderTagLength]
	names, err := l.storage.List(parent)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		name = strings.TrimSuffix(name, "/")
		// The name of another stage may begin with this stage's name and a hyphen, so the length counts too.
		if name != own && len(name) == len(own) && strings.HasPrefix(name, stage+"-") {
			if err := l.storage.RemoveAll(path.Join(parent, name)); err != nil {
				return nil, err
			}
		}
	}
	// Work under this fingerprint stays: its tasks that are done are not done again.
	s := &Staging{l, p, fingerprint, path.Join(parent, own)}
	return s, l.storage.MakeFolder(s.dir)
}

// planFile holds what other processes need to run tasks of the stage.
const planFile = "plan.json"

// StorePlan leaves the plan of the stage for the processes that run its tasks.
// The plan must be plain data. It replaces an older one of the same fingerprint, which is equal.
func (s *Staging) StorePlan(plan any) error {
	text, err := json.Marshal(plan)
	if err != nil {
		return err
	}
	return s.lake.storage.Replace(path.Join(s.dir, planFile), text)
}

// Planned finds the staging area of a stage for a partition, and reads the plan that another process left there.
// At most one plan exists, since Stage drops those of other fingerprints.
func (l *Lake) Planned(stage string, p Partition, plan any) (*Staging, error) {
	parent := path.Join("_work", p.String())
	names, err := l.storage.List(parent)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		name = strings.TrimSuffix(name, "/")
		fingerprint, is := strings.CutPrefix(name, stage+"-")
		if !is || len(fingerprint) != folderTagLength {
			continue
		}
		s := &Staging{l, p, fingerprint, path.Join(parent, name)}
		text, err := readFile(l.storage, path.Join(s.dir, planFile))
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

// Discard removes everything staged.
// The lake does not change.
func (s *Staging) Discard() error { return s.lake.storage.RemoveAll(s.dir) }

// Scratch opens a nameless file on the lake's disk, for what does not fit into memory. It is gone when it is closed,
// and when the process is killed.
func (s *Staging) Scratch() (schema.Scratch, error) { return s.lake.storage.Scratch(s.dir) }

// Folder makes an empty folder on this machine, which goes with the rest of what is staged, and returns its path.
func (s *Staging) Folder() (string, error) { return s.lake.storage.ScratchFolder(s.dir) }

// NoBucket is the bucket of a table that has none.
const NoBucket = -1

// Writer is a staged file being written. It ends with Finish or Abandon.
type Writer struct {
	*bufio.Writer             // in front of the file: Parquet writers write small pieces
	file          NewObject   // in the storage
	sum           hash.Hash32 // of the bytes so far
	out           File        // the entry in the manifest, complete after Finish
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Create starts a file of a table: part number part of a bucket, or of the whole partition (NoBucket).
// The name has the bucket as a folder, as Hive does, so that DuckDB can read the bucket as a column. A file of the
// same name, left by a killed process, is replaced.
func (s *Staging) Create(table string, bucket, part int) (*Writer, error) {
	folder := path.Join(table, s.partition.String())
	if bucket != NoBucket {
		folder = path.Join(folder, fmt.Sprintf("bucket=%d", bucket))
	}
	name := path.Join(folder, fmt.Sprintf("part-%05d-%s.parquet", part, s.fingerprint[:tagLength]))
	f, err := s.lake.storage.Create(path.Join(s.dir, name))
	if err != nil {
		return nil, err
	}
	w := &Writer{file: f, sum: crc32.New(castagnoli), out: File{Path: name, Bucket: bucket}}
	w.Writer = bufio.NewWriterSize(summing{w}, 1<<18)
	return w, nil
}

// summing counts and sums the bytes that go to the file.
type summing struct{ w *Writer }

// Write implements io.Writer.
func (s summing) Write(p []byte) (int, error) {
	n, err := s.w.file.Write(p)
	s.w.sum.Write(p[:n])
	s.w.out.Bytes += int64(n)
	return n, err
}

// Finish closes the file, which has the given number of rows, and returns its entry in the manifest.
// The bytes are durable when it returns without an error.
func (w *Writer) Finish(rows int64) (File, error) {
	err := errors.Join(w.Flush(), w.file.Commit())
	w.out.Rows = rows
	w.out.Crc32c = crcText(w.sum)
	return w.out, err
}

// crcText is the form in which a checksum stands in a manifest.
func crcText(sum hash.Hash32) string { return fmt.Sprintf("%08x", sum.Sum32()) }

// Abandon closes and removes the file.
func (w *Writer) Abandon() { w.file.Abandon() }

// Path returns where a file lies while it is staged.
func (s *Staging) Path(f File) string { return s.lake.storage.Path(path.Join(s.dir, f.Path)) }

// Retag names a staged file after another fingerprint, for a stage that learns its fingerprint only at its
// end. The file moves when it is committed.
// The bytes do not change, and neither does the checksum.
func (s *Staging) Retag(f File, fingerprint string) File {
	f.staged = f.Path
	f.Path = strings.Replace(f.Path, "-"+s.fingerprint[:tagLength]+".parquet", "-"+fingerprint[:tagLength]+".parquet", 1)
	return f
}

// Done is the record of a finished task.
type Done struct {
	Files  map[string][]File `json:"files"`            // that the task staged, by table
	Losses []schema.Loss     `json:"losses,omitempty"` // what the task had to leave out
}

func (s *Staging) donePath(task int) string {
	return path.Join(s.dir, fmt.Sprintf("done-%05d.json", task))
}

// MarkDone records that a task has finished. All its files must be finished before.
func (s *Staging) MarkDone(task int, d Done) error {
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return s.lake.storage.Replace(s.donePath(task), text)
}

// Done returns the record of a task, or nil when the task has not finished or its files are not whole.
func (s *Staging) Done(task int) (*Done, error) {
	text, err := readFile(s.lake.storage, s.donePath(task))
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
			size, err := sizeOf(s.lake.storage, path.Join(s.dir, f.Path))
			if err != nil || size != f.Bytes {
				return nil, nil
			}
		}
	}
	return d, nil
}
