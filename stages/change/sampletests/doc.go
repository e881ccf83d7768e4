// Package sampletests says whether two time samples differ, by the methods of Hilbig 2023 (MIDS+TIME),
// section 3.5: ABS, REL, KS, MWU, SHIFT and their combination DYN.
//
// The tests take every value for an independent one. Two traces of one release differ by more than that,
// so a detection says "these two traces differ", not "the release is slower".
package sampletests
