package ingest

import (
	"context"

	"github.com/tracelake/tracelake/pipeline/workers"
	"github.com/tracelake/tracelake/schema"
)

// adaptPieces changes parsed pieces as the job asks, and passes them on in their order.
// It has a goroutine of its own, between the reader and the chart: for traces of threads, making calls messages takes half
// as long as the chart, and both follow the order of the trace. Where nothing is to be changed there is none.
func (in *intake) adaptPieces(ctx context.Context, group *workers.Group, inOrder <-chan *piece) <-chan *piece {
	if in.Map == nil && in.rewriter == nil {
		return inOrder
	}
	adapted := make(chan *piece, 2)
	group.Go(func() error {
		defer close(adapted)
		for p := range inOrder {
			if err := p.await(ctx); err != nil {
				return err
			}
			in.adapt(p)
			select {
			case adapted <- p:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return adapted
}

// await waits until a piece is parsed. Pieces come in the order of the trace and may still be with a parser: to wait for each
// in its turn keeps the order without sorting.
func (p *piece) await(ctx context.Context) error {
	select {
	case <-p.parsed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// adapt changes a parsed piece as the job asks: functions belong to other components, calls between components are
// messages.
func (in *intake) adapt(p *piece) {
	if in.Map != nil {
		for len(in.mapped) <= p.parser {
			in.mapped = append(in.mapped, keyMapper{})
		}
		p.keys = in.mapped[p.parser].mapKeys(in.Map, p.keys)
	}
	if in.rewriter == nil {
		return
	}
	// The block as it was is room for the next one: pieces that wait for their buckets keep one block each.
	in.rewriter.Rewrite(&p.block, &in.spare, p.parser, p.keys, p.marks)
	p.block, in.spare = in.spare, p.block
	p.keys, p.marks, p.parser = in.rewriter.Keys(), in.rewriter.Marks(), 0
}

// keyMapper gives the functions of one parser to other components.
type keyMapper struct{ mapped schema.EventKeys }

// mapKeys maps the keys of the parser that are new, and returns all. Without a map they stay as they are.
func (m *keyMapper) mapKeys(by func(schema.EventKey) schema.EventKey, keys schema.KeyList) schema.KeyList {
	if by == nil {
		return keys
	}
	for _, k := range schema.KeysSince(keys, len(m.mapped)) {
		m.mapped = append(m.mapped, by(k))
	}
	return m.mapped
}
