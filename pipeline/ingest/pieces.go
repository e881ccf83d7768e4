package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// pieceBytes is the size of the pieces in which a trace is parsed. A longer line is a bad line.
const pieceBytes = 1 << 20

// piece is some whole lines of a trace file and what a parser made of them.
type piece struct {
	file    string
	data    []byte // whole lines, at most pieceBytes unless whole; reused
	skip    bool   // the middle or end of a line that is too long: no line of its own
	tooLong bool   // the beginning of such a line
	torn    bool   // the last line of the file, without a line end
	header  int64  // lines that were taken off before it
	whole   bool   // a whole file, however long

	block  schema.Block         // what the parser made of the lines
	keys   schema.KeyList       // of the parser, as many as it knew when it had parsed this piece
	marks  []schema.MessageMark // likewise
	parser int                  // number of the parser, and so of the source
	parsed chan struct{}        // closed when block, keys and marks are complete
}

var errTooLong = fmt.Errorf("a line longer than %d bytes", pieceBytes)

// newPieces returns a free list for as many pieces as are under way at a time.
func newPieces(jobs int) *freeList[*piece] {
	return newFreeList(2*jobs+4, func() *piece { return &piece{data: make([]byte, 0, pieceBytes)} })
}

// newBlocks returns a free list for pieces that hold no text but blocks of a Reader.
// A block is as large as its Reader makes it, so only about as many are kept as are under way.
func newBlocks() *freeList[*piece] { return newFreeList(12, func() *piece { return new(piece) }) }

// eventBytes is about what an event takes in a trace of lines.
const eventBytes = 40

// weight is how many bytes of a trace a piece stands for.
func (p *piece) weight() int { return max(len(p.data), len(p.block.Key)*eventBytes) }

// forgetNames lets go of the tables of the parser as they were with this piece. Tables that have grown since lie elsewhere, and
// pieces that wait for their next use would keep old ones in memory: half a gigabyte where a trace has a million functions.
func (p *piece) forgetNames() { p.keys, p.marks = nil, nil }

// freshPiece takes an empty piece of a file from a free list.
func freshPiece(from *freeList[*piece], file string) *piece {
	p := from.take()
	p.file, p.header, p.parsed = file, 0, make(chan struct{})
	p.skip, p.tooLong, p.torn, p.whole = false, false, false, false
	p.data = p.data[:0]
	p.block.Reset()
	return p
}

// cut reads a source and passes it on in pieces that end at line ends. The first piece is shown to begin, which
// says whether the source is to be one piece instead.
// Pieces do not depend on how the bytes arrive: a piece is full or the last one, whatever single reads return.
func cut(ctx context.Context, s *source, pieces *freeList[*piece], begin func(*piece) (whole bool, err error), emit func(*piece) error) error {
	next := freshPiece(pieces, s.name)
	inLong := false
	for first := true; ; first = false {
		if err := ctx.Err(); err != nil {
			return err
		}
		// next holds the beginning of a line that the piece before did not finish, and is filled up behind it.
		last, err := next.fill(s, pieceBytes)
		if err != nil {
			return err
		}
		if first {
			// The first piece shows the format. It also loses its header here, so it may be shorter than the
			// others.
			switch whole, err := begin(next); {
			case err != nil:
				return err
			case whole:
				return next.complete(ctx, s, last, emit)
			case !last:
				if last, err = next.fill(s, pieceBytes); err != nil { // a header was taken off
					return err
				}
			}
		}
		// Everything up to the last line end is this piece; the rest begins the next one.
		// A last line without an end is a piece of its own, so that nothing but it can be torn.
		end := bytes.LastIndexByte(next.data, '\n') + 1
		if last && end == 0 {
			end = len(next.data)
		}
		this := next
		next = freshPiece(pieces, s.name)
		switch {
		// The usual case. After a long line the first line end only finishes that line, which is a bad line
		// already.
		case end > 0:
			next.data = append(next.data, this.data[end:]...)
			this.data = this.data[:end]
			if inLong {
				inLong = this.dropFirstLine()
			}
			this.torn = last && end > 0 && !bytes.HasSuffix(this.data, []byte{'\n'})
		// No line end in a full piece: a line is longer than a piece. Its first piece counts as the bad line,
		// those that follow as none.
		case !last:
			this.skip, this.tooLong, inLong = true, !inLong, true
		}
		if err := emit(this); err != nil || last && len(next.data) == 0 {
			return err
		}
	}
}

