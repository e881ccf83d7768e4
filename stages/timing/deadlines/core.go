package deadlines

import "slices"

// core is the part of a chart in which lowering outliers changes anything, so that a schedule costs no more
// than it must. No event takes place earlier than with every outlier lowered: that time is its floor. A
// constraint that requires no more than the floor even when nothing is lowered never matters, and is left out.
type core struct {
	floorNs []int64 // by event, in causal order; the last one is the last of the chart
	first   []int32 // by event: its first constraint; one more element than events
	source  []int32 // by constraint: the event it starts at
	pushNs  []int64 // by constraint: as it is lowered now
	outlier []int32 // by constraint: its number among the outliers; -1 if it is none
	place   []int32 // by outlier: its constraint; -1 if it is left out
	target  []int32 // by outlier: the event it ends at
	excess  []int64 // by outlier, in ns
	lowered []bool  // by outlier
	timeNs  []int64 // by event: as last scheduled
	valid   int     // the times of so many events are those of the bounds as they are now
}

// least schedules the chart with every outlier lowered.
func least(c *chart, outliers []outlier) []int64 {
	timeNs := slices.Clone(c.timeNs)
	next := 0
	for event := range c.events {
		lo, hi := c.into(int32(event))
		for i := lo; i < hi; i++ {
			t := timeNs[c.source[i]] + c.pushNs[i]
			if next < len(outliers) && outliers[next].constraint == i {
				t -= outliers[next].excessNs
				next++
			}
			if i == lo {
				timeNs[event] = t
			}
			timeNs[event] = max(timeNs[event], t)
		}
	}
	return timeNs
}

// newCore returns the part of a chart that the time of its last target depends on.
func newCore(c *chart, outliers []outlier) *core {
	k := &core{lowered: make([]bool, len(outliers))}
	number := make([]int32, len(c.source)) // by constraint of the chart: its outlier, -1 if it is none
	for i := range number {
		number[i] = -1
	}
	for n, o := range outliers {
		number[o.constraint] = int32(n)
		k.place, k.target, k.excess = append(k.place, -1), append(k.target, 0), append(k.excess, o.excessNs)
	}
	leastNs := least(c, outliers)
	needed := c.needed(leastNs)
	renumbered := make([]int32, len(c.timeNs))
	for event := len(c.events); event < len(c.timeNs); event++ { // sources that are no targets
		if needed[event] {
			renumbered[event] = k.add(leastNs[event])
		}
	}
	for event := range c.events {
		if needed[event] {
			renumbered[event] = k.add(leastNs[event])
			k.constrain(c, int32(event), leastNs, number, renumbered)
		}
	}
	k.first = append(k.first, int32(len(k.source)))
	k.timeNs = make([]int64, len(k.floorNs))
	return k
}

// matters reports whether a constraint ever requires more than the floor of its target.
func (c *chart) matters(i, target int32, leastNs []int64) bool {
	return c.timeNs[c.source[i]]+c.pushNs[i] > leastNs[target]
}

// needed says of every event whether the time of the last target depends on it.
func (c *chart) needed(leastNs []int64) []bool {
	needed := make([]bool, len(c.timeNs))
	needed[len(c.events)-1] = true
	for event := int32(len(c.events) - 1); event >= 0; event-- {
		if !needed[event] {
			continue
		}
		lo, hi := c.into(event)
		for i := lo; i < hi; i++ {
			if c.matters(i, event, leastNs) {
				needed[c.source[i]] = true
			}
		}
	}
	return needed
}

// add appends an event and returns its number; its constraints follow.
func (k *core) add(floorNs int64) int32 {
	k.floorNs = append(k.floorNs, floorNs)
	k.first = append(k.first, int32(len(k.source)))
	return int32(len(k.floorNs) - 1)
}

// constrain appends the constraints into an event of the chart that matter.
func (k *core) constrain(c *chart, event int32, leastNs []int64, number, renumbered []int32) {
	lo, hi := c.into(event)
	for i := lo; i < hi; i++ {
		if !c.matters(i, event, leastNs) {
			continue
		}
		if number[i] >= 0 {
			k.place[number[i]], k.target[number[i]] = int32(len(k.source)), renumbered[event]
		}
		k.source = append(k.source, renumbered[c.source[i]])
		k.pushNs = append(k.pushNs, c.pushNs[i])
		k.outlier = append(k.outlier, number[i])
	}
}

// lower gives an outlier on a path its threshold as its bound.
func (k *core) lower(outlier int32) {
	k.lowered[outlier] = true
	k.change(outlier, -k.excess[outlier])
}

// restore undoes lower.
func (k *core) restore(outlier int32) {
	k.lowered[outlier] = false
	k.change(outlier, k.excess[outlier])
}

func (k *core) change(outlier int32, ns int64) {
	k.pushNs[k.place[outlier]] += ns
	k.valid = min(k.valid, int(k.target[outlier]))
}

// schedule gives every event the earliest time that its constraints allow and returns that of the last one.
func (k *core) schedule() int64 {
	for event := k.valid; event < len(k.floorNs); event++ {
		t := k.floorNs[event]
		for i := k.first[event]; i < k.first[event+1]; i++ {
			t = max(t, k.timeNs[k.source[i]]+k.pushNs[i])
		}
		k.timeNs[event] = t
	}
	k.valid = len(k.floorNs)
	return k.timeNs[len(k.timeNs)-1]
}

// path appends to out the outliers, not lowered, on one critical path of the last schedule. Unless one of them
// is lowered the last event is no earlier; where the path comes to an event at its floor, nothing before
// that event helps.
func (k *core) path(out []int32) []int32 {
	event := int32(len(k.timeNs) - 1)
	for k.timeNs[event] > k.floorNs[event] {
		i := k.first[event]
		for k.timeNs[k.source[i]]+k.pushNs[i] < k.timeNs[event] {
			i++
		}
		if n := k.outlier[i]; n >= 0 && !k.lowered[n] {
			out = append(out, n)
		}
		event = k.source[i]
	}
	return out
}
