package faults

import (
	"cmp"
	"fmt"
	"math"
)

// Edge orders two events, which are known by their positions in the trace: the target happens after the
// source, and could be SlackNs earlier.
type Edge struct {
	Source, Target int32 // positions in the trace
	SlackNs        int64 // how much less would do
}

// Chart is the graph of a reference trace: its times t_R and its edges, in both directions. It takes 8 bytes
// for the time of an event, 8 for its places in both directions, and 32 for an edge.
type Chart struct {
	timeNs []int64
	in     adjacency // by target: the sources
	out    adjacency // by source: the targets
}

// NewChart makes the chart of the events with these times, which it keeps. It refuses edges that break (4.2.2),
// and edges that do not lead forward in time or, where both events have the same time, in the trace. So a
// chart has no cycle.
func NewChart(timeNs []int64, edges []Edge) (*Chart, error) {
	if len(timeNs) >= math.MaxInt32 || len(edges) > math.MaxInt32 {
		return nil, fmt.Errorf("faults: %d events and %d edges: a chart has less than 2^31 of each", len(timeNs), len(edges))
	}
	c := &Chart{timeNs: timeNs}
	for i, e := range edges {
		if err := c.check(e); err != nil {
			return nil, fmt.Errorf("faults: edge %d, from event %d to %d: %w", i, e.Source, e.Target, err)
		}
	}
	c.in = adjacent(len(timeNs), edges, c.least, func(e Edge) (at, other int32) { return e.Target, e.Source })
	c.out = adjacent(len(timeNs), edges, c.least, func(e Edge) (at, other int32) { return e.Source, e.Target })
	return c, nil
}

// check says what is wrong with an edge.
func (c *Chart) check(e Edge) error {
	if n := len(c.timeNs); min(e.Source, e.Target) < 0 || int(max(e.Source, e.Target)) >= n {
		return fmt.Errorf("there are %d events", n)
	}
	if c.compare(e.Source, e.Target) >= 0 {
		return fmt.Errorf("it does not lead forward: the source is at %d ns, the target at %d ns",
			c.timeNs[e.Source], c.timeNs[e.Target])
	}
	if gap := c.timeNs[e.Target] - c.timeNs[e.Source]; e.SlackNs < 0 || e.SlackNs > gap {
		return fmt.Errorf("its slack of %d ns is not from 0 to the %d ns between the events (4.2.2)", e.SlackNs, gap)
	}
	return nil
}

// least is l of an edge, equation (1).
func (c *Chart) least(e Edge) int64 { return c.timeNs[e.Target] - c.timeNs[e.Source] - e.SlackNs }

// compare orders events by reference time, then by their places in the trace. All edges lead forward in it.
func (c *Chart) compare(a, b int32) int {
	if d := cmp.Compare(c.timeNs[a], c.timeNs[b]); d != 0 {
		return d
	}
	return cmp.Compare(a, b)
}

// Len is the number of events.
func (c *Chart) Len() int { return len(c.timeNs) }
