// Package otf1 writes traces in the Open Trace Format, version 1 (OTF), for the tools that read it: otfprint, otfmerge,
// otfprofile, Vampir. Package ingest/otf1 has the format; this is what is written of it:
//
//	STUB.otf       1:1,2,3           one stream, with the processes in it
//	STUB.1.events  events, in the order of the trace
//	STUB.0.def     definitions; they are known only at the end, so Close writes this file and the master
//
// # Mapping
//
//	lifeline   process (DP), in the order of first appearance
//	component  function group (DFG); a function is one of its component (DF), so equal names of two
//	           components are two functions
//	enter      E
//	exit       L with the function, so that exits that close another call than the innermost one stay what they are
//	message    S or R right behind the E of an enter and right before the L of an exit, as tracers place them
//	label      communicator: a process group (DPG) of the label's name with those that use it
//	time       nanoseconds (resolution 10^9), from the first event's time if that is negative
//
// OTF has no identifiers: the first message sent is the first one received of those with the same sender, receiver,
// communicator and tag. Messages have tag 0, and one that is received before another that was sent earlier
// gets the least tag under which all are received in the order in which they were sent. This is greedy: among tags it
// takes the least whose last receive is earlier (patience sorting), which needs the fewest tags. Messages that are received before
// they are sent, by clocks that are apart, have tags of their own.
//
// The S of a message names its receiver, a lifeline, which the trace tells only where it is received. So events wait
// in memory until the receives of the sends before them were met; most come soon. When Window events
// wait, the receiver of the first one is taken to be the lifeline on which its peer was first met, and counted as
// guessed. A receive whose send comes later waits for it in the same way. A message whose other end was not traced has a process "untraced" for it.
//
// # What OTF cannot say
//
// Times of a stream never run back: a step back is raised to the time before it. Quotes and line ends in names are
// written as blanks. Identifiers themselves, execution types and annotations are not written; lengths are 0. Events
// invented to make the trace well-formed are left out, unless Writer.Synthetic. Omissions has the counts.
package otf1
