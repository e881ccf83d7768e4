package lake

import (
	"sync"

	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
)

// Decoded keeps decoded columns of files that several tasks read, from the first one that reads a row group until the last
// task that was announced has ended. What does not fit into its memory is read again. Many goroutines may use it at a time;
// a nil one keeps nothing.
type Decoded struct {
	memory *parquet.Memory
	mu     sync.Mutex
	files  map[string]*decodedFile // by path
}

// decodedFile is a file that tasks have yet to read.
type decodedFile struct {
	readers int              // tasks that have not ended
	columns *parquet.Decoded // nil as long as one task alone is announced: nobody else would take what it decodes
}

// NewDecoded returns a place for columns of so many bytes.
func NewDecoded(bytes int64) *Decoded {
	return &Decoded{memory: parquet.NewMemory(bytes), files: make(map[string]*decodedFile)}
}

// Expect announces a task that reads some files.
func (d *Decoded) Expect(files []File) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range files {
		one := d.files[f.Path]
		if one == nil {
			one = new(decodedFile)
			d.files[f.Path] = one
		}
		if one.readers++; one.readers > 1 && one.columns == nil {
			one.columns = parquet.NewDecoded(d.memory)
		}
	}
}

// Release takes back what Expect announced. The task holds none of the rows any more.
func (d *Decoded) Release(files []File) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, f := range files {
		one := d.files[f.Path]
		if one == nil {
			continue
		}
		if one.readers--; one.readers == 0 {
			if one.columns != nil {
				one.columns.Free()
			}
			delete(d.files, f.Path)
		}
	}
}

// of is the place for the columns of a file, or nil where its readers do not share them.
func (d *Decoded) of(f File) *parquet.Decoded {
	if d == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if one := d.files[f.Path]; one != nil {
		return one.columns
	}
	return nil
}

// sharing opens a file for reading, as Reader does. Its columns are shared with the other tasks that are to read it.
func (l *Lake) sharing(d *Decoded, f File, into schema.Columns, columns ...string) (*Reader, error) {
	r, err := l.Reader(f, into, columns...)
	if err != nil {
		return nil, err
	}
	if shared := d.of(f); shared != nil {
		r.Share(shared)
	}
	return r, nil
}
