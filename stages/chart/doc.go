// Package chart is the first wing of the analysis: it turns the events of a trace, as a reader of package ingest gives
// them out, into the chart that all other wings read.
//
// In come blocks of rows in trace order (schema.Block): time, key (component, lifeline, function, kind), message mark and
// number. Nothing is sure of them: exits and enters miss, calls interleave, messages have one end.
//
// Out come the tables events and messages, in which every enter has its exit and every message its peer or a counted
// loss, and the table executions. The packages work in this order:
//
//	componentmodel   a description of the architecture says which functions belong to which component
//	componentcalls   calls between components on one thread become messages between lifelines
//	wellformed       enters and exits, sends and receives are paired; what is unmatched is repaired or left out
//	callstack        the tool they share: which exit ends which call, and where a service fragment begins and ends
//	executions       pairs of enter and exit become rows with duration, self time, nesting and fragment
//
// The first three run while a trace is ingested, on one goroutine and in one pass; executions runs as a stage of its own.
package chart
