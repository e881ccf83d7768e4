package sql

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable escapes line ends and control characters, which would break the lines of a table or
// command a terminal.
func printable(s string) string {
	if plain(s) || strings.IndexFunc(s, unicode.IsControl) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsControl(r) {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// cut shortens a text to a number of runes, the last one an ellipsis; 0 leaves it whole.
func cut(s string, runes int) string {
	if runes <= 0 || utf8.RuneCountInString(s) <= runes {
		return s
	}
	r := []rune(s)
	return string(r[:runes-1]) + "…"
}
