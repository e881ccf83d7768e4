package spantable

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math"
	"regexp"
	"slices"

	"github.com/tracelake/tracelake/stages/ingest/spans"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// Units of time in nanoseconds.
const (
	nanosecond  = 1
	microsecond = 1_000
	millisecond = 1_000_000
	second      = textfield.Second
)

// units are the ways to write a unit of time, as PlainHeading has them.
var units = map[string]int64{
	"s": second, "sec": second, "secs": second, "second": second, "seconds": second,
	"ms": millisecond, "milli": millisecond, "millis": millisecond, "milliseconds": millisecond, "unixmilli": millisecond, "unixms": millisecond,
	"us": microsecond, "µs": microsecond, "micro": microsecond, "micros": microsecond, "microseconds": microsecond, "unixmicro": microsecond, "unixus": microsecond,
	"ns": nanosecond, "nano": nanosecond, "nanos": nanosecond, "nanoseconds": nanosecond, "unixnano": nanosecond, "unixnanos": nanosecond, "unixns": nanosecond,
}

// unitWord writes a unit as the user does.
func unitWord(unit int64) string {
	switch unit {
	case second:
		return "s"
	case millisecond:
		return "ms"
	case microsecond:
		return "us"
	}
	return "ns"
}

// sampleRows are the rows by which units of time are found.
const sampleRows = 100

// guessUnits finds the units that neither the user nor the headings say, by the first rows.
func (l *layout) guessUnits(rows []byte) {
	for _, c := range []column{startColumn, endColumn, durationColumn} {
		if l.at[c] == none || l.unit[c] != 0 {
			continue
		}
		seen := l.sample(rows, c)
		switch {
		case c == endColumn && l.unit[startColumn] != 0 && !l.guessed[startColumn]:
			l.unit[c] = l.unit[startColumn]
			continue
		case c == durationColumn && l.at[endColumn] != none:
			l.unit[c] = nanosecond // it is not read
			continue
		case c == durationColumn && !l.sample(rows, startColumn).dated:
			l.unit[c] = l.unitBesideStarts(rows)
		case seen.unit != 0:
			l.unit[c] = seen.unit
		case seen.pointed:
			l.unit[c] = second
		case c == durationColumn:
			l.unit[c] = l.nestingUnit(rows)
		default:
			l.unit[c] = nanosecond
		}
		l.guessed[c] = !seen.dated
	}
}

// nestingUnit returns the finest unit in which durations beside dates let most spans of the first rows begin and end within their
// parents; nanoseconds where no row shows any. With too fine a unit children begin behind the end of their parents.
func (l *layout) nestingUnit(rows []byte) int64 {
	calls := l.calls(rows, nanosecond, sampleRows)
	for _, unit := range []int64{nanosecond, microsecond, millisecond, second} {
		if inside := 2 * inside(calls, unit, 0); inside > len(calls) {
			return unit
		}
	}
	return nanosecond
}

// unitBesideStarts returns the unit of durations beside starts that are numbers: that of these, or a finer one in which the durations let most spans begin
// and end within their parents all the same. Starts in ms beside durations in us are those of the AIOps challenges of 2021 and 2022. Only
// spans that begin later than their parents by more than the starts were cut to show anything, and a few of them are needed.
func (l *layout) unitBesideStarts(rows []byte) int64 {
	of := l.unit[startColumn]
	late := slices.DeleteFunc(l.calls(rows, of, nestingRows), func(c spanCall) bool { return c.behindNs < 2*of })
	for _, unit := range []int64{nanosecond, microsecond, millisecond} {
		if unit < of && len(late) >= leastCalls && 2*inside(late, unit, of) > len(late) {
			return unit
		}
	}
	return of
}

// nestingRows are the rows by which the unit of durations beside numbers is found, and leastCalls how many spans among them have to show it.
const (
	nestingRows = 1000
	leastCalls  = 3
)

// spanCall is a span of the first rows beside its parent.
type spanCall struct{ behindNs, took, parentTook int64 }

// inside counts the spans that begin and end within their parents, or stick out by so many ns, where durations are of a unit. Durations of the sample fit, or
// the unit is too coarse.
func inside(calls []spanCall, unit, slackNs int64) (n int) {
	for _, c := range calls {
		if c.parentTook < math.MaxInt64/unit && c.took <= c.parentTook && c.behindNs-slackNs <= (c.parentTook-c.took)*unit {
			n++
		}
	}
	return n
}

// calls lists the spans of the first rows whose parents are among these, too.
func (l *layout) calls(rows []byte, startUnit int64, most int) (calls []spanCall) {
	type key struct{ trace, span uint64 }
	type times struct {
		parent      key
		start, took int64
	}
	known := make(map[key]times)
	r := reader{layout: *l, row: textfield.Row{Separator: l.separator}}
	for range most {
		line, rest, whole := bytes.Cut(rows, []byte{'\n'})
		if !whole {
			break
		}
		rows = rest
		if _, want := r.row.Split(bytes.TrimSuffix(line, []byte{'\r'})); want != "" {
			continue
		}
		start, took := timeOf(r.text(startColumn), startUnit), timeOf(r.text(durationColumn), nanosecond)
		if start.Want == "" && took.Want == "" && !start.Overflow && !took.Overflow {
			trace := traceNumber(r.text(traceColumn))
			known[key{trace, spans.ParseID(r.text(spanColumn))}] = times{key{trace, parentOf(r.text(parentColumn))}, start.Ns, took.Ns}
		}
	}
	for _, child := range known {
		if parent, has := known[child.parent]; has {
			calls = append(calls, spanCall{child.start - parent.start, child.took, parent.took})
		}
	}
	return calls
}

