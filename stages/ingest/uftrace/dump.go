package uftrace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

// Detect reports whether a file is output of the command dump, by its first bytes.
func Detect(head []byte) bool {
	lines := bytes.Split(head, []byte("\n"))
	// The last line may be cut.
	for _, line := range lines[:len(lines)-1] {
		if bytes.HasPrefix(line, []byte("uftrace file header: ")) {
			return true
		}
		if _, ok := dumpLine(line); ok {
			return true
		}
	}
	return false
}

// dump implements schema.Reader for what dump prints.
// Its events are sorted, so its memory does not follow the length of the text.
type dump struct {
	reading *schema.Reading             // what it was given
	names   *names                      // of components and functions
	threads map[int64]*dumped           // by number of the operating system
	sorter  *extsort.Sorter[blocks.Due] // of all events: dump prints one thread after the other
	line    int64                       // number of the line in hand, from 1
}

// dumped is a thread of a dump.
type dumped struct {
	calls
	time     int64             // the latest so far
	lifeline string            // program/1, program/2, in the order of the text
	keys     map[string]uint32 // of enters, by "name(address)"
}

// Keys implements schema.Reader.
func (d *dump) Keys() schema.KeyList { return d.names.keysOrNone() }

// Marks implements schema.Reader.
func (d *dump) Marks() []schema.MessageMark { return make([]schema.MessageMark, 1) }

// dumpBuffer is the number of bytes that are read at once. A longer line is no record.
const dumpBuffer = 1 << 16

// errRecord is what is wrong with a line that looks like a record; where in it is not told.
var errRecord = errors.New("a record of dump is not of the format")

// Read implements schema.Reader.
func (d *dump) Read(emit func(*schema.Block) (*schema.Block, error)) (err error) {
	if len(d.reading.Traces) != 1 {
		return fmt.Errorf("uftrace-dump reads one file, not %d", len(d.reading.Traces))
	}
	d.names = newNames(d.reading.Options)
	trace := d.reading.Traces[0]
	file, err := trace.FS.Open(trace.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	d.sorter = blocks.NewSorter(d.reading)
	defer d.sorter.Close()
	if err := d.readLines(bufio.NewReaderSize(file, schema.ReadAhead(file, dumpBuffer))); err != nil {
		return err
	}
	return new(blocks.Calls).WriteSorted(d.sorter, emit)
}

// readLines takes all lines.
func (d *dump) readLines(in *bufio.Reader) error {
	for d.line = 1; ; d.line++ {
		line, err := in.ReadSlice('\n')
		// A line that fills the buffer is an argument's text: it is passed over piece by piece.
		for long := err; long == bufio.ErrBufferFull; {
			line = nil // text of an argument
			_, long = in.ReadSlice('\n')
			err = long
		}
		if err != nil && err != io.EOF {
			return err
		}
		torn := err == io.EOF
		if err := d.takeLine(bytes.TrimRight(line, "\r\n"), torn); err != nil || torn {
			return err
		}
	}
}

// takeLine takes a line. Only lines that look like records must be good.
func (d *dump) takeLine(line []byte, torn bool) error {
	r, ok := dumpLine(line)
	switch {
	case ok && r.overflow:
		d.reading.Ledger.Add(schema.UnsupportedTime, d.at(errTime).Error)
	case ok:
		return d.takeRecord(&r)
	// A torn line is counted only where it began as a record; the end of other text is no loss.
	case len(line) > 0 && torn && startsRecord(line):
		return d.reading.Bad(schema.TornLine, d.at(errRecord))
	case isRecordLike(line):
		return d.reading.Bad(schema.BadLine, d.at(errRecord))
	}
	return nil
}

// at returns the place of the line in hand.
func (d *dump) at(err error) *schema.SyntaxError {
	return &schema.SyntaxError{File: d.reading.Traces[0].Path, Line: d.line, Col: 1, Err: err}
}

// takeRecord takes a record.
func (d *dump) takeRecord(r *dumpRecord) error {
	t := d.threads[r.tid]
	if t == nil {
		t = &dumped{lifeline: fmt.Sprintf("program/%d", len(d.threads)+1), keys: make(map[string]uint32)}
		t.trust = true
		d.threads[r.tid] = t
	}
	// Sorting by the latest time so far keeps the order of a thread even where its clock steps back.
	t.time = max(t.time, r.time)
	switch r.kind {
	case kindEvent:
		d.reading.Ledger.Add(schema.SkippedRecord, d.at(errEvents).Error)
		return nil
	case kindLost:
		// The number stands in the place of the address; a damaged one is bounded, so that losses do not overflow.
		d.reading.Ledger.AddMany(schema.LostByTracer, int64(max(1, min(r.address, mostLost))), d.at(errLost).Error)
		t.trust = true
		return nil
	}
	pass := func(key uint32) error { return d.sorter.Add(blocks.Due{TurnNs: t.time, TimeNs: r.time, Key: key}) }
	// A process that executes another program begins again.
	if t.trust || r.kind == kindEntry && r.depth == 0 && len(t.open) > 0 {
		if err := t.level(r.depth%depths, r.kind, func(key uint32) error { return pass(key + 1) }); err != nil {
			return err
		}
	}
	key := d.enterKey(t, r)
	if r.kind == kindEntry {
		t.open = append(t.open, openCall{r.address, key})
		return pass(key)
	}
	// leave says that the call was entered in a gap, so its exit has no enter to pair with.
	if t.leave(r.address) {
		d.reading.Ledger.Add(schema.UnmatchedExit, d.at(errLost).Error)
		return nil
	}
	return pass(key + 1)
}

// enterKey returns the key of the enter of a record's function.
func (d *dump) enterKey(t *dumped, r *dumpRecord) uint32 {
	// By the text of the line: an address alone may be of two programs.
	if key, known := t.keys[string(r.where)]; known {
		return key
	}
	component, function := "program", string(bytes.ToValidUTF8(r.name, []byte("?")))
	if d.names.symbols != nil {
		// Symbols of the user give what the text lacks: a name where it has only an address, and the unit.
		name, unit, found := d.names.symbols.Lookup(r.address)
		if found && function[0] == '<' {
			function = name
		}
		if found && unit != "" && d.names.unit {
			component = symbols.Component(unit)
		}
	}
	if function[0] == '<' { // dump writes <address> for what has no symbol
		d.reading.Ledger.Add(schema.UndefinedToken, d.at(errRecord).Error)
		function = fmt.Sprintf("%#x", r.address)
	}
	key := d.names.key(component, t.lifeline, function)
	t.keys[string(r.where)] = key
	return key
}
