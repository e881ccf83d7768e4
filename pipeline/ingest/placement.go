package ingest

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
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
	busiest := func(a, b string) int { return cmp.Or(cmp.Compare(events[b], events[a]), cmp.Compare(a, b)) }
	for _, name := range slices.SortedFunc(maps.Keys(events), busiest) {
		p.put(name, events[name])
	}
	for name := range w.events {
		p.bucket[name] = p.bucket[w.leader(name)]
	}
	return p
}

func (p *placement) put(name string, events int64) int {
	lightest := slices.Index(p.load, slices.Min(p.load))
	p.bucket[name] = lightest
	p.load[lightest] += events
	return lightest
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

// workload is what the beginning of a trace shows of its components: how many events each has, and which of
// them share a lifeline and so a call stack, which must not be spread over buckets.
type workload struct {
	events map[string]int64
	group  map[string]string // another component of its group, up to one that is its own
	first  map[string]string // by lifeline: its first component
}

func newWorkload() *workload {
	return &workload{make(map[string]int64), make(map[string]string), make(map[string]string)}
}

// add counts events of a key.
func (w *workload) add(k *schema.EventKey, events int64) {
	w.events[k.Component] += events
	first, known := w.first[k.Lifeline]
	if !known {
		w.first[k.Lifeline] = k.Component
		return
	}
	if a, b := w.leader(first), w.leader(k.Component); a != b {
		w.group[max(a, b)] = min(a, b)
	}
}

// leader is the component that stands for the group of a component: the first of the group by name.
func (w *workload) leader(component string) string {
	for {
		next, ok := w.group[component]
		if !ok {
			return component
		}
		if after, ok := w.group[next]; ok {
			w.group[component] = after
		}
		component = next
	}
}
