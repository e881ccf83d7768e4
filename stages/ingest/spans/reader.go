package spans

import (
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
	"github.com/tracelake/tracelake/stages/ingest/tags"
)

// Words of ReadingOptions.Component.
const (
	byService  = "service"
	byInstance = "instance"
)

// components are the words of every format of spans.
func components() []schema.ComponentWord {
	return []schema.ComponentWord{
		{Word: byService, Rule: true, Doc: "the service; service=REGEX takes what the first group matches of it, if it does, as 'service=^(.*)-[0-9a-f]+-[a-z0-9]+$' of pods"},
		{Word: byInstance, Rule: true, Doc: "the instance of the service, such as a host, pod or process; the service where spans name none; or instance=REGEX"},
	}
}

// Format describes a format of spans. All of them read several files as one run, since a trace may be spread over the
// files of its services. Detect reports whether a file that begins with head is of the format; parse hands over its spans.
func Format(name, doc, remarks string, endings []string, detect func(head []byte) bool, parse Parse) schema.Format {
	return schema.Format{
		Name: name, Doc: doc, Remarks: remarks, Components: components(), Endings: endings,
		IsFile: detect, FindIn: FilesOf(detect), Several: true, AllTraced: true,
		NewReader: func(r *schema.Reading) schema.Reader { return NewReader(r, parse) },
	}
}

// Parse hands the spans of one file to the collector. The name of the file is for errors.
type Parse func(c *Collector, r io.Reader, file string) error

// NewReader returns the reader of a format of spans.
func NewReader(reading *schema.Reading, parse Parse) schema.Reader {
	return &reader{reading: reading, parse: parse, out: newWriter()}
}

// reader reads in three steps: spans of all files, sorted by trace; rows of one trace after the other, sorted by time; blocks
// of rows. Both sorters and the trace in hand share the memory of the reading.
type reader struct {
	reading *schema.Reading
	parse   Parse
	out     *writer
	tags    *tags.Table         // of all spans; nil where no attributes are asked for
	bounds  []schema.ClockBound // see Clocks
	said    []string            // likewise
	byTrace bool                // every trace becomes a run, named by its id
}

// Keys implements schema.Reader.
func (r *reader) Keys() schema.KeyList { return schema.EventKeys(r.out.keys) }

// Marks implements schema.Reader.
func (r *reader) Marks() []schema.MessageMark { return marks }

// Clocks implements schema.ClockReader.
func (r *reader) Clocks() (bounds []schema.ClockBound, said []string) { return r.bounds, r.said }

// Attributed implements schema.AttributeReader.
func (r *reader) Attributed() *schema.Attributed { return r.tags.Attributed() }

// Read implements schema.Reader.
// (1) All files go through the format's parser into the sorter of spans, (2) traces leave it one by one and become
// rows in the sorter of rows, (3) rows leave that in the order of time as blocks.
func (r *reader) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	return r.gather(func(c *Collector, rows *extsort.Sorter[row]) error {
		if err := eachTrace(c, rows); err != nil {
			return err
		}
		// Clocks that are apart are known once all traces were seen, and tell which calls lie in which: all is done again.
		if c.solve() {
			rows.Clear()
			c.losses = new(schema.Ledger)
			if err := eachTrace(c, rows); err != nil {
				return err
			}
		}
		r.reading.Ledger.MergeLosses(c.losses.Losses(""))
		c.tags.Tell(r.reading.Ledger)
		r.tags = c.tags
		if err := r.out.write(c, rows, emit); err != nil {
			return err
		}
		r.sum(c, r.out.failed)
		return nil
	})
}

// gather reads the spans of all files, and calls make with them and with a sorter for their rows.
func (r *reader) gather(make func(c *Collector, rows *extsort.Sorter[row]) error) (err error) {
	share := r.reading.Memory / 3 // spans, events, and the trace in hand
	c := newCollector(r.reading, share)
	if r.byTrace {
		c.keepTraceIDs()
	}
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
	return make(c, rows)
}

// sum keeps what is said of the trace as a whole.
func (r *reader) sum(c *Collector, failed int64) {
	r.bounds, r.said = c.clocks.result(c.names)
	r.said = append(c.said, r.said...)
	if failed > 0 {
		r.said = append(r.said, fmt.Sprintf("%s with an error; the view failures has them", plural(failed)))
	}
}

// plural counts spans that ended.
func plural(n int64) string {
	if n == 1 {
		return "1 span ended"
	}
	return fmt.Sprintf("%d spans ended", n)
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
	t, of := &trace{collector: c, rows: rows}, TraceID{}
	t.numbers = make([]int64, 1)
	if s := c.slicing; s != nil {
		s.met, t.numbers = 0, make([]int64, len(s.all)+1)
	}
	err := c.sorter.Visit(func(s *Span) error {
		if of != s.Trace && of != (TraceID{}) {
			if err := t.finish(); err != nil {
				return err
			}
		}
		if of = s.Trace; s.isTie() {
			t.takeTie(s)
			return nil
		}
		t.arrived = append(t.arrived, *s)
		if s := &t.arrived[len(t.arrived)-1]; c.clocks.solution != nil {
			s.move(func(ns int64) int64 { return c.clocks.solution.Correct(s.Clock, ns) })
		}
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
