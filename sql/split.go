package sql

import "strings"

// statement is one statement of a script, without its semicolon and with the comments above it.
type statement struct {
	text string
	line int // of its first character, from 1
}

// split cuts a script at the semicolons that are not in a quotation or a comment.
func split(script string) []statement {
	var out []statement
	// code is whether the statement under way has anything but blanks and comments: an empty one is left out.
	start, code := 0, false
	flush := func(end int) {
		if code {
			out = append(out, trimmed(script, start, end))
		}
		start, code = end+1, false
	}
	for i := 0; i < len(script); {
		kind, end := token(script, i)
		switch kind {
		case semicolon:
			flush(i)
		case word, quoted, parameter, symbol:
			code = true
		}
		i = end
	}
	flush(len(script))
	return out
}

// trimmed cuts a statement out of a script, without blanks around it, and finds its line.
func trimmed(script string, start, end int) statement {
	text := script[start:end]
	skipped := len(text) - len(strings.TrimLeft(text, blanks))
	return statement{
		text: strings.Trim(text, blanks),
		line: 1 + strings.Count(script[:start+skipped], "\n"),
	}
}

// padded returns the statement on its own line of the script, so that DuckDB's messages name that line.
func (s statement) padded(prefix, suffix string) string {
	return strings.Repeat("\n", s.line-1) + prefix + s.text + suffix
}

// keyword returns the first word of the statement in capitals, or its first symbol.
func (s statement) keyword() string {
	for i := 0; i < len(s.text); {
		kind, end := token(s.text, i)
		if kind != space && kind != comment {
			return strings.ToUpper(s.text[i:end])
		}
		i = end
	}
	return ""
}

// returnsRows reports whether the statement has a result to show: a statement with any other first word changes something.
func (s statement) returnsRows() bool {
	switch s.keyword() {
	case "SELECT", "FROM", "WITH", "VALUES", "TABLE", "DESCRIBE", "DESC", "SHOW", "SUMMARIZE", "EXPLAIN",
		"PRAGMA", "CALL", "PIVOT", "UNPIVOT", "EXECUTE", "(":
		return true
	}
	return false
}

// substitute replaces each $name of the script that values has by its literal.
func substitute(script string, values map[string]string) string {
	var b strings.Builder
	for i := 0; i < len(script); {
		kind, end := token(script, i)
		value, known := values[strings.TrimPrefix(script[i:end], "$")]
		if kind == parameter && known {
			b.WriteString(value)
		} else {
			b.WriteString(script[i:end])
		}
		i = end
	}
	return b.String()
}

// leadingComment is the text of the comment lines at the start of a statement.
func leadingComment(text string) string {
	var lines []string
	for _, l := range strings.Split(text, "\n") {
		c, ok := strings.CutPrefix(l, "--")
		if !ok {
			break
		}
		lines = append(lines, strings.TrimSpace(c))
	}
	return strings.Join(lines, " ")
}

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
