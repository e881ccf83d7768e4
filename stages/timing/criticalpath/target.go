package criticalpath

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Target is an occurrence whose critical path is wanted: the path towards the event To. It ends at From
// or, if it passes by From, at the time of From.
type Target struct {
	From, To     int64  // sequence numbers of both events
	FromNs, ToNs int64  // their times, ns
	Group        uint32 // free for the caller; Composition sums by it
}

// Start is a From for a path that goes as far as constraints lead.
const Start = schema.NoValue

// beginsAfter reports whether the path towards the target begins after a constraint. Of events at the time of From only those
// behind it belong to the path, and what leads to them from it without taking time.
func (t *Target) beginsAfter(e *window.Edge) bool {
	if t.From == Start || e.TargetNs > t.FromNs {
		return false
	}
	return e.TargetNs < t.FromNs || e.DurationNs > 0 || e.Source < t.From
}

// Key says what time is spent on: a part of the chart, in which way, and for contention, the component
// for which a message waited.
type Key struct {
	Part     uint32          // position in the parts of the chart
	Category schema.Category // in which way the time is spent
	Busy     schema.Code     // schema.NoCode: no contention
}

// Share is the time that a path spends on something.
type Share struct {
	Key
	Ns    int64 // the sum over its steps
	Steps int64 // number of constraints
}

// Step is a constraint on a path, or the part of it behind the start.
type Step struct {
	Number             int64 // of the steps of the path, from 1, the last one first
	Source, Target     int64 // sequence numbers
	SourceNs, TargetNs int64 // ns, not before the start of the target
	Message            bool  // whether it is a message, or a part of a lifeline
	Idle               bool  // whether it is a part of a lifeline outside every execution
	Key
}

// Known holds the constraints into the events on the paths towards one event, as a Closure takes them:
// the last targets first, those of one target together. It lets a second analysis run without reading the
// chart again.
type Known struct {
	targets []int64       // by constraint
	edges   []window.Edge // by constraint
}

// Add takes the next constraint.
func (k *Known) Add(target int64, e *window.Edge) {
	k.targets, k.edges = append(k.targets, target), append(k.edges, *e)
}

// Len returns the number of constraints.
func (k *Known) Len() int { return len(k.edges) }

// Through keeps only the paths over an event, which some path must lead over: constraints on no such path
// become uncritical. They remain for the search for contention.
func Through(k *Known, from int64) *Known {
	over := map[int64]bool{from: true}
	out := &Known{k.targets, slices.Clone(k.edges)}
	// From the first event up: a constraint lies on a path over from if its source does.
	for i := len(out.edges) - 1; i >= 0; i-- {
		e := &out.edges[i]
		switch {
		case e.Flags&window.Critical == 0:
		case over[e.Source]:
			over[k.targets[i]] = true
		default:
			e.Flags &^= window.Critical
		}
	}
	return out
}

// Window returns a window of these constraints and no others.
func (k *Known) Window() *window.Window {
	w := new(window.Window)
	if len(k.targets) == 0 {
		w.First = []uint32{0}
		return w
	}
	w.Lo, w.Hi = k.targets[len(k.targets)-1], k.targets[0]+1
	// A counting sort by target: the constraints come by descending targets.
	w.First = make([]uint32, w.Hi-w.Lo+1)
	for _, target := range k.targets {
		w.First[target-w.Lo+1]++
	}
	for i := 1; i < len(w.First); i++ {
		w.First[i] += w.First[i-1]
	}
	w.Edges = make([]window.Edge, 0, len(k.edges))
	for i := len(k.edges); i > 0; {
		from := i - 1
		for from > 0 && k.targets[from-1] == k.targets[i-1] {
			from--
		}
		w.Edges = append(w.Edges, k.edges[from:i]...)
		i = from
	}
	return w
}
