package chrome

import (
	"errors"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
)

// reader takes what matters of each event into records, sorts them and plays them on the stacks of their threads.
type reader struct {
	reading *schema.Reading
	out     *output

	*eventReader
	sites  *sites
	names  *names
	sorter *extsort.Sorter[record]

	found      bool // a list of events
	counted    func() string
	onEvent    func() error // made once
	onSkipped  func() error
	inDocument func([]byte) error
}

// Keys implements the interface schema.Reader.
func (r *reader) Keys() []schema.EventKey { return r.out.keys }

// Marks implements the interface schema.Reader.
func (r *reader) Marks() []schema.MessageMark { return r.out.marks }

// Read implements the interface schema.Reader. Its errors are those of the file, of what is no JSON, of a file without
// events and of an unknown option.
func (r *reader) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	trace := r.reading.Traces[0]
	f, err := trace.FS.Open(trace.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	text := jsontext.New(f, trace.Path)
	text.Lenient = true
	r.eventReader, r.sites, r.names = newEventReader(text), newSites(), newNames()
	r.sorter = extsort.NewSorter(byTime, r.reading.Memory, r.reading.Scratch)
	defer r.sorter.Close()
	r.onEvent, r.onSkipped, r.inDocument, r.counted = r.takeEvent, r.skipSample, r.takeDocument, r.position
	if err := r.document(); err != nil {
		return err
	}
	return r.play(emit)
}

// document reads the whole text into the sorter.
func (r *reader) document() error {
	var err error
	switch k := r.Kind(); k {
	case jsontext.Object:
		err = r.Object(r.inDocument)
	case jsontext.Array:
		r.found = true
		err = r.Array(r.onEvent)
	default:
		err = r.At(errors.New("expected an object with traceEvents, or an array of events"))
	}
	torn, broken := errors.Is(err, io.ErrUnexpectedEOF), r.Err()
	switch {
	case !r.found && err == nil:
		return r.At(errors.New("expected traceEvents in the object"))
	case err == nil && r.Kind() != jsontext.End:
		return r.reading.Bad(schema.BadRecord, r.At(errors.New("expected the end of the file behind the trace")))
	case r.found && broken != nil && torn:
		return r.reading.Bad(schema.TornRecord, r.At(broken))
	}
	return err
}

// takeDocument reads a member of the object that holds the trace.
func (r *reader) takeDocument(name []byte) error {
	switch string(name) {
	case "traceEvents":
		r.found = true
		return r.Array(r.onEvent)
	case "samples":
		if r.Kind() == jsontext.Array {
			return r.Array(r.onSkipped)
		}
	}
	return nil
}

func (r *reader) skipSample() error {
	r.event.phase = 0
	r.reading.Ledger.Add(schema.SkippedRecord, r.counted)
	return nil
}

// position is where the reader stands, as the ledger shows it.
func (r *reader) position() string {
	if r.event.phase == 0 {
		return r.At(errors.New("a sample")).Error()
	}
	return r.At(fmt.Errorf("an event of phase %q", r.event.phase)).Error()
}
