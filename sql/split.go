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
