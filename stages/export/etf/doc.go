// Package etf writes a run in the Execution Trace Format of TRACE4CPS, which package ingest/etf describes.
//
//	TU NANOSECONDS
//	[ O ms ]                                     where times are so large that a float64 would not hold them
//	R id 1 false;name=lifeline                   right before the first claim of the lifeline
//	C id enter exit resource amount;name=function[,component=component]
//	D id type from to;label=label                when both claims are written
//
// An execution is a claim, written at its exit; calls that are open at the end of the run end with it. The resource is
// the lifeline; the component is an attribute of the claim where it is not the lifeline itself, so it is read again
// with ReadingOptions.Component "component". The amount is 1 for calls that no other call is under, and 0 for those
// inside others, so no lifeline is claimed beyond its capacity, which is 1.
//
// A message is a dependency between the ends of two claims: its type is 0 from enter to enter, 1 from enter to exit,
// 2 from exit to enter, 3 from exit to exit, of which only 2 is confirmed by files of others. A message that is sent or
// received in the middle of a call gets a claim of no length of its own, named send or receive. The same is done for
// the exit of a call that was never entered.
//
// # What is lost
//
// Message identifiers, and messages of which the run has one end only. Execution types, peers, and which events were
// invented. Commas, semicolons, equals signs and control characters in names, which have no form in ETF: they become
// |, |, : and a blank. Which of two calls of the same time and lifeline was inside the other, where both start and end
// together.
//
// # Runs of ETF
//
// A run that was read from ETF has tables of attributes, resources, claims, dependencies and signals. ThingsWriter writes all of
// it back, in the order of times, and reading its text gives the same tables, bytes included. The unit of times is that of the
// signals, whose numbers are not converted. What becomes other: identifiers of regular events and of dependencies, which are
// numbered; of several claims of one identifier, which dependencies name cannot be told.
package etf
