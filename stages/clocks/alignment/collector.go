package alignment

import "github.com/tracelake/tracelake/stages/clocks/offset"

// Collector gathers what the messages of a trace say about its clocks. Its memory is that of the hulls of every pair of
// domains, whatever the number of messages.
type Collector struct {
	pairs  map[[2]uint32]*pair
	recent [recentPairs]*pair // a direct-mapped table before the map, as most messages are of few pairs
	starts map[uint32]int64   // by domain: requests that begin there
	unit   int64              // ns: what all times are multiples of, as far as units of clocks go
}

// recentPairs is how many pairs are found without a look into the map.
const recentPairs = 1 << 10

// pair is two domains, the lower one first, with the bounds of the second clock over the first.
type pair struct {
	key    [2]uint32
	x0, y0 int64 // ns, origins of both clocks: the times of the first bound
	sure   bounds
	nested bounds // further bounds that hold if calls lie in their callers: see Nest
}

// bounds are those of one kind.
type bounds struct{ *offset.Pair }

// New returns a collector that knows nothing.
func New() *Collector {
	return &Collector{pairs: make(map[[2]uint32]*pair), starts: make(map[uint32]int64), unit: coarsest}
}

// coarsest is the coarsest unit in which a trace may give its times: milliseconds.
const coarsest = 1_000_000

// Start notes that a request begins in a domain. The domain where most begin is the reference.
func (c *Collector) Start(domain uint32) { c.starts[domain]++ }

// Before notes that something at one time of a domain's clock happened before something at a time of another's.
func (c *Collector) Before(from uint32, sentNs int64, to uint32, receivedNs int64) {
	p := c.pairOf(from, sentNs, to, receivedNs)
	p.sure.note(p, from, sentNs, receivedNs)
}

// Nest notes the same of the end of a call and that of its caller, where nothing says that the caller waited. It counts where
// these bounds contradict neither each other nor those that are sure.
func (c *Collector) Nest(from uint32, sentNs int64, to uint32, receivedNs int64) {
	p := c.pairOf(from, sentNs, to, receivedNs)
	p.nested.note(p, from, sentNs, receivedNs)
}

// note adds a bound to those of a pair.
func (b *bounds) note(p *pair, from uint32, sentNs, receivedNs int64) {
	if from == p.key[0] {
		b.Before(sentNs-p.x0, receivedNs-p.y0)
	} else {
		b.After(receivedNs-p.x0, sentNs-p.y0)
	}
}

// pairOf finds the pair of two domains, and looks at the unit of their times.
func (c *Collector) pairOf(from uint32, fromNs int64, to uint32, toNs int64) *pair {
	for c.unit > 1 && (fromNs%c.unit != 0 || toNs%c.unit != 0) {
		c.unit /= 1000
	}
	key := [2]uint32{from, to}
	if to < from {
		key, fromNs, toNs = [2]uint32{to, from}, toNs, fromNs
	}
	near := &c.recent[(key[0]*31+key[1])%recentPairs]
	if *near != nil && (*near).key == key {
		return *near
	}
	p := c.pairs[key]
	if p == nil {
		p = &pair{key: key, x0: fromNs, y0: toNs, sure: bounds{Pair: new(offset.Pair)}, nested: bounds{Pair: new(offset.Pair)}}
		c.pairs[key] = p
	}
	*near = p
	return p
}
