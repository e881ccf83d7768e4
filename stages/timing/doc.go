// Package timing is the wing that says why something took so long: events and messages go in; timing constraints and
// what follows from them come out.
//
// A trace with its constraints is a timed message sequence chart (Jonk et al. 2019, Definition 1): a constraint e1 -d-> e2
// says t(e1) + d <= t(e2), and it is critical where both sides are equal (Definition 4). A path of critical constraints
// is the answer to what an event waited for.
//
// The packages, in the order of the data:
//
//	constraints   events, messages and other couplings -> constraints with their bounds d (section IV)
//	validate      events and constraints -> every place where one of the six conditions of Definition 3 is broken
//	slack         constraints -> how much later or earlier each event could be; all paths between two events
//	criticalpath  constraints -> critical paths towards events (Algorithm 1), and what their time is spent on
//	flame         critical paths and executions -> where the time of paths goes, by call path
//	deadlines     occurrences of an execution -> the fewest unusual bounds that made one late
//	whatif        constraints and other durations -> the times that events would have had
//	pathdiff      compositions of critical paths of several runs -> how much time each part takes in each run
//	signals       executions, messages, claims -> usage, work in progress, throughput and latency over time
//	tiles         executions -> sums over neighbours: levels of detail for pictures of windows
//	hotness       calls as they come -> how hot every component is within a window
//	controlchart  times of a run -> between which limits the mean of so many times is expected
//	claimgraph    claims and dependencies -> critical paths of a whole run, constraints that are not kept
//	findings      the results of these questions, in the form that reports take
//
// Package window is the chart as all of them walk over it: the constraints of a part of the trace, in memory, found by
// target. Constraints lead from earlier to later events, so one walk down or up the windows suffices, and memory is
// bounded by a window and by what crosses its border. Package timesort puts positions in the order of their times, for claims here and
// in the wing of behaviour.
package timing
