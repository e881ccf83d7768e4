// Package changepoint finds where the level of a value changes in a series of releases, in many series at once.
//
// A series has one number per release: the median over its runs of the logarithm of what each run costs. The release is
// the unit, not the run: runs of one release share what is particular to it, such as how it was built and when it was
// measured, and are not exchangeable with those of another.
//
// One release that stands alone is an outlier: an odd night, which moves nothing. Find cuts what is left where the t of the
// means of the two sides is greatest, if its p times the number of places to choose from is small, then again on either side
// (binary segmentation, Vostrikova 1981). That bound holds however the place is chosen (Bonferroni). Where straight lines
// describe a part better than a stair does, it is a slope, or several: it is cut where two lines describe it better than one
// (Chow 1960), which is a bend unless the values jump there, and where a step stands out from the line, since a slope that is cut
// into a stair names releases in which nothing happened. Releases that resemble their neighbours count as fewer than they are
// (inflate): slow noise is full of levels. Correlation shows from 20 releases on; in shorter series slow noise and a step
// cannot be told apart.
//
// Breaks within a margin are merged. Then the segments next to each change point are compared anew, by the t with the
// variance within all segments, shrunk to what the variances of all series say (Smyth 2004), and Benjamini-Hochberg over all
// series holds the false discovery rate.
//
// The scan of standardised rank sums with permutation of the releases (package stats, RankScan) assumes nothing of how
// releases vary. It is told beside, and decides nothing, for three reasons. Among eight releases no order is rarer than 2 in
// 70, so that no adjustment for more than one series leaves anything. Two or three releases after a step, however
// great it is, are not unlikely at all. And where the sides are apart without overlap it takes the place nearest to the
// middle, and not that of the step.
package changepoint
