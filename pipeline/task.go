package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// Task is what a stage sees of one bucket of its input: tables to read, tables to write, a
// ledger. It is used by one goroutine, but for Context, Lake, Jobs and Progress.
type Task struct {
	Ledger schema.Ledger // of what the task drops, repairs or invents
	Memory int64         // bytes that the task may hold: all there are, since a task that needs more runs alone

	ctx     context.Context
	engine  *Engine
	plan    *plan
	staging *lake.Staging // of this attempt at the task
	number  int           // among the tasks of the plan
	bucket  int
	outputs []*Output
	done    lake.Done
}

// Options reads the options of the stage from the text that stands in the manifests of its tables, into a pointer to the
// type that the stage was declared with. The process that runs a task has no other way to know them.
func (t *Task) Options(into any) error {
	if err := json.Unmarshal([]byte(lake.OptionText(t.plan.stage.Options)), into); err != nil {
		return fmt.Errorf("options of stage %s: %w", t.plan.stage.Name, err)
	}
	return nil
}

// Slice is the number of the task among the slices or parts of a stage with SliceRows or Parts, and how many there are.
func (t *Task) Slice() (number, of int) { return t.bucket, t.plan.buckets }

// Context is cancelled when the task is to stop.
func (t *Task) Context() context.Context { return t.ctx }

// Lake is the lake in which the task's inputs lie; what the task writes goes through Create and WriteRows.
func (t *Task) Lake() *lake.Lake { return t.engine.Lake }

// Jobs is how many goroutines the task may keep busy.
func (t *Task) Jobs() int { return max(t.engine.Jobs, 1) }

// Progress counts the rows that tasks go through.
func (t *Task) Progress() *Meter { return t.engine.Progress }

// Bucket is the bucket of the task; lake.NoBucket for a task of the whole partition.
func (t *Task) Bucket() int { return t.bucket }

// Input is the manifest of a table of a run that the stage reads, or nil where a table that it only uses is not there.
func (t *Task) Input(run, table string) *lake.Manifest {
	return t.plan.inputs[reference{lake.Run(run), table}]
}

// InputRows is how many rows all inputs of the stage have: what its tasks are expected to go through together.
func (t *Task) InputRows() (n int64) {
	for _, m := range t.plan.inputs {
		n += m.Rows()
	}
	return n
}

// own is the manifest of a table of the partition that the stage writes.
func (t *Task) own(table string) *lake.Manifest {
	return t.plan.inputs[reference{t.plan.partition, table}]
}

// Shared returns what all tasks of a stage for a partition need alike, such as models of many runs. The first task that
// asks makes it, once in every process, while the others wait; nobody may change what it says afterwards, and what it
// remembers for itself it guards. It must follow from the
// stage's inputs and options, as every process has one of its own, and it is dropped when the stage is committed. A stage
// has one such thing: all calls have the same T.
func Shared[T any](t *Task, load func(t *Task) (T, error)) (T, error) {
	p := t.plan
	p.once.Do(func() {
		if p.shared, p.failed = load(t); p.failed != nil {
			t.engine.forget(p.partition, p.stage.Name) // another attempt loads it again
		}
	})
	if p.failed != nil {
		var none T
		return none, p.failed
	}
	return p.shared.(T), nil
}

// files are the files of a table that belong to the task's bucket, or to the buckets of its group.
func (t *Task) files(table string) []lake.File { return t.plan.filesOf(t.own(table), t.number) }

// mergedBy names the column that says the order of the rows of a bucket, of tables whose rows come in the order of the trace.
var mergedBy = map[string]string{"events": "seq", "executions": "finish_seq"}

// Scan reads a table row group by row group: into holds each in turn while f runs, which must not change them: other tasks may
// read the same memory. Only the named columns are read, all of them when none is named. Events and executions of several
// buckets come in the order of the trace, as if they lay in one; other tables come bucket by bucket.
func (t *Task) Scan(table string, into schema.Columns, f func() error, names ...string) error {
	files := t.files(table)
	if by := mergedBy[table]; by != "" && t.bucket != lake.NoBucket && len(files) > 1 && files[0].Bucket != files[len(files)-1].Bucket {
		o := lake.ScanOptions{Columns: names, Meter: t.engine.Progress}
		return t.engine.Lake.ScanMerged(t.ctx, files, into, by, o, f)
	}
	return t.ScanAnyhow(table, into, f, names...)
}

