package figures

import (
	"bufio"
	"fmt"
	"strconv"
)

// Colours, dashes and marks of lines: each of the three distinguishes seven lines, or six, and all together 42.
// The colours are dark enough for white paper and differ in lightness as well (after M. Okabe and K. Ito, Color
// Universal Design, 2008).
var (
	lineColours = []string{"#0b5d9e", "#c8501e", "#13795b", "#8e3b8a", "#1f2933", "#8a6a00", "#3a9bc9"}
	lineDashes  = []string{"", "7 3", "2 2.5", "9 3 2 3", "4 2", "12 3 2 3 2 3"}
	lineMarks   = []string{
		"M-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z", "M-2.7-2.7h5.4v5.4h-5.4Z", "M0-3.6L3.5 2.6H-3.5Z", "M0-3.9L3.3 0L0 3.9L-3.3 0Z",
		"M0 3.6L3.5-2.6H-3.5Z", "M-3.2-3.2L3.2 3.2M-3.2 3.2L3.2-3.2", "M-3.8 0H3.8M0-3.8V3.8",
	}
)

// style is the position of a line among all.
type style int

// colour returns the colour of a line. Colours, dashes and marks repeat with different periods, so that none of the first 42
// lines looks like another.
func (s style) colour() string { return lineColours[int(s)%len(lineColours)] }

// stroke is the attributes of the line.
func (s style) stroke() string {
	text := fmt.Sprintf(` fill="none" stroke="%s" stroke-width="1.6" stroke-linejoin="round"`, s.colour())
	if dashes := lineDashes[int(s)%len(lineDashes)]; dashes != "" {
		text += ` stroke-dasharray="` + dashes + `"`
	}
	return text
}

// writeMark writes the mark of the line at a point. A white edge sets it apart from lines that pass.
func (s style) writeMark(w *bufio.Writer, x, y Length) {
	mark := int(s) % len(lineMarks)
	attributes := fmt.Sprintf(`fill="%s" stroke="#ffffff" stroke-width=".8"`, s.colour())
	if mark >= len(lineMarks)-2 { // crosses are lines
		attributes = fmt.Sprintf(`fill="none" stroke="%s" stroke-width="1.8"`, s.colour())
	}
	fmt.Fprintf(w, `<path transform="translate(%v %v)" d="%s" %s/>`, x, y, lineMarks[mark], attributes)
}

// entry is the line in the legend.
func (s style) entry(name string) entry {
	return entry{name: name, sample: sampleLine, draw: func(w *bufio.Writer, x, y Length) {
		fmt.Fprintf(w, `<path%s d="M%v %vH%v"/>`, s.stroke(), x, y, x+sampleLine)
		s.writeMark(w, x+sampleLine/2, y)
	}}
}

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
// that cannot distinguish red from green or blue from yellow.
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

// firstWhite is the minimum number on whose shade white is easier to read than black, in hundredths. The contrast is at
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
