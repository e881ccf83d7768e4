package textfield

import (
	"strconv"
	"unicode/utf8"
)

// MaxQuoted is how many bytes of a field are shown in an error.
const MaxQuoted = 40

// Quote shows the beginning of a text, at most so many bytes of it, and cuts no character in two.
func Quote(s []byte, most int) string {
	if len(s) <= most {
		return strconv.Quote(string(s))
	}
	n := most
	for n > most-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	return strconv.Quote(string(s[:n])) + "..."
}
