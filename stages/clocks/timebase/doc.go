// Package timebase finds one time for all clocks at once, from what happened on one of them before something on another: messages
// are sent before they are received. A clock that shows t is taken to be t + offset + drift (t - origin) by the reference.
//
// Every order, from clock u at x to clock v at y, is a row T(v, y) >= T(u, x) over the offsets of the clocks at both ends of what
// is known of them, which are the unknowns: one linear programme for all clocks. Orders of two clocks, or of a piece of one and a
// piece of the other, bound lines by the corners of a hull only (package offset), so that time and memory are linear in orders
// and the programme has the rows of hulls.
//
//	reach    the level at which all orders can hold: by 3 ns, so that rounded times keep them; less; or not at all
//	bend     where no even clocks fit, the lines of those clocks that are to blame are divided where orders contradict each
//	         other, in halves, until all of them hold. Curves are continuous and never run back. If they do not come to hold
//	         either, all clocks stay even, and orders are broken by the least.
//	center   of all that is possible the curves that leave the closest orders of the pairs of a tree, those that bound offsets
//	         most tightly, the most time, the same both ways (Duda et al. 1987), less what drifts and bends cost
//	bound    the least and the greatest offset and drift of each clock over all that is possible: bounds through third clocks
//	         are among them
//
// Bounds of a clock that is bent are those of curves with the same knots: where its knots are far apart for how it runs, what
// it shows in truth may be out of them by how far a curve is from a chord.
package timebase
