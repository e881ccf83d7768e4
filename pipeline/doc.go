// Package pipeline is the engine, the only place that says "go". It runs a graph of stages whose edges
// follow from the tables that they read and write.
//
// A stage's work is planned as tasks over the buckets of what it reads. A task is run by one function,
// Engine.RunTask: it takes references (a partition, a stage's name, a number), reads tables, writes
// files and a record that it is done, and does nothing when that record is there. An Executor only
// decides where and when tasks run: here, goroutines under a budget of bytes; elsewhere, other machines.
// When all tasks of a stage are done its tables are committed.
package pipeline
