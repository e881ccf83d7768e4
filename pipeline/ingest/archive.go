package ingest

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// archive is a trace that a Reader reads.
type archive struct {
	places []located
	reader schema.Reader
	ledger *schema.Ledger // of the reader, which works beside the builder
	sum    string         // SHA-256 of the files; "" of the standard input, which is hashed as it is read
}

// openArchive prepares to read a trace whose format has a Reader.
func (in *intake) openArchive(places []located) {
	in.format = places[0].format
	in.archive = &archive{places: places, ledger: new(schema.Ledger)}
	in.sources = []wellformed.Source{{}}
	reading := &schema.Reading{
		Options: in.Options, Memory: in.Memory / 2, Scratch: in.staging.Scratch, Strict: in.Strict, Ledger: in.archive.ledger,
	}
	for _, p := range places {
		reading.Traces = append(reading.Traces, p.trace)
		for _, file := range p.files {
			if info, err := os.Stat(file); err == nil {
				in.Progress.Expect(info.Size())
			}
		}
	}
	in.archive.reader = in.format.NewReader(reading)
}

// openDerived prepares to read what a Reader makes of other runs.
func (in *intake) openDerived() {
	in.format = schema.Format{Name: in.Derived.Format}
	in.sources = []wellformed.Source{{}}
	in.archive = &archive{reader: in.Derived.Reader, ledger: in.Derived.Ledger}
}

// readArchive passes the blocks of a Reader on in order.
func (in *intake) readArchive(ctx context.Context, inOrder chan<- *piece) error {
	reader := in.archive.reader
	var current *piece
	err := reader.Read(func(full *schema.Block) (*schema.Block, error) {
		if full != nil && len(full.Key) > 0 {
			current.keys, current.marks = reader.Keys(), reader.Marks()
			close(current.parsed)
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
		current.block.Reset()
		return &current.block, ctx.Err()
	})
	if err != nil {
		return in.withFault(err)
	}
	return in.hashRest()
}

// withFault adds the first bad record, if there was one, to the reason why nothing came of a trace.
func (in *intake) withFault(err error) error {
	for _, loss := range in.archive.ledger.Losses("") {
		if loss.Reason == schema.BadRecord.Name || loss.Reason == schema.TornRecord.Name {
			return fmt.Errorf("%w; the first fault is %s", err, loss.FirstPosition)
		}
	}
	return err
}

// hashRest finishes the hash of the standard input, of which a Reader may have left the end.
func (in *intake) hashRest() error {
	if in.Derived != nil || len(in.archive.places[0].files) > 0 {
		return nil
	}
	_, err := io.Copy(io.Discard, in.Stdin)
	return err
}

// hashArchive hashes the files of a trace, beside its reading.
func (in *intake) hashArchive() error {
	var files []string
	for _, p := range in.archive.places {
		files = append(files, p.files...)
	}
	if len(files) == 0 {
		return nil
	}
	sum, err := HashFiles(files)
	in.archive.sum = sum
	return err
}

// hashed is the SHA-256 of the bytes of the trace, once it is read; of a run made from others that of their
// fingerprints.
func (in *intake) hashed() string {
	if in.Derived != nil {
		return lake.Fingerprint(in.Derived.Format, StageVersion, in.Derived.Options, in.Derived.Inputs)
	}
	if in.archive != nil && in.archive.sum != "" {
		return in.archive.sum
	}
	return hex.EncodeToString(in.hash.Sum(nil))
}
