package tmsct

import "github.com/tracelake/tracelake/schema"

// Bounds, and whether something is scheduled, are inherited as in PPS. The first that gives them counts:
//
//	segment of a lifeline   the dependency that it is, the event after it, the function and the component of
//	                        the execution under way, the executor, its host, the settings of
//	                        lifeline-segment, the settings of the chart
//	other dependencies      the dependency, the settings of its type, the settings of the chart
//
// A dependency of type lifeline-segment between events that are no neighbours counts as another dependency.

// segmentDefaults are the defaults of the segment before an event.
func (c *chart) segmentDefaults(i int32) defaults {
	e := &c.events[i]
	// From the nearest to the farthest; or keeps what is given already.
	d := e.defaults
	if own := c.segments[i]; own >= 0 {
		// The dependency that is the segment comes before the event, as or keeps what is given first.
		d = c.dependencies[own].or(d)
	}
	// What is under way in the segment: the innermost open execution, with its function and component.
	if a := c.active[i]; a >= 0 {
		d = d.or(c.functions.list[c.events[a].function].defaults)
		if component := c.events[a].component; component >= 0 {
			d = d.or(c.components.list[component].defaults)
		}
	}
	executor := &c.executors.list[e.executor]
	d = d.or(executor.defaults)
	if executor.host >= 0 {
		d = d.or(c.hosts.list[executor.host].defaults)
	}
	return d.or(c.settings[lifelineSegment].defaults).or(c.document.chart.defaults)
}

// dependencyDefaults are the defaults of a dependency that is no segment.
func (c *chart) dependencyDefaults(i int32) defaults {
	d := &c.dependencies[i]
	return d.or(c.settings[d.typ].defaults).or(c.document.chart.defaults)
}

// findActive finds the execution under way in every segment. An exit without an enter ends an execution that
// began before the trace: it spans all segments before that have no other. An exit of another function than
// the innermost ends all that are open, as nothing is known of them any more.
func (c *chart) findActive() {
	// By executor: the open calls, and the segments that no call was open in so far.
	stacks, roots := make([][]int32, len(c.executors.list)), make([][]int32, len(c.executors.list))
	for i := range c.events {
		e := &c.events[i]
		stack := stacks[e.executor]
		if n := len(stack); n > 0 {
			c.active[i] = stack[n-1]
		} else {
			roots[e.executor] = append(roots[e.executor], int32(i))
		}
		switch n := len(stack); {
		case e.kind == schema.Enter:
			stack = append(stack, int32(i))
		case n == 0:
			// The exit's execution began before the trace, so it was under way in all of them.
			for _, root := range roots[e.executor] {
				c.active[root] = int32(i)
			}
			roots[e.executor] = roots[e.executor][:0]
		case c.events[stack[n-1]].function == e.function:
			stack = stack[:n-1]
		default:
			stack = stack[:0]
		}
		stacks[e.executor] = stack
	}
}
