// Package pipeline is the engine, the only place that says "go". It runs a graph of stages whose edges
// follow from the tables that they read and write.
//
//	declaration (Stage) -> inputs, fingerprint -> fresh? -> plan in the staging area -> tasks -> finishing task -> commit
//
// A stage's work is planned as tasks over the buckets of what it reads, or over slices of the run's time: tables of one run,
// or of several runs for a comparison and the like. A task is run by one function, Engine.RunTask: it takes references (a partition, a stage's
// name, a number), reads tables, writes files and a record that it is done, and does nothing when that record is there.
// It finds its plan from the lake alone, so that any process can run it; a process that was killed leaves the records of
// its tasks, and the next attempt goes on behind them.
//
// An Executor only decides where and when tasks run: here (Local), goroutines under a budget of bytes; elsewhere, other
// processes or machines over the same lake. When all tasks of a stage are done its tables are committed, in the process
// that planned it: readers see all of them or none.
//
// Stages that are ready together go through the buckets of a run side by side. What several of them read of a bucket is decoded
// once, by the task that comes first, and kept until the last one ends (lake.Decoded), as far as an eighth of the memory goes.
//
// What only prints an answer and leaves no table, such as critical paths, runs within the same jobs, memory and progress
// with Each.
//
// Nothing here knows what an analysis does. Package plan is the table of contents.
package pipeline
