// Package slack finds how much later or earlier the events of a timed message sequence chart could have been,
// and which constraints lead from one event to another.
//
//	slack(e)  = min over the constraints d from e with a bound of max(duration(d) - bound(d), 0) + slack(target(d))    (1)
//	urgent(e) = max over the constraints d into e of urgent(source(d)) + (bound(d), or 0 without one)                  (2)
//
// Slack is by how much an event could be later without moving the end of the chart; it is 0 where no constraint
// with a bound leaves the event. Urgent is the earliest time that the constraints allow; an event without a
// constraint into it keeps its time. Both are in ns and as TNO's Platform Performance Suite has them, where urgent
// times are called as soon as possible. A bound is the d of Jonk et al. 2019, Definition 1.
//
// Equation (1) is found in one walk down the windows of a chart, (2) in a walk up. Of what is outside the window
// at hand they keep only the events from which a constraint leads across a border of windows: about one for each
// lifeline, and the messages under way.
//
// A constraint whose source is not before its target is damaged; it is left out and counted.
package slack
