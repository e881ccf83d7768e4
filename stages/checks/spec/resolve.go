package spec

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxValues bounds the values of a forall, and maxParts the parts of a formula without definitions.
const maxValues, maxParts = 100_000, 100_000

// resolve checks that all names are known and no definition is in terms of itself, and binds signals.
func (p *parser) resolve() {
	for _, name := range slices.Sorted(maps.Keys(p.spec.definitions)) {
		d := p.spec.definitions[name]
		p.bind(d.body)
	}
	for i := range p.spec.Checks {
		p.bind(p.spec.Checks[i].body)
	}
	for i := range p.spec.Signals {
		s := &p.spec.Signals[i]
		s.Filter.Pairs = bindPairs(s.pairs, nil)
	}
	p.refuseRecursion()
}

// bind finds what a formula names.
func (p *parser) bind(f *Formula) {
	switch f.Op {
	case Compare:
		at, known := p.signals[f.signalName]
		if !known && !p.givenUp[f.signalName] {
			p.report(f.place, "no signal is called "+f.signalName, suggestion(f.signalName, slices.Sorted(maps.Keys(p.signals)), "declare it with signal "+f.signalName+" : {'name'='"+f.signalName+"'}"))
		}
		f.Signal = at
	case call:
		d := p.spec.definitions[f.definition]
		if _, isSignal := p.signals[f.definition]; d == nil && isSignal {
			p.report(f.place, f.definition+" is a signal, not a definition", "compare it with a number, as in "+f.definition+" >= 1")
		} else if d == nil && p.givenUp[f.definition] {
			return // its own error says what is wrong
		} else if d == nil {
			p.report(f.place, "no definition is called "+f.definition, suggestion(f.definition, slices.Sorted(maps.Keys(p.spec.definitions)), "write it with def "+f.definition+" : FORMULA"))
		} else if len(d.parameters) != len(f.valuesGiven) {
			p.report(f.place, fmt.Sprintf("definition %s has %s, and %d given", d.name, counted(len(d.parameters), "parameter"), len(f.valuesGiven)),
				"write "+usage(d))
		}
	}
	for _, a := range f.Args {
		p.bind(a)
	}
}

