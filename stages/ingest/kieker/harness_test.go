package kieker

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/ulikunitz/xz"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// decompress undoes gzip and xz, as the pipeline does.
func decompress(in io.Reader) (io.Reader, error) {
	b := bufio.NewReader(in)
	head, err := b.Peek(6)
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return gzip.NewReader(b)
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		return xz.NewReader(b)
	case err == nil || err == io.EOF:
		_, err = in.(io.Seeker).Seek(0, io.SeekStart)
		return in, err
	}
	return b, err
}

// row is an event with all that belongs to it.
type row struct {
	ns   int64
	key  schema.EventKey
	mark schema.MessageMark
	id   int64
}

// result is all that reading a log gives.
type result struct {
	rows   []row
	notes  []string
	ledger *schema.Ledger
	blocks []int // events of each
	err    error
}

func reading(fsys fs.FS, dir, component string) *schema.Reading {
	return &schema.Reading{
		Traces:  []schema.Trace{{FS: fsys, Path: dir, Decompress: decompress}},
		Options: schema.ReadingOptions{Component: component},
		Memory:  64 << 20, Ledger: new(schema.Ledger),
		Scratch: func() (schema.Scratch, error) { return new(readertest.Memory), nil },
	}
}

// read reads a log.
func read(r *schema.Reading) result { return readBy(Format().NewReader(r), r) }

func readBy(reader schema.Reader, r *schema.Reading) result {
	out := result{ledger: r.Ledger}
	var block schema.Block
	out.err = reader.Read(func(full *schema.Block) (*schema.Block, error) {
		if full != nil {
			out.blocks = append(out.blocks, len(full.TimeNs))
			out.take(reader, full)
		}
		block.Reset()
		return &block, nil
	})
	return out
}

func (out *result) take(r schema.Reader, b *schema.Block) {
	for _, n := range b.Notes {
		at := -1
		if n.Row != schema.NoRow {
			at = len(out.rows) + int(n.Row)
		}
		out.notes = append(out.notes, fmt.Sprintf("%d %s %s=%s", at, n.About, n.Name, n.Value))
	}
	for i, ns := range b.TimeNs {
		out.rows = append(out.rows, row{ns, r.Keys().At(b.Key[i]), r.Marks()[b.Mark[i]], b.MessageID[i]})
	}
}

// String is a result as text.
func (out result) String() string {
	var s strings.Builder
	for _, r := range out.rows {
		fmt.Fprintf(&s, "%d %s %s %c %s", r.ns, r.key.Lifeline, r.key.Component, "><-"[r.key.Kind], r.key.Function)
		if r.mark.Direction != schema.NoMessage {
			fmt.Fprintf(&s, " %c%s%d %s", " !?"[r.mark.Direction], r.mark.Series, r.id, r.mark.Label)
		}
		s.WriteByte('\n')
	}
	for _, n := range out.notes {
		fmt.Fprintf(&s, "note %s\n", n)
	}
	for _, l := range out.ledger.Losses("") {
		fmt.Fprintf(&s, "%s %d, first at %s\n", l.Reason, l.Count, l.FirstPosition)
	}
	if out.err != nil {
		fmt.Fprintf(&s, "error %v\n", out.err)
	}
	return s.String()
}

// count is how many events are of a kind.
func (out result) count(k schema.Kind) (n int) {
	for _, r := range out.rows {
		if r.key.Kind == k {
			n++
		}
	}
	return n
}
