package ingest

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"hash/crc32"
	"path/filepath"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// sliceEnd stands at the end of a slice's file: what the slice is, and where its segments lie.
type sliceEnd struct {
	Lines    int64
	Leaf     []byte    // SHA-256 of its bytes, if they are a block of the hash of the trace
	Bad      []defects // by reason
	Sliced   *wellformed.Sliced
	Codes    wellformed.Codes
	New      []newcomer  // in the parts behind the placeholders' bucket
	Rows     []segment   // of the parts that have some
	Messages []segment   // likewise
	Arrivals []segment   // likewise
	Late     []latePatch // peers of rows of earlier slices, or known late
}

// defects counts bad lines, with the first of them. Its line counts within the slice, from 1.
type defects struct {
	Reason schema.Reason
	Count  int64
	Line   int64
	Col    int64
	Err    string
}

// latePatch is a wellformed.Patch in names.
type latePatch struct {
	Part       int
	Seq, Known int64
	Peer       string
	None       bool // it takes the peer away
}

// weaver weaves one slice.
type weaver struct {
	*slicing
	of      textRange
	builder *wellformed.Builder
	sink    *segments
	source  wellformed.Source
	parser  schema.Parser
	mapped  keyMapper
	end     sliceEnd
	line    int64 // of the next piece
	hash    *leaf // of the slice; nil where the slices are no blocks of the hash
}

// newWeaver returns a weaver that has seen nothing.
func (s *slicing) newWeaver(of textRange) *weaver {
	w := &weaver{slicing: s, of: of, parser: s.format.NewParser(), sink: s.sinks.take(), line: 1}
	w.builder = wellformed.NewSlice(s.chartOptions(), s.buckets, groupsFor(s.buckets), w.place, w.sink, new(schema.Ledger))
	return w
}

// newcomer is a component, or a lifeline of one that is spread, that the beginning of the trace does not show.
type newcomer struct{ Component, Lifeline string }

// place is the part of a lifeline, and whether it is that of its whole component: its bucket, or one of its own where that is
// not known.
func (w *weaver) place(component, lifeline string) (part int, whole bool) {
	part, known, whole := w.places.known(component, lifeline)
	if !known {
		w.end.New = append(w.end.New, newcomer{component, lifeline})
		part = w.buckets + len(w.end.New)
	}
	return part, whole
}

// weaveSlice is the task of a slice. It knows nothing of the slices before it but what it watches.
func (s *slicing) weaveSlice(ctx context.Context, n int, to *lake.Staging) (*lake.Done, error) {
	w := s.newWeaver(s.slices[n])
	defer w.release()
	var start *wellformed.State
	if n > 0 {
		w.builder.Watch()
		if err := w.watch(ctx, n); err != nil {
			return nil, err
		}
		start = w.builder.Cut()
		w.line = 1
	}
	if s.hashesSlices() {
		w.hash = newLeaf(w.of.from, w.of.to)
		if n == 0 {
			w.hash.at = 0 // the header is a part of the trace, too
		}
	}
	if err := w.weave(ctx); err != nil {
		return nil, err
	}
	if w.hash != nil {
		sum, err := w.hash.sum(s.files[w.of.file].path)
		if err != nil {
			return nil, err
		}
		w.end.Leaf = sum
	}
	w.end.Sliced = w.builder.EndSlice(start)
	return w.write(to, fmt.Sprintf("slice-%05d", n))
}

// weaveAgain weaves a slice from what is true where it begins.
func (s *slicing) weaveAgain(ctx context.Context, n int, truth *wellformed.State, firstLine int64, to *lake.Staging) (*lake.Done, error) {
	w := s.newWeaver(s.slices[n])
	defer w.release()
	w.builder.Restore(truth)
	w.line = firstLine
	if err := w.weave(ctx); err != nil {
		return nil, err
	}
	w.end.Sliced = w.builder.EndSlice(nil)
	return w.write(to, fmt.Sprintf("slice-%05d-again", n))
}

