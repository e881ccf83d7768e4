package spec

import (
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// Problem is one error of a specification.
type Problem struct {
	File      string
	Line, Col int    // from 1, columns in bytes
	What      string // what is wrong, or what was expected and what is there
	Do        string // what to do about it
}

// Error gives the place, what is wrong and what to do.
func (p *Problem) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s; %s", p.File, p.Line, p.Col, p.What, p.Do)
}

// Problems are all errors of a specification, in the order of the file.
type Problems []*Problem

// Error gives a line for each.
func (all Problems) Error() string {
	var lines []string
	for _, p := range all {
		lines = append(lines, p.Error())
	}
	return strings.Join(lines, "\n")
}

// suggestion asks whether a known name was meant, or else lists what is known, at most eight names.
func suggestion(wrong string, known []string, otherwise string) string {
	if near := schema.Similar(wrong, known); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	if len(known) == 0 {
		return otherwise
	}
	more := ""
	if len(known) > 8 {
		known, more = known[:8], ", ..."
	}
	return "known are " + strings.Join(known, ", ") + more
}
