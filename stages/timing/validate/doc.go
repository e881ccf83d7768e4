// Package validate checks a timed message sequence chart against the six conditions of Jonk et al. 2019,
// Definition 3. The chart is the tables events and constraints of one bucket; every way to break a condition has
// a schema.Breach with a name.
//
// An event is a start or a finish; a row of kind message is a further message of the event before it. The unit of
// order, the paper's component, is the lifeline. The order of the trace is that of the sequence numbers, and the
// rows should stand in it. What is checked of each condition:
//
//  1. Consecutive events of a lifeline have a constraint between them: with nothing in between, no path could do
//     without it. Every constraint starts before its target in the order of the trace, which excludes cycles. This
//     is stricter than the paper: a constraint against the trace need not close a cycle of constraints alone.
//  2. Sequence numbers, which name events in the tables, are not shared. A row that repeats an event is reported
//     and otherwise ignored, as E is a set.
//  3. Starts of a function, and finishes of it, have ascending sequence numbers on a lifeline.
//  4. Every finish has a start before it and every start a finish after it. A finish belongs to the innermost
//     open execution of its function.
//  5. An execution that starts within another finishes within it. One whose finish is missing breaks condition 4
//     and not this one, which speaks of complete executions only.
//  6. No constraint has a target earlier than t(source) + d, and no bound d is below 0 (Definition 1). Where the
//     bound is null it is taken for 0. Between consecutive events of a lifeline t is read from the events; else
//     t(target) - t(source) is the duration that the constraint states.
//
// Indices are counted and not stored, so that 2 and 3 hold by construction; the ingest sees to 4, and the stage that
// writes the constraints to 1 and the bounds of 6. They are checked nevertheless, against tables that were damaged,
// edited by hand or written by other programs. What a sound program may well find in a real trace are
// interleaving calls, 5, on lifelines that mix threads, and times that run backwards, 6.
//
// Where the paper is silent: read literally, 3 and 5 exclude recursion, since 3 wants the first of two executions of
// a function to finish first and 5 the inner one. Here an execution has the index of its start, and so has its
// finish, and 3 asks for an order of finishes as they come. A gap in the order (1) is not reported again as a
// path that 3, 4 and 5 miss: those follow the rows. Whether the source of a message exists is not checked: it may
// be in another bucket.
package validate
