package ingest

import (
	"context"
	"path/filepath"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// wovenSlice is a slice with its place in the whole trace.
type wovenSlice struct {
	file   lake.File // of its segments
	memory []byte    // or the segments themselves
	*sliceEnd
	translation *wellformed.Translation
	shift       int64 // what its sequence numbers lack
	bucket      []int // by part
}

// join puts the slices together in their order. What it keeps of each is its end, and of all what is open behind the last.
func (s *slicing) join(ctx context.Context, done []*lake.Done) error {
	s.union, s.strays, s.woven = wellformed.NewUnion(), make(map[wellformed.MessageID]bool), nil
	var truth *wellformed.State
	lines := make([]int64, len(s.files)) // of each file, so far
	for i := range s.files {
		lines[i] = s.files[i].headerLines
	}
	var sums [][]byte
	for n, d := range done {
		if err := ctx.Err(); err != nil {
			return err
		}
		of := s.slices[n].file
		w := wovenSlice{file: d.Files[spilled][0]}
		var err error
		if w.sliceEnd, err = s.readEnd(w.file); err != nil {
			return err
		}
		sums = append(sums, w.Leaf)
		end := w.Sliced.End
		if n > 0 {
			w.shift = truth.Seq - w.Sliced.Start.Seq
		}
		for i := range end.Losses {
			end.Losses[i].Line += lines[of]
		}
		if n > 0 {
			sends := func(ids map[wellformed.MessageID]bool) (bool, error) { return s.sends(&w, ids) }
			if end, err = w.Sliced.Join(truth, sends); err != nil {
				return err
			}
		}
		if end == nil {
			if end, err = s.joinAgain(ctx, n, truth, lines[of], &w); err != nil {
				return err
			}
		}
		s.take(&w, of, lines[of])
		truth, lines[of] = end, lines[of]+w.Lines
	}
	if s.hashesSlices() {
		s.sum = rootOf(sums)
	}
	return s.finishTrace(truth)
}

// joinAgain weaves a slice once more, from what is true where it begins.
func (s *slicing) joinAgain(ctx context.Context, n int, truth *wellformed.State, lines int64, w *wovenSlice) (*wellformed.State, error) {
	again, err := pipeline.Recorded(ctx, s.staging, 1, s.againTask(n), 1, func(ctx context.Context, _ int, to *lake.Staging) (*lake.Done, error) {
		return s.weaveAgain(ctx, n, truth, lines+1, to)
	})
	if err != nil {
		return nil, err
	}
	w.file, w.shift = again[0].Files[spilled][0], 0
	if w.sliceEnd, err = s.readEnd(w.file); err != nil {
		return nil, err
	}
	for i := range w.Bad {
		w.Bad[i].Line -= lines
	}
	return w.Sliced.End, nil
}

// take keeps a slice, and counts what it lost.
func (s *slicing) take(w *wovenSlice, file int, lines int64) {
	path := s.files[file].path
	for _, d := range w.Bad {
		at := schema.SyntaxError{File: filepath.Base(path), Line: d.Line + lines, Col: d.Col, Err: wordedError(d.Err)}
		s.ledger.AddMany(d.Reason, d.Count, at.Error)
	}
	s.lines += w.Lines
	w.translation = s.union.Add(w.Codes, w.shift)
	for bucket := range s.buckets + 1 {
		w.bucket = append(w.bucket, bucket)
	}
	for _, n := range w.New {
		bucket, _ := s.places.of(n.Component, n.Lifeline)
		w.bucket = append(w.bucket, bucket)
	}
	for _, id := range w.Sliced.Receives {
		s.strays[id] = true
	}
	w.Codes, w.Sliced = wellformed.Codes{}, nil // they may be large, and are not needed any more
	s.woven = append(s.woven, *w)
}

// wordedError is an error that was written down.
type wordedError string

func (e wordedError) Error() string { return string(e) }

// sends reports whether a slice sends one of some messages: one that it exchanged, or left open.
func (s *slicing) sends(w *wovenSlice, ids map[wellformed.MessageID]bool) (bool, error) {
	end := w.Sliced.End
	for _, e := range end.Exchanges {
		if ids[wellformed.MessageID{Series: end.Marks[e.Mark].Series, ID: e.ID}] {
			return true, nil
		}
	}
	union := wellformed.NewUnion()
	translation, x := union.Add(w.Codes, 0), wellformed.NewExchanges(0)
	for _, seg := range w.Messages {
		x.Reset()
		text, err := s.readSegment(w.file, seg, nil)
		if err == nil {
			err = x.Read(text, seg.Count, translation)
		}
		if err != nil || union.Tables().AnyOf(x, ids) {
			return err == nil, err
		}
	}
	return false, nil
}

// finishTrace completes the trace behind its last slice.
func (s *slicing) finishTrace(truth *wellformed.State) error {
	// A message that is received in one slice and sent in a later one is found by one pass, which also sees whether its
	// identifier was used again.
	if truth != nil && truth.SentLater(s.strays) {
		return new(againError)
	}
	s.lines += s.headers
	sink := new(segments)
	builder := wellformed.NewSlice(s.chartOptions(), s.buckets, groupsFor(s.buckets), s.places.of, sink, &s.ledger)
	if truth != nil {
		builder.Restore(truth)
		s.endSeq = truth.Seq
	}
	if builder.Events() == 0 {
		builder.TellLosses()
		return s.noEvents()
	}
	s.tail = builder.Finish()
	w := wovenSlice{memory: sink.bytes, sliceEnd: &sliceEnd{Rows: sink.rows, Messages: sink.messages, Arrivals: sink.arrivals}}
	w.translation = s.union.Add(builder.Codes(), 0)
	for bucket := range s.buckets + 1 {
		w.bucket = append(w.bucket, bucket)
	}
	s.woven = append(s.woven, w)
	return nil
}
