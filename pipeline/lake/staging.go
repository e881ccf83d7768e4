package lake

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/tracelake/tracelake/pipeline/process"
	"github.com/tracelake/tracelake/schema"
)

// Staging holds the tables that a stage makes of one partition until they exist. Tasks add files and are marked done;
// Commit makes the tables exist. The next process finds again what a killed one staged. Several tasks may stage files of
// different tables, buckets or parts at a time.
//
// Two attempts at one task may live at once: a process that everybody took for dead may only have been stopped. So every
// attempt writes in a folder of its own, and a task is done when the record of one attempt is there: the first one wins,
// and the files of the others go. Nobody opens a file for writing that a record or an inventory names.
type Staging struct {
	lake        *Lake     // where the tables will exist
	partition   Partition // of all tables that are staged
	fingerprint string    // of the work; the files are named after it
	dir         string    // relative to the lake
	attempt     string    // the folder in dir in which files are made
	records     *records  // of tasks whose files were found to be whole
	atOnce      []string  // tables whose files get their names at once, where the storage is one of objects
}

// records are the texts of those records of tasks that this process wrote, or whose files it compared with their
// checksums. Nobody writes to such files any more, so once is enough.
type records struct {
	mu    sync.Mutex
	whole map[int]string // by task
}

// has reports whether the record of a task is known to be right.
func (r *records) has(task int, text []byte) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.whole[task] == string(text)
}

// add says that the record of a task is right.
func (r *records) add(task int, text []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.whole[task] = string(text)
}

// workFolder holds what stages are making, by partition.
const workFolder = "_work"

// tagLength and folderTagLength are the hexadecimal digits of a fingerprint in the names of files and of staging folders.
const tagLength, folderTagLength = 8, 16

// Stage opens the staging area of a stage for a partition. It drops what was staged for them under another fingerprint.
// Work under another fingerprint is that of old inputs or options, and can never be committed.
func (l *Lake) Stage(stage string, p Partition, fingerprint string) (*Staging, error) {
	parent := path.Join(workFolder, p.String())
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
	s := l.staging(p, fingerprint, path.Join(parent, own))
	if err := s.sweepAttempts(); err != nil {
		return nil, err
	}
	return s, l.storage.MakeFolder(s.dir)
}

// staging is the staging area in a folder, with an attempt of its own.
func (l *Lake) staging(p Partition, fingerprint, dir string) *Staging {
	return &Staging{l, p, fingerprint, dir, process.NewAttempt(), &records{whole: make(map[int]string)}, nil}
}

// NameAtOnce says which tables will be committed under the fingerprint of the staging area. In an object store their files get at once the
// names under which they are to exist, so that a commit moves none. It comes before the first file, in every process.
func (s *Staging) NameAtOnce(tables []string) {
	if s.lake.objects != nil {
		s.atOnce = tables
	}
}

// Attempt returns the same staging area for another attempt, whose files nobody else writes to. An attempt ends with
// MarkDone, with Commit, or with Abandon.
func (s *Staging) Attempt() *Staging {
	another := *s
	another.attempt = process.NewAttempt()
	return &another
}

// Abandon removes what this attempt made, and nothing else.
func (s *Staging) Abandon() error {
	return s.lake.storage.RemoveAll(path.Join(s.dir, s.attempt))
}

// sweepAttempts removes what attempts of ended processes made, unless the record of a task names it.
func (s *Staging) sweepAttempts() error {
	names, err := s.lake.storage.List(s.dir)
	if err != nil {
		return err
	}
	won := make(map[string]bool)
	for _, name := range names {
		var task int
		if n, _ := fmt.Sscanf(name, doneName, &task); n == 1 {
			if _, d := s.record(task); d != nil {
				won[d.Attempt] = true
			}
		}
	}
	for _, name := range names {
		folder := strings.TrimSuffix(name, "/")
		if by, is := process.OfAttempt(folder); is && by.Ended() && !won[folder] {
			if err := s.lake.storage.RemoveAll(path.Join(s.dir, folder)); err != nil {
				return err
			}
		}
	}
	return nil
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
	parent := path.Join(workFolder, p.String())
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
		s := l.staging(p, fingerprint, path.Join(parent, name))
		text, err := readFile(l.storage, path.Join(s.dir, planFile))
		if err == nil {
			err = json.Unmarshal(text, plan)
		}
		if err != nil {
			return nil, fmt.Errorf("plan of %s for %s: %w", stage, p.Name, err)
		}
		return s, nil
	}
	return nil, &NotPlannedError{stage, p.Name}
}

// NotPlannedError is the error of a stage that has no plan in the staging area: nobody planned it, or its tables are there.
type NotPlannedError struct {
	Stage, Name string // of the stage and of the partition
}

