package text

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

// plain is the obvious reader: it splits lines by library functions and knows no table.
func plain(d dialect, data string) (out outcome) {
	if data == "" {
		return out
	}
	for i, line := range strings.Split(strings.TrimSuffix(data, "\n"), "\n") {
		out.lines++
		events, overflow, ok := plainLine(d, strings.TrimSuffix(line, "\r"))
		switch {
		case !ok:
			out.bad++
		case overflow:
			out.overflow++
		default:
			for j := range events {
				events[j].line = i
			}
			out.events = append(out.events, events...)
		}
	}
	return out
}

func plainLine(d dialect, line string) (events []event, overflow, ok bool) {
	f := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
	if d == thesis && len(f) > 1 {
		f = append([]string{f[0], f[1]}, f[1:]...)
	}
	if len(f) < 5 || d == thesis && len(f) > 6 || f[3] != ">" && f[3] != "<" || strings.ContainsAny(f[4][:1], "!?") {
		return nil, false, false
	}
	for _, name := range []string{f[1], f[2], f[4]} {
		if !plainName(name) {
			return nil, false, false
		}
	}
	ns, overflow, ok := plainTime(d, f[0])
	key := schema.EventKey{Component: f[2], Lifeline: f[2], Function: f[4], Kind: schema.Enter}
	if f[1] != f[2] {
		key.Lifeline = f[2] + "/" + f[1]
	}
	if f[3] == "<" {
		key.Kind = schema.Exit
	}
	e := event{ns: ns, key: key, id: schema.NoValue}
	if len(f) == 5 {
		return []event{e}, overflow, ok
	}
	for i, m := range f[5:] {
		if i > 0 {
			e.key.Kind = schema.Message
		}
		var good bool
		if e.mark, e.id, good = plainMessage(m); !good {
			return nil, false, false
		}
		events = append(events, e)
	}
	return events, overflow, ok
}

func plainName(s string) bool {
	return len(s) <= 4096 && utf8.ValidString(s) &&
		strings.IndexFunc(s, func(r rune) bool { return r < 32 || r == 127 }) < 0
}

func plainMessage(m string) (mark schema.MessageMark, id int64, ok bool) {
	if len(m) < 2 || m[0] != '!' && m[0] != '?' {
		return mark, 0, false
	}
	series, id := textfield.SplitIdentifier([]byte(m[1:]))
	mark = schema.MessageMark{Direction: schema.Send, Series: string(series), Label: string(series)}
	if m[0] == '?' {
		mark.Direction = schema.Receive
	}
	return mark, id, plainName(mark.Series)
}

// plainTime reads fields by the package that all formats read them by and that has an oracle of its own.
func plainTime(d dialect, s string) (ns int64, overflow, ok bool) {
	unit := int64(1)
	if d == tmsctrace {
		unit = textfield.Second
	}
	r := textfield.Number([]byte(s), unit, textfield.Second, "a digit")
	if d == tmsctrace && strings.Contains(s, "-") {
		r = textfield.Instant([]byte(s))
	}
	return r.Ns, r.Overflow, r.Want == ""
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
