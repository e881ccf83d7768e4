package signals

import (
	"cmp"
	"slices"
)

// Interval is a claim, an item of work, an execution or a message: something with a value that lasts for a while.
type Interval struct {
	FromNs, ToNs int64
	Value        float64 // the amount of a claim, or of an item what it counts for
}

// Span is the time over which a signal is asked for, [FromNs, ToNs).
type Span struct{ FromNs, ToNs int64 }

// jump is a change of a sum at a time.
type jump struct {
	ns   int64
	by   float64
	more int32 // intervals that begin, less those that end
}

// jumps are the beginnings and ends of intervals in the order of time: weight says what an interval adds while it lasts, and
// whether it counts.
func jumps(all []Interval, weight func(*Interval) (float64, bool)) (begin, end []jump) {
	begin, end = make([]jump, 0, len(all)), make([]jump, 0, len(all))
	for i := range all {
		if by, counts := weight(&all[i]); counts {
			begin, end = append(begin, jump{all[i].FromNs, by, 1}), append(end, jump{all[i].ToNs, -by, -1})
		}
	}
	return sorted(begin), sorted(end)
}

// walk visits the stretches of time on which the same intervals are active, in order, with the sum of their weights. Time takes
// n log n at most, and n where intervals come in order.
func walk(begin, end []jump, over Span, visit func(fromNs, toNs int64, sum float64)) {
	var sum exact
	active := int32(0)
	at := over.FromNs
	take := func(j jump) {
		if to := min(j.ns, over.ToNs); to > at {
			visit(at, to, sum.value())
			at = to
		}
		sum.add(j.by)
		if active += j.more; active == 0 {
			sum = exact{}
		}
	}
	for len(begin) > 0 || len(end) > 0 {
		// What begins where another ends follows it; of one of no length the beginning comes first.
		if len(begin) > 0 && (len(end) == 0 || begin[0].ns < end[0].ns || active == 0) {
			take(begin[0])
			begin = begin[1:]
			continue
		}
		take(end[0])
		end = end[1:]
	}
	if at < over.ToNs {
		visit(at, over.ToNs, sum.value())
	}
}

// Sum is the sum of the values of the intervals that are active at a time: the usage of a resource by amount, or by clients where
// every value is 1 (Hendriks et al. 2024, Definition 12), and work in progress (Definition 13).
func Sum(all []Interval, over Span) Signal {
	out := Signal{StepNs: 1e9}
	begin, end := jumps(all, func(i *Interval) (float64, bool) { return i.Value, i.ToNs > i.FromNs })
	walk(begin, end, over, func(from, to int64, sum float64) { out.append(Piece{FromNs: from, ToNs: to, C: sum}) })
	return out
}

// rate is what an item adds to the throughput while it lasts, per perNs. Items of no length have none.
func rate(perNs int64) func(*Interval) (float64, bool) {
	return func(i *Interval) (float64, bool) {
		return i.Value * float64(perNs) / float64(i.ToNs-i.FromNs), i.ToNs > i.FromNs
	}
}

// Throughput is how much work is done per perNs: the slope of the cumulative work, averaged over the last windowNs unless that
// is 0 (Hendriks et al. 2024, Definition 15). An item of no length has no slope; it counts in the average, as its value by the
// window on the windowNs behind it. Instant says how many there are.
func Throughput(all []Interval, perNs, windowNs int64, over Span) (s Signal, instant int64) {
	out := Signal{StepNs: perNs}
	begin, end := jumps(all, rate(perNs))
	walk(begin, end, over, func(from, to int64, sum float64) { out.append(Piece{FromNs: from, ToNs: to, C: sum}) })
	var moments []Interval
	for _, i := range all {
		if i.ToNs <= i.FromNs {
			moments = append(moments, i)
		}
	}
	if windowNs <= 0 {
		return out, int64(len(moments))
	}
	// A signal of constants has an average of degree 1, and the sum of two such signals has none more.
	averaged, _ := Average(&out, windowNs)
	averaged = averaged.Within(over.FromNs, over.ToNs)
	if len(moments) > 0 {
		rate := Rate(moments, perNs, windowNs, over)
		averaged = Add(&averaged, &rate)
	}
	return averaged, int64(len(moments))
}

// Rate is the throughput of events, which take no time: how many there were in the last windowNs, per perNs. Without a window it
// is the value of one by the time to the next.
func Rate(events []Interval, perNs, windowNs int64, over Span) Signal {
	boxes := make([]Interval, 0, len(events))
	for _, e := range events {
		boxes = append(boxes, Interval{e.FromNs, e.FromNs + windowNs, e.Value})
	}
	if windowNs <= 0 {
		slices.SortStableFunc(boxes, func(a, b Interval) int { return cmp.Compare(a.FromNs, b.FromNs) })
		// Events of one time share the stretch to the next time.
		for last, i := int64(0), len(boxes)-1; i >= 0; i-- {
			if i+1 < len(boxes) && boxes[i+1].FromNs > boxes[i].FromNs {
				last = boxes[i+1].FromNs
			}
			boxes[i].ToNs = last
		}
	}
	out := Signal{StepNs: perNs}
	begin, end := jumps(boxes, rate(perNs))
	walk(begin, end, over, func(from, to int64, sum float64) { out.append(Piece{FromNs: from, ToNs: to, C: sum}) })
	return out
}

// CumulativeWork is the work done so far, where every item grows from 0 at its beginning to its value at its end (Hendriks et
// al. 2024, Definition 14). One of no length is done at once.
func CumulativeWork(all []Interval, over Span) Signal {
	out := Signal{StepNs: 1e9}
	begin, end := jumps(all, rate(out.StepNs))
	var moments []Interval
	for _, i := range all {
		if i.ToNs <= i.FromNs {
			moments = append(moments, i)
		}
	}
	slices.SortStableFunc(moments, func(a, b Interval) int { return cmp.Compare(a.FromNs, b.FromNs) })
	var done exact
	// The work before the span is done when it begins.
	for _, i := range all {
		if i.ToNs > i.FromNs && i.FromNs < over.FromNs {
			done.add(i.Value * float64(min(i.ToNs, over.FromNs)-i.FromNs) / float64(i.ToNs-i.FromNs))
		}
	}
	walk(begin, end, over, func(from, to int64, slope float64) {
		for from < to {
			for len(moments) > 0 && moments[0].FromNs <= from {
				done.add(moments[0].Value)
				moments = moments[1:]
			}
			cut := to
			if len(moments) > 0 {
				cut = min(cut, moments[0].FromNs)
			}
			out.append(Piece{FromNs: from, ToNs: cut, C: done.value(), B: slope})
			done.add(slope * steps(cut-from, out.StepNs))
			from = cut
		}
	})
	return out
}

// Latency is how long the items that are active take, in perNs: work in progress by throughput (Hendriks et al. 2024, Definition
// 16), which is the harmonic mean of their durations, weighted by their values (Proposition 2). It is 0 where nothing is active;
// items of no length do not count.
func Latency(all []Interval, perNs int64, over Span) Signal {
	out := Signal{StepNs: perNs}
	work, done := Sum(all, over), Signal{StepNs: perNs}
	begin, end := jumps(all, rate(perNs))
	walk(begin, end, over, func(from, to int64, sum float64) { done.append(Piece{FromNs: from, ToNs: to, C: sum}) })
	align(&work, &done, func(p, q Piece) {
		c := 0.0
		if q.C != 0 {
			c = p.C / q.C
		}
		out.append(Piece{FromNs: p.FromNs, ToNs: p.ToNs, C: c})
	})
	return out
}