// Error implements error.
func (e *NotPlannedError) Error() string {
	return fmt.Sprintf("%s is not planned for %s", e.Stage, e.Name)
}

// Discard removes everything staged, or only what this attempt staged where the process does not hold the lease of the
// partition (any more): the rest may be another's by now.
// The lake does not change.
func (s *Staging) Discard() error {
	held := s.lake.heldLease(s.partition)
	if held == nil || s.lake.checkLease(held) != nil {
		return s.Abandon()
	}
	return s.lake.storage.RemoveAll(s.dir)
}

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
	lake          *Lake       // of the file
	file          NewObject   // in the storage
	sum           hash.Hash32 // of the bytes so far
	out           File        // the entry in the manifest, complete after Finish
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Create starts a file of a table: part number part of a bucket, or of the whole partition (NoBucket).
// The name has the bucket as a folder, as Hive does, so that DuckDB can read the bucket as a column.
func (s *Staging) Create(table string, bucket, part int) (*Writer, error) {
	folder := path.Join(table, s.partition.String())
	if bucket != NoBucket {
		folder = path.Join(folder, fmt.Sprintf("bucket=%d", bucket))
	}
	name := path.Join(folder, fmt.Sprintf("part-%05d-%s.parquet", part, s.fingerprint[:tagLength]))
	return s.create(name, bucket, 1<<16)
}

// create starts a file of this attempt, which is written in pieces of some bytes.
func (s *Staging) create(name string, bucket, pieceBytes int) (*Writer, error) {
	w := &Writer{lake: s.lake, sum: crc32.New(castagnoli), out: File{Path: name, Bucket: bucket, staged: s.place(s.attempt, name)}}
	create := s.lake.storage.Create
	if w.out.staged == name {
		create = s.lake.objects.CreateOnce
	}
	var err error
	if w.file, err = create(w.out.staged); err != nil {
		return nil, err
	}
	w.Writer = bufio.NewWriterSize(summing{w}, pieceBytes)
	return w, nil
}

// place returns the name in the storage of a file that an attempt stages: see NameAtOnce. Two attempts at a task write the same bytes, so
// that they may write to one name.
func (s *Staging) place(attempt, name string) string {
	if table, _, inFolder := strings.Cut(name, "/"); inFolder && slices.Contains(s.atOnce, table) {
		return name
	}
	return path.Join(s.dir, attempt, name)
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
	err := w.Flush()
	w.out.Rows = rows
	w.out.Crc32c = crcText(w.sum)
	if err != nil {
		return w.out, errors.Join(err, w.file.Commit())
	}
	if err = w.file.Commit(); errors.Is(err, fs.ErrExist) {
		err = w.instead()
	}
	return w.out, err
}

// instead puts a file in the place of one that has its name and other bytes, as an upload of a program of another build has left it.
func (w *Writer) instead() error {
	if key, is := parsePartition(path.Base(partitionFolder(w.out.Path))); is {
		v, err := w.lake.Inventory(key)
		if err != nil {
			return err
		}
		if v.files()[w.out.Path] {
			w.file.Abandon()
			return fmt.Errorf("%s exists, with other bytes than this program makes of the same: use the program that made it", w.lake.Path(w.out))
		}
	}
	if err := unlessGone(w.lake.storage.Remove(w.out.staged)); err != nil {
		return err
	}
	return w.file.Commit()
}

// partitionFolder returns the folder of a partition in which a table's file lies, in a bucket or beside the buckets.
func partitionFolder(name string) string {
	folder := path.Dir(name)
	if strings.HasPrefix(path.Base(folder), "bucket=") {
		folder = path.Dir(folder)
	}
	return folder
}

// crcText is the form in which a checksum stands in a manifest.
func crcText(sum hash.Hash32) string { return fmt.Sprintf("%08x", sum.Sum32()) }

// Abandon closes and removes the file.
func (w *Writer) Abandon() { w.file.Abandon() }

// stagedPath returns the name in the storage of a file while it is staged.
func (s *Staging) stagedPath(f File) string { return f.staged }

// Path returns where a file lies while it is staged.
func (s *Staging) Path(f File) string { return s.lake.storage.Path(s.stagedPath(f)) }

// Retag names a staged file after another fingerprint, for a stage that learns its fingerprint only at its
// end. The file gets the name when it is committed.
// The bytes do not change, and neither does the checksum.
func (s *Staging) Retag(f File, fingerprint string) File {
	f.Path = strings.Replace(f.Path, "-"+s.fingerprint[:tagLength]+".parquet", "-"+fingerprint[:tagLength]+".parquet", 1)
	return f
}

