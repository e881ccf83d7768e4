// Package evaluate drives the evaluation of change detectors on recorded runs. Runs of one cell are repetitions of the
// same, so whatever differs between them is no change:
//
//	A/A      runs of a cell are divided into two sides in many ways, and compared (aa.go)
//	faults   timing faults are injected into runs, by the experiments of Hilbig 2023, section 4.2 (faults.go)
//	power    costs of some subjects are multiplied on one side (power.go)
//	FDR      likewise; what counts is the verdicts on the others (fdr.go)
//
// Release verdicts (package verdicts) stand beside the methods of the thesis (package detect), which take the samples
// of all runs of a side for one sample, and beside simpler tests on runs (package evaluation).
//
// A/A, power and FDR start from the summaries of runs, as a comparison does. Faults move the events of traces, so the
// traces of one cell are in memory, and all that follows from the changed times is made anew.
package evaluate
