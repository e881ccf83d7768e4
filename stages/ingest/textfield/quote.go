package textfield

import (
	"strconv"
	"unicode/utf8"
)

// MaxQuoted bounds the bytes of a field that an error shows.
const MaxQuoted = 40

// Quote returns the first bytes of a text in quotation marks, at most the given number, and cuts no character in two.
func Quote(s []byte, most int) string {
	if len(s) <= most {
		return strconv.Quote(string(s))
	}
	// Back to where a character begins, over at most one character.
	n := most
	for n > most-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return strconv.Quote(string(s[:n])) + "..."
}
