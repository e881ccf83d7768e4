package table

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// Options say how to read a table. The zero value finds everything out by itself.
type Options struct {
	// Columns maps a column (time, component, function, kind, message, id, type, thread,
	// execution_type) to its name in the header; to "" when the table has no such column.
	Columns map[string]string
	// TimeUnit is "s", "ms", "us" or "ns"; empty to find out.
	TimeUnit string
}

// column is one of the columns that mean something.
type column int

const (
	timeColumn column = iota
	component
	function
	kind
	message
	identifier
	direction
	thread
	executionType
	columns int = iota // how many there are
)

// headings are the names of the columns. The first is its own, by which Options.Columns knows it; the
// others are taken when the header has it not.
var headings = [columns][]string{
	timeColumn:    {"time", "t", "timestamp", "ts"},
	component:     {"component", "comp", "c"},
	function:      {"function", "func", "fn", "f"},
	kind:          {"kind", "start/finish", "startfinish", "enter/exit", "event", "s"},
	message:       {"message", "msg", "label", "m"},
	identifier:    {"id", "message id", "msg id", "identifier"},
	direction:     {"type", "direction", "dir", "send/receive"},
	thread:        {"thread", "thread id", "tid", "executor"},
	executionType: {"execution_type", "execution", "exec type", "call type"},
}

// String returns the name by which Options.Columns knows a column.
func (c column) String() string { return headings[c][0] }

// required says which columns a table must have.
func (c column) required() bool { return c <= kind }

// units are the ways to write a unit of time, and their nanoseconds.
var units = map[string]int64{"s": 1e9, "sec": 1e9, "seconds": 1e9, "ms": 1e6, "us": 1e3, "ns": 1}

// layout says which field of a line is which column.
type layout struct {
	separator byte         // tab, semicolon or comma
	width     int          // fields of the header
	at        [columns]int // field of the column, -1 where the table has none
	unit      int64        // nanoseconds of one in the time column; 0 to tell by the decimal point
}

// has counts the columns that a table must have and this one has.
func (l *layout) has() (n int) {
	// The required columns are the first constants.
	for c := timeColumn; c.required(); c++ {
		if l.at[c] >= 0 {
			n++
		}
	}
	return n
}

// resolve finds the columns by their headings.
func resolve(names []string, o Options) (*layout, error) {
	// All faults are collected, so that a user mends a header in one go and not column by column.
	l := &layout{width: len(names), unit: units[o.TimeUnit]}
	var faults []error
	for c := range l.at {
		at, err := locate(column(c), names, o)
		l.at[c] = at
		if err != nil {
			faults = append(faults, err)
		}
	}
	// The option of the user comes before the heading.
	if l.unit == 0 && l.at[timeColumn] >= 0 {
		l.unit = headingUnit(names[l.at[timeColumn]])
	}
	// A message has an identifier and a direction, or the table has no messages; a label alone ties nothing.
	if l.at[identifier] < 0 != (l.at[direction] < 0) || l.at[message] >= 0 && l.at[identifier] < 0 {
		lacks := identifier
		if l.at[identifier] >= 0 {
			lacks = direction
		}
		faults = append(faults, fmt.Errorf("messages need a column %q too: %s", lacks, remedy(lacks)))
	}
	return l, errors.Join(faults...)
}

// locate finds the field of a column.
func locate(c column, names []string, o Options) (int, error) {
	wanted, given := o.Columns[c.String()]
	// The user says that the table has no such column, whatever its headings look like.
	if given && wanted == "" && !c.required() {
		return -1, nil
	}
	// The exact name first: a table with both "kind" and "event" means kind by the former.
	candidates := headings[c]
	if given {
		candidates = []string{wanted}
	}
	found := matches(c, names, candidates[:1])
	// Any of our headings, letter case and punctuation aside.
	if len(found) == 0 {
		found = matches(c, names, candidates)
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return found[0], fmt.Errorf("columns %q and %q could both be %q: rename one or name it with --columns %s=NAME",
			names[found[0]], names[found[1]], c, c)
	// A name that the user gave must be there: falling back to the usual headings would hide a typing error.
	case given:
		return -1, fmt.Errorf("no column is named %q, which --columns gives for %q: correct its name there", wanted, c)
	case c.required():
		return -1, fmt.Errorf("no column for %q: %s", c, remedy(c))
	}
	return -1, nil
}

// remedy says what a user does about a column that is missing.
func remedy(c column) string {
	return fmt.Sprintf("name one %s, or name it with --columns %s=NAME", strings.Join(headings[c], ", "), c)
}

// matches lists the fields whose heading is one of the candidates.
func matches(c column, names, candidates []string) (found []int) {
	for i, name := range names {
		if slices.ContainsFunc(candidates, func(s string) bool { return same(c, name, s) }) {
			found = append(found, i)
		}
	}
	return found
}

// same reports whether a heading is the given one. That of the time may have a unit at its end.
func same(c column, name, heading string) bool {
	if name == heading {
		return true
	}
	name, heading = textfield.PlainHeading(name), textfield.PlainHeading(heading)
	// "Time [ms]" is plain "timems": what follows the heading must be a unit, or it is another column ("timestamp").
	rest, ok := strings.CutPrefix(name, heading)
	if c == timeColumn && ok && rest != "" {
		return units[rest] != 0
	}
	return name == heading && heading != ""
}

// headingUnit is the unit at the end of the heading of the time column.
func headingUnit(name string) int64 {
	name = textfield.PlainHeading(name)
	// The heading is one of ours with the unit behind it, or else says nothing.
	for _, heading := range headings[timeColumn] {
		if rest, ok := strings.CutPrefix(name, heading); ok && units[rest] != 0 {
			return units[rest]
		}
	}
	return 0
}
