package ingest

import (
	"bytes"
	"context"
	"fmt"

	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// read cuts all files into pieces and hands each to a worker and, in order, to the builder.
// A piece goes to both channels: to a worker, which parses it, and to the builder, which waits for it in its turn.
// The worker comes first, or the builder could wait for a piece that no worker will ever get.
func (in *intake) read(ctx context.Context, toParse, inOrder chan<- *piece) error {
	for i, path := range in.Paths {
		s, err := openSource(path, in.Stdin, in.hash)
		if err != nil {
			return err
		}
		in.Progress.Expect(s.size)
		done := int64(0)
		begin := func(p *piece) (whole bool, err error) { return in.recognise(i, p) }
		err = cut(ctx, s, in.pieces, begin, func(p *piece) error {
			in.Progress.Advance(s.raw.n - done) // compressed bytes, as the files have on disk
			done = s.raw.n
			for _, to := range []chan<- *piece{toParse, inOrder} {
				select {
				case to <- p:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
		s.close()
		if err != nil {
			return err
		}
	}
	return nil
}

// recognise finds the format by a file's first piece and takes the header off it. It says whether the file is
// to be parsed in one piece.
// The parts of a run must agree in format and header: a header names the columns by which all parsers read.
func (in *intake) recognise(file int, p *piece) (whole bool, err error) {
	format, err := in.Detect(p.file, p.data[:min(len(p.data), headBytes)])
	if err != nil {
		return false, err
	}
	// The first file decides. Every worker gets a parser of its own.
	if file == 0 {
		in.format = format
		for range in.Jobs {
			in.parsers = append(in.parsers, format.NewParser())
			in.sources = append(in.sources, wellformed.Source{})
		}
		in.header = string(p.data[:format.Header])
	} else if format.Name != in.format.Name {
		return false, fmt.Errorf("%s is a %s trace and %s a %s trace: ingest them as two runs", in.Paths[0], in.format.Name, p.file, format.Name)
	} else if string(p.data[:format.Header]) != in.header {
		return false, fmt.Errorf("%s:1:1: the header differs from that of %s: give the parts of one run one header, or ingest them as two runs", p.file, in.Paths[0])
	}
	// The header stays out of the piece, but its lines count in positions.
	p.header = int64(bytes.Count(p.data[:format.Header], []byte{'\n'}))
	p.data = append(p.data[:0], p.data[format.Header:]...)
	return format.Whole, nil
}
