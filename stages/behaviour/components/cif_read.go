package components

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// ReadCIF reads the automata of a CIF specification, as far as MIDS writes CIF: a statement a line, variables that start at
// 0 or false, and an event on every edge. The events get codes of the alphabet. The models are in the order of the
// text, their states in the order of the locations. What is not read is an error, a *schema.SyntaxError with the file given.
func ReadCIF(file, text string, alphabet *schema.Dictionary) ([]*Model, error) {
	c := cifReader{alphabet: alphabet}
	number := int64(0)
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "//")
		if err := c.readStatement(strings.TrimSpace(line)); err != nil {
			at := len(line) - len(strings.TrimLeft(line, " \t"))
			return nil, &schema.SyntaxError{File: file, Line: number, Col: int64(at) + 1, Err: err}
		}
	}
	if c.inside != "" {
		return nil, &schema.SyntaxError{File: file, Line: number + 1, Col: 1, Err: fmt.Errorf("the %s has no end", c.inside)}
	}
	return c.models, nil
}

// cifReader reads line by line: the files of MIDS have one statement per line, so no tokeniser is needed.
type cifReader struct {
	alphabet *schema.Dictionary // receives the names of events
	models   []*Model

	inside string // "automaton", "group" or empty
	// These fields are of the automaton that is being read; beginBlock resets them.
	component string // name of the automaton
	builder   *language.Builder
	locations map[string]int32 // by name: the state
	location  int32            // the location whose edges are read; -1: none yet
	edges     []cifEdge        // edges of the automaton; their targets may come later
	data      Data             // variables of the automaton
}

// cifEdge is an edge whose target may not have been seen yet.
type cifEdge struct {
	source int32
	label  uint32
	goal   string
	step   Step
}

var (
	// A leading $ escapes a name that is a keyword. It is no part of the name.
	cifHeader   = regexp.MustCompile(`^(automaton|group) (\$?[A-Za-z_]\w*):$`)
	cifVariable = regexp.MustCompile(`^disc (?:bool|int\[0\.\.(\d+)\]) (\$?[A-Za-z_]\w*)(?: = (?:false|0))?;$`)
	cifEvent    = regexp.MustCompile(`^event \$?[A-Za-z_]\w*;$`)
	cifLocation = regexp.MustCompile(`^location (\$?[A-Za-z_]\w*):$`)
	cifEdgeLine = regexp.MustCompile(`^edge (\$?[A-Za-z_]\w*(?:\.\$?[A-Za-z_]\w*)?)(?: when (.*?))?(?: do (.*?))? goto (\$?[A-Za-z_]\w*);$`)
)

// readStatement reads a line.
func (c *cifReader) readStatement(line string) error {
	header := cifHeader.FindStringSubmatch(line)
	switch {
	case line == "":
		return nil
	case header != nil && c.inside == "": // blocks do not nest
		return c.beginBlock(header[1], unescapeName(header[2]))
	case line == "end" && c.inside != "":
		if c.inside == "automaton" {
			return c.endAutomaton()
		}
		c.inside = ""
		return nil
	case c.inside != "" && cifEvent.MatchString(line): // a declaration: edges name the event anyway
		return nil
	case c.inside == "automaton":
		return c.readInAutomaton(line)
	}
	return fmt.Errorf("%q is not read here", line)
}

// beginBlock begins an automaton or a group. Groups only declare events of other components.
func (c *cifReader) beginBlock(what, name string) error {
	if c.inside = what; what == "group" {
		return nil
	}
	if slices.ContainsFunc(c.models, func(m *Model) bool { return m.Component == name }) {
		return fmt.Errorf("automaton %s stands here for the second time", name)
	}
	c.component, c.builder, c.locations, c.location, c.edges, c.data = name, new(language.Builder), make(map[string]int32), -1, nil, Data{}
	return nil
}

