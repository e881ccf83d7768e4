package spans

import (
	"sort"

	"github.com/tracelake/tracelake/schema"
)

// withID returns the range of the spans of an id. Client and server may share one.
func (t *trace) withID(id uint64) (from, to int) {
	from = sort.Search(len(t.spans), func(i int) bool { return t.spans[i].ID >= id })
	for to = from; to < len(t.spans) && t.spans[to].ID == id; to++ {
	}
	return from, to
}

// findParents finds the parent of every span: of spans that share an id the one that calls the others, and otherwise the span
// that the trace names. An id that no span has is counted.
// Spans are sorted by id, so the records of one id are a range, and a parent is found by binary search: O(n log n).
func (t *trace) findParents() {
	t.parent = resize(t.parent, len(t.spans))
	for from := 0; from < len(t.spans); {
		to := from + 1
		for to < len(t.spans) && t.spans[to].ID == t.spans[from].ID {
			to++
		}
		caller := t.callerOf(from, to)
		for i := from; i < to; i++ {
			if t.parent[i] = noSpan; caller != noSpan && t.mayCall(caller, int32(i)) {
				t.parent[i] = caller
			} else {
				t.parent[i] = t.namedParent(int32(i))
			}
		}
		from = to
	}
}

// callerOf returns the span that calls the others of its id: the one of a kind that calls, else the one that starts first,
// the longest of those; nobody where there are no others.
// The outer one of two halves starts first even with clocks that disagree a little, and is mostly the longer one.
func (t *trace) callerOf(from, to int) int32 {
	if to-from < 2 {
		return noSpan
	}
	best := from
	for i := from + 1; i < to; i++ {
		a, b := &t.spans[best], &t.spans[i]
		if a.Kind.calls() != b.Kind.calls() {
			if b.Kind.calls() {
				best = i
			}
		} else if b.StartNs < a.StartNs || b.StartNs == a.StartNs && b.EndNs > a.EndNs {
			best = i
		}
	}
	return int32(best)
}

// mayCall reports whether, of two spans of one id, one can be the caller of the other: one calls and the other answers, or
// neither says so and they are of different services. Others have an id in common by mistake.
func (t *trace) mayCall(caller, i int32) bool {
	a, b := &t.spans[caller], &t.spans[i]
	return a.Kind.calls() && b.Kind.answers() || !a.Kind.calls() && !a.Kind.answers() && !b.Kind.calls() && !local(a, b)
}

// namedParent returns the span whose id the trace gives as that of the parent. Of several with this id it is the one in the
// child's service, else the one that answers, since what calls has no children but the one of its own id, else the first.
func (t *trace) namedParent(i int32) int32 {
	s := &t.spans[i]
	if s.Parent == 0 {
		return noSpan
	}
	best := t.parentWithID(i, s.Parent)
	if best == noSpan {
		t.collector.countLoss(schema.MissingParent, s)
	}
	return best
}

// parentWithID returns the span of an id that is the likeliest parent of a child, or nobody.
func (t *trace) parentWithID(child int32, id uint64) int32 {
	best, rank := noSpan, -1
	for j, to := t.withID(id); j < to; j++ {
		if r := fitness(&t.spans[j], &t.spans[child]); r > rank {
			best, rank = int32(j), r
		}
	}
	return best
}

// fitness ranks the spans that may be the parent of a child.
func fitness(parent, child *Span) int {
	switch {
	case local(parent, child):
		return 2
	case parent.Kind.answers():
		return 1
	}
	return 0
}

// What the search for circles knows of a span.
const (
	unseen  uint8 = iota // not visited
	onPath               // an ancestor of the span where this search began
	settled              // its ancestors have no circle, or it is cut
)

// cutCircles takes the parent from one span of every circle, the one that starts first. Every span has at most one parent, so
// one walk upwards from each span, stopping at what is settled, finds all circles in linear time.
func (t *trace) cutCircles() {
	t.state = resize(t.state, len(t.spans))
	for i := range t.spans {
		at := int32(i)
		for at != noSpan && t.state[at] == unseen {
			t.state[at] = onPath
			at = t.parent[at]
		}
		meets := at != noSpan && t.state[at] == onPath
		for on := int32(i); on != noSpan && t.state[on] == onPath; on = t.parent[on] {
			t.state[on] = settled
		}
		if meets {
			t.cut(at)
		}
	}
}

// cut opens the circle that a span lies on.
// The earliest span is the likeliest root. Ties go to the lower position, so that the result does not depend on where
// the search met the circle.
func (t *trace) cut(on int32) {
	earliest := on
	for at := t.parent[on]; at != on; at = t.parent[at] {
		if a, b := t.spans[at].StartNs, t.spans[earliest].StartNs; a < b || a == b && at < earliest {
			earliest = at
		}
	}
	t.collector.countLoss(schema.MissingParent, &t.spans[earliest])
	t.parent[earliest] = noSpan
}
