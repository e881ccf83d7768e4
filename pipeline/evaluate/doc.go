// Package evaluate drives the evaluation of change detectors on recorded runs. Runs of one cell are repetitions of the
// same, so whatever differs between them is no change:
//
//	A/A      runs of a cell are divided into two sides in many ways, and compared (aa.go)
//	faults   timing faults are injected into runs, by the experiments of Hilbig 2023, section 4.2 (faults.go)
//	power    costs of some subjects are multiplied on one side (power.go)
//	FDR      likewise; the verdicts on the other subjects are counted (fdr.go)
//
// Release verdicts (package verdicts) are compared with the methods of the thesis (package sampletests), which take the samples
// of all runs of a side for one sample, and with simpler tests on runs (package scores).
//
// A/A, power and FDR start from the summaries of runs, as a comparison does. Faults move the events of traces, so the
// traces of one cell are in memory, and all that follows from the changed times is derived again: observe.go and pairing.go
// pair the runs, replay.go reads a trace, times.go derives samples and summaries from times, contest.go has all methods judge,
// and inject.go scores them.
//
// An evaluation is a stage whose tasks are trials (trials.go, tasks.go). It writes no table: its result is a report on the methods and
// says nothing of the runs, so that it is the answer of the last task. Random choices have seeds of their own for every trial, so
// that the result depends neither on the order in which trials run nor on where.
package evaluate
