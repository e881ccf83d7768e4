// Package deadlines explains why occurrences of an execution took longer than allowed: which few timing
// constraints, had they been as usual, would have let the occurrence meet its deadline.
//
// Jonk et al. 2019 (section V) compute the critical path of a late execution and leave it to the reader what
// on it is out of the ordinary. Here occurrences in time say what is ordinary (Reference), as the root cause
// analysis of TNO-ESI's Platform Performance Suite (PPS) does:
//
//	outlier   a constraint with bound > ceil(Q3 + 3 (Q3 - Q1)) of the bounds of its kind in occurrences in time
//	lowered   given that threshold as its bound; every event then takes place as soon as its constraints allow
//	cause     a member of the smallest set of outliers which, lowered, bring the end within the deadline
//
// A bound that is not met exactly may come to be once another one is lowered. So the whole occurrence is
// scheduled anew for every set that is tried, and the smallest set is searched by branch and bound.
//
// Where the sources are silent, or this package does otherwise:
//
//   - If lowering every outlier does not suffice, PPS names the outliers that are then on the critical path.
//     Here it is the smallest set that gains as much as lowering every outlier, which holds those.
//   - Of a constraint that starts before the occurrence, only what its bound reaches into the occurrence counts,
//     and it is compared with others that do so: how long work from before held the occurrence up. PPS has epoch
//     dependencies for this.
//   - An event later than every incoming bound says keeps that distance, and one without incoming bounds its
//     time. So a schedule with nothing lowered is the recording, whatever the bounds; Explanation.UnexplainedNs
//     says how much of the critical path this is. With the bounds of the paper (section IV-D) it is 0 where
//     every event on it has an incoming constraint.
package deadlines
