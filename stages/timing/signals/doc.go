// Package signals computes quantities over time of a run and combines them: the signals of Hendriks et al. 2024, sections 2
// and 3, exactly and in one pass over what they are made of.
//
// In come intervals, which are claims, items of work, executions or messages with a value each, in the order of their beginnings, or the
// fragments that a trace has of its own signals. Out come signals: piecewise polynomials of degree 2 at most. No signal is sampled.
//
//	Quantity.Sum         resource usage, clients, and work in progress (Definitions 12 and 13)
//	Quantity.Work        every item grows from 0 to its value while it lasts (Definition 14)
//	Quantity.Throughput  its slope (Definition 15), averaged over a window
//	Quantity.Latency     work in progress by throughput (Definition 16)
//	Stream.Average       the mean of the last w time units, by exact convolution (Definition 10, Proposition 1)
//	Stream.Histogram     how long a signal has which value (Definition 11)
//	Add, Multiply, Min, Max, Derivative, Shift, Scale
//
// A Stream is made while it is read: of intervals only those that are active are in memory, and of the signal the piece in hand.
//
// An operation that would leave degree 2 returns a *DegreeError that names it.
//
// Times are whole nanoseconds. Sums over what is active at a time are kept in two float64 (Dekker 1971; Knuth, The Art of
// Computer Programming 2, section 4.2.2, Theorem B), so what is added and later taken away leaves no rounding behind, however
// many items there are, and a signal is exactly 0 where nothing is active.
package signals
