// Package figures draws the figures of an evaluation of change detectors as SVG:
//
//	Matrix   scores of methods at fault magnitudes, as in Hilbig 2023, figures 4.5 to 4.7
//	Curves   power over the size of an effect, a panel for each setting
//	Series   the history of one timing over releases, with its segments and change points
//
// A figure is a value; WriteSVG draws it. It returns an error where the parts of the value do not fit together, and
// that of the writer. Numbers are never an error: those out of range are drawn at the nearer end, NaN is not drawn.
//
// The same value is the same bytes on every machine: lengths are in hundredths of a pixel, shares are rounded before
// they become lengths, logarithms are made of multiplications only. The SVG is version 1.1 without scripts, without
// anything from outside, and without identifiers, so that several figures can stand in one page.
package figures
