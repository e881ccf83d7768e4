// Package stats compares two samples by rank tests, quantiles and shifts, and adjusts many p-values for each other. It
// compares a few runs of many rows: variances shrunk to a common prior, tests against a margin, and the number of runs
// that an equivalence needs. And it cuts a series at its changes. It is mathematics only; it knows no trace, and holds
// no statistic that no command offers.
//
// Every function of two samples of type Number takes them sorted in ascending order, without NaN, and
// reads them in one merged walk, so ten million values cost one sort and then linear time. Runs and
// series come in any order. No argument is changed. x is the baseline and y the candidate: a shift is
// y minus x.
//
// The functions are tested against R, limma and scipy, see testdata/oracle.
package stats
