package table

import (
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

type (
	event   = readertest.Event
	outcome = readertest.Text
)

// readPlain is the obvious reader of rows: it knows no table and copies everything.
func readPlain(l *layout, data string) outcome {
	return readertest.Plain(data, func(line string) ([]event, bool, bool) {
		e, overflow, ok := plainRow(l, line)
		return []event{e}, overflow, ok
	})
}

func plainRow(l *layout, line string) (e event, overflow, ok bool) {
	fields, ok := plainSplit(line, l.separator)
	if !ok || len(fields) > l.width {
		return e, false, false
	}
	get := func(c column) string {
		if at := l.at[c]; at >= 0 && at < len(fields) {
			return fields[at]
		}
		return ""
	}
	for c := range column(columns) {
		if (c == component || c == function || c >= thread) && !readertest.IsName(get(c)) {
			return e, false, false
		}
	}
	kinds := map[string]schema.Kind{"start": 0, "enter": 0, "entry": 0, "begin": 0, ">": 0, "finish": 1, "exit": 1, "leave": 1, "end": 1, "<": 1}
	k, known := kinds[strings.ToLower(get(kind))]
	e.Key = schema.EventKey{Component: get(component), Lifeline: get(component), Function: get(function), Kind: k, ExecutionType: get(executionType)}
	if get(thread) != "" {
		e.Key.Lifeline += "/" + get(thread)
	}
	if !known || e.Key.Component == "" || e.Key.Function == "" {
		return e, false, false
	}
	if e.Mark, e.ID, ok = plainMessage(get(identifier), get(direction), get(message)); !ok {
		return e, false, false
	}
	e.Ns, overflow, ok = plainTime(get(timeColumn), l.unit)
	return e, overflow, ok
}

// plainSplit is a machine with a state for each byte.
func plainSplit(line string, separator byte) (fields []string, ok bool) {
	blanks := " \t"
	if separator == '\t' {
		blanks = " "
	}
	for {
		rest := strings.TrimLeft(line, blanks)
		if !strings.HasPrefix(rest, `"`) {
			field, after, more := strings.Cut(line, string(separator))
			if strings.Contains(field, `"`) {
				return nil, false
			}
			fields = append(fields, strings.Trim(field, blanks))
			if !more {
				return fields, true
			}
			line = after
			continue
		}
		field, i := "", 1
		for ; ; i++ {
			if i >= len(rest) {
				return nil, false
			}
			if rest[i] == '"' {
				if i++; i >= len(rest) || rest[i] != '"' {
					break
				}
			}
			field += rest[i : i+1]
		}
		fields = append(fields, field)
		rest = strings.TrimLeft(rest[i:], blanks)
		if rest == "" {
			return fields, true
		}
		if rest[0] != separator {
			return nil, false
		}
		line = rest[1:]
	}
}

func plainMessage(id, word, label string) (m schema.MessageMark, number int64, ok bool) {
	if id+word+label == "" {
		return m, schema.NoValue, true
	}
	words := map[string]schema.Direction{"send": 1, "sent": 1, "!": 1, "receive": 2, "received": 2, "recv": 2, "?": 2}
	m.Direction = words[strings.ToLower(word)]
	series, number := textfield.SplitIdentifier([]byte(id))
	m.Series = string(series)
	if m.Label = label; label == "" {
		m.Label = m.Series
	}
	return m, number, id != "" && m.Direction != 0 && readertest.IsName(m.Series) && readertest.IsName(label)
}

// plainTime reads fields by the package that all formats read them by and that has an oracle of its own.
func plainTime(s string, unit int64) (ns int64, overflow, ok bool) {
	if unit == 0 && strings.Contains(s, ".") {
		unit = textfield.Second
	}
	r := textfield.Number([]byte(s), max(1, unit), max(1, unit), "a digit")
	if len(s) > 4 && s[4] == '-' {
		r = textfield.Instant([]byte(s))
	}
	return r.Ns, r.Overflow, r.Want == ""
}
