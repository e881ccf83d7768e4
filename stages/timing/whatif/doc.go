// Package whatif recomputes the schedule of a chart with other durations: what would the recorded run have been, had some
// functions been faster, slower, or not there?
//
// A chart says of every event after which others it comes, and by how much at least: t(e1) + d <= t(e2) (Jonk et al. 2019,
// Definition 1). With other bounds d', every event takes place as soon as its constraints allow,
//
//	t'(e2) = max over the constraints into e2 of (t'(e1) + d')  +  u(e2),
//
// where u is what the recorded bounds leave unexplained, t(e2) - max(t(e1) + d); it is 0 where some constraint into e2 is
// critical, as it is everywhere with the bounds of the paper. So without a change every event keeps its time.
//
// What this assumes, and what a recorded run cannot tell:
//
//   - Lifelines do in the same order what they did, but that requests overtake each other: one that would now be sent before
//     others which its component serves before it, although in the recorded run it was sent after them, is served as soon as the lifeline is
//     idle. It delays none of those that it overtakes, since their times are known by then.
//   - A root execution that no message starts goes on with what its lifeline does, at the recorded distance, if it came within
//     Rules.RestNs of the execution before it. After a longer rest somebody outside of the chart woke it, and it keeps its distance to
//     the last event of Rules.Paces: work that comes with every turn of a loop, and not so many times a second.
//   - How long a function would have worked, had what it waited for come earlier, is not recorded. The bound of the chart
//     stands for it: the time of the other constraint into the event, which is nearly nothing for a call that waits.
//
// The schedule goes up the windows of a chart. Between windows it keeps the times of events from which constraints lead further
// up, one for each lifeline and for each message under way. A window can be computed once more from what was kept below it, so
// that a walk down can follow critical paths of the new schedule without storing it.
package whatif
