package spans

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// A link ties a span to another one that is not its parent: the producers of the messages that a consumer takes as one batch,
// what a request follows from, a further parent. Both may be of different traces, which are taken one after the other. So a
// link is two records among the spans, one with the identity of each end, and both have its number; they meet in the chart
// (schema.Couplings). What the linked span did until then, its end or else its start, comes before the start of the span that has the link.

// Kinds of records that are no spans.
const (
	linkSource Kind = Consumer + 1 + iota // the span that is linked to
	linkTarget                            // the span that has the link
)

// AddLink takes a link of a span to another one, by their traces and ids. A link without an identity of either is left out, and
// counted as a bad record at the place that is given.
func (c *Collector) AddLink(trace TraceID, id uint64, to *Span, at func(error) *schema.SyntaxError) error {
	source := Span{Trace: trace, ID: id, Kind: linkSource}
	if !source.Identified() || !to.Identified() {
		return c.Bad(at(errNoID))
	}
	c.links++
	source.Parent = c.links
	if err := c.take(source); err != nil {
		return err
	}
	return c.take(Span{Trace: to.Trace, ID: to.ID, Parent: c.links, Kind: linkTarget})
}

// isTie reports whether a record is an end of a link.
func (s *Span) isTie() bool { return s.Kind >= linkSource }

// tie is an end of a link.
type tie struct {
	id     uint64 // of the span
	span   int32  // its position
	number int64  // of the link
	waits  bool   // the span waits; else it is waited for
}

// takeTie keeps an end of a link until all spans of the trace are there.
func (t *trace) takeTie(s *Span) {
	t.ties = append(t.ties, tie{id: s.ID, number: int64(s.Parent), waits: s.Kind == linkTarget})
}

// placeTies finds the spans of the ends of links and brings the ends into their order. An end whose span the trace lacks is no more; the
// chart counts the other one. Of spans that share an id the one that calls is waited for, and the one that answers waits.
func (t *trace) placeTies() {
	kept := t.ties[:0]
	for _, e := range t.ties {
		e.span = noSpan
		for i, to := t.withID(e.id); i < to; i++ {
			fits := t.spans[i].Kind.calls()
			if e.waits {
				fits = t.spans[i].Kind.answers()
			}
			if !t.omitted[i] && (e.span == noSpan || fits) {
				e.span = int32(i)
			}
		}
		if e.span != noSpan {
			kept = append(kept, e)
		}
	}
	t.ties = kept
	slices.SortFunc(t.ties, compareTies)
}

// further is a parent of a span beside its first one.
type further struct {
	span   int32
	parent uint64 // its id
}

// tieParents makes links of the parents that a span has beside the one that it is a call of: those that other records of the span name, and the one
// that the far half of a shared span names where the near half has another. What is an ancestor anyway is none.
func (t *trace) tieParents() {
	for i := range t.spans {
		s := &t.spans[i]
		if p := t.parent[i]; p != noSpan && s.Parent != 0 && t.spans[p].ID != s.Parent && t.spans[p].ID == s.ID && t.spans[p].Parent != s.Parent {
			t.further = append(t.further, further{int32(i), s.Parent})
		}
	}
	before := len(t.ties)
	for _, f := range t.further {
		from := t.parentWithID(f.span, f.parent)
		if from == noSpan {
			t.collector.countLoss(schema.MissingParent, &t.spans[f.span])
			continue
		}
		if t.omitted[from] || t.omitted[f.span] || t.isAncestor(from, f.span) || t.isAncestor(f.span, from) {
			continue
		}
		t.collector.links++
		number := int64(t.collector.links)
		t.ties = append(t.ties, tie{span: from, number: number}, tie{span: f.span, number: number, waits: true})
	}
	if len(t.ties) > before {
		slices.SortFunc(t.ties, compareTies)
	}
}

// isAncestor reports whether a span is another one or called it, directly or not.
func (t *trace) isAncestor(a, of int32) bool {
	for ; of != noSpan; of = t.parent[of] {
		if of == a {
			return true
		}
	}
	return false
}

// compareTies brings ends of links into the order of their spans.
func compareTies(a, b tie) int {
	return cmp.Or(cmp.Compare(a.span, b.span), cmp.Compare(a.number, b.number))
}

// tell makes rows of the links of a span behind those of its start or its end. A span is waited for from its start on, and once
// it has ended its end is what is waited for.
func (t *trace) tell(i int32, ns, timeNs int64, ends bool) {
	at, _ := slices.BinarySearchFunc(t.ties, i, func(e tie, i int32) int { return cmp.Compare(e.span, i) })
	for ; at < len(t.ties) && t.ties[at].span == i; at++ {
		switch e := &t.ties[at]; {
		case !e.waits:
			t.add(i, ns, timeNs, schema.Message, linkOpens, e.number)
		case !ends:
			t.add(i, ns, timeNs, schema.Message, linkWaits, e.number)
		}
	}
}
