// Package stats compares two samples: rank tests, quantiles, effect sizes, distances between
// distributions, and the adjustment of many p-values. It is mathematics only; it knows no trace.
//
// Every two-sample function takes its samples sorted in ascending order, without NaN, and reads them
// in one merged walk, so ten million values cost one sort and then linear time. Neither sample is
// changed. x is the baseline and y the candidate: a shift is y minus x.
//
// The functions are tested against R and scipy, see testdata/oracle.
package stats