// fill reads until the piece has so many bytes or the trace ends. A compressed file that was cut short is an
// error and no end.
// Less than size bytes are in the piece only at the end of the source.
func (p *piece) fill(s *source, size int) (end bool, err error) {
	for len(p.data) < size {
		n, err := s.Read(p.data[len(p.data):size])
		p.data = p.data[:len(p.data)+n]
		switch {
		case err == io.EOF:
			return true, nil
		// The decompressors report a cut-off file by this error. io.EOF must not hide it: a trace that lacks its
		// end is no trace.
		case errors.Is(err, io.ErrUnexpectedEOF):
			err = errors.New("the compressed file ends in the middle: it was cut short")
			fallthrough
		case err != nil:
			return false, fmt.Errorf("%s: after %d bytes: %w", s.name, s.raw.n, err)
		}
	}
	return false, nil
}

// dropFirstLine removes the rest of a line that began in an earlier piece, and says whether it goes on still.
// The line was counted as bad when it began.
func (p *piece) dropFirstLine() bool {
	end := bytes.IndexByte(p.data, '\n') + 1
	if end == 0 {
		p.skip = true
		return true
	}
	p.data = append(p.data[:0], p.data[end:]...)
	return false
}

// parse fills the block of a piece.
// Several pieces are parsed at a time, each by another parser.
func (p *piece) parse(parser schema.Parser, number int) {
	p.parser = number
	switch {
	// The line is not parsed, but it keeps its number, and the lines after it theirs.
	case p.tooLong:
		p.block.Lines = 1
		p.block.Bad.Add(0, pieceBytes+1, errTooLong)
	case !p.skip:
		parser.Parse(p.data, &p.block)
	}
	p.keys, p.marks = parser.Keys(), parser.Marks()
	close(p.parsed)
}

// pieceDefect is why lines of a piece were left out.
type pieceDefect struct {
	reason schema.Reason
	*schema.Defect
}

// defects are those that the piece has. A bad last line of a file without a line end was cut off by the end of recording: it
// has a name of its own, because nothing is wrong with the tracer.
func (p *piece) defects() (all []pieceDefect) {
	reason := schema.BadLine
	if p.torn && p.block.Bad.Count == 1 && p.block.Bad.First.Line == p.block.Lines-1 {
		reason = schema.TornLine
	}
	for _, d := range []pieceDefect{{reason, &p.block.Bad}, {schema.UnsupportedTime, &p.block.Overflow}} {
		if d.Count > 0 {
			all = append(all, d)
		}
	}
	return all
}

// wholeBytes is how long a file may be that is parsed in one piece. Parsing takes some twenty times as much memory.
// The limit keeps the memory of such a trace below about 1.3 GB.
const wholeBytes = 64 << 20

// complete reads the rest of a source into its first piece and passes it on.
// The size doubles from step to step, so the bytes are copied at most twice on average.
func (p *piece) complete(ctx context.Context, s *source, last bool, emit func(*piece) error) (err error) {
	for size := 2 * pieceBytes; !last; size *= 2 {
		if err := ctx.Err(); err != nil {
			return err
		}
		size = min(size, wholeBytes+1) // one more than allowed, to notice a longer file
		p.data = slices.Grow(p.data, size-len(p.data))
		if last, err = p.fill(s, size); err != nil {
			return err
		}
		if len(p.data) > wholeBytes {
			return fmt.Errorf("%s has more than %d MiB, and a trace of its format is read in one piece: cut it into files that are runs of their own",
				s.name, wholeBytes>>20)
		}
	}
	p.whole, p.torn = true, len(p.data) > 0 && !bytes.HasSuffix(p.data, []byte{'\n'})
	return emit(p)
}
