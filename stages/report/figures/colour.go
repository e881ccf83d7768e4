package figures

import "strconv"

// What is not a number has one of these colours.
const (
	ink     = "#1f2933" // text and axes
	paleInk = "#5c6773" // text of less weight
	grid    = "#e3e7eb" // lines at the labels of an axis
	edge    = "#b8c1ca" // frames
	red     = "#b3261e" // change points
	softBar = "#9dbbe0" // levels of segments
	dot     = "#2b5d8f" // runs
)

// ramp is the colours of 0, .1, ..., 1 from pale yellow through green to dark blue. It is a path through CIELAB in
// equal steps (10.9 to 12.7), whose lightness falls from 97 to 26: print in grey keeps the order, and so does sight
// that cannot tell red from green or blue from yellow.
var ramp = [...]uint32{
	0xfdf7da, 0xd8e5bd, 0xafd6ab, 0x84c7a2, 0x55b8a0, 0x03a8a1, 0x00959e, 0x008095, 0x006a89, 0x00547d, 0x004174,
}

// shade is the colour of a number in hundredths, on the straight line between its neighbours in the ramp.
func shade(hundredths int) uint32 {
	step, part := hundredths/10, uint32(hundredths%10)
	if part == 0 {
		return ramp[step]
	}
	colour := uint32(0)
	for shift := 16; shift >= 0; shift -= 8 {
		low, high := ramp[step]>>shift&0xff, ramp[step+1]>>shift&0xff
		colour = colour<<8 | (low*(10-part)+high*part+5)/10
	}
	return colour
}

// firstWhite is the least number on whose shade white is easier to read than black, in hundredths. The contrast is at
// least 4.5 to 1 everywhere (WCAG 2.2, criterion 1.4.3).
const firstWhite = 70

// inkOn is the colour of text on a shade.
func inkOn(hundredths int) string {
	if hundredths >= firstWhite {
		return "#ffffff"
	}
	return "#000000"
}

// hex writes a colour.
func hex(colour uint32) string { return "#" + strconv.FormatUint(uint64(1<<24|colour), 16)[1:] }