// readInAutomaton reads a statement of an automaton.
func (c *cifReader) readInAutomaton(line string) error {
	variable, location := cifVariable.FindStringSubmatch(line), cifLocation.FindStringSubmatch(line)
	switch {
	case variable != nil:
		return c.addVariable(variable[1], unescapeName(variable[2]))
	case location != nil:
		if _, twice := c.locations[location[1]]; twice {
			return fmt.Errorf("location %s stands here for the second time", location[1])
		}
		c.location = c.builder.State(false)
		c.locations[location[1]] = c.location
		return nil
	// All that follows belongs to a location.
	case c.location < 0:
		return fmt.Errorf("%q is not read here", line)
	case line == "initial;":
		c.builder.Initial(c.location)
		return nil
	case line == "marked;":
		c.builder.Accept(c.location)
		return nil
	case line == "marked false;": // the default, which MIDS writes out
		return nil
	}
	if edge := cifEdgeLine.FindStringSubmatch(line); edge != nil {
		return c.addEdge(edge[1], edge[2], edge[3], edge[4])
	}
	return fmt.Errorf("%q is not read here", line)
}

// addVariable adds a variable with its greatest value, which is empty for a truth value.
func (c *cifReader) addVariable(most, name string) error {
	if slices.ContainsFunc(c.data.Variables, func(other Variable) bool { return other.Name == name }) {
		return fmt.Errorf("variable %s stands here for the second time", name)
	}
	v, err := parseVariable(most, name)
	c.data.Variables = append(c.data.Variables, v)
	return err
}

// parseVariable returns a variable with its greatest value as text, empty for a truth value.
func parseVariable(most, name string) (Variable, error) {
	if most == "" {
		return Variable{name, 1}, nil
	}
	n, err := strconv.ParseInt(most, 10, 32)
	if err != nil {
		return Variable{}, fmt.Errorf("variable %s has too many values", name)
	}
	return Variable{name, int32(n)}, nil
}

// addEdge adds an edge of the current location.
func (c *cifReader) addEdge(name, when, do, goal string) (err error) {
	// An event without a component is declared by the automaton itself.
	e := cifEdge{source: c.location, label: language.Tau, goal: goal}
	if name != "tau" {
		component, event, has := strings.Cut(name, ".")
		if !has {
			component, event = c.component, name
		}
		e.label = c.alphabet.Code(unescapeName(component) + "." + unescapeName(event))
	}
	if e.step, err = c.data.parseStep(when, do); err != nil {
		return err
	}
	c.edges = append(c.edges, e)
	return nil
}

// transitionKey identifies a transition: no two share source, target and label.
type transitionKey struct {
	source, target int32
	label          uint32
}

// endAutomaton makes a model of the automaton that was read.
func (c *cifReader) endAutomaton() error {
	if len(c.locations) == 0 {
		return errors.New("the automaton has no location")
	}
	// Locations may be used before they are declared, so that targets are resolved at the end. The builder sorts
	// transitions, and the steps must follow them: hence the table.
	steps := make(map[transitionKey]Step)
	for _, e := range c.edges {
		target, known := c.locations[e.goal]
		if !known {
			return fmt.Errorf("there is no location %s in the automaton, to which an edge goes", e.goal)
		}
		w := transitionKey{e.source, target, e.label}
		if _, twice := steps[w]; twice {
			return fmt.Errorf("two edges to location %s have the same event and source", e.goal)
		}
		steps[w] = e.step
		c.builder.Transition(w.source, w.label, w.target)
	}
	c.models = append(c.models, withData(c.component, c.builder.Automaton(), c.data.Variables, steps))
	c.inside = ""
	return nil
}

// withData returns a model whose transitions have conditions and updates, if there are variables.
// The automaton's transitions are sorted, so that a step is found by source, target and label.
func withData(component string, a *language.Automaton, variables []Variable, steps map[transitionKey]Step) *Model {
	m := &Model{Component: component, Automaton: a}
	if len(variables) > 0 {
		m.Data = &Data{Variables: variables}
		for t, s := range m.Source() {
			m.Data.Steps = append(m.Data.Steps, steps[transitionKey{s, m.Target[t], m.Label[t]}])
		}
	}
	return m
}
