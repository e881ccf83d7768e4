// Package report is the wing in which results become documents: rows of tables go in; text, Markdown, JSON, JUnit XML,
// CSV, SVG, DOT or the JSON of the Perfetto UI come out.
//
// A report takes names of runs, options and rows as values of package schema, and a writer. It opens no file, reads no
// flag and knows no job, so that a command, a server and a test use it alike. It computes nothing that a table lacks
// beyond sorting, counting and rounding, and the same rows give the same bytes on every machine.
//
// What all of them share:
//
//	texttab   tables for terminals; durations, counts, plurals and percentages as everybody writes them
//	jsonrows  rows of tables as JSON objects
//	canvas    lengths and text of pictures
//
// Documents about one run:
//
//	timeline      a window of the run as a picture, with its critical path
//	automaton     the timed automaton of a service fragment, or the difference of two, as a picture
//	criticalpath  what held up executions, why some missed a deadline, and how events depend on each other
//	models        component models, and what a replay of the trace through them found
//	claims        critical claims, constraints that are not kept, distances, behaviours, durations
//	checks        which conditions and constraints the run holds, and how its clocks were reconciled
//
// Documents about several runs:
//
//	verdict     what changed between a baseline and a candidate, and whether a gate closes
//	detectable  which changes a comparison would find, from the runs of one side
//	levels      how the behaviour of model sets differs, on six levels
//	history     in which release of a series a change is first seen
//	evaluation  how far verdicts can be trusted
//	figures     the pictures of evaluation and history
//	pages       the data of the page of a comparison, which a browser draws; distribution has the numbers of its pictures
//
// A new report is a package here and a file of package cmd/analyze that reads its rows.
package report
