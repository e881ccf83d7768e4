package live

import (
	"math"

	"github.com/tracelake/tracelake/stages/timing/hotness"
)

// A window cuts the executions at its borders (001, section 6.2.6): each that lies in it in part counts as one, with a part of its time. So the mean of a window is
// less than that of a whole run in which executions are not cut, and its executions are more, though nothing changed. Hence a
// window is compared with windows of its own length, all that lie within the baseline.
//
// With S(t) and E(t), how many executions of a component had begun and ended up to t, and B(t), how long they had been executing, a window from s
// to s + w has S(s+w) - E(s) executions. The mean over all s from 0 to l - w is
//
//	(∫ S from w to l - ∫ E from 0 to l-w) / (l-w) = (∫ S from l-w to l - ∫ E from 0 to w + B(l-w) - B(w)) / (l-w)
//
// as S - E is the slope of B, and they execute for (∫ B from l-w to l - ∫ B from 0 to w) / (l-w), of real times likewise.

// course is how the sums of a component grew over the baseline, at nodes that are a step apart, with linear growth between them.
type course struct{ nodes []node }

// node has sums up to a time, and their integrals from the beginning.
type node struct{ starts, ends, busy, self, startsSum, endsSum, busySum, selfSum float64 }

// coursesOf is how many steps a baseline is divided into.
const coursesOf = 256

// add adds the sums at the next node.
func (c *course) add(s hotness.Sum, stepNs float64) {
	n := node{starts: float64(s.Starts), ends: float64(s.Ends), busy: float64(s.BusyNs), self: float64(s.SelfNs)}
	if len(c.nodes) > 0 {
		b := c.nodes[len(c.nodes)-1]
		n.startsSum, n.endsSum = b.startsSum+stepNs*(b.starts+n.starts)/2, b.endsSum+stepNs*(b.ends+n.ends)/2
		n.busySum, n.selfSum = b.busySum+stepNs*(b.busy+n.busy)/2, b.selfSum+stepNs*(b.self+n.self)/2
	}
	c.nodes = append(c.nodes, n)
}

// at is the node of any time.
func (c *course) at(timeNs, stepNs float64) node {
	i := min(len(c.nodes)-2, int(timeNs/stepNs))
	a, b := c.nodes[i], c.nodes[i+1]
	ns := timeNs - float64(i)*stepNs
	between := func(a, b float64) float64 { return a + (b-a)*ns/stepNs }
	area := func(sum, a, b float64) float64 { return sum + ns*(a+between(a, b))/2 }
	return node{
		between(a.starts, b.starts), between(a.ends, b.ends), between(a.busy, b.busy), between(a.self, b.self),
		area(a.startsSum, a.starts, b.starts), area(a.endsSum, a.ends, b.ends), area(a.busySum, a.busy, b.busy), area(a.selfSum, a.self, b.self),
	}
}

// windows is how many windows the loads of a baseline are the sum of, as these are whole numbers and a rare component has less than one execution in a window.
const windows = 1 << 12

// through is what a component did in windows of a length that lie within the baseline, so many as windows says.
func (c *course) through(whole hotness.Load, lengthNs, windowNs, stepNs float64) hotness.Load {
	w, rest, all := c.at(windowNs, stepNs), c.at(lengthNs-windowNs, stepNs), c.nodes[len(c.nodes)-1]
	mean := func(sum float64) float64 { return windows * sum / (lengthNs - windowNs) }
	whole.BusyNs = int64(math.Round(mean(all.busySum - rest.busySum - w.busySum)))
	whole.SelfNs = int64(math.Round(mean(all.selfSum - rest.selfSum - w.selfSum)))
	if whole.Calls > 0 {
		whole.Calls = max(1, int64(math.Round(mean(all.startsSum-rest.startsSum-w.endsSum+rest.busy-w.busy))))
	}
	return whole
}

// side is what the baseline did in windows of a length, with the numbers that components have in another view. A window that is as long as the baseline has all of it.
func (b *Baseline) side(components []string, windowNs int64) hotness.Side {
	side := hotness.Side{Loads: make([]hotness.Load, len(components)), LengthNs: windows * windowNs}
	all := windowNs <= 0 || windowNs >= b.lengthNs
	if all {
		side.LengthNs = b.lengthNs
	}
	for i, name := range components {
		switch c, known := b.components[name]; {
		case known && all:
			side.Loads[i] = c.load
		case known:
			side.Loads[i] = c.course.through(c.load, float64(b.lengthNs), float64(windowNs), b.stepNs)
		}
	}
	b.paths.on(side.Loads, components)
	return side
}

// stepTimes are the times of the nodes of a baseline that begins at a time, the last one its end.
func stepTimes(firstNs, lengthNs int64) (times []int64) {
	for i := range int64(coursesOf) {
		times = append(times, firstNs+int64(math.Round(float64(lengthNs)*float64(i)/coursesOf)))
	}
	return append(times, firstNs+lengthNs)
}
