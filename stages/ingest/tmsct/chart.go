package tmsct

import "strings"

// chart is a document with what follows from its events together.
type chart struct {
	*document
	before, after []int32 // by event: its neighbours on its lifeline, or -1
	segments      []int32 // by event: the dependency that is the segment before it, or -1
	active        []int32 // by event: one of the execution that is under way in the segment before it, or -1
	order         []int32 // the events by time, each after those that it waits for
}

// newChart connects the events of a document. The events of a lifeline stand in their order.
func newChart(d *document) *chart {
	// Neighbours on a lifeline first: whether a dependency is a segment depends on them.
	n := len(d.events)
	// The four lists of the chart in one allocation; -1 is "none" in all of them.
	all := make([]int32, 4*n)
	for i := range all {
		all[i] = -1
	}
	c := &chart{document: d, before: all[:n], after: all[n : 2*n], segments: all[2*n : 3*n], active: all[3*n:]}
	last := make([]int32, len(d.executors.list))
	for i := range last {
		last[i] = -1
	}
	// The list of events is in the order of the text, which is that of each lifeline.
	for i := range d.events {
		e := &d.events[i]
		if previous := last[e.executor]; previous >= 0 {
			c.before[i], c.after[previous] = previous, int32(i)
		}
		last[e.executor] = int32(i)
	}
	// A lifeline-segment between neighbours is that segment; the first of several counts, the others are messages.
	for i := range d.dependencies {
		c.classify(int32(i))
	}
	c.findActive()
	return c
}

// classify infers the type of a dependency and finds those that are segments of a lifeline.
func (c *chart) classify(i int32) {
	d := &c.dependencies[i]
	if d.typ == inferred {
		d.typ = c.typeByPrefix(d.name)
	}
	if d.typ == lifelineSegment && d.source >= 0 && d.target >= 0 && c.before[d.target] == d.source && c.segments[d.target] < 0 {
		c.segments[d.target] = i
	}
}

// isSegment reports whether a dependency is a segment of a lifeline, and hence no message.
func (c *chart) isSegment(i int32) bool {
	d := &c.dependencies[i]
	return d.target >= 0 && c.segments[d.target] == i
}

// typeByPrefix is the type with the longest prefix that a name has, message where it has none.
func (d *document) typeByPrefix(name string) typ {
	best, length := message, 0
	for t := range d.settings {
		if p := d.settings[t].prefix; len(p) > length && strings.HasPrefix(name, p) {
			best, length = typ(t), len(p)
		}
	}
	return best
}