// traceNumber tells the traces of the first rows apart.
func traceNumber(text []byte) uint64 {
	h := fnv.New64a()
	h.Write(text)
	return h.Sum64()
}

// seen is what the first rows show of a column of times.
type seen struct {
	dated   bool  // there are dates
	pointed bool  // a number has a decimal point
	unit    int64 // that of a number of our time; 0 where none is of our time
}

// sample looks at a column in the first rows. Bad rows are passed over here and counted when they are read.
func (l *layout) sample(rows []byte, c column) (s seen) {
	r := textfield.Row{Separator: l.separator}
	for range sampleRows {
		line, rest, whole := bytes.Cut(rows, []byte{'\n'})
		if !whole {
			break // it may be cut off within a number
		}
		rows = rest
		if _, want := r.Split(bytes.TrimSuffix(line, []byte{'\r'})); want != "" || l.at[c] >= r.Fields() {
			continue
		}
		text := r.Text(l.at[c])
		if textfield.IsInstant(text) {
			s.dated = true
			continue
		}
		s.pointed = s.pointed || bytes.IndexByte(text, '.') >= 0
		if t := timeOf(text, nanosecond); t.Want == "" && !t.Overflow && s.unit == 0 {
			s.unit = unitOfOurTime(t.Ns)
		}
	}
	return s
}

// unitOfOurTime returns the unit in which a number lies between 2001 and 2100; 0 where it does so in none. Seconds are
// left out: a table of spans in whole seconds says nothing, and those with decimals are known by the point.
func unitOfOurTime(n int64) int64 {
	const first, last = 978_307_200, 4_102_444_800 // seconds since 1970
	for _, unit := range []int64{millisecond, microsecond, nanosecond} {
		if ones := second / unit; n/ones >= first && n/ones < last {
			return unit
		}
	}
	return 0
}

// say reports which units were found out, and how to say others; which columns are not known, with what follows from that; and that components
// are pods, where that is so.
func (r *reader) say(rows []byte) {
	for _, c := range []column{startColumn, endColumn, durationColumn} {
		if r.guessed[c] {
			r.Say(fmt.Sprintf("times of column %s are taken for %s; --columns %s=%s:UNIT says otherwise",
				r.names[r.at[c]], unitWord(r.unit[c]), c, r.names[r.at[c]]))
		}
	}
	for _, c := range []column{serviceColumn, nameColumn, parentColumn} {
		if _, given := r.Options().Columns[c.String()]; r.at[c] == none && !given {
			r.Say(fmt.Sprintf("no column is known to say the %s of a span, so that %s; --columns %s=NAME names it", c, without[c], c))
		}
	}
	line, _, _ := bytes.Cut(rows, []byte{'\n'})
	r.row.Split(line) // the first row shows it, or none does
	if pod := r.text(serviceColumn); isPod.Match(pod) && r.Options().Component == "" {
		r.Say(fmt.Sprintf("components are pods, such as %s; --component 'service=^(.*)-[0-9a-z]+-[a-z0-9]+$' makes components of their services", pod))
	}
}

// without says what follows where a table lacks a column.
var without = map[column]string{
	serviceColumn: "all are one component",
	nameColumn:    "all have one name",
	parentColumn:  "none is known to call another",
}

// isPod knows the name of a pod by the two codes that Kubernetes puts behind the name of a deployment.
var isPod = regexp.MustCompile(`.-[0-9a-z]{8,10}-[0-9a-z]{5}$`)

// timeOf reads a time: a number in a unit of nanoseconds, or a date.
func timeOf(text []byte, unit int64) textfield.Reading {
	if textfield.IsInstant(text) {
		return dateOf(text)
	}
	if at := bytes.IndexAny(text, "eE"); at > 0 {
		return exponential(text, at, unit)
	}
	return textfield.Number(text, unit, unit, "a digit or '.' in the time")
}

// longestDate is room for a date with nanoseconds and an offset.
const longestDate = 48

// dateOf reads a date as databases print it: a blank may stand before the time, and the offset may be left out or be UTC.
func dateOf(text []byte) textfield.Reading {
	var buffer [longestDate + 1]byte
	if len(text) > longestDate {
		return textfield.Reading{Want: "a time such as 2023-11-14T22:13:20.5Z"}
	}
	b := append(buffer[:0], bytes.TrimSuffix(text, []byte(" UTC"))...)
	const clock = len("2006-01-02")
	if len(b) > clock && b[clock] == ' ' {
		b[clock] = 'T'
	}
	if len(b) > clock && !bytes.ContainsAny(b[clock:], "Z+-") {
		b = append(b, 'Z')
	}
	return textfield.Instant(b)
}

// exponential reads a number with an exponent, as programs write times that went through floating point: 1.66e+18. The digits are
// shifted as text, so that nothing is rounded.
func exponential(text []byte, at int, unit int64) textfield.Reading {
	const want, most = "a whole exponent of at most 18 in the time", 18
	exponent, digits := 0, bytes.TrimPrefix(text[at+1:], []byte{'+'})
	for _, c := range digits {
		if c -= '0'; c > 9 || exponent > most {
			return textfield.Reading{At: at, Want: want}
		}
		exponent = exponent*10 + int(c)
	}
	if len(digits) == 0 || exponent > most || at > longestDate {
		return textfield.Reading{At: at, Want: want}
	}
	whole, fraction, _ := bytes.Cut(text[:at], []byte{'.'})
	for len(fraction) < exponent {
		fraction = append(fraction[:len(fraction):len(fraction)], '0')
	}
	shifted := append(append(append(make([]byte, 0, 2*longestDate), whole...), fraction[:exponent]...), '.')
	shifted = append(append(shifted, fraction[exponent:]...), '0')
	return textfield.Number(shifted, unit, unit, want)
}
