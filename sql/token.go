package sql

import "strings"

// tokenKind is as much of SQL's grammar as it takes to find statements and parameters.
type tokenKind int

const (
	space tokenKind = iota
	comment
	word
	quoted
	parameter // $name
	semicolon
	symbol
)

const blanks = " \t\r\n\f\v"

// token classifies the token at i and returns where it ends, after i. A quotation or comment that is
// not closed reaches to the end.
func token(s string, i int) (tokenKind, int) {
	rest := s[i:]
	switch c := rest[0]; {
	case strings.IndexByte(blanks, c) >= 0:
		return space, i + 1
	case c == ';':
		return semicolon, i + 1
	case strings.HasPrefix(rest, "--"):
		return comment, i + until(rest, 2, "\n")
	case strings.HasPrefix(rest, "/*"):
		return comment, i + blockComment(rest)
	case c == '\'' || c == '"':
		return quoted, i + quotation(rest, c, false)
	case (c == 'e' || c == 'E') && len(rest) > 1 && rest[1] == '\'':
		return quoted, i + 1 + quotation(rest[1:], '\'', true)
	case c == '$':
		return dollar(s, i)
	case inWord(c):
		return word, i + wordLength(rest)
	default:
		return symbol, i + 1
	}
}

// until returns the length of s up to and including the first mark at or after from.
func until(s string, from int, mark string) int {
	if n := strings.Index(s[from:], mark); n >= 0 {
		return from + n + len(mark)
	}
	return len(s)
}

// blockComment returns the length of a comment; comments nest.
func blockComment(s string) int {
	depth := 0
	for i := 0; i+1 < len(s); i++ {
		switch s[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(s)
}

// quotation returns the length of a text in quotes. A doubled quote reads as two quotations side by side,
// which is the same here.
func quotation(s string, quote byte, backslash bool) int {
	for i := 1; i < len(s); i++ {
		switch {
		case backslash && s[i] == '\\':
			i++
		case s[i] == quote:
			return i + 1
		}
	}
	return len(s)
}

// dollar distinguishes a parameter, $name, from a quotation, $tag$ ... $tag$.
func dollar(s string, i int) (tokenKind, int) {
	n := 1
	for i+n < len(s) && inWord(s[i+n]) && s[i+n] != '$' {
		n++
	}
	if i+n < len(s) && s[i+n] == '$' {
		tag := s[i : i+n+1]
		return quoted, i + until(s[i:], len(tag), tag)
	}
	return parameter, i + n
}

// wordLength returns the length of the word at the start of s, which is not empty.
func wordLength(s string) int {
	n := 1
	for n < len(s) && inWord(s[n]) {
		n++
	}
	return n
}

// inWord reports whether a byte may be part of a name: letters, digits, _, $, and every byte of a letter beyond ASCII.
func inWord(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 ||
		'0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
