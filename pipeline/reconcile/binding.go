package reconcile

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
)

// binding says at which events a clock ticks.
type binding struct {
	clock ccsl.ClockID
	unit  string // "": any unit that has such events
	// direction and series or label of a message, or component, function and kind of an event. Names are patterns as of files: *
	// stands for any letters and ? for one.
	direction schema.Direction
	series    string
	component string // "": any
	function  string
	kind      schema.Kind
	any       bool   // every event of the unit, whatever it is: a clock of the paper's Trace1
	text      string // the event as the user wrote it; "" of a clock that is bound by its name
}

// parseBinding reads what a clock is bound to: UNIT:COMPONENT.FUNCTION> is where the function is entered,
// with < for > where it is left; UNIT:!SERIES is where messages of a series or with a label are sent, UNIT:?SERIES where
// they are received. Without a component the function may be that of any component; A.*> are all functions of A, and UNIT:* is any
// event of the unit.
func parseBinding(clock ccsl.ClockID, text string) (binding, error) {
	// Names of units have no colon, which Options.validate checks, so that the first one ends the unit.
	unit, event, found := strings.Cut(text, ":")
	b := binding{clock: clock, text: event}
	if b.unit = unit; !found || unit == "" || event == "" {
		return b, fmt.Errorf("%q: expected UNIT:COMPONENT.FUNCTION>, UNIT:COMPONENT.FUNCTION<, UNIT:!SERIES, UNIT:?SERIES or UNIT:*", text)
	}
	if event == "*" {
		b.any = true
		return b, nil
	}
	switch event[0] {
	case '!': // sent
		b.direction, b.series = schema.Send, event[1:]
		return b, nil
	case '?': // received
		b.direction, b.series = schema.Receive, event[1:]
		return b, nil
	}
	switch end := event[len(event)-1]; end {
	case '>': // entered
		b.kind = schema.Enter
	case '<': // left
		b.kind = schema.Exit
	default:
		return b, fmt.Errorf("%q: a function is followed by > where it is entered or < where it is left", text)
	}
	b.function = event[:len(event)-1]
	// Functions have no points; components may.
	if dot := strings.LastIndexByte(b.function, '.'); dot >= 0 {
		b.component, b.function = b.function[:dot], b.function[dot+1:]
	}
	return b, nil
}

// allBindings returns the bindings that the job names; every other clock without a definition is bound to
// the function of its name.
func (o *Options) allBindings() ([]binding, error) {
	if o.Spec == nil {
		return nil, nil
	}
	var list []binding
	named := make(map[ccsl.ClockID]bool)
	// 1. The clocks that the user binds. Map order does not matter: the list is sorted below.
	for name, text := range o.Bindings {
		clock, found := o.Spec.Find(name)
		if !found {
			return nil, fmt.Errorf("the specification has no clock %s", name)
		}
		b, err := parseBinding(clock, text)
		if err != nil {
			return nil, fmt.Errorf("binding of %s: %w", name, err)
		}
		if !slices.ContainsFunc(o.Units, func(u Unit) bool { return u.Name == b.unit }) {
			return nil, fmt.Errorf("binding of %s: %s is no unit", name, b.unit)
		}
		if named[clock] {
			return nil, fmt.Errorf("the clock %s is bound twice", name)
		}
		named[clock] = true
		list = append(list, b)
	}
	// 2. In the order of the clocks, so that errors and results are the same in every run of the program.
	slices.SortFunc(list, func(a, b binding) int { return int(a.clock - b.clock) })
	// 3. The others, by their names. Clocks that an expression defines are computed, and hidden ones cannot be named.
	for i, c := range o.Spec.Clocks {
		if id := ccsl.ClockID(i); !named[id] && c.Definition == ccsl.NoDefinition && !c.Hidden {
			list = append(list, binding{clock: id, function: lastPart(c.Name), kind: schema.Enter})
		}
	}
	return list, nil
}

// lastPart returns the end of a clock's path.
func lastPart(of string) string { return of[strings.LastIndex(of, ":")+1:] }

// settleUnits decides which unit is meant by clocks that are bound by name: the one that their path
// names, as in robot::send, or the only one where they tick.
func (o *Options) settleUnits(list []binding, units []*collected) error {
	// A clock that the user bound to a unit belongs there even if it never ticks, which must have been allowed: nearly always the
	// name is wrong, and a clock that never ticks makes nonsense of every constraint over it.
	for _, b := range list {
		if b.unit != "" {
			c := units[o.unitIndex(b.unit)]
			if len(c.unit.Ticks[b.clock]) == 0 && !o.Silent {
				return o.nothing(&b, c)
			}
			c.unit.Bind(b.clock)
			continue
		}
		// The path wins: ticks in other units are those of functions that only share the name.
		named := o.unitOf(o.Spec.Clocks[b.clock].Name)
		var having []string
		for i, u := range units {
			if named >= 0 && i != named {
				delete(u.unit.Ticks, b.clock)
			}
			if len(u.unit.Ticks[b.clock]) > 0 {
				having = append(having, u.unit.Name)
			}
		}
		// Without a path one unit at most may have it.
		if len(having) > 1 {
			c := &o.Spec.Clocks[b.clock]
			return fmt.Errorf("%s: the clock %s ticks in the units %s: bind it to one of them, as in %s=%s:COMPONENT.%s>",
				c.At, c.Name, strings.Join(having, " and "), lastPart(c.Name), having[0], b.function)
		}
	}
	return nil
}

// matches reports whether a name is a pattern of a binding or matches it.
func matches(pattern, name string) bool {
	match, _ := path.Match(pattern, name) // a malformed pattern is only itself
	return match || pattern == name
}

// NothingError says that a clock ticks nowhere: what it is bound to is not there.
type NothingError struct {
	Clock, Bound, Run string   // the binding as the user wrote it, or the name of the clock by which it is bound
	Alike             []string // what the run has instead; may be empty
}

// Error implements error.
func (e *NothingError) Error() string {
	text := fmt.Sprintf("the clock %s never ticks: run %s has no event %s", e.Clock, e.Run, e.Bound)
	if len(e.Alike) > 0 {
		text += "; it has " + strings.Join(e.Alike[:min(len(e.Alike), 4)], ", ")
	}
	return text
}

// nothing returns the error of a clock that ticks nowhere, with names of the unit that resemble those of its binding.
func (o *Options) nothing(b *binding, c *collected) error {
	e := &NothingError{Clock: o.Spec.Clocks[b.clock].Name, Bound: b.text, Run: o.Units[o.unitIndex(c.unit.Name)].Run}
	switch {
	case b.direction != schema.NoMessage:
		e.Alike = schema.Similar(b.series, append(slices.Clone(c.unit.Series), c.labels...))
	default:
		full := b.function
		if b.component != "" {
			full = b.component + "." + b.function
		}
		if e.Bound == "" {
			e.Bound = full + ">"
		}
		e.Alike = schema.Similar(full, c.executed)
		if len(e.Alike) == 0 && b.component != "" { // the function may be right, in another component
			e.Alike = schema.Similar(b.function, c.executed)
		}
	}
	return e
}

// unitOf returns the unit that a clock's path names, the innermost one if it names several, or -1.
// The last part of a path is the clock itself.
func (o *Options) unitOf(of string) int {
	blocks := strings.Split(of, "::")
	for i := len(blocks) - 2; i >= 0; i-- {
		if u := slices.IndexFunc(o.Units, func(u Unit) bool { return u.Name == blocks[i] }); u >= 0 {
			return u
		}
	}
	return -1
}
