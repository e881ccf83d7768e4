package ingest

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/tracelake/tracelake/pipeline/workers"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// several is one run of several traces, such as those of the ranks of a program, each of which its own Reader reads. Their
// events come in the order of time; those of one trace keep their order, and of equal times those of the first trace come
// first. Each trace is a unit of its own: components and lifelines get its name before theirs, as rank-0/main, and messages
// stay within it, except those that its Reader says another trace may know (schema.BetweenTraces).
type several struct {
	ctx    context.Context
	parts  []*tracePart
	ledger *schema.Ledger
	keys   schema.Numbering[schema.EventKey]
	marks  schema.Numbering[schema.MessageMark]

	asked      []string           // attributes that the user asked for
	attributed *schema.Attributed // see joinAttributes
	guard      sync.Mutex         // of its sets, where a part adds to its own while blocks are under way
}

// tracePart is a trace and its Reader, which works on a goroutine of its own, at most two blocks ahead.
type tracePart struct {
	name   string
	reader schema.Reader
	ledger schema.Ledger
	full   chan handedBlock // closed behind the last one
	empty  chan *schema.Block

	handedBlock                     // in hand
	at, note    int                 // the next row and note
	claim       int                 // the next of the attributes
	firstSet    schema.AttributeSet // what is added to its sets of attributes

	hasAttributes bool       // that the user asked for
	later         *laterSets // where the part adds to its sets while blocks are under way; else nil
	keyOf         []uint32
	markOf        []uint32
}

// handedBlock is a block with the keys and marks that its Reader knew then.
type handedBlock struct {
	block *schema.Block
	keys  schema.KeyList
	marks []schema.MessageMark
}

// newSeveral returns a Reader of several traces, among which the memory is shared.
func newSeveral(ctx context.Context, reading *schema.Reading, format schema.Format, names []string) *several {
	s := &several{ctx: ctx, ledger: reading.Ledger, asked: reading.Options.Attributes}
	s.marks.Number(schema.MessageMark{})
	for i, trace := range reading.Traces {
		p := &tracePart{name: names[i], full: make(chan handedBlock, 1), empty: make(chan *schema.Block, 2)}
		of := *reading
		of.Traces, of.Memory, of.Ledger, of.IsPart = []schema.Trace{trace}, reading.Memory/int64(len(reading.Traces)), &p.ledger, true
		p.reader = format.NewReader(&of)
		p.empty <- new(schema.Block)
		p.empty <- new(schema.Block)
		s.parts = append(s.parts, p)
	}
	return s
}

// Keys implements schema.Reader.
func (s *several) Keys() schema.KeyList { return schema.EventKeys(s.keys.List) }

// Marks implements schema.Reader.
func (s *several) Marks() []schema.MessageMark { return s.marks.List }

// Read implements schema.Reader.
func (s *several) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	ctx, stop := context.WithCancel(s.ctx)
	defer stop()
	group, ctx := workers.WithContext(ctx)
	for _, p := range s.parts {
		group.Go(func() error {
			defer close(p.full)
			return p.reader.Read(func(full *schema.Block) (*schema.Block, error) { return p.hand(ctx, full) })
		})
	}
	err := s.merge(ctx, emit)
	if err != nil {
		stop()
	}
	// The error of a Reader is the cause where the merge only saw that no more blocks come.
	if failed := group.Wait(); failed != nil && (err == nil || errors.Is(err, context.Canceled) && s.ctx.Err() == nil) {
		return failed
	}
	for _, p := range s.parts {
		s.ledger.MergeLosses(p.ledger.Losses(""))
	}
	return err
}

