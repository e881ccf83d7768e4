package texttab

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Width returns how many columns of a terminal a text takes: two for letters of East Asian scripts and for emoji, none
// for combining marks (Unicode Standard Annexes 11 and 29). Text of printable ASCII, which is nearly all there is, is
// not searched for grapheme clusters.
func Width(text string) int {
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= 0x7f {
			return uniseg.StringWidth(text)
		}
	}
	return len(text)
}

// PadLeft puts spaces before a text until it takes a number of columns. Lists whose lines are no table use it to align
// their numbers.
func PadLeft(text string, width int) string {
	return strings.Repeat(" ", max(0, width-Width(text))) + text
}

// Wrap breaks a text at its spaces into lines of at most width columns, each after the first behind an indent. A word
// that is wider has a line of its own, unbroken, so that names can be copied. A number is never separated from its unit.
func Wrap(text string, width int, indent string) string {
	var out strings.Builder
	used := 0 // columns of the current line, its indent included
	for i, word := range joinUnits(strings.Fields(text)) {
		n := Width(word)
		switch {
		case i == 0:
		case used+1+n > width:
			out.WriteString("\n" + indent)
			used = Width(indent)
		default:
			out.WriteString(" ")
			used++
		}
		out.WriteString(word)
		used += n
	}
	return out.String()
}

// joinUnits appends every unit to the word before it, so that "20 ms" is one word. Punctuation may follow the unit.
func joinUnits(words []string) (joined []string) {
	for _, word := range words {
		if bare := strings.TrimRight(word, ",;:.)"); len(joined) > 0 && (bare == "%" || isUnit(bare)) {
			joined[len(joined)-1] += " " + word
			continue
		}
		joined = append(joined, word)
	}
	return joined
}
