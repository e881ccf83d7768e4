package chrome

import (
	"fmt"
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/heap"
)

// overlap holds the further lanes of a thread, for complete calls that overlap without lying in each other. A call goes to
// the first lane in whose open calls it lies, so that names depend on how many calls overlap and not on how many there
// are. Finding that lane takes logarithmic time, as a thread may have ten thousand calls open at once.
type overlap struct {
	lanes []*lane
	ends  heap.Heap[laneEnd] // of the calls open on lanes
	// until is a complete binary tree over the lanes: a leaf is the time until which its lane takes calls, an inner node
	// the later one of its two. The root is node 1, the children of node i are 2i and 2i+1, the leaves are the second half.
	until []int64
}

// laneEnd is the end of a call on a lane.
type laneEnd struct {
	timeNs int64
	lane   int // position in overlap.lanes
}

func newOverlap() *overlap {
	return &overlap{until: make([]int64, 2), ends: heap.New(func(a, b laneEnd) bool {
		if a.timeNs != b.timeNs {
			return a.timeNs < b.timeNs
		}
		return a.lane < b.lane
	})}
}

// first returns the position of the first lane that takes a call which ends at a time, -1 where none does.
func (o *overlap) first(timeNs int64) int {
	leaves := len(o.until) / 2
	if o.until[1] < timeNs || len(o.lanes) == 0 {
		return -1
	}
	node := 1
	for node < leaves {
		if node *= 2; o.until[node] < timeNs {
			node++
		}
	}
	return node - leaves
}

// set enters the time until which a lane takes calls.
func (o *overlap) set(at int, timeNs int64) {
	node := at + len(o.until)/2
	o.until[node] = timeNs
	for node /= 2; node > 0; node /= 2 {
		o.until[node] = max(o.until[2*node], o.until[2*node+1])
	}
}

// add adds a lane. The tree doubles where it is full; a leaf without a lane takes nothing.
func (o *overlap) add(l *lane) int {
	at := len(o.lanes)
	o.lanes = append(o.lanes, l)
	if leaves := len(o.until) / 2; at == leaves {
		old := o.until[leaves:]
		o.until = make([]int64, 4*leaves)
		for i := range o.until {
			o.until[i] = math.MinInt64
		}
		copy(o.until[2*leaves:], old)
		for node := 2*leaves - 1; node > 0; node-- {
			o.until[node] = max(o.until[2*node], o.until[2*node+1])
		}
	}
	o.set(at, never)
	return at
}

// laneBeside returns the lane for a complete call that does not fit on the lane of its thread, and counts it.
// Calls on the lanes that have ended by now make room first. Messages that wait for the next call of the thread move to
// the lane that it goes to.
func (p *player) laneBeside(track uint32, r *record) *lane {
	o := p.overlaps[track]
	if o == nil {
		o = newOverlap()
		p.overlaps[track] = o
	}
	for o.ends.Len() > 0 && o.ends.First().timeNs <= p.now {
		at := o.ends.Pop().lane
		p.closeEnded(o.lanes[at])
		o.set(at, o.lanes[at].room())
	}
	until := r.timeNs + r.more
	at := o.first(until)
	if at < 0 {
		at = o.add(newLane(p.names.unique(p.labels[track].lifeline)))
	}
	l, own := o.lanes[at], p.lanes[track]
	l.following, own.following = append(l.following, own.following...), own.following[:0]
	own.beside, own.besideAt = l, p.group
	p.reading.Ledger.Add(schema.CrossingCall, func() string {
		return fmt.Sprintf("%s: %s at %d ns", p.reading.Traces[0].Path, l.lifeline, r.timeNs)
	})
	if r.more > 0 {
		o.ends.Push(laneEnd{until, at})
		o.set(at, until) // it is about to be the innermost call of the lane
	}
	return l
}
