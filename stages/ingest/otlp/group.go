package otlp

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/spans"
)

// group is the spans of one resource. Members of JSON and fields of protobuf come in any order, so the resource may be named
// before its spans or behind them; spans that come first wait for it.
// It is the part that the readers of both encodings share.
type group struct {
	*spans.Collector
	spans.Resource
	named   bool         // the resource is known
	waiting []spans.Span // for the resource to be named
}

// open starts a group.
// The memory of the spans that wait is used again.
func (g *group) open() {
	g.Resource, g.named, g.waiting = spans.Resource{}, false, g.waiting[:0]
}

// known ends the waiting: the resource is known.
// Spans behind the resource are handed on one by one, so a writer that puts the resource first, as all known ones do,
// costs no memory.
func (g *group) known() error {
	g.named = true
	return g.close()
}

// close hands on the spans that wait, at the latest at the end of the group.
// Spans of a group that never names its resource get service 0, which the collector calls unknown_service.
// It is safe to call twice: the second call finds nothing.
func (g *group) close() error {
	for _, s := range g.waiting {
		if err := g.hand(s, nil); err != nil {
			return err
		}
	}
	g.waiting = g.waiting[:0]
	return nil
}

// add takes a span. One without an id is counted at once, as later its place in the file is no longer known.
// The spans that wait are held in memory: those of one resource in one message, which collectors bound by their
// batches.
func (g *group) add(s spans.Span, at func(error) *schema.SyntaxError) error {
	if g.named || !s.Identified() {
		return g.hand(s, at)
	}
	g.waiting = append(g.waiting, s)
	return nil
}

// hand gives a span its resource and hands it to the collector.
// Whether Instance takes the place of Service is the collector's choice, by the option of the user.
func (g *group) hand(s spans.Span, at func(error) *schema.SyntaxError) error {
	s.Service, s.Instance, s.Clock = g.Service, g.Instance, g.Clock
	return g.Collector.Add(s, at)
}
