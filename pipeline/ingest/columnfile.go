package ingest

import (
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
)

// leadingPart and streamPart are the part numbers of a bucket's files: the events invented before the
// start of the trace, and the trace.
const leadingPart, streamPart = 0, 1

// columnFile is a staged file with its column writer.
type columnFile struct {
	*parquet.Writer
	staged *lake.Writer
	file   lake.File // once it is closed
	closed bool
}

func createColumns(staging *lake.Staging, table string, bucket, part int, like schema.Columns) (*columnFile, error) {
	staged, err := staging.Create(table, bucket, part)
	if err != nil {
		return nil, err
	}
	return &columnFile{Writer: parquet.NewWriter(staged, like), staged: staged}, nil
}

// finish writes the last rows and closes the file, unless it is closed or was never opened.
func (f *columnFile) finish(last schema.Columns) error {
	if f == nil || f.closed {
		return nil
	}
	f.closed = true
	summary, err := f.Close(last)
	if err != nil {
		f.staged.Abandon()
		return err
	}
	f.file, err = f.staged.Finish(summary.Rows)
	return err
}

func (f *columnFile) abandon() {
	if f != nil && !f.closed {
		f.closed = true
		f.staged.Abandon()
	}
}
