// Package verdicts compares baseline runs with candidate runs, subject by subject. The run is the unit: samples of one
// run depend on each other, so what counts is how summaries of runs differ within a side and between the sides.
//
// A subject (a transition, a metric, a part of critical paths or of messages) has up to five quantities:
//
//	cost      all its time, per root execution
//	location  the median of its values, where every run has at least five
//	shape     the quantiles that have ten values beyond them in every run, and the median no more
//	count     how often it happens, per root execution
//	arrival   of a transition: its mean time since the start of the fragment
//
// Each is taken on a logarithmic scale (see scale.go), winsorised where there are runs enough (winsorise.go), and
// compared by the moderated t of Smyth 2004: the variance of a subject is shrunk to what the variances of all subjects
// say. TREAT asks whether the change exceeds the margin, two one-sided tests whether it is shown to be within it, and
// Benjamini-Hochberg on two levels, over families of quantity and component and inside them, holds the false discovery
// rate (family.go). Every estimate comes with the interval of the same t.
//
// With fewer than three runs on a side there is no verdict: what stands out from the noise is a candidate
// (candidates.go).
package verdicts
