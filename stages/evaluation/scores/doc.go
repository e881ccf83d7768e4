// Package scores scores detectors of changes against what is known of the runs that they compared:
//
//	Score     precision, recall and F1 of one experiment with injected faults (Hilbig 2023, section 4.2.2)
//	Splits    the ways to divide runs of one release into two sides, between which nothing changed
//	Share     how many of how many, such as comparisons with a false alarm
//	Ablation  simpler tests on runs than those of a release verdict, to see what each part of it is good for
//	Beaten    the experiments in which a method is not the best
//
// It knows neither traces nor verdicts: only which subjects were changed, which were called changed, and the costs of
// runs as logarithms.
package scores
