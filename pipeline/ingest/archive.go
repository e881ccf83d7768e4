package ingest

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// archive is a trace that a Reader reads.
type archive struct {
	places []located
	reader schema.Reader
	ledger *schema.Ledger // of the reader, which works beside the builder
	sum    string         // hash of the files; "" of the standard input, which is hashed as it is read
}

// openArchive prepares to read a trace whose format has a Reader.
// The Reader gets half of the memory, and leaves the rest to the chart that is built beside it.
func (in *intake) openArchive(places []located) {
	in.format = places[0].format
	in.archive = &archive{places: places, ledger: new(schema.Ledger)}
	// One Reader numbers all keys, so there is one source. A trace of lines has one for each parser.
	in.sources = []wellformed.Source{{}}
	reading := &schema.Reading{
		Options: in.Options, Memory: in.Memory / 2, Scratch: in.staging.Scratch, Strict: in.Strict, Ledger: in.archive.ledger,
	}
	for _, p := range places {
		reading.Traces = append(reading.Traces, p.trace)
		for _, file := range p.files {
			// The progress expects the bytes of all files, compressed as they are on disk. A file that vanished
			// meanwhile is an error of the Reader, not of the progress.
			if info, err := os.Stat(file); err == nil {
				in.Progress.Expect(info.Size())
			}
		}
	}
	if len(places) > 1 && !in.format.Several {
		in.parts = partNames(in.Paths, in.format)
		in.archive.reader = newSeveral(in.ctx, reading, in.format, in.parts)
		if len(reading.Options.Attributes) > 0 {
			in.things = &things{staging: in.staging}
		}
		return
	}
	in.archive.reader = in.format.NewReader(reading)
	if _, knows := in.archive.reader.(schema.AttributeReader); knows {
		in.things = &things{staging: in.staging}
	}
}

// readArchive passes the blocks of a Reader on in order.
// The Reader fills a block of ours and asks for the next one. A block that has events is handed on with the keys
// and marks that the Reader knows by then; they only grow, so earlier blocks stay valid. An empty block is filled
// again, so no memory is lost to a Reader that asks without having read.
func (in *intake) readArchive(ctx context.Context, inOrder chan<- *piece) error {
	reader := in.archive.reader
	var current *piece
	err := reader.Read(func(full *schema.Block) (*schema.Block, error) {
		if full != nil && len(full.Key) > 0 {
			current.keys, current.marks = reader.Keys(), reader.Marks()
			close(current.parsed) // there is nothing to parse: the builder need not wait
			select {
			case inOrder <- current:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			current = nil
		}
		if current == nil {
			current = freshPiece(in.blocks, in.source())
		}
		// The free list may have given a block that was used before.
		current.block.Reset()
		return &current.block, ctx.Err()
	})
	if err != nil {
		return in.withFault(err)
	}
	return in.hashRest()
}

// withFault adds the first bad record, if there was one, to the reason why nothing came of a trace.
// Readers that give up say that nothing could be read; the user needs the place where it began.
func (in *intake) withFault(err error) error {
	for _, loss := range in.archive.ledger.Losses("") {
		if loss.Reason == schema.BadRecord.Name || loss.Reason == schema.TornRecord.Name {
			return fmt.Errorf("%w; the first fault is %s", err, loss.FirstPosition)
		}
	}
	return err
}

// hashRest finishes the hash of the standard input, of which a Reader may have left the end.
// The run's hash must be that of all bytes, or the same trace would look like another one.
func (in *intake) hashRest() error {
	if in.derived != nil || len(in.archive.places[0].files) > 0 {
		return nil
	}
	_, err := io.Copy(io.Discard, in.Stdin)
	return err
}

// hashArchive hashes the files of a trace, beside its reading.
// It runs on a goroutine of its own, so a trace is read twice: the Reader may read its files in any order, or
// leave parts out, and could not hash them in one.
func (in *intake) hashArchive() error {
	var files []string
	for _, p := range in.archive.places {
		files = append(files, p.files...)
	}
	if len(files) == 0 {
		return nil
	}
	sum, err := HashFiles(in.Jobs, files)
	in.archive.sum = sum
	return err
}

// hashed is the hash of the bytes of the trace, once it is read; of a run made from others that of their
// fingerprints.
func (in *intake) hashed() string {
	if in.derived != nil {
		return in.derived.Hash
	}
	if in.sum != "" {
		return in.sum
	}
	if in.archive != nil && in.archive.sum != "" {
		return in.archive.sum
	}
	return in.hash.text()
}
