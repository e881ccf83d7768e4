package ingest

import (
	"cmp"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// placementBytes is how much of a trace is looked at before lifelines are placed in buckets. A trace that is not longer
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

// placement spreads lifelines over buckets so that these hold about equal numbers of events. The lifelines of a component lie
// in one bucket as long as that does not make it much fuller than others: what is said of a component needs all of them.
type placement struct {
	bucket map[string]int    // by component, of those that are whole
	load   []int64           // events by bucket, as far as they were seen or assumed
	common int               // the buckets below this number hold whole components, each of the others lifelines of one group
	shares map[string]*share // by component, of the groups that are spread
}

// share is the buckets over which the lifelines of a group of components are spread, and of no other components.
type share struct {
	first, buckets int
	bucket         map[string]int // by lifeline
}

// place puts the groups of components of the beginning of a trace, the busiest first, each into the bucket
// with the fewest events so far (longest processing time first; Graham 1969).
// The rule keeps the fullest bucket within 4/3 of the best possible, unless a group has more than 4/3 of a bucket's fair
// share. Such a group is spread over buckets of its own, in the same way by its lifelines, unless the
// run is made from others: the task that does that cannot say which buckets belong together. Ties are broken by name, so that
// the order of a map does not show in the lake.
func place(w *workload, buckets int, spread bool) *placement {
	p := &placement{bucket: make(map[string]int, len(w.events)), load: make([]int64, buckets), common: buckets}
	// The buckets of the members follow from those of their leaders.
	events := make(map[string]int64, len(w.events)) // of groups, by their leaders
	for name, n := range w.events {
		events[w.leader(name)] += n
	}
	if spread {
		p.spread(w, events)
	}
	for _, name := range busiest(events) {
		if p.shares[name] == nil {
			p.put(name, events[name])
		}
	}
	for name := range w.events {
		leader := w.leader(name)
		if of := p.shares[leader]; of != nil {
			p.shares[name] = of
		} else {
			p.bucket[name] = p.bucket[leader]
		}
	}
	return p
}

// busiest lists names, those with the most events first.
func busiest(events map[string]int64) []string {
	return slices.SortedFunc(maps.Keys(events), func(a, b string) int { return cmp.Or(cmp.Compare(events[b], events[a]), cmp.Compare(a, b)) })
}

// spread gives buckets of their own to the groups that are too large for one, and places their lifelines. Events are those of
// the groups.
func (p *placement) spread(w *workload, events map[string]int64) {
	lifelines := make(map[string]map[string]int64) // events by group and lifeline
	for name, l := range w.lifelines {
		leader := w.leader(l.First)
		if lifelines[leader] == nil {
			lifelines[leader] = make(map[string]int64)
		}
		lifelines[leader][name] = l.Events
	}
	total := int64(0)
	for _, n := range events {
		total += n
	}
	// The buckets are dealt out one by one, each to those who have the most events a bucket: a large group, or all others
	// together, who have one at least for components that are still to come.
	large, others := []string(nil), hand{events: total, most: len(events), buckets: 1}
	var hands []*hand
	for _, name := range busiest(events) {
		if 3*int64(len(p.load))*events[name] > 4*total && len(lifelines[name]) > 1 {
			large, hands = append(large, name), append(hands, &hand{events: events[name], most: len(lifelines[name]), buckets: 1})
			others.events, others.most = others.events-events[name], max(others.most-1, 1)
		}
	}
	if len(large) == 0 || len(p.load) < 2+len(large) {
		return
	}
	hands = append(hands, &others)
	for range len(p.load) - len(hands) {
		if h := slices.MaxFunc(hands, compareHands); h.buckets < h.most {
			h.buckets++
		}
	}
	p.common, p.shares = others.buckets, make(map[string]*share)
	first := p.common
	for i, name := range large {
		of := &share{first: first, buckets: hands[i].buckets, bucket: make(map[string]int)}
		p.shares[name] = of
		for _, lifeline := range busiest(lifelines[name]) {
			p.putLifeline(of, lifeline, lifelines[name][lifeline])
		}
		first += of.buckets
	}
}

// hand is buckets dealt out to some who have events.
type hand struct {
	events        int64
	most, buckets int
}

// compareHands compares events a bucket. Who can use no more buckets has none.
func compareHands(a, b *hand) int {
	need := func(h *hand) int64 {
		if h.buckets == h.most {
			return -1
		}
		return h.events / int64(h.buckets)
	}
	return cmp.Compare(need(a), need(b))
}

// put places a component in the bucket with the fewest events, the first of several, and returns the bucket.
func (p *placement) put(name string, events int64) int {
	p.bucket[name] = p.lightest(0, p.common, events)
	return p.bucket[name]
}

// putLifeline places a lifeline of a group that is spread.
func (p *placement) putLifeline(of *share, lifeline string, events int64) int {
	of.bucket[lifeline] = p.lightest(of.first, of.first+of.buckets, events)
	return of.bucket[lifeline]
}

// lightest adds events to the bucket from one to another that has the fewest.
func (p *placement) lightest(from, to int, events int64) int {
	at := from + slices.Index(p.load[from:to], slices.Min(p.load[from:to]))
	p.load[at] += events
	return at
}

// of is the bucket of a lifeline of a component, and whether it is that of the whole component. One that the beginning of the
// trace did not show counts as an average one. The bucket is remembered, since all events of a lifeline lie in one bucket.
func (p *placement) of(component, lifeline string) (bucket int, whole bool) {
	bucket, known, whole := p.known(component, lifeline)
	switch {
	case known:
		return bucket, whole
	case whole:
		return p.put(component, sum(p.load[:p.common])/int64(len(p.bucket)+1)+1), true
	}
	of := p.shares[component]
	return p.putLifeline(of, lifeline, sum(p.load[of.first:of.first+of.buckets])/int64(len(of.bucket)+1)+1), false
}

// known is what of returns, where that is decided already.
func (p *placement) known(component, lifeline string) (bucket int, known, whole bool) {
	if of := p.shares[component]; of != nil {
		bucket, known = of.bucket[lifeline]
		return bucket, known, false
	}
	bucket, known = p.bucket[component]
	return bucket, known, true
}

func sum(load []int64) (total int64) {
	for _, n := range load {
		total += n
	}
	return total
}

// groups lists the buckets that hold lifelines of the same components.
func (p *placement) groups() (all [][]int) {
	seen := make(map[int]bool)
	for _, of := range p.shares {
		if of.buckets > 1 && !seen[of.first] {
			seen[of.first] = true
			group := make([]int, of.buckets)
			for i := range group {
				group[i] = of.first + i
			}
			all = append(all, group)
		}
	}
	slices.SortFunc(all, slices.Compare)
	return all
}

// workload is what the beginning of a trace shows of its components: how many events each has, and which of
// them share a lifeline and so a call stack, which must not be spread over buckets.
// The groups are a forest of disjoint sets: each component points to another one of its group, and the leader to
// none.
type workload struct {
	events    map[string]int64
	group     map[string]string // another component of its group, up to one that is its own
	lifelines map[string]*lifelineLoad
}

// lifelineLoad is what the beginning shows of a lifeline.
type lifelineLoad struct {
	First  string // its first component
	Events int64
}

// newWorkload returns a workload without components.
func newWorkload() *workload {
	return &workload{make(map[string]int64), make(map[string]string), make(map[string]*lifelineLoad)}
}

// count counts the events of a block, by the positions of their keys.
func (w *workload) count(events []uint32, keys schema.KeyList) {
	counts := make([]int64, keys.Len())
	for _, k := range events {
		counts[k]++
	}
	for k, n := range counts {
		if n > 0 {
			w.add(keys.At(uint32(k)), n)
		}
	}
}

// add counts events of a key.
// A component that shares a lifeline with another joins its group, and with it all components of its own group.
func (w *workload) add(k schema.EventKey, events int64) {
	w.events[k.Component] += events
	l := w.lifelines[k.Lifeline]
	if l == nil {
		w.lifelines[k.Lifeline] = &lifelineLoad{k.Component, events}
		return
	}
	l.Events += events
	if a, b := w.leader(l.First), w.leader(k.Component); a != b {
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