// ScanAnyhow is Scan for whoever does not care in which order the rows of several buckets come.
func (t *Task) ScanAnyhow(table string, into schema.Columns, f func() error, names ...string) error {
	o := lake.ScanOptions{Columns: names, Meter: t.engine.Progress, Decoded: t.plan.announced}
	return t.engine.Lake.Scan(t.ctx, t.files(table), into, o, f)
}

// Part is some rows of the events of a bucket.
type Part = lake.Part

// ScanWindows goes through the events of a group of buckets for Stage.Prepare, in windows of at most so many sequence numbers, from
// lo to hi-1: parts are the rows of each bucket in the window. Their names are those given.
func (t *Task) ScanWindows(names *schema.Names, most int64, f func(lo, hi int64, parts []Part) error, columns ...string) error {
	o := lake.ScanOptions{Columns: columns, Meter: t.engine.Progress}
	return t.engine.Lake.ScanWindows(t.ctx, t.files("events"), names, most, o, f)
}

// Feed scans a table of the task's bucket and hands every row group to add. The rows are those of into, which the next row group
// overwrites: add copies what it keeps.
func Feed[C schema.Columns](t *Task, table string, into C, add func(C), names ...string) error {
	return t.Scan(table, into, func() error {
		add(into)
		return nil
	}, names...)
}

// Rows is how many rows a table has in the task's bucket: what to make room for before a scan.
func (t *Task) Rows(table string) (n int64) {
	for _, f := range t.files(table) {
		n += f.Rows
	}
	return n
}

// rowsRead is the number of rows of the table of which the task reads most.
func (t *Task) rowsRead() (most int) {
	for _, table := range t.plan.stage.Reads {
		most = max(most, int(t.Rows(table)))
	}
	return most
}

// ReadRows reads a small table, of the task's bucket, into memory. The fields of T name its columns.
func ReadRows[T any](t *Task, table string) ([]T, error) {
	var all []T
	for _, f := range t.files(table) {
		rows, err := lake.ReadFile[T](t.ctx, t.engine.Lake, f)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = rows // most tasks have one file, of which no second copy is made
			continue
		}
		all = append(all, rows...)
		t.engine.Progress.Advance(f.Rows)
	}
	return all, nil
}

// Answer is what the last task says beside its tables to whoever asked for the stage, in a form that both know. It stands in the
// record of the task until the tables are committed, and then in the Outcome.
func (t *Task) Answer(text []byte) { t.done.Answer = text }

// Parts is how many tasks there are before Finish.
func (t *Task) Parts() int { return t.plan.buckets }

// PartRows reads a small table that one of the tasks before Finish wrote; see StagedRows.
func PartRows[T any](t *Task, part int, table string) ([]T, error) {
	done, err := t.doneBefore(part)
	if err != nil {
		return nil, err
	}
	return readStaged[T](t, done.Files[table])
}

// StagedRows reads a small table that the tasks before Finish wrote, in the order of the tasks. Such a table is handed from
// task to task in the staging area; where it does not stand in Stage.Writes, it is gone when the stage is committed.
func StagedRows[T any](t *Task, table string) ([]T, error) {
	files, err := t.staged(table)
	if err != nil {
		return nil, err
	}
	return readStaged[T](t, files)
}

// readStaged reads staged files one after the other.
func readStaged[T any](t *Task, files []lake.File) (all []T, err error) {
	for _, f := range files {
		rows, err := lake.ReadStaged[T](t.ctx, t.plan.staging, f)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = rows // most tasks stage one file, of which no second copy is made
			continue
		}
		all = append(all, rows...)
	}
	return all, nil
}

// ScanStaged is StagedRows for a table of many rows: into holds its row groups in turn while f runs.
func (t *Task) ScanStaged(table string, into schema.Columns, f func()) error {
	files, err := t.staged(table)
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := t.plan.staging.Scan(file, into, f); err != nil {
			return err
		}
	}
	return nil
}

// ScanStagedOf is ScanStaged for the rows of one bucket.
func (t *Task) ScanStagedOf(bucket int, table string, into schema.Columns, f func()) error {
	files, err := t.staged(table)
	if err != nil {
		return err
	}
	for _, file := range files {
		if file.Bucket != bucket {
			continue
		}
		if err := t.plan.staging.Scan(file, into, f); err != nil {
			return err
		}
	}
	return nil
}

