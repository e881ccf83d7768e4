package hotness

import "slices"

// Load is what a component did in a window.
type Load struct {
	BusyNs int64 // raw: from start to end of its executions, as far as they lie in the window
	SelfNs int64 // real: of that what it did itself
	Calls  int64 // executions that lie in the window, at least in part
	P95Ns  int64 // the duration below which 95 % of the executions stay that end in the window, rounded up by at most 1/8; 0: none ends

	// Of critical paths, where these are known (see Paths): the time of the component's steps in the window, and of the steps of all components.
	CriticalNs, PathsNs int64
}

// Sum is the integral of a component up to a time.
type Sum struct {
	BusyNs, SelfNs, Starts, Ends int64
	durations                    []uint32
}

// Sums are the sums of all components at a time, by their numbers.
type Sums struct {
	Of        []Sum
	durations []uint32
}

// SumsAt returns the sums of all components up to a time, by their numbers; the time is not before that of any row that was applied. The sums
// are a copy.
func (m *Machine) SumsAt(timeNs int64) []Sum {
	var s Sums
	s.Take(m, timeNs)
	return s.Of
}

// Take takes the sums of a machine as SumsAt does, into the memory of those that were taken before.
func (s *Sums) Take(m *Machine, timeNs int64) {
	buckets := 0
	for _, c := range m.Components {
		buckets += len(c.durations)
	}
	s.Of, s.durations = s.Of[:0], slices.Grow(s.durations[:0], buckets)
	for _, c := range m.Components {
		at := len(s.durations)
		s.durations = append(s.durations, c.durations...)
		s.Of = append(s.Of, Sum{c.busyNs + c.running*timeNs, c.selfNs + c.inside*timeNs, c.Starts, c.Ends, s.durations[at:]})
	}
}

// Window is what components did between two times, given their sums up to these. Components that were unknown at the first one had done nothing.
func Window(from, to []Sum) []Load {
	loads := make([]Load, len(to))
	for i, b := range to {
		var a Sum
		if i < len(from) {
			a = from[i]
		}
		loads[i] = Load{BusyNs: b.BusyNs - a.BusyNs, SelfNs: b.SelfNs - a.SelfNs, Calls: b.Starts - a.Ends, P95Ns: quantile(a.durations, b.durations, 0.95)}
	}
	return loads
}

// quantile is the end of the bucket in which a share of the durations is reached that came between two counts; 0 without any.
func quantile(from, to []uint32, share float64) int64 {
	count := func(b int) int64 {
		n := int64(to[b])
		if b < len(from) {
			n -= int64(from[b])
		}
		return n
	}
	total := int64(0)
	for b := range to {
		total += count(b)
	}
	if total == 0 {
		return 0
	}
	// The smallest duration that at least this share of all does not exceed.
	rank := int64(share * float64(total))
	if float64(rank) < share*float64(total) {
		rank++
	}
	for b := range to {
		if rank -= count(b); rank <= 0 {
			return bucketEnd(b)
		}
	}
	return 0
}

// Cut is how much of an execution lies in a window: the interval filter of the thesis for a single execution.
func Cut(startNs, endNs, fromNs, toNs int64) int64 {
	return max(0, min(endNs, toNs)-max(startNs, fromNs))
}
