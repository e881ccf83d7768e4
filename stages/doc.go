// Package stages holds what Tracelake computes, as wings that follow the data. A wing is a folder of packages about one
// question; its own package comment says what comes in, what goes out, and which packages there are, in which order.
//
//	ingest      bytes of a trace in one of its formats  -> events and messages
//	chart       events of any quality                   -> a well-formed chart, executions, calls between components
//	behaviour   the chart                               -> models of fragments and components, with their times
//	timing      the chart                               -> constraints, critical paths, why something was late, quantities over time
//	change      models and metrics of several runs      -> what changed, by how much, for which reason
//	clocks      traces of several units                 -> one order and one time
//	checks      a run and a specification               -> verdicts
//	evaluation  runs with known faults                  -> how far the verdicts of change can be trusted
//	report      rows of results                         -> documents: text, Markdown, pictures, pages
//	export      a run                                   -> a trace in another format
//
// Package heap is the priority queue that several of them use, and package numbering finds what is collected by key.
//
// A stage is a plain function, or a builder with Add methods, over the typed columns of package schema. It opens no file,
// starts no goroutine, reads no clock and logs nothing; it counts in a schema.Ledger what it drops, repairs or invents.
// Its result depends on its arguments alone, and maps are sorted before they reach a table, so the same input gives the
// same bytes. What decides where tables lie, which rows fit into memory and what runs at the same time is
// package pipeline. Packages share code only through tools, which are no analyses themselves; the floor plan, a test of
// package pipeline, lists them.
//
// # How to add a format
//
//  1. Create stages/ingest/NAME. Its package comment gives the grammar, where it is documented, and what is lost.
//  2. In format.go return a schema.Format: name, what it knows as components, how a trace is recognised, its reader.
//  3. Name every new loss in schema/losses.go, and count it in the ledger with its first place.
//  4. Add the line NAME.Format() to stages/ingest/formats.go, at the place that its comment asks for: help, detection,
//     documents and fuzzing follow from it.
//  5. Put stories and a fuzz target beside the reader (example: 8a4806d, logs of -finstrument-functions).
//
// # How to add a stage
//
//  1. Describe its table in schema/NAME.go: the columns with their units and documentation, and the table that it follows.
//  2. Create the package in its wing: a builder that takes columns and returns columns, with stories beside it.
//  3. Declare it in pipeline/plan/NAME.go: what it reads and writes, its options, its memory.
//  4. Tests of pipeline/plan run its tasks in processes of their own and compare the bytes; they need no line more.
//  5. The view in SQL follows from the catalog (example: eb6cdc7, the plan with one file a stage).
//
// # How to add an analysis over several runs
//
//  1. Describe its tables in schema, and compute them in a package of its wing from rows or columns of every run.
//  2. Create pipeline/NAME with a Spec of plain values (runs, options) and a function Stage that declares it.
//  3. In Run read the runs through the task, and hand to Finish with WriteRows what PartRows or StagedRows read there.
//  4. Run it by Engine.RunStage: tasks under the budget, progress, atomic commit and resume come with it. A line in
//     pipeline/plan/processes_test.go runs its tasks in processes of their own, and kills it after any number of them.
//  5. Give it a command in cmd/analyze: flags, job, report (example: 6fe75b0, levels in tasks).
//
// # How to add a view
//
//  1. A question in SQL is a file in sql/queries, or a view in sql/views; its comment is its documentation.
//  2. A document is a package in stages/report that takes names, options and rows, and a writer. It opens nothing.
//  3. Use report/texttab for tables and units, report/canvas for pictures, so that all documents look alike.
//  4. Give it a command in cmd/analyze that reads the rows and calls the report, and a story with its output.
//  5. Say in the wing's package comment what it shows (example: f043839, the report of a comparison).
package stages