// StagedCount is how many rows StagedRows would return: what to make room for before they are read in pieces.
func (t *Task) StagedCount(table string) (rows int64, err error) {
	files, err := t.staged(table)
	for _, f := range files {
		rows += f.Rows
	}
	return rows, err
}

// staged lists the files of a table that the tasks before Finish wrote, in the order of the tasks.
func (t *Task) staged(table string) (files []lake.File, err error) {
	for task := range t.plan.tasks {
		if t.plan.finishes(task) {
			break
		}
		done, err := t.doneBefore(task)
		if err != nil {
			return nil, err
		}
		files = append(files, done.Files[table]...)
	}
	return files, nil
}

// doneBefore is the record of a task that Finish follows.
func (t *Task) doneBefore(task int) (*lake.Done, error) {
	done, err := t.plan.staging.Done(task)
	if err == nil && done == nil {
		err = fmt.Errorf("task %d is not done", task)
	}
	return done, err
}

// Chart opens the constraints of the run to walk over them, window by window up or down in time, whatever bucket they lie
// in. The caller closes it. Its memory is a window and the row groups that overlap it.
func (t *Task) Chart(want chartwindow.Want) (*chartwindow.Chart, error) {
	return chartwindow.Open(t.engine.Lake, t.own("constraints"), want, t.Jobs())
}

// Finished opens the executions of the run to find them by the event at which they finish. The caller closes it.
func (t *Task) Finished(names *schema.Names, wanted ...string) (*chartwindow.Finished, error) {
	return chartwindow.OpenFinished(t.engine.Lake, t.own("executions"), names, wanted...)
}

// Groups are the buckets over which lifelines of the same components are spread. What is said of a component as a whole lies
// in the first bucket of its group.
func (t *Task) Groups() [][]int { return t.plan.groups }

// IsPart reports whether the task has only some of the lifelines of its components.
func (t *Task) IsPart() bool { return t.plan.byLifeline && t.Group() != nil }

// Buckets is over how many buckets the rows of a table lie that the task reads.
func (t *Task) Buckets(table string) int {
	seen := make(map[int]bool)
	for _, f := range t.files(table) {
		seen[f.Bucket] = true
	}
	return len(seen)
}

// Group is the buckets over which the lifelines of components in the task's bucket are spread, or nil.
func (t *Task) Group() []int {
	at := slices.IndexFunc(t.plan.groups, func(group []int) bool { return slices.Contains(group, t.bucket) })
	if at < 0 {
		return nil
	}
	return t.plan.groups[at]
}

// CreateFor starts a table that Stage.Prepare leaves for the task of a bucket of the group.
func (t *Task) CreateFor(bucket int, table string, like schema.Columns) (*Output, error) {
	w, err := t.staging.CreateTable(table, bucket, 0, like)
	if err != nil {
		return nil, err
	}
	o := &Output{TableWriter: w, task: t, table: table}
	t.outputs = append(t.outputs, o)
	return o, nil
}

// PreparedTable is a table that Stage.Prepare left for a bucket, read row group by row group.
type PreparedTable struct{ *lake.Reader }

// Prepared opens the table that Stage.Prepare left for the task's bucket. The caller closes it.
func (t *Task) Prepared(table string, into schema.Columns) (*PreparedTable, error) {
	for task := range t.plan.prepares {
		done, err := t.plan.staging.Done(task)
		if err != nil {
			return nil, err
		}
		if done == nil {
			return nil, fmt.Errorf("task %d is not done", task)
		}
		for _, f := range done.Files[table] {
			if f.Bucket == t.bucket {
				r, err := t.plan.staging.Reader(f, into)
				return &PreparedTable{r}, err
			}
		}
	}
	return nil, fmt.Errorf("table %s was not prepared for bucket %d", table, t.bucket)
}

// Advance reports rows that were gone through by other means than Scan.
func (t *Task) Advance(rows int64) { t.engine.Progress.Advance(rows) }

// WriteRows writes a small table, or its part in the task's bucket, once. A table without rows is written too: that it
// exists says that the stage ran.
func WriteRows[T any](t *Task, table string, rows []T) error {
	return WriteRowsOf(t, t.bucket, table, rows)
}

