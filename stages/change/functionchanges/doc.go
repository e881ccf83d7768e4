// Package functionchanges says which functions became slower or faster between two sides of a few runs each, and what all
// functions of a run have in common. Its input is what the calls of every function cost in every run, in own time: the time
// of a call without the calls that it makes.
//
// Three things hide a change of a function from a plain test on its totals, and each has its cure:
//
//	(1) The runs of a machine differ by a factor that all functions share, such as the clock of the processor. The factor of
//	    every run is estimated (Factors) and taken out of what does not get clearly unsteadier by that. What is taken out is a finding
//	    of its own, not a correction that is forgotten: see Factors.Compare.
//	(2) One estimate of a function's cost is not enough. A busy machine spoils means and leaves lower quantiles alone, while a
//	    change that hits few calls shows in the mean only. Six estimates are tested, and their p-values combined by a rule that
//	    holds under dependence (stats.WeightedCauchy), half of it by how precise each is.
//	(3) Functions are one family of hypotheses, and pay for each other according to their share of the time
//	    (stats.WeightedBenjaminiHochberg): a function with half of the time shall not pay for thousands that have none. The share is the
//	    median over the runs of both sides, which says nothing about a difference between the sides.
//
// The test of an estimate is the moderated t of Smyth 2004: the variance of a function borrows from those of the others. The
// prior follows the number of calls (stats.FitTrendPrior), and a function whose own variance is greater than the moderated
// one keeps its own, so that a function with two states is not believed to be steady because others are. A run that no other one
// resembles is left out of a function (fitTypical).
package functionchanges
