// Package stl computes the robustness of signal temporal logic over piecewise polynomials of degree 0, 1 and 2 (Hendriks et
// al. 2024, Definition 18), with until in full.
//
//	rho(s >= x) = s - x    rho(s <= x) = x - s    rho(s == x) = -|s - x|    rho(not F) = -rho(F)    and, or: min, max
//	rho(A until_I B)(t) = sup over t' in t + I of min(rho(B)(t'), inf of rho(A) on the closed [t, t'])
//
// The result is a signal again, so that the robustness is known at every instant. Signals are right-continuous, and at the
// last instant of their domain they have the limit from the left. Windows are closed and cut at the end of the domain; what
// has a lower bound a is defined up to a before the end. Sup and inf include the limits from the left that a window approaches.
//
// # Algorithm
//
// A sup over a sliding window is the greatest of the signal at both ends of the window and of its breaks within, once it is cut
// where it turns; the greatest of the breaks comes from a queue that descends (Lemire 2006). So it is one pass, linear in the pieces
// and independent of the window; one without an end is a pass from the end. A negation is pushed down to the comparisons. Until is reduced as Donzé, Ferrère and Maler 2013 do, here with A closed at t':
//
//	A until_[a,b] B = min(sup of B over t + [a, b], inf of A over t + [0, a], (A until B)(t + a))
//
// and A until B without a bound is one pass from the end: on a piece on which A falls, inf of A over [t, t'] is A(t'); on one on which A
// rises it is A(t).
//
// Whether a comparison is strict matters only where the robustness is exactly 0. There the sign of the robustness tells
// whose thresholds are moved by a tiny e: s >= x counts as s - x + e, and s > x as s - x - e. Where that is 0 again, as in
// "globally (s >= 2 or s < 2)" of a signal that passes 2, the formula counts as not holding.
package stl
