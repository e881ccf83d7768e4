package ingest

import (
	"context"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// bucketWriter writes the files of a bucket from the segments of all slices. It holds a row group and what a slice adds.
type bucketWriter struct {
	*slicing
	to     *lake.Staging
	number int
	codes  *wellformed.CodeTables // of the whole trace
	late   []wellformed.Patch     // in the order of the trace, in codes of the whole trace
	groups wellformed.Groups
	drops  []int64 // sequence numbers of rows to leave out
	memory []byte  // for a segment
	done   lake.Done
}

// writeBucket is the task of a bucket.
func (s *slicing) writeBucket(ctx context.Context, bucket int, to *lake.Staging) (*lake.Done, error) {
	w := &bucketWriter{slicing: s, to: to, number: bucket, codes: s.union.Tables(), late: s.late[bucket], groups: groupsFor(s.buckets), drops: s.tail.Drops[bucket]}
	return w.write(ctx)
}

// commitBuckets commits the run, when the tasks of all buckets are done.
func (s *slicing) commitBuckets(done []*lake.Done) (*schema.Run, []schema.Loss, error) {
	files := map[string][]lake.File{"events": nil, "messages": nil, "arrivals": nil}
	for _, d := range done {
		for table := range files {
			files[table] = append(files[table], d.Files[table]...)
		}
	}
	s.tail.CodeTables = s.union.Tables() // the components of all slices count
	return s.describeAndCommit(s.staging, files, s.tail)
}

// latePatches are the peers that were known late, by bucket, in the order in which they were known.
func (s *slicing) latePatches() [][]wellformed.Patch {
	late := make([][]wellformed.Patch, s.buckets+1)
	for i := range s.woven {
		w := &s.woven[i]
		for _, p := range w.Late {
			one := wellformed.Patch{Seq: p.Seq + w.shift, Known: p.Known + w.shift, Peer: schema.NoCode}
			if !p.None {
				one.Peer = s.union.Component(p.Peer)
			}
			late[w.bucket[p.Part]] = append(late[w.bucket[p.Part]], one)
		}
	}
	tables := s.tail.CodeTables
	for bucket, more := range s.tail.Late {
		for _, p := range more {
			if p.Peer != schema.NoCode {
				p.Peer = s.union.Component(tables.Component(p.Peer))
			}
			late[bucket] = append(late[bucket], p)
		}
	}
	return late
}

// write is the task of a bucket. The bytes are those of one pass, down to the names of files.
func (w *bucketWriter) write(ctx context.Context) (*lake.Done, error) {
	w.done.Files = make(map[string][]lake.File)
	if rows := w.tail.Leading[w.number]; rows.Len() > 0 {
		f, err := writeLeading(w.to, w.number, rows, w.tail.CodeTables)
		if err != nil {
			return nil, err
		}
		w.done.Files["events"] = append(w.done.Files["events"], f)
	}
	part, err := w.part()
	if err != nil {
		return nil, err
	}
	if err := w.events(ctx, part); err != nil {
		return nil, err
	}
	return &w.done, w.messages(ctx)
}

// read reads the segments of a slice that are of this bucket.
func (w *bucketWriter) read(of *wovenSlice, all []segment, use func(text []byte, n int) error) (parts int, err error) {
	for _, seg := range all {
		if of.bucket[seg.Part] != w.number {
			continue
		}
		parts++
		var text []byte
		if of.memory != nil {
			text = of.memory[seg.At : seg.At+seg.Bytes]
		} else if w.memory, err = w.readSegment(of.file, seg, w.memory); err != nil {
			return parts, err
		} else {
			text = w.memory
		}
		if err := use(text, seg.Count); err != nil {
			return parts, err
		}
	}
	return parts, nil
}

// eachSlice hands out the rows of this bucket, slice by slice, in the order of the trace.
func (w *bucketWriter) eachSlice(ctx context.Context, use func(*wellformed.Rows) error) error {
	rows := wellformed.NewRows(0)
	for i := range w.woven {
		if err := ctx.Err(); err != nil {
			return err
		}
		of := &w.woven[i]
		rows.Reset()
		parts, err := w.read(of, of.Rows, func(text []byte, n int) error { return rows.Read(text, n, of.translation) })
		if err != nil {
			return err
		}
		if parts > 1 {
			rows.Sort() // a component of which the bucket was not known then had a part of its own
		}
		if rows.Len() > 0 {
			if err := use(rows); err != nil {
				return err
			}
		}
	}
	return nil
}

// events writes the events.
func (w *bucketWriter) events(ctx context.Context, part int) (err error) {
	peers := make(map[int64]uint32, len(w.late))
	for _, p := range w.late {
		peers[p.Seq] = p.Peer
	}
	var out *lake.TableWriter
	defer func() { out.Abandon() }()
	ev, kept, drops := schema.NewEvents(), schema.NewEvents(), w.drops
	err = w.eachSlice(ctx, func(rows *wellformed.Rows) error {
		table := ev
		if len(drops) > 0 { // rows go through another table, in which some are left out
			schema.Reset(kept)
			table = kept
		}
		before := len(table.Seq)
		w.codes.Events(rows, table)
		if len(peers) > 0 {
			for i := before; i < len(table.Seq); i++ {
				if peer, late := peers[table.Seq[i]]; late {
					table.Peer[i] = peer
				}
			}
		}
		if table == kept {
			ev.Names = kept.Names
			drops = keep(ev, kept, drops)
		}
		if out == nil {
			if out, err = w.to.CreateTable("events", w.number, part, ev); err != nil {
				return err
			}
			out.SetGroupRows(w.groups.Rows)
		}
		return out.WriteFull(ev)
	})
	if err != nil || out == nil {
		return err
	}
	err = out.Finish(ev)
	w.done.Files["events"] = append(w.done.Files["events"], out.File)
	return err
}

// messages writes the messages that the bucket sends, and those that it receives.
func (w *bucketWriter) messages(ctx context.Context) error {
	m, a := schema.NewMessages(new(schema.Names)), schema.NewArrivals(new(schema.Names))
	sent := func(of *wovenSlice) []segment { return of.Messages }
	if err := w.exchanges(ctx, "messages", m, sent, func(x *wellformed.Exchanges) { w.codes.Messages(x, m) }); err != nil {
		return err
	}
	received := func(of *wovenSlice) []segment { return of.Arrivals }
	return w.exchanges(ctx, "arrivals", a, received, func(x *wellformed.Exchanges) { w.codes.Arrivals(x, a) })
}

// exchanges writes a table of exchanges: add appends those of a slice to its columns.
func (w *bucketWriter) exchanges(
	ctx context.Context, table string, columns schema.Columns, of func(*wovenSlice) []segment, add func(*wellformed.Exchanges),
) (err error) {
	var out *lake.TableWriter
	defer func() { out.Abandon() }()
	x := wellformed.NewExchanges(0)
	for i := range w.woven {
		slice := &w.woven[i]
		x.Reset()
		parts, err := w.read(slice, of(slice), func(text []byte, n int) error { return x.Read(text, n, slice.translation) })
		if err != nil {
			return err
		}
		if parts > 1 && slice.memory == nil {
			x.Sort()
		}
		if x.Len() == 0 {
			continue
		}
		add(x)
		if out == nil {
			if out, err = w.to.CreateTable(table, w.number, streamPart, columns); err != nil {
				return err
			}
			out.SetGroupRows(w.groups.Messages)
		}
		if err := out.WriteFull(columns); err != nil {
			return err
		}
	}
	if out == nil {
		return ctx.Err()
	}
	err = out.Finish(columns)
	w.done.Files[table] = append(w.done.Files[table], out.File)
	return err
}

// part is the number of the file of events: one pass writes a bucket a second time where rows are left out, or where a peer was
// known only after its row was written, which is when a row group and a quarter of one had come.
func (w *bucketWriter) part() (int, error) {
	if len(w.drops) > 0 {
		return amendedPart, nil
	}
	if len(w.late) == 0 {
		return streamPart, nil
	}
	var seqs []int64
	err := w.eachSlice(context.Background(), func(rows *wellformed.Rows) error {
		seqs = rows.AppendSeqs(seqs)
		return nil
	})
	if err != nil {
		return 0, err
	}
	for _, p := range w.late {
		row, _ := slices.BinarySearch(seqs, p.Seq)
		come, _ := slices.BinarySearch(seqs, min(p.Known, w.endSeq))
		if row < handedOn(come, w.groups.Rows) {
			return amendedPart, nil
		}
	}
	return streamPart, nil
}

// handedOn is how many rows of a bucket one pass has handed on when so many have come, in row groups of some rows.
func handedOn(come, group int) int { return max(0, come-group/4) / group * group }
