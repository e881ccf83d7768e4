package spans

import (
	"cmp"
	"slices"
)

// place is the place of an event in the order of all: after what causes it, and among events of one time in the order of a
// walk of the tree.
type place struct {
	ns   int64 // its time, or later where what causes it is later
	rank int32 // position in the walk of the tree
}

// moment is the start or the end of a span.
type moment struct {
	place
	span int32
	ends bool
}

// bypassOmitted gives the children of spans that are left out to the nearest ancestor that is not.
func (t *trace) bypassOmitted() {
	for i := range t.spans {
		for p := t.parent[i]; p != noSpan && t.omitted[p]; p = t.parent[p] {
			t.parent[i] = t.parent[p]
		}
	}
}

// linkChildren lists the children of every span, and the spans without a parent, in the order of their starts, and of
// those that start together the shorter first, so that what takes no time is out of the way.
// Lists are built from the back, so that each insertion at the head leaves them in order: two arrays instead of a
// slice a span.
func (t *trace) linkChildren() {
	t.order = t.order[:0]
	for i := range t.spans {
		if !t.omitted[i] {
			t.order = append(t.order, int32(i))
		}
	}
	slices.SortFunc(t.order, func(a, b int32) int {
		s, u := &t.spans[a], &t.spans[b]
		if s.StartNs != u.StartNs {
			return cmp.Compare(s.StartNs, u.StartNs)
		}
		return cmp.Or(cmp.Compare(s.EndNs, u.EndNs), cmp.Compare(a, b))
	})
	t.first, t.next, t.roots = resize(t.first, len(t.spans)), resize(t.next, len(t.spans)), noSpan
	for i := range t.first {
		t.first[i] = noSpan
	}
	for k := len(t.order) - 1; k >= 0; k-- {
		i, head := t.order[k], &t.roots
		if p := t.parent[i]; p != noSpan {
			head = &t.first[p]
		}
		t.next[i], *head = *head, i
	}
}

// walkTree ranks the starts and ends: a parent's start before its children's, their ends before its own. It leaves the
// spans in the order in which it came to them, parents first.
func (t *trace) walkTree() {
	t.enters, t.exits = resize(t.enters, len(t.spans)), resize(t.exits, len(t.spans))
	t.order = t.order[:0]
	rank := int32(0)
	for at := t.roots; at != noSpan; {
		t.enters[at].rank = rank
		rank++
		t.order = append(t.order, at)
		down := t.first[at]
		for down == noSpan && at != noSpan {
			t.exits[at].rank = rank
			rank++
			down, at = t.next[at], t.parent[at]
		}
		at = down
	}
}

// orderMoments brings the starts and ends of all spans into the order of events. Clocks of several machines disagree: a start is
// put after the start of its parent, from the root downwards, and an end that waited for a child after the child's, upwards.
// Only the order is changed; events keep the times that the trace has.
func (t *trace) orderMoments() {
	t.links = resize(t.links, len(t.spans))
	for _, i := range t.order {
		s := &t.spans[i]
		t.enters[i].ns, t.exits[i].ns = s.StartNs, s.EndNs
		if p := t.parent[i]; p != noSpan {
			t.links[i] = relate(&t.spans[p], s)
			if at := t.links[i].sent; at != apart && at != atEnd {
				t.enters[i].ns = max(s.StartNs, t.enters[p].ns)
			}
		}
	}
	t.moments = resize(t.moments, 2*len(t.order))
	for k := len(t.order) - 1; k >= 0; k-- {
		i := t.order[k]
		t.exits[i].ns = max(t.exits[i].ns, t.enters[i].ns)
		if p := t.parent[i]; p != noSpan && t.links[i].held() {
			t.exits[p].ns = max(t.exits[p].ns, t.exits[i].ns)
		}
		t.moments[t.enters[i].rank] = moment{t.enters[i], i, false}
		t.moments[t.exits[i].rank] = moment{t.exits[i], i, true}
	}
	slices.SortFunc(t.moments, func(a, b moment) int {
		if a.ns != b.ns {
			return cmp.Compare(a.ns, b.ns)
		}
		return cmp.Compare(a.rank, b.rank)
	})
}
