package texttab

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable returns a name as one line of a terminal or a log shows it: what would move the cursor, change colours, end the
// line or turn the direction of writing stands there in letters, such as \n or \u001b. Names come from traces, and a trace
// may have been made to deceive whoever reads a report about it. The notation is that of JSON strings.
func Printable(name string) string {
	if !strings.ContainsFunc(name, isSuspect) {
		return name // nearly always
	}
	return string(AppendPrintable(nil, []byte(name), ""))
}

// AppendPrintable appends a text as Printable returns it, but leaves the letters in kept as they are. Bytes that are no
// UTF-8 become \x and two digits.
func AppendPrintable(to, text []byte, kept string) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && size == 1:
			to = fmt.Appendf(to, `\x%02x`, text[0])
		case isHidden(r) && !strings.ContainsRune(kept, r):
			to = appendLetters(to, r)
		default:
			to = append(to, text[:size]...)
		}
		text = text[size:]
	}
	return to
}

// appendLetters appends a control character in letters.
func appendLetters(to []byte, r rune) []byte {
	switch r {
	case '\n':
		return append(to, `\n`...)
	case '\r':
		return append(to, `\r`...)
	case '\t':
		return append(to, `\t`...)
	}
	return fmt.Appendf(to, `\u%04x`, r) // all are below U+10000
}

// isSuspect reports whether a character is hidden, or may stand for bytes that are no UTF-8.
func isSuspect(r rune) bool { return r < ' ' || r >= 0x7f && (isHidden(r) || r == utf8.RuneError) }

// isHidden reports whether a character acts on a terminal instead of being shown: the control characters C0 and C1,
// which begin the sequences of ANSI; the separators of lines and paragraphs; and the characters that turn the direction of
// writing, which make a line read otherwise than it is stored (CVE-2021-42574). Marks that join letters are none: scripts need them.
func isHidden(r rune) bool {
	switch {
	case r < 0x7f:
		return r < ' '
	case r < 0x2028:
		return unicode.IsControl(r) || r == 0x061c || r == 0x200e || r == 0x200f
	}
	return r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
