package deadlines

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Edge is a timing constraint between two events, which are identified by their sequence numbers.
type Edge struct {
	Source, Target     int64  // sequence numbers
	SourceNs, TargetNs int64  // times of both events
	BoundNs            int64  // schema.NoValue where none is known
	Key                uint32 // kind of step, a code from 0 up: constraints of one key are compared
	Message            bool   // a message; otherwise a part of a lifeline
	Idle               bool   // a part of a lifeline outside every execution
}

// Occurrence is one execution with what it depended on: all constraints, critical or not, that its last event
// is backward reachable over and whose target lies after the start of its first event. Constraints into
// events at the very time of the start may be added, or left out: they say what From caused at that time.
type Occurrence struct {
	From, To     int64  // sequence numbers of the first and the last event
	FromNs, ToNs int64  // their times
	Edges        []Edge // by target, ascending; a source is less than its target
}

// crosses reports whether a constraint starts before the occurrence.
func (o *Occurrence) crosses(e *Edge) bool { return e.SourceNs < o.FromNs }

// boundNs returns the part of a constraint's bound, which must be known, that lies within the occurrence.
func (o *Occurrence) boundNs(e *Edge) int64 {
	if o.crosses(e) {
		return max(0, e.BoundNs-(o.FromNs-e.SourceNs))
	}
	return e.BoundNs
}

// incoming returns the constraints into an event.
func (o *Occurrence) incoming(target int64) []Edge {
	lo, _ := slices.BinarySearchFunc(o.Edges, target, func(e Edge, t int64) int { return cmp.Compare(e.Target, t) })
	hi := lo
	for hi < len(o.Edges) && o.Edges[hi].Target == target {
		hi++
	}
	return o.Edges[lo:hi]
}

// criticalInto returns the constraint that held an event back longest, nil if it has none: the one with
// the latest source time plus bound, the first in the order of preference among equal ones.
func (o *Occurrence) criticalInto(target int64) *Edge {
	var found *Edge
	edges := o.incoming(target)
	for i := range edges {
		e := &edges[i]
		if found == nil || cmp.Or(cmp.Compare(pushNs(found), pushNs(e)), preference(e, found)) < 0 {
			found = e
		}
	}
	return found
}

// pushNs returns the time before which a constraint does not let its target happen; schema.NoValue
// without a bound.
func pushNs(e *Edge) int64 {
	if e.BoundNs == schema.NoValue {
		return schema.NoValue
	}
	return e.SourceNs + e.BoundNs
}

// preference orders the constraints of one target by what the answer names when several serve equally: the
// latest source, then lifelines before messages. Keys come last, they are only codes.
func preference(a, b *Edge) int {
	if c := cmp.Or(cmp.Compare(b.SourceNs, a.SourceNs), messageFlag(a)-messageFlag(b), cmp.Compare(b.Source, a.Source)); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.BoundNs, b.BoundNs), cmp.Compare(a.Key, b.Key))
}

// messageFlag is 1 for a message, for comparisons.
func messageFlag(e *Edge) int {
	if e.Message {
		return 1
	}
	return 0
}
