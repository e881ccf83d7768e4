// Package offset finds how the clocks of two units relate from what happened on one before something on the other: the
// sending of a message before its receipt. Clocks are taken to differ by an offset and a constant drift,
//
//	y(x) = x + offset + drift (x - origin)
//
// the time of the second clock when the first shows x. Every message from the first to the second, sent at x and
// received at y, bounds that line from above, y(x) <= y, and every message back bounds it from below. The lines that
// respect all of them are a convex set: with the greatest lower bound f(drift), a convex function, and the least upper
// bound g(drift), a concave one, of the offset, a line is possible where f <= g. This is the convex hull method of Duda, Harrus,
// Haddad and Bernard (ICDCS 1987, Estimating global time in distributed systems) and, for bounds, of Jezequel and Jard
// (1996): only points on the hulls bound the line, so that a pair costs memory of its hulls, whatever the number of messages.
//
// The estimate is the line in the middle of the widest gap, the drift at which g - f is largest: the messages of both
// directions then have the same least latency. As few messages allow all kinds of drift, one must be worth it: it must
// widen the gap by a tenth of what it moves times by. Where no line is possible, because the clocks do not run evenly or the
// messages are wrong, it is the line that breaks the bounds least.
package offset
