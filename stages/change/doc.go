// Package change is the wing in which runs become findings. Rows of tables go in; the tables summaries, changes, estimates,
// findings and change_points come out. README.md explains what a verdict rests on and how often it errs.
//
// In the order of the data:
//
//	summaries        samples, metrics, messages and calls of a run -> one row a subject: the run is the unit of comparison
//	samplechanges    pooled samples of both sides -> what changed by the methods of Hilbig 2023, and where a delay arises
//	strata           labels of runs -> which runs are compared with which, and what else differs between them
//	sampletests      two samples -> do they differ: ABS, REL, KS, MWU, SHIFT, DYN (a tool of samplechanges)
//	functionchanges  own times of functions in runs of both sides -> which functions changed: the family that is asked first
//	verdicts         summaries of all other subjects -> verdict, effect with interval, p, q and runs needed
//	margins          times of answers that requirements bound, by run -> which release came closer to a bound
//	criticality      counts of occurrences in runs of both sides -> which functions are on critical paths more often, or less
//	rootcause        judged changes -> findings: one for each place that takes another time of its own
//	relocations      functions that moved or were renamed -> what has other names by that, as one (a tool of comparisons and histories)
//	services         requests of both sides -> services in the order in which they are likely at fault
//	changepoint      costs by release -> the releases since which a subject takes another time
//	definitions      a file of what users define -> metrics, normalisations, detectors, thresholds of components
//	stats            two samples, many p-values, a series -> numbers (a tool of all the others)
//
// samplechanges finds the steps and their causes, verdicts replaces its decision by one between runs unless a method on
// samples is asked for, and rootcause folds the changes that only follow from others. No package here opens a file or
// knows a flag: pipeline/compare and pipeline/history read the rows and write the tables.
package change