// hand gives a full block to the merge and waits for an empty one.
func (p *tracePart) hand(ctx context.Context, full *schema.Block) (*schema.Block, error) {
	if full != nil && len(full.Key) > 0 {
		select {
		case p.full <- handedBlock{full, p.reader.Keys(), p.reader.Marks()}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	} else if full != nil {
		return full, nil
	}
	select {
	case b := <-p.empty:
		b.Reset()
		return b, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// next waits for the next block of a part. It returns the time of its first row, extsort.Done behind the last block.
func (s *several) next(ctx context.Context, p *tracePart) (timeNs int64, err error) {
	if p.block != nil {
		p.empty <- p.block // has room for both blocks of the part
		p.block = nil
	}
	select {
	case handed, more := <-p.full:
		if !more {
			return extsort.Done, ctx.Err()
		}
		p.handedBlock, p.at, p.note, p.claim = handed, 0, 0, 0
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	for _, k := range schema.KeysSince(p.keys, len(p.keyOf)) {
		k.Component, k.Lifeline = p.name+"/"+k.Component, p.name+"/"+k.Lifeline
		p.keyOf = append(p.keyOf, s.keys.Number(k))
	}
	for _, m := range p.marks[len(p.markOf):] {
		if m.Direction != schema.NoMessage && m.Series != schema.BetweenTraces {
			m.Series = p.name + "/" + m.Series
		}
		p.markOf = append(p.markOf, s.marks.Number(m))
	}
	slices.SortStableFunc(p.block.Notes, func(a, b schema.Note) int { return int(a.Row - b.Row) })
	slices.SortStableFunc(p.block.Claims, func(a, b schema.ClaimRow) int { return int(a.Row - b.Row) })
	return p.block.TimeNs[0], nil
}

// merge brings the rows of all parts into one order.
func (s *several) merge(ctx context.Context, emit func(*schema.Block) (*schema.Block, error)) error {
	heads := make([]int64, len(s.parts))
	var err error
	for i, p := range s.parts {
		if heads[i], err = s.next(ctx, p); err != nil {
			return err
		}
	}
	s.joinAttributes()
	out, err := emit(nil)
	if err != nil {
		return err
	}
	order := extsort.NewTournament(heads)
	for i, until := order.Min(); i >= 0; i, until = order.Min() {
		p := s.parts[i]
		timeNs := p.block.TimeNs[p.at]
		for timeNs < until {
			p.moveRow(out)
			if len(out.Key) >= schema.BlockEvents {
				if out, err = emit(out); err != nil {
					return err
				}
			}
			if p.at == len(p.block.Key) {
				if timeNs, err = s.next(ctx, p); err != nil {
					return err
				}
			} else {
				timeNs = p.block.TimeNs[p.at]
			}
		}
		order.Update(timeNs)
	}
	if len(out.Key) > 0 {
		_, err = emit(out)
	}
	return err
}

// moveRow moves the next row of a part, with what is noted about it.
func (p *tracePart) moveRow(out *schema.Block) {
	b := p.block
	for p.note < len(b.Notes) && int(b.Notes[p.note].Row) <= p.at {
		n := b.Notes[p.note]
		if n.Row != schema.NoRow {
			n.Row = int32(len(out.Key))
		}
		out.Notes = append(out.Notes, n)
		p.note++
	}
	if p.hasAttributes {
		p.moveClaims(out)
	}
	out.TimeNs = append(out.TimeNs, b.TimeNs[p.at])
	out.Key = append(out.Key, p.keyOf[b.Key[p.at]])
	out.Mark = append(out.Mark, p.markOf[b.Mark[p.at]])
	out.MessageID = append(out.MessageID, b.MessageID[p.at])
	p.at++
}

// partNames are the names of traces of one run: those of their files without endings, where they are equal with the names of
// their folders before them, and with numbers where these are equal, too.
func partNames(traces []string, format schema.Format) []string {
	names := make([]string, len(traces))
	for i, path := range traces {
		names[i] = RunName(path, []schema.Format{format})
	}
	tell := func(other func(i int) string) {
		again := slices.Clone(names)
		for i, name := range names {
			if slices.Index(names, name) != i || slices.Contains(names[i+1:], name) {
				again[i] = other(i)
			}
		}
		names = again
	}
	tell(func(i int) string { return filepath.Base(filepath.Dir(traces[i])) + "-" + names[i] })
	tell(func(i int) string { return names[i] + "#" + strconv.Itoa(i+1) })
	return names
}
