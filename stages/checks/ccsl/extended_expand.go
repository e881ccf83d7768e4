package ccsl

import "strings"

// body expands elements in their scope. Names may be used before their line, so all are declared first.
func (x *expander) body(elements []element, s *scope) error {
	if len(elements) > 0 {
		if err := x.spend(len(elements), s.path, elements[0].at); err != nil {
			return err
		}
	}
	if err := x.names(elements, s); err != nil {
		return err
	}
	for i := range elements {
		if err := x.element(&elements[i], s); err != nil {
			return err
		}
	}
	return nil
}

// names declares the names among elements.
func (x *expander) names(elements []element, s *scope) error {
	if err := s.constants(elements); err != nil {
		return err
	}
	for i := range elements {
		if e := &elements[i]; e.kind == elementClock || e.kind == elementExpression {
			id := x.clock(s.path+e.name, e.at, false)
			if err := s.declare(e, binding{kind: bindClock, clock: id}); err != nil {
				return err
			}
		}
	}
	return nil
}

// element expands what constrains clocks.
func (x *expander) element(e *element, s *scope) error {
	switch e.kind {
	case elementBlock:
		return x.body(e.inner, s.inside(s.path+e.name+"::"))
	case elementExpression:
		r, _ := s.look(e.name)
		c := Constraint{Name: s.path + e.name, Word: e.word, Defines: r.clock, At: e.at}
		return x.constraint(e, s, &c, x.expressions, expressionWords)
	case elementRelation:
		c := Constraint{Name: s.path + e.name, Word: e.word, Defines: NoClock, At: e.at}
		return x.constraint(e, s, &c, x.relations, relationWords)
	}
	return nil
}

// constraint expands a relation or an expression: a word of a library, or else a primitive.
func (x *expander) constraint(e *element, s *scope, c *Constraint, words map[string]*word, primitives map[string]primitive) error {
	if w := words[e.word]; w != nil && w.definition != nil {
		given, err := x.given(e, s, w.formals)
		if err != nil {
			return err
		}
		return x.use(w, given, c)
	}
	if p, ok := primitives[e.word]; ok {
		given, err := x.given(e, s, p.formals)
		if err != nil {
			return err
		}
		if err := p.build(&x.builder, c, given); err != nil {
			return err
		}
		return x.add(*c)
	}
	if e.word == discretize && !c.IsRelation() {
		return nil
	}
	return x.unknown(e, c)
}

// unknown is the error for a word without a meaning.
func (x *expander) unknown(e *element, c *Constraint) error {
	what := "an expression"
	if c.IsRelation() {
		what = "a relation"
	}
	if len(x.missing) > 0 {
		return failure(e.wordAt, "expected %s, found %s, which is not defined; libraries that were not found: %s",
			what, e.word, strings.Join(x.missing, ", "))
	}
	return failure(e.wordAt, "expected %s, found %s, which is not defined", what, e.word)
}

// given binds the parameters, in their order.
func (x *expander) given(e *element, s *scope, formals []formal) ([]binding, error) {
	given := make([]binding, len(formals))
	seen := make([]bool, len(formals))
	for _, a := range e.arguments {
		i := 0
		for i < len(formals) && formals[i].name != a.formal {
			i++
		}
		if i == len(formals) {
			return nil, failure(a.at, "%s has no parameter %s: it has %s", e.word, a.formal, listed(formals))
		}
		if seen[i] {
			return nil, failure(a.at, "parameter %s of %s is given twice", a.formal, e.word)
		}
		var err error
		if given[i], err = s.bind(a.value, formals[i].kind); err != nil {
			return nil, err
		}
		seen[i] = true
	}
	for i, f := range formals {
		if !seen[i] {
			return nil, failure(e.wordAt, "%s lacks its parameter %s", e.word, f.name)
		}
	}
	return given, nil
}

func listed(formals []formal) string {
	names := make([]string, len(formals))
	for i, f := range formals {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}

// use expands a definition of a library for a constraint.
func (x *expander) use(w *word, given []binding, c *Constraint) error {
	if len(x.via) >= mostDepth {
		return failure(c.At, "the definition of %s uses itself, or more than %d definitions use each other", w.name, mostDepth)
	}
	d := w.definition
	s := w.scope.inside(c.Name + "::" + d.name + "::")
	for i, f := range w.formals {
		s.names[f.name] = given[i]
	}
	if err := x.spend(0, s.path, c.At); err != nil {
		return err
	}
	x.via = append(x.via, c.At)
	defer func() { x.via = x.via[:len(x.via)-1] }()
	if err := x.body(d.body, s); err != nil {
		return err
	}
	if d.expression {
		return x.root(d, s, c)
	}
	return x.choose(d, s)
}

// root ties the result of an expression's definition to the clock that it defines.
func (x *expander) root(d *definition, s *scope, c *Constraint) error {
	result, err := s.bind(term{name: d.root, at: d.rootAt}, bindClock)
	if err != nil {
		return err
	}
	c.Kind, c.Clocks = Union, []ClockID{result.clock}
	return x.add(*c)
}

// choose expands the first case of a conditional relation that applies, or else its default.
func (x *expander) choose(d *definition, s *scope) error {
	chosen := d.otherwise
	for _, c := range d.cases {
		left, err := s.bind(c.left, bindInteger)
		if err != nil {
			return err
		}
		right, err := s.bind(c.right, bindInteger)
		if err != nil {
			return err
		}
		l, r := left.number, right.number
		if c.operator == "<" && l < r || c.operator == ">" && l > r || c.operator == "==" && l == r {
			chosen = c.body
			break
		}
	}
	return x.body(chosen, s)
}
