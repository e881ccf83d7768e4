package criticalpath

import (
	"slices"

	"github.com/tracelake/tracelake/stages/timing/window"
)

// Known is the constraints into the events on the paths towards one event, as a Closure takes them: the last targets
// first, those of one target together.
type Known struct {
	targets []int64
	edges   []window.Edge
}

// Add takes the next constraint.
func (k *Known) Add(target int64, e *window.Edge) {
	k.targets, k.edges = append(k.targets, target), append(k.edges, *e)
}

// Len is how many there are.
func (k *Known) Len() int { return len(k.edges) }

// Through leaves only the paths over an event, which some path leads over: constraints on no such path are critical no
// more. They still tell contention.
func Through(k *Known, from int64) *Known {
	over := map[int64]bool{from: true}
	out := &Known{k.targets, slices.Clone(k.edges)}
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

// Window is a window of these constraints and no others.
func (k *Known) Window() *window.Window {
	w := new(window.Window)
	if len(k.targets) == 0 {
		w.First = []uint32{0}
		return w
	}
	w.Lo, w.Hi = k.targets[len(k.targets)-1], k.targets[0]+1
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
