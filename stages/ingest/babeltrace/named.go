package babeltrace

import (
	"bytes"
)

// stamped begins a line in which every part has its name (--names all).
var stamped = []byte("timestamp = ")

// parseNamed reads a line in which every part has its name: parts of the head have a value up to a comma, scopes a group of fields. The column of an
// error is counted from 1.
func (l *line) parseNamed(text []byte) (col int, err error) {
	l.Host, l.Name, l.Fields, l.Payload = nil, nil, l.Fields[:0], 0
	rest, timed := text, false
	at := func() int { return len(text) - len(rest) + 1 }
	for {
		rest = bytes.TrimLeft(rest, ", ")
		if len(rest) == 0 {
			break
		}
		name, value, _ := bytes.Cut(rest, []byte(" = "))
		if bytes.HasPrefix(value, []byte("{")) && bytes.IndexByte(name, ',') < 0 {
			if l.Payload = len(l.Fields); len(value) == len(rest) {
				return at(), errGroup
			}
			left, ok := l.group(value[1:])
			if rest = left; !ok {
				return at(), errGroup
			}
			continue
		}
		part, after, _ := bytes.Cut(rest, []byte(", "))
		switch name, value, _ := bytes.Cut(part, []byte(" = ")); string(name) {
		case "timestamp":
			if timed = l.time(value); !timed {
				return at() + len(stamped), errTime
			}
		case "trace:hostname":
			l.Host = value
		case "name":
			l.Name = value
		}
		rest = after
	}
	switch {
	case !timed:
		return 1, errTime
	case len(l.Name) == 0:
		return len(text) + 1, errName
	}
	return 0, nil
}

// withoutLevel is what stands before the name of an event without its level, as TRACE_DEBUG (14), which is not of the host.
func withoutLevel(head []byte) []byte {
	open := bytes.LastIndexByte(head, ' ')
	if open < 0 || !bytes.HasPrefix(head[open+1:], []byte("(")) || !bytes.HasSuffix(head, []byte(")")) {
		return head
	}
	if _, ok := digits(head[open+2 : len(head)-1]); !ok {
		return head
	}
	begin := open
	for begin > 0 && (head[begin-1] == '_' || head[begin-1] >= 'A' && head[begin-1] <= 'Z') {
		begin--
	}
	return bytes.TrimRight(head[:begin], " :")
}