// usage is how a definition is called.
func usage(d *definition) string {
	if len(d.parameters) == 0 {
		return d.name
	}
	return d.name + "(" + strings.Join(d.parameters, ", ") + ")"
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// refuseRecursion reports each circle of definitions once, at the definition of it that the search meets first.
func (p *parser) refuseRecursion() {
	const unseen, open, done = 0, 1, 2
	state := make(map[string]int)
	var trail []string
	var visit func(d *definition)
	var walk func(f *Formula)
	walk = func(f *Formula) {
		if d := p.spec.definitions[f.definition]; f.Op == call && d != nil {
			switch state[d.name] {
			case unseen:
				visit(d)
			case open:
				circle := append(slices.Clone(trail[slices.Index(trail, d.name):]), d.name)
				p.report(f.place, "a definition is in terms of itself: "+strings.Join(circle, " -> "), "write one of them without the others")
			}
		}
		for _, a := range f.Args {
			walk(a)
		}
	}
	visit = func(d *definition) {
		state[d.name] = open
		trail = append(trail, d.name)
		walk(d.body)
		trail = trail[:len(trail)-1]
		state[d.name] = done
	}
	for _, name := range slices.Sorted(maps.Keys(p.spec.definitions)) {
		if state[name] == unseen {
			visit(p.spec.definitions[name])
		}
	}
}

// Instance is a check for one value of each forall.
type Instance struct {
	Values  []string // the values, in the order of the foralls
	Formula *Formula
}

// OfValues reports whether a forall of the check ranges over the values that occur.
func (c *Check) OfValues() bool {
	return slices.ContainsFunc(c.ranges, func(q quantifier) bool { return q.of != nil })
}

// Occurring lists the values of an attribute that states have which satisfy a filter, each once, in a fixed order.
type Occurring func(attribute string, in *Filter) []string

// Instances gives the formulas of a check, one for each combination of the values of its foralls.
func (s *Spec) Instances(c *Check, occurring Occurring) ([]Instance, error) {
	all := []map[string]string{{}}
	for _, q := range c.ranges {
		values := q.values(occurring)
		if len(values) == 0 {
			do := "take an attribute that states of the run have, or a range"
			if q.in != nil {
				do = "see that states of the run satisfy the filter behind in and have the attribute, or take a range"
			}
			return nil, &Problem{s.File, q.place.line, q.place.col, "the run has no value for " + q.parameter, do}
		}
		if len(all)*len(values) > maxValues {
			return nil, &Problem{s.File, q.place.line, q.place.col, fmt.Sprintf("check %s has more than %d values", c.Name, maxValues), "narrow a range, or add a filter with in"}
		}
		var wider []map[string]string
		for _, bound := range all {
			for _, v := range values {
				next := maps.Clone(bound)
				next[q.parameter] = v
				wider = append(wider, next)
			}
		}
		all = wider
	}
	var instances []Instance
	for _, bound := range all {
		e := &expansion{spec: s, known: make(map[string]*Formula), sizes: make(map[*Formula]int)}
		f := e.expand(c.body, bound)
		if e.tooLarge(f) {
			return nil, &Problem{s.File, c.Line, c.Col, fmt.Sprintf("check %s has more than %d parts once its definitions are put in", c.Name, maxParts), "make its definitions smaller"}
		}
		one := Instance{Formula: f}
		for _, q := range c.ranges {
			one.Values = append(one.Values, bound[q.parameter])
		}
		instances = append(instances, one)
	}
	return instances, nil
}

// Instance gives the formula of a check for the values of its foralls as they were joined, with commas between; nil where that does not
// say which they are.
func (s *Spec) Instance(c *Check, joined string) *Formula {
	values := []string{joined}
	if len(c.ranges) > 1 {
		values = strings.Split(joined, ",")
	}
	if len(values) != max(len(c.ranges), 1) {
		return nil
	}
	bound := make(map[string]string)
	for i, q := range c.ranges {
		bound[q.parameter] = values[i]
	}
	e := &expansion{spec: s, known: make(map[string]*Formula), sizes: make(map[*Formula]int)}
	f := e.expand(c.body, bound)
	if e.tooLarge(f) {
		return nil
	}
	return f
}

// values lists the values of a quantifier.
func (q *quantifier) values(occurring Occurring) []string {
	if q.of == nil {
		var all []string
		for i := q.from; i <= q.to; i++ {
			all = append(all, strconv.FormatInt(i, 10))
		}
		return all
	}
	var in *Filter
	if q.in != nil {
		in = &Filter{q.in.Filter.At, bindPairs(q.in.pairs, nil)}
	}
	return occurring(q.of.bind(nil), in)
}

// expansion puts definitions in where they are named.
type expansion struct {
	spec  *Spec
	known map[string]*Formula // by definition and values
	sizes map[*Formula]int    // parts of a formula that was made, up to a little more than maxParts
	made  int                 // formulas that were made
	long  bool                // a value grew beyond maxValueBytes
}

// maxValueBytes bounds a value that definitions put together: they can double it in each step.
const maxValueBytes = 1 << 12

// tooLarge reports whether a formula has more parts than anybody means.
func (e *expansion) tooLarge(f *Formula) bool {
	return e.long || e.made > maxParts || e.sizes[f] > maxParts
}

// expand returns a formula with definitions put in and parameters replaced by values. What is named twice is shared.
// Beyond the bounds it stops to make more, so that definitions which double cost no more than the bounds.
func (e *expansion) expand(f *Formula, values map[string]string) *Formula {
	if e.made++; e.made > maxParts || e.long {
		return f
	}
	if f.Op == call {
		return e.call(f, values)
	}
	g := *f
	g.Filter.Pairs = bindPairs(f.pairs, values)
	g.Args = make([]*Formula, len(f.Args))
	size := 1
	for i, a := range f.Args {
		g.Args[i] = e.expand(a, values)
		size = min(size+e.sizes[g.Args[i]], maxParts+1)
	}
	e.sizes[&g] = size
	return &g
}

// call returns the meaning of a definition for given values.
func (e *expansion) call(f *Formula, values map[string]string) *Formula {
	d := e.spec.definitions[f.definition]
	inner := make(map[string]string, len(d.parameters))
	var given []string
	for i, x := range f.valuesGiven {
		inner[d.parameters[i]] = x.bind(values)
		given = append(given, inner[d.parameters[i]])
		e.long = e.long || len(given[i]) > maxValueBytes
	}
	key := d.name + "\x00" + strings.Join(given, "\x00")
	if known := e.known[key]; known != nil {
		return known
	}
	g := *e.expand(d.body, inner)
	if g.Meaning = d.name; len(given) > 0 {
		g.Meaning += "(" + strings.Join(given, ", ") + ")"
	}
	e.sizes[&g] = 1
	for _, a := range g.Args {
		e.sizes[&g] = min(e.sizes[&g]+e.sizes[a], maxParts+1)
	}
	e.known[key] = &g
	return &g
}

// bind puts values in for parameters.
func (x text) bind(values map[string]string) string {
	s := ""
	for _, part := range x.parts {
		if v, is := values[part.word]; is && part.maybe {
			s += v
		} else {
			s += part.word
		}
	}
	return s
}

// bindPairs puts values in for the parameters of attributes.
func bindPairs(pairs []textPair, values map[string]string) []Pair {
	var bound []Pair
	for _, p := range pairs {
		bound = append(bound, Pair{p.name.bind(values), p.value.bind(values)})
	}
	return bound
}
