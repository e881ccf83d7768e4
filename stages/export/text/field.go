package text

import (
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// names are the names of a dictionary as they are written, by code.
type names struct {
	dictionary *schema.Dictionary
	written    []string // "" where a name was not met yet
}

// start is called for every chunk, in which codes may mean other names than before.
func (n *names) start(d *schema.Dictionary) {
	n.dictionary = d
	clear(n.written)
	if more := d.Len() - len(n.written); more > 0 {
		n.written = append(n.written, make([]string, more)...)
	}
}

// of returns the name of a code, which clean makes fit to be written.
func (n *names) of(w *Writer, code schema.Code, clean func(string) string) string {
	if name := n.written[code]; name != "" {
		return name
	}
	name := n.dictionary.Name(code)
	fit := clean(name)
	if n.written[code] = fit; fit != name && !w.replaced[name] {
		w.replaced[name] = true
		w.omissions.Names++
	}
	return fit
}

// plainName is a name without what would end it.
func plainName(name string) string { return cleanName(name, textfield.MaxName) }

// cleanName is a name of at most most bytes without what would end it.
func cleanName(name string, most int) string {
	if len(name) > most {
		name = name[:most]
	}
	name = strings.ToValidUTF8(name, "_")
	name = strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f {
			return '_'
		}
		return r
	}, name)
	if name == "" {
		return "_"
	}
	return name
}

// functionName is a name that cannot be taken for a message.
func functionName(name string) string {
	name = plainName(name)
	if name[0] == '!' || name[0] == '?' {
		return "_" + name[1:]
	}
	return name
}

// maxSeries leaves room for a sign and the longest number, as an identifier is read as one name.
const maxSeries = textfield.MaxName - len("_-9223372036854775808")

// seriesName is the part of an identifier before its number, which may be nothing.
func seriesName(name string) string {
	if name == "" {
		return ""
	}
	return cleanName(name, maxSeries)
}

// time writes a time in seconds.
func (w *Writer) time(ns int64) {
	ns -= w.base
	if ns < 0 {
		w.omissions.Times++
		ns = 0
	}
	w.buf = strconv.AppendInt(w.buf, ns/textfield.Second, 10)
	point := len(w.buf)
	w.buf = strconv.AppendInt(w.buf, textfield.Second+ns%textfield.Second, 10)
	w.buf[point] = '.' // in the place of the 1
}

// mostWhole is the largest number that is sure to be read as one.
const mostWhole = 999_999_999_999_999_999

// message writes the message of a row.
func (w *Writer) message(ev *schema.Events, i int) {
	w.last.message = true
	mark := " !"
	if ev.Direction[i] == schema.Receive {
		mark = " ?"
	}
	w.buf = append(w.buf, mark...)
	begin := len(w.buf)
	id, series := ev.MessageID[i], ""
	if ev.Series[i] != schema.NoCode {
		series = w.series.of(w, ev.Series[i], seriesName)
	}
	w.buf = append(w.buf, series...)
	if id != schema.NoValue {
		w.buf = strconv.AppendInt(w.buf, id, 10)
	}
	digit := series != "" && series[len(series)-1]-'0' <= 9
	if !digit && 0 <= id && id <= mostWhole || series != "" && !digit && id == schema.NoValue {
		return
	}
	if s, n := textfield.SplitIdentifier(w.buf[begin:]); string(s) != series || n != id || begin == len(w.buf) {
		w.separate(begin, series, id)
	}
}

// separate writes an identifier again, with a sign that keeps series and number apart.
func (w *Writer) separate(begin int, series string, id int64) {
	w.omissions.Identifiers++
	w.buf = append(append(w.buf[:begin], series...), '_')
	if id != schema.NoValue {
		w.buf = strconv.AppendInt(w.buf, id, 10)
	}
}
