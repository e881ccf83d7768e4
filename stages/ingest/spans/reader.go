package spans

import (
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// Words of ReadingOptions.Component.
const (
	byService  = "service"
	byInstance = "instance"
)

// components are the words of every format of spans.
func components() []schema.ComponentWord {
	return []schema.ComponentWord{
		{Word: byService, Doc: "the service"},
		{Word: byInstance, Doc: "the instance of the service, such as a host, pod or process; the service where spans name none"},
	}
}

// Format describes a format of spans. All of them read several files as one run, since a trace may be spread over the
// files of its services. Detect reports whether a file that begins with head is of the format; parse hands over its spans.
func Format(name, doc, remarks string, endings []string, detect func(head []byte) bool, parse Parse) schema.Format {
	return schema.Format{
		Name: name, Doc: doc, Remarks: remarks, Components: components(), Endings: endings,
		IsFile: detect, FindIn: FilesOf(detect), Several: true,
		NewReader: func(r *schema.Reading) schema.Reader { return NewReader(r, parse) },
	}
}

// Parse hands the spans of one file to the collector. The name of the file is for errors.
type Parse func(c *Collector, r io.Reader, file string) error

// NewReader returns the reader of a format of spans.
func NewReader(reading *schema.Reading, parse Parse) schema.Reader {
	return &reader{reading: reading, parse: parse, out: &writer{slots: make(map[uint32]*slots), open: make(map[int64]lifeline)}}
}

// reader reads in three steps: spans of all files, sorted by trace; rows of one trace after the other, sorted by time; blocks
// of rows. Both sorters and the trace in hand share the memory of the reading.
type reader struct {
	reading *schema.Reading
	parse   Parse
	out     *writer
}

// Keys implements schema.Reader.
func (r *reader) Keys() []schema.EventKey { return r.out.keys }

// Marks implements schema.Reader.
func (r *reader) Marks() []schema.MessageMark { return marks }

// Read implements schema.Reader.
// (1) All files go through the format's parser into the sorter of spans, (2) traces leave it one by one and become
// rows in the sorter of rows, (3) rows leave that in the order of time as blocks.
func (r *reader) Read(emit func(*schema.Block) (*schema.Block, error)) (err error) {
	share := r.reading.Memory / 3 // spans, events, and the trace in hand
	c := newCollector(r.reading, share)
	rows := extsort.NewSorter(compareRows, share, r.reading.Scratch)
	defer func() {
		for _, e := range []error{c.sorter.Close(), rows.Close()} {
			if err == nil {
				err = e
			}
		}
	}()
	for _, t := range r.reading.Traces {
		if err := r.readFile(c, t); err != nil {
			return err
		}
	}
	if err := eachTrace(c, rows); err != nil {
		return err
	}
	return r.out.write(c, rows, emit)
}

// readFile hands one file to the format.
// Decompression is left to the trace, which knows what the pipeline can undo.
func (r *reader) readFile(c *Collector, t schema.Trace) error {
	f, err := t.FS.Open(t.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	in := io.Reader(f)
	if t.Decompress != nil {
		if in, err = t.Decompress(f); err != nil {
			return fmt.Errorf("%s: %w", t.Path, err)
		}
	}
	c.file = c.Code([]byte(t.Path))
	return r.parse(c, in, t.Path)
}

// eachTrace makes events of the spans, a trace at a time.
// A trace is complete when the sorter comes to the next one; the slices of one trace are used for all of them.
func eachTrace(c *Collector, rows *extsort.Sorter[row]) error {
	t := &trace{collector: c, rows: rows}
	err := c.sorter.Each(func(s *Span) error {
		if len(t.arrived) > 0 && t.arrived[0].Trace != s.Trace {
			if err := t.finish(); err != nil {
				return err
			}
		}
		t.arrived = append(t.arrived, *s)
		return nil
	})
	if err != nil {
		return err
	}
	return t.finish()
}

// headBytes is how much of a file is looked at to find its format.
const headBytes = 64 << 10

// FilesOf returns the FindIn of a format whose files stand side by side in a folder: it lists those that the format
// takes for its own by their beginnings, in the order of their names. A file that cannot be read is none of them.
// Folders within the folder are not searched.
func FilesOf(isFile func(head []byte) bool) func(fsys fs.FS, dir string) (files []string) {
	return func(fsys fs.FS, dir string) (files []string) {
		entries, err := fs.ReadDir(fsys, dir)
		if err != nil {
			return nil
		}
		head := make([]byte, headBytes)
		for _, e := range entries {
			if name := path.Join(dir, e.Name()); e.Type().IsRegular() && isFile(begin(fsys, name, head)) {
				files = append(files, name)
			}
		}
		return files
	}
}

// begin reads the beginning of a file into head, as far as it goes.
func begin(fsys fs.FS, name string, head []byte) []byte {
	f, err := fsys.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		return nil
	}
	return head[:n]
}
