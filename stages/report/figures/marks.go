package figures

import (
	"bufio"
	"fmt"
)

// Colours, dashes and marks of lines: any one of the three tells seven lines, or six, from each other, all together 42.
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
