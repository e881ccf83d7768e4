// Package lifetimes says what goes on while asynchronous operations last: how much of the time of a lifetime (schema.Lifetime) functions
// work, and how much of it messages wait for their receivers. A lifetime says how long something took and not who worked. If it takes longer, then
// because of what happens inside it, or because nothing does.
//
// With n(t) for the lifetimes of one name that are under way at a time, what is from a to b lies in
//
//	F(b) - F(a),  F(t) = integral of n up to t = sum over starts s < t of (t - s) - sum over finishes f < t of (t - f)
//
// of their time: an execution inside three lifetimes is inside each of them.
package lifetimes
