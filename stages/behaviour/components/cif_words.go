package components

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// cifWords are the words of CIF that stand for themselves; where one is a name, it begins with "$".
var cifWords = strings.Fields(`
	alg alphabet any attr automaton bool break case const cont continue controllable def der dict disables disc dist do edge
	elif else end enum equation event false file final for func goto group id if import initial input int invariant list
	location marked monitor namespace needs now plant post pre print printfile real requirement return self set string
	supervisor svgcopy svgfile svgin svgmove svgout switch tau text time to true tuple type uncontrollable urgent value void
	when while acosh acos asinh asin atanh atan cosh cos sinh sin tanh tan abs cbrt ceil del empty exp floor fmt ln log max
	min pop pow round scale sign size sqrt bernoulli beta binomial constant erlang exponential gamma geometric lognormal
	normal poisson random triangle uniform weibull and div in mod not or sample sub`)

// cifName writes a name.
func cifName(name string) string {
	if slices.Contains(cifWords, name) {
		return "$" + name
	}
	return name
}

// plainName is the name that is written.
func plainName(written string) string { return strings.TrimPrefix(written, "$") }

// variables are those of data, if there is any.
func (d *Data) variables() []Variable {
	if d == nil {
		return nil
	}
	return d.Variables
}

// wording writes what transitions ask and make of variables.
type wording struct {
	*Data
	boolean []bool // by variable: a truth value, 0 or 1, never compared for its size nor added to
}

func (d *Data) wording() wording {
	w := wording{Data: d}
	if d == nil {
		return w
	}
	for _, v := range d.Variables {
		w.boolean = append(w.boolean, v.Max == 1)
	}
	for _, step := range d.Steps {
		for _, g := range step.When {
			w.boolean[g.Variable] = w.boolean[g.Variable] && !g.Less && g.Value&^1 == 0
		}
		for _, u := range step.Do {
			w.boolean[u.Variable] = w.boolean[u.Variable] && !u.Add && u.Value&^1 == 0
		}
	}
	return w
}

// texts are what a transition asks and makes of the variables, in CIF; "" where it does neither.
func (w wording) texts(transition int) (when, do string) {
	if w.Data == nil {
		return "", ""
	}
	var guards, updates []string
	for _, g := range w.Steps[transition].When {
		sign := "="
		if g.Less {
			sign = "<"
		}
		guards = append(guards, cifName(w.Variables[g.Variable].Name)+" "+sign+" "+w.value(g.Variable, g.Value))
	}
	for _, u := range w.Steps[transition].Do {
		name := cifName(w.Variables[u.Variable].Name)
		before := ""
		if u.Add {
			before = name + " + "
		}
		updates = append(updates, name+" := "+before+w.value(u.Variable, u.Value))
	}
	return strings.Join(guards, ", "), strings.Join(updates, ", ")
}

func (w wording) value(variable int, value int32) string {
	if w.boolean[variable] {
		return strconv.FormatBool(value == 1)
	}
	return strconv.Itoa(int(value))
}

var (
	cifGuard  = regexp.MustCompile(`^(\$?[A-Za-z_]\w*) (=|<) (\w+)$`)
	cifUpdate = regexp.MustCompile(`^(\$?[A-Za-z_]\w*) := (?:(\$?[A-Za-z_]\w*) \+ )?(\w+)$`)
)

// step reads what texts writes.
func (d *Data) step(when, do string) (s Step, err error) {
	for _, part := range listed(when) {
		m := cifGuard.FindStringSubmatch(part)
		if m == nil {
			return s, fmt.Errorf("condition %q is not VARIABLE = VALUE or VARIABLE < VALUE", part)
		}
		g := Guard{Less: m[2] == "<"}
		if g.Variable, g.Value, err = d.operands(m[1], m[3]); err != nil {
			return s, err
		}
		s.When = append(s.When, g)
	}
	for _, part := range listed(do) {
		m := cifUpdate.FindStringSubmatch(part)
		if m == nil || m[2] != "" && m[2] != m[1] {
			return s, fmt.Errorf("update %q is not VARIABLE := VALUE or VARIABLE := VARIABLE + VALUE", part)
		}
		u := Update{Add: m[2] != ""}
		if u.Variable, u.Value, err = d.operands(m[1], m[3]); err != nil {
			return s, err
		}
		s.Do = append(s.Do, u)
	}
	return s, nil
}

func (d *Data) operands(name, value string) (variable int, number int32, err error) {
	variable = slices.IndexFunc(d.Variables, func(v Variable) bool { return v.Name == plainName(name) })
	if variable < 0 {
		return 0, 0, fmt.Errorf("there is no variable %s", name)
	}
	switch value {
	case "true":
		return variable, 1, nil
	case "false":
		return variable, 0, nil
	}
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil {
		return 0, 0, fmt.Errorf("%q is no value", value)
	}
	return variable, int32(n), nil
}

func listed(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ", ")
}
