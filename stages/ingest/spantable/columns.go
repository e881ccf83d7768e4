package spantable

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/tags"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// column is one of the columns that mean something.
type column int

const (
	traceColumn column = iota
	spanColumn
	startColumn
	endColumn
	durationColumn
	parentColumn
	serviceColumn
	instanceColumn
	hostColumn
	nameColumn
	kindColumn
	statusColumn
	columns int = iota // how many there are
)

// headings are the names of the columns, as textfield.PlainHeading has them. The first is its own, by which Columns knows it.
// Of several in a header the first of this list holds. The others are those of OpenTelemetry's exporters to databases, of
// Jaeger, of Honeycomb, Grafana, SigNoz, Elastic, New Relic, Azure and Datadog, and of published data: Nezha, RCAEval, OpenRCA and the
// AIOps challenges, GAIA, Phoenix, DeepTraLog.
var headings = [columns][]string{
	traceColumn:    {"trace", "traceid", "contexttraceid", "tracetraceid", "operationid"},
	spanColumn:     {"span", "spanid", "contextspanid", "tracespanid", "id"},
	startColumn:    {"start", "starttime", "starttimestamp", "begin", "begintime", "timestamp", "time", "ts"},
	endColumn:      {"end", "endtime", "endtimestamp", "finish", "finishtime"},
	durationColumn: {"duration", "dur", "elapsed", "elapsedtime", "latency", "spanduration", "transactionduration"},
	parentColumn:   {"parent", "parentid", "parentspanid", "parentspan", "traceparentid", "referencesspanid", "operationparentid"},
	serviceColumn: {"service", "servicename", "resourceservicename", "podname", "pod", "k8spodname", "cmdbid", "component",
		"processservicename", "resourcestringservice$$name", "cloudrolename", "appname", "entityname"},
	instanceColumn: {"instance", "instanceid", "serviceinstance", "serviceinstanceid", "podname", "pod", "k8spodname", "cloudroleinstance"},
	hostColumn:     {"host", "hostid", "hostname", "hostip", "node", "nodename"},
	nameColumn:     {"name", "resourcename", "operationname", "operation", "spanname", "methodname", "method", "url", "function"},
	kindColumn:     {"kind", "spankind", "kindstring", "metaspankind", "spanattributesspankind", "spantype"},
	statusColumn:   {"status", "statuscode", "otelstatuscode", "error", "iserror", "haserror", "eventoutcome", "success", "httpstatuscode"},
}

// String returns the name by which ReadingOptions.Columns knows a column.
func (c column) String() string { return headings[c][0] }

// isTime reports whether a column has times.
func (c column) isTime() bool { return c == startColumn || c == endColumn || c == durationColumn }

// required says which columns a table must have, beside one of the end and the duration.
func (c column) required() bool { return c <= startColumn }

// none stands for a column that a table does not have.
const none = -1

// layout says which field of a line is which column.
type layout struct {
	separator byte            // tab, semicolon or comma
	names     []string        // of the fields of the header
	at        [columns]int    // field of the column, or none
	unit      [columns]int64  // nanoseconds of one, of columns of times; 0: as guessUnits finds
	guessed   map[column]bool // whose units only the first rows show
}

// has counts the columns that a table has.
func (l *layout) has() (n int) {
	for _, at := range l.at {
		if at != none {
			n++
		}
	}
	return n
}

// likely reports whether a table is one of spans, though it may lack something: it has ids of traces and of spans, and a time, or the user
// names a column that only spans have. A column "id" alone may be one of messages: then there has to be one of parents.
func (l *layout) likely(o schema.ReadingOptions) bool {
	for _, c := range []column{traceColumn, spanColumn, startColumn, endColumn, durationColumn, parentColumn, serviceColumn} {
		if _, given := o.Columns[c.String()]; given {
			return true
		}
	}
	timed := l.at[startColumn] != none || l.at[endColumn] != none || l.at[durationColumn] != none
	named := l.at[spanColumn] != none && (l.at[parentColumn] != none || textfield.PlainHeading(l.names[l.at[spanColumn]]) != "id")
	return timed && named && l.at[traceColumn] != none
}

