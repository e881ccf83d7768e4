package rawlog

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
	"github.com/tracelake/tracelake/stages/ingest/callkeys"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// reader implements schema.Reader.
type reader struct {
	reading *schema.Reading             // what it was given
	threads map[uint32]*thread          // by number of the operating system
	last    *thread                     // of the record before
	modules []module                    // the first is the program
	calls   []call                      // what there is a key for; that of the enter is twice its position
	sorter  *extsort.Sorter[blocks.Due] // of all events, by their turn
	callkeys.Table
}

// call is a function on a thread.
type call struct {
	address uint64  // of the function, in the process
	thread  *thread // that calls it
}

// Marks implements schema.Reader.
func (r *reader) Marks() []schema.MessageMark { return make([]schema.MessageMark, 1) }

// bufferBytes is the number of bytes that are read at once.
const bufferBytes = 1 << 17

// Read implements schema.Reader. The records are sorted first; names are given when all modules are known.
func (r *reader) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	if len(r.reading.Traces) != 1 {
		return fmt.Errorf("rawlog reads one file, not %d", len(r.reading.Traces))
	}
	trace := r.reading.Traces[0]
	file, err := trace.FS.Open(trace.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	r.sorter = blocks.NewSorter(r.reading)
	defer r.sorter.Close()
	in := bufio.NewReaderSize(file, schema.ReadAhead(file, bufferBytes))
	// A short file is whole in the head: io.EOF is no fault here.
	head, err := in.Peek(sniffed)
	if err != nil && err != io.EOF {
		return err
	}
	if bytes.IndexByte(head, 0) >= 0 { // which no text has, and every binary record
		err = r.readBinary(in)
	} else {
		err = r.readText(in)
	}
	if err != nil {
		return err
	}
	r.nameCalls()
	return new(blocks.Calls).WriteSorted(r.sorter, emit)
}
