package kieker

import (
	"bufio"
	"cmp"
	"io/fs"
	"path"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
	"github.com/tracelake/tracelake/stages/ingest/tags"
)

// mapNames are the names of the file that says which classes and strings the numbers in records stand for.
var mapNames = []string{"kieker.map", "tpmon.map"}

// DetectFolder returns dir where it holds a log.
// It looks for the map alone: no other tracer writes files of these names, and records need the map in any case.
func DetectFolder(fsys fs.FS, dir string) (traces []string) {
	for _, name := range mapNames {
		if info, err := fs.Stat(fsys, path.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			return []string{dir}
		}
	}
	return nil
}

// readTrace reads the records of a trace.
func (r *reader) readTrace(t schema.Trace) error {
	if !r.sent {
		return r.readFolder(t)
	}
	file, err := t.FS.Open(t.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	return newFolder(r, t).readBinary(t.Path, bufio.NewReaderSize(file, schema.ReadAhead(file, bufferBytes)))
}

// reader reads in three steps: records out of files, into the order of their traces; events out of traces, into
// the order of time; blocks out of events.
// Each sorter gets half of the memory of the reading; both are full at once while traces are played.
type reader struct {
	reading   *schema.Reading
	sent      bool // the trace is a file of what a TCP writer sent, no folder
	names     *names
	records   *extsort.Sorter[record]
	keep      func(record) error // takes a record: into the sorter, or to whoever watches
	unordered int32              // counts executions without order down from 0
	log       log
	writer    *writer
	tags      *tags.Table // attributes of calls; nil where none are asked for
}

// log is what records say of the log as a whole. It is complete only when all files are read, which is before any event is made.
type log struct {
	host       uint32 // number of the host of the metadata record, or of the first record with a host
	nsPerUnit  int64  // of all times
	unitKnown  bool   // there is a metadata record with a unit
	operations bool   // it has events of operations
	components bool   // it has events of components
}

func newReader(r *schema.Reading) *reader {
	return &reader{reading: r, names: newNames(), log: log{nsPerUnit: 1}, writer: newWriter(r.Ledger), tags: tags.New(r.Options.Attributes)}
}

// Attributed implements schema.AttributeReader.
func (r *reader) Attributed() *schema.Attributed { return r.tags.Attributed() }

// Keys implements schema.Reader.
func (r *reader) Keys() schema.KeyList { return schema.EventKeys(r.writer.keys) }

// Marks implements schema.Reader.
func (r *reader) Marks() []schema.MessageMark { return r.writer.marks.List }

// Read implements schema.Reader.
// Numbers of lifelines follow from which traces run side by side, hence the two sorts: by trace for the stacks, then
// by time for the lifelines.
func (r *reader) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	calls := &calls{names: r.names, by: cmp.Or(r.reading.Options.Component, byClass)}
	r.records = extsort.NewSorter(compareRecords, r.reading.Memory/2, r.reading.Scratch)
	r.keep = r.records.Add
	defer r.records.Close()
	if err := r.readTrace(r.reading.Traces[0]); err != nil {
		return err
	}
	events := extsort.NewSorter(compareEvents, r.reading.Memory/2, r.reading.Scratch)
	defer events.Close()
	t := newTracer(r, calls, events)
	if err := r.records.Each(t.add); err != nil {
		return err
	}
	if err := t.finish(); err != nil {
		return err
	}
	if err := r.records.Close(); err != nil {
		return err
	}
	r.tags.Tell(r.reading.Ledger)
	if err := r.writer.begin(calls, emit, r.log.unitKnown); err != nil {
		return err
	}
	if err := events.Each(r.writer.add); err != nil {
		return err
	}
	return r.writer.end()
}
