package faults

import (
	"cmp"
	"fmt"
	"slices"
)

// Message is a message between two events.
type Message struct{ Send, Receive int32 } // positions of its events in the trace

// Damage counts what the clocks of a trace make of its order.
type Damage struct {
	Messages int // left out: not received after they were sent
	Swapped  int // events earlier than the one before them on their lifeline; there the edges go by time
}

// Edges makes the edges of a trace from columns by event. Consecutive events of a lifeline get a share of the
// time between them as slack, from 0 to 1 = all of it, rounded down. Messages get none, so that no communication
// becomes faster (section 4.2.1). A message that is received before it was sent cannot meet (4.2.2); it is left
// out and counted, and so is one whose events have the same time while the receiver comes first in the trace.
//
// Edges of a lifeline come first, by target, and then messages. Lifelines are codes of a dictionary.
func Edges(lifeline []uint32, timeNs []int64, messages []Message, share float64) ([]Edge, Damage, error) {
	if len(lifeline) != len(timeNs) {
		return nil, Damage{}, fmt.Errorf("faults: %d lifelines and %d times", len(lifeline), len(timeNs))
	}
	if !(share >= 0 && share <= 1) {
		return nil, Damage{}, fmt.Errorf("faults: a share of %v of the time between events: use one from 0 to 1", share)
	}
	edges := make([]Edge, 0, len(lifeline)+len(messages))
	var damage Damage
	edges, damage.Swapped = alongLifelines(edges, lifeline, timeNs, share)
	for _, m := range messages {
		if min(m.Send, m.Receive) < 0 || int(max(m.Send, m.Receive)) >= len(timeNs) {
			return nil, Damage{}, fmt.Errorf("faults: a message from event %d to %d: there are %d events", m.Send, m.Receive, len(timeNs))
		}
		gap := timeNs[m.Receive] - timeNs[m.Send]
		if gap < 0 || gap == 0 && m.Receive <= m.Send {
			damage.Messages++
			continue
		}
		edges = append(edges, Edge{m.Send, m.Receive, 0})
	}
	return edges, damage, nil
}

// alongLifelines appends the edges between consecutive events of lifelines, and counts the swapped ones.
func alongLifelines(edges []Edge, lifeline []uint32, timeNs []int64, share float64) (_ []Edge, swapped int) {
	last := make([]int32, lifelines(lifeline)) // by lifeline: its last event so far, plus 1
	for e, l := range lifeline {
		if last[l] > 0 && timeNs[last[l]-1] > timeNs[e] {
			swapped++
		}
		last[l] = int32(e) + 1
	}
	clear(last)
	for _, e := range inTime(timeNs) {
		l := lifeline[e]
		if last[l] > 0 {
			gap := timeNs[e] - timeNs[last[l]-1]
			edges = append(edges, Edge{last[l] - 1, e, part(gap, share)})
		}
		last[l] = e + 1
	}
	return edges, swapped
}

// lifelines is one more than the greatest code.
func lifelines(lifeline []uint32) int {
	if len(lifeline) == 0 {
		return 0
	}
	return int(slices.Max(lifeline)) + 1
}

// inTime are the events in the order of time, and of equal times in that of the trace.
func inTime(timeNs []int64) []int32 {
	order := make([]int32, len(timeNs))
	for e := range order {
		order[e] = int32(e)
	}
	if !slices.IsSorted(timeNs) {
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(timeNs[a], timeNs[b]) })
	}
	return order
}

// part is a share of a time, rounded down; of long times a float64 would not hold the whole.
func part(ns int64, share float64) int64 {
	if share == 1 {
		return ns
	}
	return min(int64(share*float64(ns)), ns)
}
