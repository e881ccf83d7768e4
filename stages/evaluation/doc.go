// Package evaluation is the wing that asks whether the verdicts of the wing change can be trusted. Event times and costs of
// runs whose truth is known go in; scores come out.
//
// In the order of the data:
//
//	faults   a chart with slacks and a fault -> event times as if the fault had happened (Hilbig 2023, section 4.2)
//	scores   verdicts and what is known to have changed -> precision, recall, F1, false alarms, and simpler rival tests
//	results  counts of many experiments -> the numbers that reports show, joined over cells and numbers of runs
//
// There are three kinds of truth. Runs of one release divided into two sides differ in nothing, so every alarm is false.
// Injected faults change known subjects and move others as a consequence; unchanged steps are identical, so precision is
// perfect by construction where no noise is added. And true releases whose changes a large number of runs shows tell how
// many runs find them. pipeline/evaluate drives the experiments, pipeline/inject makes a run with a fault for whoever wants to look at
// one, and stages/report/evaluation writes the report.
package evaluation
