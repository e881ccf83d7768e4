package components

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// cifKeywords are the reserved words of CIF; where a name equals one, it is written with a leading "$".
var cifKeywords = strings.Fields(`
	alg alphabet any attr automaton bool break case const cont continue controllable def der dict disables disc dist do edge
	elif else end enum equation event false file final for func goto group id if import initial input int invariant list
	location marked monitor namespace needs now plant post pre print printfile real requirement return self set string
	supervisor svgcopy svgfile svgin svgmove svgout switch tau text time to true tuple type uncontrollable urgent value void
	when while acosh acos asinh asin atanh atan cosh cos sinh sin tanh tan abs cbrt ceil del empty exp floor fmt ln log max
	min pop pow round scale sign size sqrt bernoulli beta binomial constant erlang exponential gamma geometric lognormal
	normal poisson random triangle uniform weibull and div in mod not or sample sub`)

// cifName escapes a name.
func cifName(name string) string {
	if slices.Contains(cifKeywords, name) {
		return "$" + name
	}
	return name
}

// unescapeName removes the escape of a name.
func unescapeName(written string) string { return strings.TrimPrefix(written, "$") }

// allVariables returns the variables; d may be nil.
func (d *Data) allVariables() []Variable {
	if d == nil {
		return nil
	}
	return d.Variables
}

// dataText writes conditions and updates as text.
// CIF has truth values and integers, Data has integers only; which of the two a variable is follows from its use.
type dataText struct {
	*Data
	boolean []bool // by variable: it is a truth value, that is 0 or 1, never compared by size nor added to
}

// textOf finds out which variables are truth values; d may be nil.
func (d *Data) textOf() dataText {
	w := dataText{Data: d}
	if d == nil {
		return w
	}
	// A variable with two values is a truth value until something counts with it or compares its size.
	for _, v := range d.Variables {
		w.boolean = append(w.boolean, v.Max == 1)
	}
	for _, step := range d.Steps {
		// Value&^1 == 0 holds for 0 and 1 only.
		for _, g := range step.When {
			w.boolean[g.Variable] = w.boolean[g.Variable] && !g.Less && g.Value&^1 == 0
		}
		for _, u := range step.Do {
			w.boolean[u.Variable] = w.boolean[u.Variable] && !u.Add && u.Value&^1 == 0
		}
	}
	return w
}

// conditionAndUpdates returns the condition and the updates of a transition in CIF, empty where it has
// none.
func (w dataText) conditionAndUpdates(transition int) (when, do string) {
	if w.Data == nil {
		return "", ""
	}
	var guards, updates []string
	for _, g := range w.Steps[transition].When {
		sign := "="
		if g.Less {
			sign = "<"
		}
		guards = append(guards, cifName(w.Variables[g.Variable].Name)+" "+sign+" "+w.valueText(g.Variable, g.Value))
	}
	for _, u := range w.Steps[transition].Do {
		name := cifName(w.Variables[u.Variable].Name)
		before := ""
		if u.Add {
			before = name + " + " // an addition
		}
		updates = append(updates, name+" := "+before+w.valueText(u.Variable, u.Value))
	}
	return strings.Join(guards, ", "), strings.Join(updates, ", ")
}

// valueText writes a value of a variable.
func (w dataText) valueText(variable int, value int32) string {
	if w.boolean[variable] {
		return strconv.FormatBool(value == 1)
	}
	return strconv.Itoa(int(value))
}

var (
	cifGuard  = regexp.MustCompile(`^(\$?[A-Za-z_]\w*) (=|<) (\w+)$`)
	cifUpdate = regexp.MustCompile(`^(\$?[A-Za-z_]\w*) := (?:(\$?[A-Za-z_]\w*) \+ )?(\w+)$`)
)

// parseStep reads what conditionAndUpdates writes.
func (d *Data) parseStep(when, do string) (s Step, err error) {
	for _, part := range splitList(when) {
		m := cifGuard.FindStringSubmatch(part)
		if m == nil {
			return s, fmt.Errorf("condition %q is not VARIABLE = VALUE or VARIABLE < VALUE", part)
		}
		g := Guard{Less: m[2] == "<"}
		if g.Variable, g.Value, err = d.parseOperands(m[1], m[3]); err != nil {
			return s, err
		}
		s.When = append(s.When, g)
	}
	for _, part := range splitList(do) {
		m := cifUpdate.FindStringSubmatch(part)
		if m == nil || m[2] != "" && m[2] != m[1] {
			return s, fmt.Errorf("update %q is not VARIABLE := VALUE or VARIABLE := VARIABLE + VALUE", part)
		}
		u := Update{Add: m[2] != ""}
		if u.Variable, u.Value, err = d.parseOperands(m[1], m[3]); err != nil {
			return s, err
		}
		s.Do = append(s.Do, u)
	}
	return s, nil
}

// parseOperands reads the name of a variable and a value.
func (d *Data) parseOperands(name, value string) (variable int, number int32, err error) {
	variable = slices.IndexFunc(d.Variables, func(v Variable) bool { return v.Name == unescapeName(name) })
	// Variables must be declared before the edges that use them, as MIDS does.
	if variable < 0 {
		return 0, 0, fmt.Errorf("there is no variable %s", name)
	}
	switch value {
	case "true": // as 1
		return variable, 1, nil
	case "false": // as 0
		return variable, 0, nil
	}
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil {
		return 0, 0, fmt.Errorf("%q is no value", value)
	}
	return variable, int32(n), nil
}

// splitList splits a text at its commas.
// Neither names nor values contain commas.
func splitList(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ", ")
}
