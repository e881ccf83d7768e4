package signals

// Quantity is what is asked of intervals: of the stretches on which the same ones are active.
type Quantity struct {
	Open  func() (Intervals, error) // opens the intervals, in the order of their beginnings; each time all of them
	PerNs int64                     // unit of time of work, throughput and latency
	Over  Span

	Instants int64 // how many of the intervals take no time; known when a signal of them has been read
}

// of is a signal of constants, as each stretch has one.
func (q *Quantity) of(stepNs int64, rated bool, value func(*stretch) float64) Stream {
	return Stream{StepNs: stepNs, Open: func() Pieces {
		w := q.sweep(rated)
		var held Piece // what the next stretches may go on
		var s stretch
		return func() (Piece, error) {
			for {
				if err := w.stretch(&s); err != nil {
					out := held
					if held = (Piece{}); out.ToNs == out.FromNs || unlessEnd(err) != nil {
						return Piece{}, err
					}
					return out, nil
				}
				c := value(&s)
				if c == held.C && held.ToNs == s.fromNs && held.FromNs < held.ToNs {
					held.ToNs = s.toNs
					continue
				}
				from, to, constant := held.FromNs, held.ToNs, held.C
				held.FromNs, held.ToNs, held.C = s.fromNs, s.toNs, c
				if from < to {
					return Piece{FromNs: from, ToNs: to, C: constant}, nil
				}
			}
		}
	}}
}

// Sum is the sum of the values of the intervals that are active at a time: the usage of a resource by amount, or by clients where
// every value is 1 (Hendriks et al. 2024, Definition 12), and work in progress (Definition 13).
func (q *Quantity) Sum() Stream { return q.of(1e9, false, func(s *stretch) float64 { return s.value }) }

// Throughput is how much work is done per PerNs: the slope of the cumulative work, averaged over the last windowNs unless that
// is 0 (Hendriks et al. 2024, Definition 15). An item of no length has no slope; it counts in the average, as its value by the
// window on the windowNs behind it: the cumulative work jumps where it is.
func (q *Quantity) Throughput(windowNs int64) Stream {
	if windowNs <= 0 {
		return q.of(q.PerNs, true, func(s *stretch) float64 { return s.rate })
	}
	rates := func() jumping {
		w := q.sweep(true)
		return func() (Piece, float64, error) {
			var s stretch
			err := w.stretch(&s)
			return Piece{FromNs: s.fromNs, ToNs: s.toNs, C: s.rate}, s.instants, err
		}
	}
	return Stream{StepNs: q.PerNs, Open: func() Pieces { return averaged(rates(), rates(), q.PerNs, windowNs, q.Over) }}
}

// Work is the work done so far, where every item grows from 0 at its beginning to its value at its end (Hendriks et al. 2024,
// Definition 14). One of no length is done at once. What was done before the span is done when it begins.
func (q *Quantity) Work() Stream {
	return Stream{StepNs: q.PerNs, Open: func() Pieces {
		w := q.sweep(true)
		var done exact
		begun := false
		return joined(func() (Piece, error) {
			var s stretch
			err := w.stretch(&s)
			if !begun {
				begun, done = true, w.before
			}
			done.add(s.instants)
			p := Piece{FromNs: s.fromNs, ToNs: s.toNs, C: done.value(), B: s.rate}
			done.add(s.rate * steps(s.toNs-s.fromNs, q.PerNs))
			return p, err
		})
	}}
}

// Latency is how long the items that are active take, in PerNs: work in progress by throughput (Hendriks et al. 2024, Definition
// 16), which is the harmonic mean of their durations, weighted by their values (Proposition 2). It is 0 where nothing is active;
// items of no length do not count.
func (q *Quantity) Latency() Stream {
	return q.of(q.PerNs, true, func(s *stretch) float64 {
		if s.rate == 0 {
			return 0
		}
		return s.value / s.rate
	})
}
