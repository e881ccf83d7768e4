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
	data    []byte
	skip    bool  // the middle or end of a line that is too long: no line of its own
	tooLong bool  // the beginning of such a line
	torn    bool  // the last line of the file, without a line end
	header  int64 // lines that were taken off before it
	whole   bool  // a whole file, however long

	block  schema.Block
	spare  schema.Block // memory for the block as it is adapted
	keys   []schema.EventKey
	marks  []schema.MessageMark
	parser int
	parsed chan struct{}
}

var errTooLong = fmt.Errorf("a line longer than %d bytes", pieceBytes)

// newPieces returns a free list for as many pieces as are under way at a time.
func newPieces(jobs int) *freeList[*piece] {
	return newFreeList(2*jobs+4, func() *piece { return &piece{data: make([]byte, 0, pieceBytes)} })
}

// newBlocks returns a free list for pieces that hold no text but blocks of a Reader.
func newBlocks() *freeList[*piece] { return newFreeList(8, func() *piece { return new(piece) }) }

// eventBytes is about what an event takes in a trace of lines.
const eventBytes = 40

// weight is how many bytes of a trace a piece stands for.
func (p *piece) weight() int { return max(len(p.data), len(p.block.Key)*eventBytes) }

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
func cut(ctx context.Context, s *source, pieces *freeList[*piece], begin func(*piece) (whole bool, err error), emit func(*piece) error) error {
	next := freshPiece(pieces, s.name)
	inLong := false
	for first := true; ; first = false {
		if err := ctx.Err(); err != nil {
			return err
		}
		last, err := next.fill(s, pieceBytes)
		if err != nil {
			return err
		}
		if first {
			switch whole, err := begin(next); {
			case err != nil:
				return err
			case whole:
				return next.complete(ctx, s, last, emit)
			}
		}
		end := bytes.LastIndexByte(next.data, '\n') + 1
		if last {
			end = len(next.data)
		}
		this := next
		next = freshPiece(pieces, s.name)
		switch {
		case end > 0:
			next.data = append(next.data, this.data[end:]...)
			this.data = this.data[:end]
			if inLong {
				inLong = this.dropFirstLine()
			}
			this.torn = last && end > 0 && !bytes.HasSuffix(this.data, []byte{'\n'})
		case !last:
			this.skip, this.tooLong, inLong = true, !inLong, true
		}
		if err := emit(this); err != nil || last {
			return err
		}
	}
}

// fill reads until the piece has so many bytes or the trace ends. A compressed file that was cut short is an
// error and no end.
func (p *piece) fill(s *source, size int) (end bool, err error) {
	for len(p.data) < size {
		n, err := s.Read(p.data[len(p.data):size])
		p.data = p.data[:len(p.data)+n]
		switch {
		case err == io.EOF:
			return true, nil
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
func (p *piece) parse(parser schema.Parser, number int) {
	p.parser = number
	switch {
	case p.tooLong:
		p.block.Lines = 1
		p.block.Bad.Add(0, pieceBytes+1, errTooLong)
	case !p.skip:
		parser.Parse(p.data, &p.block)
	}
	p.keys, p.marks = parser.Keys(), parser.Marks()
	close(p.parsed)
}

// wholeBytes is how long a file may be that is parsed in one piece. Parsing takes some twenty times as much memory.
const wholeBytes = 64 << 20

// complete reads the rest of a source into its first piece and passes it on.
func (p *piece) complete(ctx context.Context, s *source, last bool, emit func(*piece) error) (err error) {
	for size := 2 * pieceBytes; !last; size *= 2 {
		if err := ctx.Err(); err != nil {
			return err
		}
		size = min(size, wholeBytes+1)
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
