package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
)

// Task is what a stage sees of one bucket of its input, or of a few in turn: tables to read, tables to write, a
// ledger.
type Task struct {
	Ledger schema.Ledger
	Memory int64 // bytes that the task may hold: all there are, since a task that needs more runs alone

	ctx     context.Context
	engine  *Engine
	plan    *plan
	buckets []int
	bucket  int // the one at hand
	outputs []*Output
	done    lake.Done
}

// Options reads the options of the stage from the text that stands in the manifests of its tables.
func (t *Task) Options(into any) error {
	if err := json.Unmarshal([]byte(lake.OptionText(t.plan.stage.Options)), into); err != nil {
		return fmt.Errorf("options of stage %s: %w", t.plan.stage.Name, err)
	}
	return nil
}

// EachBucket calls f for every bucket of the task; what the task then reads and writes is of that bucket.
func (t *Task) EachBucket(f func() error) error {
	for _, t.bucket = range t.buckets {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

// files are the files of a table that belong to the task's bucket.
func (t *Task) files(table string) (out []lake.File) {
	for _, f := range t.plan.inputs[table].Files {
		if t.bucket == lake.NoBucket || f.Bucket == t.bucket || f.Bucket == lake.NoBucket {
			out = append(out, f)
		}
	}
	return out
}

// Scan reads a table row group by row group: into holds each in turn while f runs. Only the named columns
// are read, all of them when none is named.
func (t *Task) Scan(table string, into schema.Columns, f func() error, names ...string) error {
	for _, file := range t.files(table) {
		if err := t.scanFile(file, into, f, names); err != nil {
			return err
		}
	}
	return nil
}

// ScanAll is Scan over all buckets of a table, whichever the task's is.
func (t *Task) ScanAll(table string, into schema.Columns, f func() error, names ...string) error {
	for _, file := range t.plan.inputs[table].Files {
		if err := t.scanFile(file, into, f, names); err != nil {
			return err
		}
	}
	return nil
}

func (t *Task) scanFile(file lake.File, into schema.Columns, f func() error, names []string) error {
	r, err := parquet.Open(t.engine.Lake.Path(file), into, names...)
	if err != nil {
		return err
	}
	defer r.Close()
	before := int64(0)
	for {
		if err := t.ctx.Err(); err != nil {
			return err
		}
		more, err := r.Next()
		if err != nil || !more {
			t.engine.Progress.Advance(file.Rows - before)
			return err
		}
		if err := f(); err != nil {
			return err
		}
		rows := min(file.Rows-before, parquet.RowGroupRows)
		t.engine.Progress.Advance(rows)
		before += rows
	}
}

// Rows is how many rows a table has in the task's bucket.
func (t *Task) Rows(table string) (n int64) {
	for _, f := range t.files(table) {
		n += f.Rows
	}
	return n
}

// ReadRows reads a small table.
func ReadRows[T any](t *Task, table string) ([]T, error) {
	var all []T
	for _, f := range t.files(table) {
		rows, err := parquet.ReadRows[T](t.engine.Lake.Path(f))
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
		t.engine.Progress.Advance(f.Rows)
	}
	return all, nil
}

// WriteRows writes a small table.
func WriteRows[T any](t *Task, table string, rows []T) error {
	w, err := t.plan.staging.Create(table, t.bucket, 0)
	if err != nil {
		return err
	}
	if err := parquet.WriteRows(w, rows); err != nil {
		w.Abandon()
		return err
	}
	f, err := w.Finish(int64(len(rows)))
	t.done.Files[table] = append(t.done.Files[table], f)
	return err
}

// Output is a big table being written.
type Output struct {
	task   *Task
	table  string
	staged *lake.Writer
	writer *parquet.Writer
	closed bool
}

// Create starts a table with the columns of like.
func (t *Task) Create(table string, like schema.Columns) (*Output, error) {
	staged, err := t.plan.staging.Create(table, t.bucket, 0)
	if err != nil {
		return nil, err
	}
	o := &Output{task: t, table: table, staged: staged, writer: parquet.NewWriter(staged, like)}
	t.outputs = append(t.outputs, o)
	return o, nil
}

// WriteFull writes the full row groups of rows and leaves the others in it.
func (o *Output) WriteFull(rows schema.Columns) error { return o.writer.WriteFull(rows) }

// Close writes the last rows and closes the table.
func (o *Output) Close(rows schema.Columns) error {
	summary, err := o.writer.Close(rows)
	if err != nil {
		return err
	}
	o.closed = true
	f, err := o.staged.Finish(summary.Rows)
	o.task.done.Files[o.table] = append(o.task.done.Files[o.table], f)
	return err
}

// abandon closes what a failed task left open.
func (t *Task) abandon() error {
	for _, o := range t.outputs {
		if !o.closed {
			o.staged.Abandon()
		}
	}
	if errors.Is(t.ctx.Err(), context.Canceled) {
		return t.ctx.Err()
	}
	return nil
}
