package figures

import (
	"bufio"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// writeTurned writes text that reads upwards, around its middle.
func writeTurned(w *bufio.Writer, x, middle Length, text string) {
	fmt.Fprintf(w, `<text transform="translate(%v %v) rotate(-90)" text-anchor="middle" fill="%s">%s</text>`+"\n",
		x, middle, paleInk, canvas.Escape(text))
}

// widest is the width of the widest of some names, and at most a width.
func widest(names []string, size, most Length) (w Length) {
	for _, name := range names {
		w = max(w, canvas.TextWidth(name, size))
	}
	return min(w, most)
}

// wrap breaks a line between words so that none has more letters than there is room for. Longer words are broken.
func wrap(s string, letters int) (lines []string) {
	line, used := "", 0
	for _, word := range strings.Fields(s) {
		rest := []rune(word)
		if used > 0 && used+1+len(rest) <= letters {
			line, used = line+" "+word, used+1+len(rest)
			continue
		}
		if used > 0 {
			lines = append(lines, line)
		}
		for ; len(rest) > letters; rest = rest[letters:] {
			lines = append(lines, string(rest[:letters]))
		}
		line, used = string(rest), len(rest)
	}
	if used > 0 {
		lines = append(lines, line)
	}
	return lines
}

// none stands for a number that is not known.
const none = -1

// hundredths rounds a number from 0 to 1 to hundredths, others to the nearer end; NaN is none.
func hundredths(x float64) int {
	if math.IsNaN(x) {
		return none
	}
	return int(math.Round(min(max(x, 0), 1) * 100))
}

// decimal writes hundredths with two decimals, none as a dash.
func decimal(hundredths int) string {
	if hundredths == none {
		return "–"
	}
	return strconv.Itoa(hundredths/100) + "." + strconv.Itoa(100 + hundredths%100)[1:]
}

// Length is a length or a coordinate of a picture.
type Length = canvas.Length

const px = canvas.Px

// Font sizes.
const (
	titleSize = 15 * px
	textSize  = 11 * px
	smallSize = 10 * px
)

// margin is what stays free at the edges of a figure.
const margin = 20 * px

// along is the place of a share of the way between two places; from 0 to 1, others at the nearer end, but not NaN.
func along(share float64, from, to Length) Length {
	share = min(max(share, 0), 1)
	return from + Length(math.Round(share*float64(to-from)))
}

// slanted is how far text of a width reaches to the side, and down, at an angle of 45 degrees.
func slanted(width Length) Length { return width * 71 / 100 }
