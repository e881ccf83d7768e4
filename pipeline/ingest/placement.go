package ingest

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// placementBytes is how much of a trace is looked at before components are placed in buckets. A trace that is not longer
// has one bucket.
const placementBytes = 64 << 20

// A longer trace has a power of two of buckets, from leastBuckets to mostBuckets. Up to manyBuckets none need hold more than
// bucketBytes of it: about 1.2 million events of text, which a core analyzes in some seconds. Beyond, where most machines
// have no more cores, four times the bytes have twice the buckets: 64 for 4 GiB, 512 for 256 GiB. More would cost those who
// hold a row group of each.
const (
	leastBuckets = 16
	manyBuckets  = 64
	mostBuckets  = 4096
	bucketBytes  = 64 << 20
)

// bucketsFor is how many buckets a trace of some bytes has, if it is longer than placementBytes. The size is one that is
// known before the trace is read (traceBytes), so that every machine places alike.
func bucketsFor(bytes int64) int {
	buckets := leastBuckets
	for buckets < mostBuckets && capacity(buckets) < bytes {
		buckets *= 2
	}
	return buckets
}

// capacity is how long a trace may be that has so many buckets.
func capacity(buckets int) int64 {
	return int64(buckets) * bucketBytes * int64(max(1, buckets/manyBuckets))
}

// placement spreads components over buckets so that these hold about equal numbers of events.
type placement struct {
	bucket map[string]int // by component
	load   []int64        // events by bucket, as far as they were seen or assumed
}

// place puts the groups of components of the beginning of a trace, the busiest first, each into the bucket
// with the fewest events so far (longest processing time first; Graham 1969).
// The rule keeps the fullest bucket within 4/3 of the best possible. Ties are broken by name, so that the order of
// a map does not show in the lake.
func place(w *workload, buckets int) *placement {
	p := &placement{bucket: make(map[string]int, len(w.events)), load: make([]int64, buckets)}
	// The buckets of the members follow from those of their leaders.
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

// put places a component in the bucket with the fewest events, the first of several, and returns the bucket.
func (p *placement) put(name string, events int64) int {
	lightest := slices.Index(p.load, slices.Min(p.load))
	p.bucket[name] = lightest
	p.load[lightest] += events
	return lightest
}

// of is the bucket of a component. One that the beginning of the trace did not show counts as an average one.
// The bucket is remembered, since all events of a component lie in one bucket.
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
// The groups are a forest of disjoint sets: each component points to another one of its group, and the leader to
// none.
type workload struct {
	events map[string]int64
	group  map[string]string // another component of its group, up to one that is its own
	first  map[string]string // by lifeline: its first component
}

// newWorkload returns a workload without components.
func newWorkload() *workload {
	return &workload{make(map[string]int64), make(map[string]string), make(map[string]string)}
}

// count counts the events of a block, by the positions of their keys.
func (w *workload) count(events []uint32, keys []schema.EventKey) {
	counts := make([]int64, len(keys))
	for _, k := range events {
		counts[k]++
	}
	for k, n := range counts {
		if n > 0 {
			w.add(&keys[k], n)
		}
	}
}

// add counts events of a key.
// A component that shares a lifeline with another joins its group, and with it all components of its own group.
func (w *workload) add(k *schema.EventKey, events int64) {
	w.events[k.Component] += events
	first, known := w.first[k.Lifeline]
	if !known {
		w.first[k.Lifeline] = k.Component
		return
	}
	if a, b := w.leader(first), w.leader(k.Component); a != b {
		w.group[max(a, b)] = min(a, b) // the first by name leads, whatever the order of the events
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
			w.group[component] = after // halve the path for the next search
		}
		component = next
	}
}
