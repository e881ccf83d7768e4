package faults

import "slices"

// Injection is a single fault (e, δ): the event is to happen DeltaNs later, or earlier where that is negative.
type Injection struct {
	Event   int32 // position in the trace
	DeltaNs int64 // δ
}

// Injector makes one changed trace of a chart. It takes 9 bytes an event.
type Injector struct {
	chart  *Chart
	timeNs []int64
	queued []bool // by event: it is in the queue
	queue  *queue
}

// NewInjector returns an injector that starts at the reference trace.
func NewInjector(c *Chart) *Injector {
	return &Injector{chart: c, timeNs: slices.Clone(c.timeNs), queued: make([]bool, c.Len()), queue: newQueue(c)}
}

// Inject injects a fault into the trace as it is now, by Algorithm 2. No event but those that the fault reaches
// moves, and none against its direction. Times must stay within int64.
//
// Algorithm 2 pushes every neighbour of an event that it shifts, and shifts an event by as much as it has to be
// at the time; later it may have to shift the same event again, and with it all that follow. The times at
// which it stops are the minimum ones, and for δ < 0 the maximum, that give no edge a negative slack. Here only
// neighbours with a negative slack are pushed, each once, and they leave the queue in the order of the
// reference trace: an event is shifted when all that could shift it have been, so once. The result is the same.
func (in *Injector) Inject(event int32, deltaNs int64) {
	if deltaNs == 0 {
		return
	}
	w := way{ahead: &in.chart.out, behind: &in.chart.in, sign: 1}
	if deltaNs < 0 {
		w = way{ahead: &in.chart.in, behind: &in.chart.out, sign: -1}
	}
	in.queue.left = deltaNs < 0
	in.timeNs[event] += deltaNs
	in.push(event, w)
	for in.queue.Len() > 0 {
		e := in.queue.Pop()
		in.timeNs[e] += in.requiredShift(e, w) // applyShift of Algorithm 2; by equation (1) it is UPDATESLACK as well
		in.queued[e] = false
		in.push(e, w)
	}
}

// Apply injects faults one after another.
func (in *Injector) Apply(faults []Injection) {
	for _, f := range faults {
		in.Inject(f.Event, f.DeltaNs)
	}
}

// way is the direction in which a fault goes.
type way struct {
	ahead, behind *adjacency
	sign          int64 // 1 to the right, -1 to the left
}

// slack is that of the edge to the event from a neighbour behind it, by equation (1).
func (in *Injector) slack(event int32, behind int32, leastNs int64, w way) int64 {
	return w.sign*(in.timeNs[event]-in.timeNs[behind]) - leastNs
}

// requiredShift is COMPUTEREQUIREDSHIFT of Algorithm 2.
func (in *Injector) requiredShift(event int32, w way) int64 {
	var least int64
	for _, n := range w.behind.of(event) {
		least = min(least, in.slack(event, n.event, n.leastNs, w))
	}
	return -w.sign * least
}

// push puts the neighbours ahead in the queue that have to be shifted and are not in it.
func (in *Injector) push(event int32, w way) {
	for _, n := range w.ahead.of(event) {
		if !in.queued[n.event] && in.slack(n.event, event, n.leastNs, w) < 0 {
			in.queued[n.event] = true
			in.queue.Push(n.event)
		}
	}
}

// Times returns the times of all events now, in ns. They belong to the injector and change with it.
func (in *Injector) Times() []int64 { return in.timeNs }