// resolve finds the columns by their headings. All faults are collected, so that a user mends a header in one go.
func resolve(names []string, o schema.ReadingOptions) (*layout, error) {
	l := &layout{names: names, guessed: make(map[column]bool)}
	plain := make([]string, len(names))
	for i, name := range names {
		plain[i] = textfield.PlainHeading(name)
	}
	faults := []error{unknownColumns(o)}
	for c := range column(columns) {
		at, unit, err := locate(c, names, plain, o)
		l.at[c], faults = at, append(faults, err)
		if l.unit[c] = unit; unit == 0 {
			l.unit[c] = units[o.TimeUnit]
		}
	}
	if at := l.at[spanColumn]; l.at[parentColumn] == none && at != none && plain[at] == "id" && o.Columns[parentColumn.String()] == "" {
		l.at[parentColumn] = slices.Index(plain, "pid") // beside an id it is the parent's
	}
	if l.at[instanceColumn] == l.at[serviceColumn] {
		l.at[instanceColumn] = none // the pod is all that is known
	}
	if l.at[endColumn] == none && l.at[durationColumn] == none {
		faults = append(faults, fmt.Errorf("no column for %q nor for %q: %s, or the same of %s", endColumn, durationColumn, remedy(endColumn), durationColumn))
	}
	return l, errors.Join(faults...)
}

// attributes are the fields that the user asked for as attributes: those that are named, or all that mean nothing else. The id of a trace is not
// one of them, as its root has it.
func (l *layout) attributes(o schema.ReadingOptions) (fields []int) {
	all := slices.Contains(o.Attributes, tags.All)
	for i, name := range l.names {
		asked := slices.Contains(o.Attributes, name) && name != schema.TraceIDAttribute
		if name != "" && (asked || all && !slices.Contains(l.at[:], i)) {
			fields = append(fields, i)
		}
	}
	return fields
}

// unknownColumns is the error of a column of the options that no table of spans has.
func unknownColumns(o schema.ReadingOptions) error {
	var known []string
	for c := range column(columns) {
		known = append(known, c.String())
	}
	for _, name := range slices.Sorted(maps.Keys(o.Columns)) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("--columns: %q is no column of spans; they are %s", name, strings.Join(known, ", "))
		}
	}
	return nil
}

// remedy says what a user does about a column that is missing.
func remedy(c column) string {
	return fmt.Sprintf("name one %s, or name it with --columns %s=NAME", strings.Join(headings[c], ", "), c)
}

// locate finds the field of a column, or none, and the unit that its heading or the user gives to it. The headings are given as they stand and as they
// compare.
func locate(c column, names, plain []string, o schema.ReadingOptions) (at int, unit int64, err error) {
	wanted, given := o.Columns[c.String()]
	if !given {
		if at, unit = usual(c, plain); at == none && c.required() {
			err = fmt.Errorf("no column for %q: %s", c, remedy(c))
		}
		return at, unit, err
	}
	if wanted == "" && !c.required() {
		return none, 0, nil // the user says that the table has none, whatever its headings look like
	}
	at = slices.Index(names, wanted)
	if name, word, ok := cutLast(wanted, ":"); at < 0 && ok && c.isTime() && units[word] != 0 {
		wanted, unit = name, units[word]
		at = slices.Index(names, wanted)
	}
	if at < 0 {
		at = slices.Index(plain, textfield.PlainHeading(wanted))
	}
	if at < 0 {
		return none, 0, fmt.Errorf("no column is named %q, which --columns gives for %q: correct its name there", wanted, c)
	}
	if unit == 0 && c.isTime() {
		_, unit = usual(c, plain[at:at+1])
	}
	return at, unit, nil
}

// usual finds a column by its usual headings among some that compare. Those of times may have a unit at their end, and the finest is taken.
func usual(c column, plain []string) (at int, unit int64) {
	for _, heading := range headings[c] {
		at = none
		for i, name := range plain {
			if name == heading {
				return i, 0
			}
			rest, ok := strings.CutPrefix(name, heading)
			if u := units[rest]; ok && c.isTime() && u != 0 && (at == none || u < unit) {
				at, unit = i, u
			}
		}
		if at != none {
			return at, unit
		}
	}
	return none, 0
}

// cutLast cuts a text around the last separator in it.
func cutLast(s, separator string) (before, after string, found bool) {
	at := strings.LastIndex(s, separator)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(separator):], true
}
