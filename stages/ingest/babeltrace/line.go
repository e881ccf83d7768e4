package babeltrace

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/tracelake/tracelake/stages/ingest/ctf"
)

// line is an event, with its time as it stands in the text.
type line struct {
	ctf.Line
	ns    int64 // since the epoch, or since midnight
	daily bool  // the time is one of a day
}

// Errors name what is expected at the column that parse returns with them.
var (
	errTime  = errors.New("expected [time]")
	errName  = errors.New("expected the name of an event and {")
	errGroup = errors.New("expected { name = value, ... }")
)

// parse reads a line without its end. The column of an error is counted from 1.
func (l *line) parse(text []byte) (col int, err error) {
	if bytes.HasPrefix(text, stamped) {
		return l.parseNamed(text)
	}
	if len(text) == 0 || text[0] != '[' {
		return 1, errTime
	}
	// 1. The time, in brackets.
	end := bytes.IndexByte(text, ']')
	if end < 0 || !l.time(text[1:end]) {
		return 2, errTime
	}
	// 2. The distance from the line before, which follows from the times.
	rest := bytes.TrimLeft(text[end+1:], " ")
	if bytes.HasPrefix(rest, []byte("(+")) {
		_, after, ok := bytes.Cut(rest, []byte(") "))
		if !ok {
			return len(text) - len(rest) + 1, errName
		}
		rest = bytes.TrimLeft(after, " ")
	}
	// 3. The host, where the trace names one, and the event. An event's name has no blanks, so the last one ends the
	// host.
	head, groups, ok := bytes.Cut(rest, []byte(": {"))
	if !ok || len(head) == 0 {
		// Fields hold parts of the text, so that they are good until the next line is read.
		return len(text) - len(rest) + 1, errName
	}
	l.Host, l.Name = nil, head
	if i := bytes.LastIndexByte(head, ' '); i >= 0 {
		l.Host, l.Name = withoutLevel(head[:i]), head[i+1:]
	}
	// 4. The groups of fields. The column of a fault is found by how much is left.
	if left, ok := l.groups(groups); !ok {
		return len(text) - len(left) + 1, errGroup
	}
	return 0, nil
}

// groups reads what follows the first brace. rest is what is left at the end, or where a fault is.
func (l *line) groups(s []byte) (rest []byte, ok bool) {
	l.Fields = l.Fields[:0]
	for {
		// Each group is taken for the last one until another begins.
		l.Payload = len(l.Fields)
		if s, ok = l.group(s); !ok {
			return s, false
		}
		if len(s) == 0 {
			return s, true
		}
		if !bytes.HasPrefix(s, []byte(", {")) {
			return s, false
		}
		s = s[3:]
	}
}

// group reads fields up to the closing brace.
func (l *line) group(s []byte) (rest []byte, ok bool) {
	for {
		// A field at a time: its name, " = ", its value, and a comma unless the group ends.
		s = bytes.TrimLeft(s, " ")
		if len(s) > 0 && s[0] == '}' {
			return s[1:], true
		}
		i := bytes.Index(s, []byte(" = "))
		if i <= 0 {
			return s, false
		}
		// A value that does not end is a fault at its start.
		n := valueLength(s[i+3:])
		if n == 0 {
			return s[i+3:], false
		}
		value := s[i+3 : i+3+n]
		l.Fields = append(l.Fields, ctf.Field{Name: s[:i], Value: unquote(value), Text: value[0] == '"'})
		s = s[i+3+n:]
		if len(s) > 0 && s[0] == ',' {
			s = s[1:]
		}
	}
}

// valueLength returns the length of a value: up to a comma, or a blank and a closing brace, outside of brackets and strings.
func valueLength(s []byte) int {
	// Commas and braces within brackets or strings belong to the value, so nesting is counted.
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			n := stringLength(s[i:])
			if n == 0 {
				return 0
			}
			i += n - 1
		case '{', '[', '(':
			depth++
		case '}', ']', ')':
			// The brace closes the group, not the value: the blank before it is no part of the value.
			if depth--; depth < 0 {
				return len(bytes.TrimRight(s[:i], " "))
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return 0
}

// stringLength returns the length of a string with its quotes, 0 where it does not end.
func stringLength(s []byte) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		// The character after a backslash cannot end the string.
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}

// unquote returns a string without its quotes and escapes, and other values as they are.
func unquote(s []byte) []byte {
	if len(s) < 2 || s[0] != '"' {
		return s
	}
	if bytes.IndexByte(s, '\\') >= 0 {
		// Escapes are rare (a path with a quotation mark), so only they cost an allocation. An escape that Go does not
		// know leaves the text as it is written.
		if plain, err := strconv.Unquote(string(s)); err == nil {
			return []byte(plain)
		}
	}
	return s[1 : len(s)-1]
}
