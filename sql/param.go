package sql

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Param is a parameter of a named query, $name in its text.
type Param struct {
	Name    string // without $
	Kind    Kind   // what its values are
	Default string // a text, or a call of a macro on the lake such as first_run()
	Doc     string // one line: what it means
}

// Kind is what the values of a parameter are. A file of a query names it behind the parameter: -- param from:offset= ...
// Where it names none, a default that is a number stands for a number; text says that it does not.
type Kind string

// The kinds.
const (
	Text   Kind = ""       // any text
	Number Kind = "number" // a whole number, 0 or more: how many, or which
	Offset Kind = "offset" // since the start of the run: 10ms, or nanoseconds without a unit
	Clock  Kind = "clock"  // as Offset where it has a unit; without one it is a time of the trace's clock in nanoseconds
)

var paramLine = regexp.MustCompile(`^-- param (\w+)(?::(\w+))?=(\S*) (.+)$`)

// parseParam reads a parameter from a comment line of a query.
func parseParam(line string) (p Param, is bool) {
	m := paramLine.FindStringSubmatch(line)
	if m == nil {
		return p, false
	}
	p = Param{Name: m[1], Kind: Kind(m[2]), Default: m[3], Doc: m[4]}
	switch _, err := strconv.Atoi(p.Default); {
	case m[2] == "text": // a text whose default looks like a number
		p.Kind = Text
	case err == nil:
		p.Kind = Number
	}
	return p, true
}

// ParamError says that a value does not fit its parameter.
type ParamError struct {
	Param Param
	Value string // as it was given
}

// Error implements error.
func (e *ParamError) Error() string {
	what := "a whole number, 0 or more"
	if e.Param.Kind != Number {
		what = "a time: write 10ms or 1.5s, which count from the start of the run, or nanoseconds without a unit"
	}
	return fmt.Sprintf("%s=%s is not %s", e.Param.Name, e.Value, what)
}

// UnknownParamError says that a query has no parameter of a name.
type UnknownParamError struct {
	Name string // as it was given
	Has  string // what the query has, as a sentence
}

// Error implements error.
func (e *UnknownParamError) Error() string { return fmt.Sprintf("no parameter %q: %s", e.Name, e.Has) }

// given returns the value that a user gave as a SQL literal. The parameters before it, such as the run, are known by then.
func (d *DB) given(ctx context.Context, p Param, value string, before map[string]string) (string, error) {
	if value == "" || p.Kind == Text {
		return literal(value), nil
	}
	wrong := &ParamError{p, value}
	number, err := strconv.ParseFloat(value, 64) // 1.2e6, too
	switch {
	case p.Kind == Number && number < 0: // DuckDB would refuse it, in words of its own
		return "", wrong
	case err == nil && number == float64(int64(number)):
		// In full, as not all integers are floats.
		if exact, err := strconv.ParseInt(value, 10, 64); err == nil {
			return literal(strconv.FormatInt(exact, 10)), nil
		}
		return literal(strconv.FormatInt(int64(number), 10)), nil
	case p.Kind == Number:
		return "", wrong
	}
	since, err := time.ParseDuration(value)
	if err != nil {
		return "", wrong
	}
	ns := int64(since)
	if p.Kind == Clock {
		var startNs sql.NullInt64
		query := substitute("SELECT start_ns FROM runs WHERE run = $run", before)
		if err := d.db.QueryRowContext(ctx, query).Scan(&startNs); err != nil && err != sql.ErrNoRows {
			return "", err
		}
		ns += startNs.Int64 // a run that the lake lacks has no rows, whatever the time
	}
	return literal(strconv.FormatInt(ns, 10)), nil
}

// evaluate is the default as a literal. A macro call may use the parameters before it.
func (d *DB) evaluate(ctx context.Context, p Param, before map[string]string) (string, error) {
	if !strings.Contains(p.Default, "(") {
		return literal(p.Default), nil
	}
	var v sql.NullString
	err := d.db.QueryRowContext(ctx, "SELECT "+substitute(p.Default, before)).Scan(&v)
	if err != nil || !v.Valid {
		return "NULL", err
	}
	return literal(v.String), nil
}
