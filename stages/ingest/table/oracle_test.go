package table

import (
	"strings"
	"unicode/utf8"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// event is a row with its key and mark looked up, so that blocks of different parsers compare.
type event struct {
	line int
	ns   int64
	key  schema.EventKey
	mark schema.MessageMark
	id   int64
}

type outcome struct {
	events               []event
	lines, bad, overflow int64
}

// read is what a parser makes of the pieces.
func read(p schema.Parser, pieces ...string) (out outcome) {
	for _, piece := range pieces {
		var b schema.Block
		p.Parse([]byte(piece), &b)
		for i := range b.TimeNs {
			out.events = append(out.events, event{int(out.lines) + int(b.Line[i]), b.TimeNs[i],
				p.Keys()[b.Key[i]], p.Marks()[b.Mark[i]], b.MessageID[i]})
		}
		out.lines += b.Lines
		out.bad += b.Bad.Count
		out.overflow += b.Overflow.Count
	}
	return out
}

// readPlain is the obvious reader of rows: it knows no table and copies everything.
func readPlain(l *layout, data string) (out outcome) {
	if data == "" {
		return out
	}
	for i, line := range strings.Split(strings.TrimSuffix(data, "\n"), "\n") {
		out.lines++
		e, overflow, ok := plainRow(l, strings.TrimSuffix(line, "\r"))
		e.line = i
		switch {
		case !ok:
			out.bad++
		case overflow:
			out.overflow++
		default:
			out.events = append(out.events, e)
		}
	}
	return out
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
		if (c == component || c == function || c >= thread) && !plainName(get(c)) {
			return e, false, false
		}
	}
	kinds := map[string]schema.Kind{"start": 0, "enter": 0, "entry": 0, "begin": 0, ">": 0, "finish": 1, "exit": 1, "leave": 1, "end": 1, "<": 1}
	k, known := kinds[strings.ToLower(get(kind))]
	e.key = schema.EventKey{Component: get(component), Lifeline: get(component), Function: get(function), Kind: k, ExecutionType: get(executionType)}
	if get(thread) != "" {
		e.key.Lifeline += "/" + get(thread)
	}
	if !known || e.key.Component == "" || e.key.Function == "" {
		return e, false, false
	}
	if e.mark, e.id, ok = plainMessage(get(identifier), get(direction), get(message)); !ok {
		return e, false, false
	}
	e.ns, overflow, ok = plainTime(get(timeColumn), l.unit)
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

func plainName(s string) bool {
	return len(s) <= 4096 && utf8.ValidString(s) &&
		strings.IndexFunc(s, func(r rune) bool { return r < 32 || r == 127 }) < 0
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
	return m, number, id != "" && m.Direction != 0 && plainName(m.Series) && plainName(label)
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
