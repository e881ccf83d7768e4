package text

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

// plain is the obvious reader: it splits lines by library functions and knows no table.
func plain(d dialect, data string) outcome {
	return readertest.Plain(data, func(line string) ([]event, bool, bool) { return plainLine(d, line) })
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
		if !readertest.IsName(name) {
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
	e := event{Ns: ns, Key: key, ID: schema.NoValue}
	if len(f) == 5 {
		return []event{e}, overflow, ok
	}
	for i, m := range f[5:] {
		if i > 0 {
			e.Key.Kind = schema.Message
		}
		var good bool
		if e.Mark, e.ID, good = plainMessage(m); !good {
			return nil, false, false
		}
		events = append(events, e)
	}
	return events, overflow, ok
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
	return mark, id, readertest.IsName(mark.Series)
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