// Done is the record of a finished task.
type Done struct {
	Files  map[string][]File `json:"files"`            // that the task staged, by table
	Losses []schema.Loss     `json:"losses,omitempty"` // what the task had to leave out
	Cost   *Cost             `json:"cost,omitempty"`   // what the task took; no table depends on it
	Answer []byte            `json:"answer,omitempty"` // what the task says to whoever asked for the stage
}

// doneRecord is a Done with the attempt that staged all its files.
type doneRecord struct {
	Attempt string `json:"attempt"`
	Done
}

// doneName is the name of the record of a task.
const doneName = "done-%05d.json"

func (s *Staging) donePath(task int) string { return path.Join(s.dir, fmt.Sprintf(doneName, task)) }

// MarkDone records that a task has finished. All its files must be finished before, and be of this attempt. Where another
// attempt has recorded the same before, that one stays and what this one made is removed: both are right, since equal
// tasks write equal bytes.
func (s *Staging) MarkDone(task int, d Done) error {
	text, err := json.Marshal(doneRecord{s.attempt, d})
	if err != nil {
		return err
	}
	for {
		err := s.lake.storage.Claim(s.donePath(task), text)
		if err == nil {
			s.records.add(task, text)
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		have, err := s.Done(task) // removes a record that is wrong
		if err != nil {
			return err
		}
		if have != nil {
			return s.Abandon()
		}
	}
}

// Done returns the record of a task, or nil when the task has not finished. A record whose files have not the sizes and
// checksums that it states is worth nothing and is removed: the disk lost them, or somebody tampered with them.
func (s *Staging) Done(task int) (*Done, error) { return s.doneAnd(task, s.whole) }

// DoneUnread is Done for files that whoever reads them checks: it compares their sizes, and reads none.
func (s *Staging) DoneUnread(task int) (*Done, error) { return s.doneAnd(task, s.sized) }

// doneAnd returns the record of a task whose files are right, or removes it.
func (s *Staging) doneAnd(task int, right func(task int, text []byte, d *doneRecord) bool) (*Done, error) {
	text, d := s.record(task)
	if d != nil && right(task, text, d) {
		return &d.Done, nil
	}
	if text == nil {
		return nil, nil
	}
	if err := s.lake.storage.Remove(s.donePath(task)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return nil, nil
}

// record reads the record of a task: no text where there is none that can be read, and no record where the text is none.
func (s *Staging) record(task int) (text []byte, d *doneRecord) {
	text, err := readFile(s.lake.storage, s.donePath(task))
	if err != nil {
		return nil, nil
	}
	d = new(doneRecord)
	if json.Unmarshal(text, d) != nil {
		return text, nil
	}
	for _, files := range d.Files {
		for i := range files {
			files[i].staged = s.place(d.Attempt, files[i].Path)
		}
	}
	return text, d
}

// whole compares the files of a record with what it states of them: the sizes always, the checksums once. An object store has a file
// whole or not at all, and tasks lie on many machines: there the sizes are enough.
func (s *Staging) whole(task int, text []byte, d *doneRecord) bool {
	known := s.lake.objects != nil || s.records.has(task, text)
	if !s.holdsAll(d, !known) {
		return false
	}
	s.records.add(task, text)
	return true
}

// sized compares the sizes of the files of a record with what it states of them.
func (s *Staging) sized(_ int, _ []byte, d *doneRecord) bool { return s.holdsAll(d, false) }

// holdsAll reports whether the files of a record have the sizes that it states, and, if wanted, the checksums.
func (s *Staging) holdsAll(d *doneRecord, checksum bool) bool {
	for _, files := range d.Files {
		for _, f := range files {
			if !s.lake.holds(s.stagedPath(f), f, checksum) {
				return false
			}
		}
	}
	return true
}

// holds reports whether a file of the storage has the size of a manifest's entry and, if wanted, its checksum. One that cannot be read has
// not.
func (l *Lake) holds(name string, f File, checksum bool) bool {
	same, err := l.compare(name, f, checksum)
	return same && err == nil
}

// compare is holds for callers to whom a storage that does not answer is something else than a file that is missing or damaged.
func (l *Lake) compare(name string, f File, checksum bool) (same bool, err error) {
	object, err := l.storage.Open(name)
	if err != nil {
		return false, unlessGone(err)
	}
	defer object.Close()
	if object.Size() != f.Bytes || !checksum {
		return object.Size() == f.Bytes, nil
	}
	sum := crc32.New(castagnoli)
	_, err = io.Copy(sum, io.NewSectionReader(object, 0, object.Size()))
	return crcText(sum) == f.Crc32c, err
}
