// Package pipeline is the engine, the only place that says "go". It runs a graph of stages whose edges
// follow from the tables that they read and write.
//
//	declaration (Stage) -> inputs, fingerprint -> fresh? -> plan in the staging area -> tasks -> finishing task -> commit
//
// A stage's work is planned as tasks over the buckets of what it reads, over slices of the run's time, or in as many parts as its
// options have: tables of one run, or of several runs for a comparison, a history, levels, a run that is reconciled from others, and
// an evaluation, which writes no table and answers. A task is run by one function, Engine.RunTask: it takes references (a partition, a stage's
// name, a number), reads tables, writes files and a record that it is done, and does nothing when that record is there.
// It finds its plan from the lake alone, so that any process can run it; a process that was killed leaves the records of
// its tasks, and the next attempt goes on behind them.
//
// An Executor only decides where and when tasks run: here (Local), goroutines under a budget of bytes; elsewhere, other
// processes or machines over the same lake. When all tasks of a stage are done its tables are committed, in the process
// that planned it: readers see all of them or none.
//
// Stages that are ready together go through the buckets of a run side by side. What several of them read of a bucket is decoded
// once, by the task that comes first, and kept until the last one ends (lake.Decoded), as far as an eighth of the memory goes. A table
// is not handed on from the stage that writes it: see benchmarks/README.md, Tables that are handed on.
//
// What only looks at one run and prints what it sees, such as a critical path or a picture of a window, is a reader and no job: the
// question names one execution or window, the answer takes seconds and is of no use to the next question, so that a record of it
// would cost more than it saves. It holds no lease and leaves nothing behind. It runs within the same jobs, memory and progress, with
// Each. What is asked of all executions is a stage: compositions has the critical paths of all of them.
//
// Nothing here knows what an analysis does. Package plan is the table of contents.
package pipeline
