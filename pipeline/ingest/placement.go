package ingest

import (
	"cmp"
	"slices"
)

const (
	// placementBytes is how much of a trace is looked at before components are placed in buckets.
	placementBytes = 64 << 20
	// Buckets is how many buckets a trace longer than that has.
	Buckets = 16
)

// placement spreads components over buckets so that these hold about equal numbers of events.
type placement struct {
	bucket map[string]int
	load   []int64
}

// place puts the groups of components of the beginning of a trace, the busiest first, each into the bucket
// with the fewest events so far (longest processing time first; Graham 1969).
func place(w *workload, buckets int) *placement {
	p := &placement{bucket: make(map[string]int, len(w.events)), load: make([]int64, buckets)}
	events := make(map[string]int64, len(w.events)) // of groups, by their leaders
	for name, n := range w.events {
		events[w.leader(name)] += n
	}
	names := make([]string, 0, len(events))
	for name := range events {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(events[b], events[a]), cmp.Compare(a, b))
	})
	for _, name := range names {
		p.put(name, events[name])
	}
	for name := range w.events {
		p.bucket[name] = p.bucket[w.leader(name)]
	}
	return p
}

func (p *placement) put(name string, events int64) int {
	least := 0
	for i, load := range p.load {
		if load < p.load[least] {
			least = i
		}
	}
	p.bucket[name] = least
	p.load[least] += events
	return least
}

// of is the bucket of a component. One that the beginning of the trace did not show counts as an average one.
func (p *placement) of(name string) int {
	if k, known := p.bucket[name]; known {
		return k
	}
	var total int64
	for _, load := range p.load {
		total += load
	}
	return p.put(name, total/int64(len(p.bucket)+1)+1)
}
