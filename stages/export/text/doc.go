// Package text writes traces in the thesis dialect: that of Hilbig 2023 (Fig. 1.3 and 4.1), a line for each event.
//
//	line = seconds "." 9 digits SP component SP (">" | "<") SP function [SP ("!" sent | "?" received) id]
//
// It is the dialect that the reader of the same name reads and that the project's recordings are in; a trace read from
// such a file is written as the same bytes, if its lines have single blanks, nine decimals and no carriage returns.
//
// What the dialect cannot say is counted in Omissions:
//
//   - An event has at most one message. Further ones are left out, and so is a message that is not sent or received
//     at an enter or exit. One that follows an event at the same time, on its lifeline, and finds it without a
//     message, becomes that event's.
//   - There are no lifelines: who reads the file takes the component for one, so calls that ran at the same time on
//     two lifelines of one component come out interleaved.
//   - A name has no blanks, no control characters and at most 4096 bytes, a function does not begin with "!" or "?":
//     other characters are written as "_", and two names may become one. An identifier whose series ends in
//     digits that would be taken for the number's gets a "_" between.
//   - Times are not negative. Where the first event's is, all times are counted from it.
//
// Events that were invented to make the trace well-formed are left out, unless Writer.Synthetic. Labels that differ
// from the series of identifiers, execution types and annotations have no place and go uncounted.
package text
