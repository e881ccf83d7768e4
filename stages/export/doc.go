// Package export is the way out: it writes the events of a run of the lake as a trace that other tools read.
//
// In come chunks of the table events in trace order (schema.Events), each with dictionaries of its own. Out goes one
// text, or the files of one trace, through a writer that the caller opened: exports open no files. What a format cannot
// say is counted in the writer's Omissions, and the package comment of each format says what becomes of it.
//
//	text     the dialect of Hilbig 2023: a line an event
//	otf1     Open Trace Format 1: master, definitions, one stream
//	chrome   Trace Event Format of Chrome and Perfetto, as JSON
//	etf      TRACE4CPS: claims on resources and dependencies between them
//
// A trace that is written and read again by the reader of its format gives the same events, less the omissions; the
// tests of each package check that. Memory follows what is open at one time (calls, messages), not the length of a run.
package export
