package rawlog

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/blocks"
	"github.com/tracelake/tracelake/stages/ingest/callkeys"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// reader implements schema.Reader.
type reader struct {
	reading *schema.Reading      // what it was given
	threads map[uint32]*thread   // by number of the operating system
	last    *thread              // of the record before
	modules []module             // the first is the program
	calls   []call               // what there is a key for; that of the enter is twice its position
	sorter  *extsort.Sorter[due] // of all events, by their turn
	callkeys.Table
}

// call is a function on a thread.
type call struct {
	address uint64  // of the function, in the process
	thread  *thread // that calls it
}

// due is an event and when its turn is: at its time, but not before records of its thread that stand before it.
type due struct {
	turn, time int64  // ns
	key        uint32 // of an enter or exit, see reader.calls
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
	r.sorter = extsort.NewSorter(func(a, b *due) int { return cmp.Compare(a.turn, b.turn) }, r.reading.Memory, r.reading.Scratch)
	defer r.sorter.Close()
	in := bufio.NewReaderSize(file, bufferBytes)
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
	return r.emitSorted(emit)
}

// emitSorted passes the sorted events on.
func (r *reader) emitSorted(emit blocks.Emit) error {
	var out blocks.Calls
	if err := out.Begin(emit); err != nil {
		return err
	}
	if err := r.sorter.Each(func(e *due) error { return out.Put(e.time, e.key) }); err != nil {
		return err
	}
	return out.End()
}