// watch weaves the lines before a slice: of its file, or else of the one before.
func (w *weaver) watch(ctx context.Context, n int) error {
	before := textRange{w.of.file, max(w.of.from-w.cut.Watch, w.files[w.of.file].header), w.of.from}
	if before.from == before.to {
		last := w.slices[n-1]
		before = textRange{last.file, max(last.to-w.cut.Watch, w.files[last.file].header), last.to}
	}
	return w.eachPiece(ctx, before, nil, func(p *piece) (bool, error) {
		w.add(p)
		w.pieces.put(p)
		return true, nil
	})
}

// weave weaves the lines of the slice.
func (w *weaver) weave(ctx context.Context) error {
	return w.eachPiece(ctx, w.of, w.hash, func(p *piece) (bool, error) {
		w.Progress.Advance(int64(len(p.data)))
		first := w.line
		w.add(p)
		w.end.Lines += p.block.Lines
		for _, d := range p.defects() {
			w.lose(d, first)
		}
		w.pieces.put(p)
		return true, nil
	})
}

// release gives the memory of the slice back.
func (w *weaver) release() {
	w.sink.reset()
	w.sinks.put(w.sink)
}

// add adds a piece to the chart.
func (w *weaver) add(p *piece) {
	p.parse(w.parser, 0)
	w.source.Update(w.mapped.mapKeys(w.Map, p.keys), p.marks)
	w.builder.Add(&p.block, &w.source, filepath.Base(p.file), w.line)
	p.forgetNames()
	w.line += p.block.Lines
}

// lose counts the bad lines of a piece.
func (w *weaver) lose(d pieceDefect, first int64) {
	for i := range w.end.Bad {
		if w.end.Bad[i].Reason == d.reason {
			w.end.Bad[i].Count += d.Count
			return
		}
	}
	at := d.First
	w.end.Bad = append(w.end.Bad, defects{d.reason, d.Count, at.Line + first, at.Col, at.Err.Error()})
}

// write writes the segments of the slice and its end, with the length and the checksum of that in the last sixteen bytes.
func (w *weaver) write(to *lake.Staging, name string) (*lake.Done, error) {
	tables := w.builder.CodeTables()
	w.end.Codes = w.builder.Codes()
	for part, late := range w.builder.Flush() {
		for _, p := range late {
			one := latePatch{Part: part, Seq: p.Seq, Known: p.Known, None: p.Peer == schema.NoCode}
			if !one.None {
				one.Peer = tables.Component(p.Peer)
			}
			w.end.Late = append(w.end.Late, one)
		}
	}
	w.end.Rows, w.end.Messages, w.end.Arrivals = w.sink.rows, w.sink.messages, w.sink.arrivals
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(&w.end); err != nil {
		return nil, err
	}
	out, err := to.Spill(name)
	if err != nil {
		return nil, err
	}
	for _, b := range [][]byte{w.sink.bytes, text.Bytes(), fmt.Appendf(nil, "%08x%08x", text.Len(), crc32.Checksum(text.Bytes(), castagnoli))} {
		if _, err := out.Write(b); err != nil {
			out.Abandon()
			return nil, err
		}
	}
	f, err := out.Finish(0)
	return &lake.Done{Files: map[string][]lake.File{spilled: {f}}}, err
}

// readEnd reads the end of a slice's file.
func (s *slicing) readEnd(f lake.File) (*sliceEnd, error) {
	tail, err := s.staging.ReadSpill(f, f.Bytes-16, 16, nil)
	if err != nil {
		return nil, err
	}
	var size int64
	var sum uint32
	if _, err := fmt.Sscanf(string(tail), "%08x%08x", &size, &sum); err != nil {
		return nil, fmt.Errorf("%s: %w", s.staging.Path(f), err)
	}
	text, err := s.readSegment(f, segment{At: f.Bytes - 16 - size, Bytes: size, Sum: sum}, nil)
	if err != nil {
		return nil, err
	}
	end := new(sliceEnd)
	return end, gob.NewDecoder(bytes.NewReader(text)).Decode(end)
}