// WriteEach is WriteRows for rows that come one by one: they need not be in memory together.
func WriteEach[T any](t *Task, table string, rows iter.Seq[T]) error {
	return writeEach(t, t.bucket, table, rows)
}

// WriteRowsOf is WriteRows for the part of a bucket, in a task of another or of none.
func WriteRowsOf[T any](t *Task, bucket int, table string, rows []T) error {
	return writeEach(t, bucket, table, slices.Values(rows))
}

// heedAfter is the number of rows after which a table that is written looks whether the task should end: a hundredth of a second.
const heedAfter = 1024

// writeEach writes the rows of a table. A task that has ended meanwhile leaves them where the next attempt finds nothing of them.
func writeEach[T any](t *Task, bucket int, table string, rows iter.Seq[T]) error {
	heeded := func(yield func(T) bool) {
		n := 0
		for row := range rows {
			if n++; n%heedAfter == 0 && t.ctx.Err() != nil || !yield(row) {
				return
			}
		}
	}
	f, err := lake.WriteEach(t.staging, table, bucket, heeded)
	if err == nil {
		err = t.ctx.Err()
	}
	if err == nil {
		t.done.Files[table] = append(t.done.Files[table], f)
	}
	return err
}

// Scratch opens a nameless file for what does not fit into memory. It is gone when it is closed, and with the process.
func (t *Task) Scratch() (schema.Scratch, error) { return t.staging.Scratch() }

// WriteBy hands the staging area to what writes several tables at a time, such as an ingest, and keeps the files that it returns
// by table.
func (t *Task) WriteBy(write func(*lake.Staging) (map[string][]lake.File, error)) error {
	files, err := write(t.staging)
	if err == nil {
		for table, list := range files {
			t.done.Files[table] = append(t.done.Files[table], list...)
		}
	}
	return err
}

// Output is a table of many rows being written, row group by row group, so that it need not fit in memory.
type Output struct {
	*lake.TableWriter
	task  *Task
	table string
}

// Create starts a table with the columns of like.
func (t *Task) Create(table string, like schema.Columns) (*Output, error) {
	w, err := t.staging.CreateTable(table, t.bucket, 0, like)
	if err != nil {
		return nil, err
	}
	groupRows := lake.RowGroupRows
	if t.bucket != lake.NoBucket {
		groupRows = lake.GroupRows(t.plan.buckets)
		w.SetGroupRows(groupRows)
	}
	// Stages mostly write what comes of a row group that they read, behind rows that fill no row group yet.
	if schema.Rows(like) == 0 {
		schema.Reserve(like, min(2*groupRows, t.rowsRead()))
	}
	o := &Output{TableWriter: w, task: t, table: table}
	t.outputs = append(t.outputs, o)
	return o, nil
}

// CreateSlice is Create for a table without buckets that slices of time write in parts: each task its own, the finishing task the last.
func (t *Task) CreateSlice(table string, like schema.Columns) (*Output, error) {
	part := t.bucket
	if part == lake.NoBucket {
		part = t.plan.buckets
	}
	w, err := t.staging.CreateTable(table, lake.NoBucket, part, like)
	if err != nil {
		return nil, err
	}
	o := &Output{TableWriter: w, task: t, table: table}
	t.outputs = append(t.outputs, o)
	return o, nil
}

// Write writes a table of columns that are in memory as a whole.
func (t *Task) Write(table string, rows schema.Columns) error {
	out, err := t.Create(table, rows)
	if err != nil {
		return err
	}
	return out.Close(rows)
}

// Close writes the last rows and closes the table. An output that is not closed is removed when the task fails.
func (o *Output) Close(rows schema.Columns) error {
	err := o.Finish(rows)
	if err == nil {
		o.task.done.Files[o.table] = append(o.task.done.Files[o.table], o.File)
	}
	return err
}

// abandon removes what a failed task left open. Its error is that of the context, if the task failed because it was
// cancelled, and else nil.
func (t *Task) abandon() error {
	for _, o := range t.outputs {
		o.Abandon()
	}
	if errors.Is(t.ctx.Err(), context.Canceled) {
		return t.ctx.Err()
	}
	return nil
}
