package spans

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// trace is the trace in hand: one request on its way through services. Its memory is used again for the next one. Spans are
// known by their positions in spans; slices by span have one element for each.
type trace struct {
	collector *Collector
	rows      *extsort.Sorter[row]
	arrived   []Span   // as they came
	ids       []ranked // memory for sortSpans
	spans     []Span   // in the order of compareSpans
	omitted   []bool   // by span: left out, and its children are those of its parent

	parent, first, next []int32   // first child and next sibling, in the order of their starts; nobody where there is none
	roots               int32     // the first span without a parent
	state               []uint8   // of the search for circles
	order               []int32   // of the spans that are not left out
	links               []link    // to the parent
	ties                []tie     // ends of links beside those to parents
	further             []further // parents of a span beside the first
	enters, exits       []place   // by span: where its start and its end stand
	moments             []moment  // all starts and ends in their order

	stacks   stacks
	exchange []exchange // with the parent
	slice    uint32     // into which the trace goes; 0 where there are none
	numbers  []int64    // of messages, by slice: given so far
	made     []row      // of the trace in hand, in the order of events
}

// noSpan stands for a span that is not there.
const noSpan int32 = -1

// finish makes events of the spans of the trace and forgets it. (1) Duplicates are merged and times filled in, (2) every span
// gets its parent, (3) the tree is walked for the order of starts and ends, (4) and these are played as calls and messages.
func (t *trace) finish() error {
	if s := t.collector.slicing; s != nil {
		s.begin(t)
	}
	t.sortSpans()
	t.mergeDuplicates()
	t.fillInTimes()
	t.findParents()
	t.cutCircles()
	t.bypassOmitted()
	t.placeTies()
	t.tieParents()
	if between := t.collector.clocks.between; between != nil {
		t.compareClocks(between)
	}
	t.linkChildren()
	var err error
	if s := t.collector.slicing; s == nil || s.place(t) {
		t.walkTree()
		t.orderMoments()
		err = t.play()
	}
	t.arrived, t.ties, t.further = t.arrived[:0], t.ties[:0], t.further[:0]
	return err
}

// ranked is the position of a span that arrived, beside its id, so that most comparisons of the sort touch no span.
type ranked struct {
	id uint64
	at int32
}

// sortSpans brings the spans that arrived into the order of compareSpans, equal ones as they came.
// Sorting pairs of id and position moves 16 bytes at a swap in place of a whole span.
func (t *trace) sortSpans() {
	t.ids = t.ids[:0]
	for i := range t.arrived {
		t.ids = append(t.ids, ranked{t.arrived[i].ID, int32(i)})
	}
	slices.SortFunc(t.ids, func(a, b ranked) int {
		if a.id != b.id {
			return cmp.Compare(a.id, b.id)
		}
		return cmp.Or(t.collector.compareSpans(&t.arrived[a.at], &t.arrived[b.at]), cmp.Compare(a.at, b.at))
	})
	t.spans = t.spans[:0]
	for _, r := range t.ids {
		t.spans = append(t.spans, t.arrived[r.at])
	}
}

// mergeDuplicates makes one span of records that are the same, as collectors deliver some spans twice, and of records that are
// two halves of one span, each with one of its times. Where they name different parents the span has all of these.
func (t *trace) mergeDuplicates() {
	kept := t.spans[:0]
	for i := range t.spans {
		s := t.spans[i]
		if len(kept) > 0 && t.collector.sameCall(&kept[len(kept)-1], &s) {
			t.collector.countLoss(schema.DuplicateCall, &s)
			if p := kept[len(kept)-1].Parent; s.Parent != p && s.Parent != 0 && p != 0 {
				t.further = append(t.further, further{int32(len(kept) - 1), s.Parent})
			}
			kept[len(kept)-1].complete(&s)
			continue
		}
		kept = append(kept, s)
	}
	t.spans = kept
}

// sameCall reports whether two records with an id in common are of one call.
// A record that lacks a time is a half, and the same as another of its kind whose times do not contradict it.
func (c *Collector) sameCall(a, b *Span) bool {
	if a.ID != b.ID || a.Kind != b.Kind || !local(a, b) {
		return false
	}
	if a.StartNs == Unknown || b.StartNs == Unknown || a.EndNs == Unknown || b.EndNs == Unknown {
		return a.StartNs == b.StartNs || a.StartNs == Unknown || b.StartNs == Unknown
	}
	nameA, _ := c.plainName(a.Name)
	nameB, _ := c.plainName(b.Name)
	return a.StartNs == b.StartNs && a.EndNs == b.EndNs && nameA == nameB
}

// complete takes from another record what a span lacks.
// What both have stays as it is: the first record holds.
func (s *Span) complete(other *Span) {
	if s.StartNs == Unknown {
		s.StartNs = other.StartNs
	}
	if s.EndNs == Unknown {
		s.EndNs = other.EndNs
	}
	s.Parent = cmp.Or(s.Parent, other.Parent)
	s.Failed = s.Failed || other.Failed
}

// fillInTimes gives a span without a start the times of another with its id, the other end of the same message, and leaves
// out those that lack a time still.
func (t *trace) fillInTimes() {
	t.omitted = resize(t.omitted, len(t.spans))
	for i := range t.spans {
		s := &t.spans[i]
		if s.StartNs == Unknown {
			from, to := t.withID(s.ID)
			for j := from; j < to && s.StartNs == Unknown; j++ {
				s.StartNs, s.EndNs = t.spans[j].StartNs, t.spans[j].EndNs
			}
		}
		switch {
		case s.StartNs == Unknown || s.EndNs == Unknown:
			t.collector.countLoss(schema.MissingDuration, s)
			t.omitted[i] = true
		case s.EndNs < s.StartNs:
			t.collector.countLoss(schema.NegativeDuration, s)
			s.EndNs = s.StartNs
		}
	}
}

// resize returns a slice of zeros, in the memory of another if that has room.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	s = s[:n]
	clear(s)
	return s
}
