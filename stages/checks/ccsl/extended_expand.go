package ccsl

import (
	"slices"
	"strings"
)

// expandBody expands elements in their scope. Names may be used before the line that declares them, so all are
// declared first.
func (x *expander) expandBody(elements []element, s *scope) error {
	if len(elements) > 0 {
		// The lines are counted before they are expanded, so that a bomb is refused before it takes memory.
		if err := x.countExpandedLines(len(elements), s.path, elements[0].at); err != nil {
			return err
		}
	}
	if err := x.declareNames(elements, s); err != nil {
		return err
	}
	// Clocks and the results of expressions get their numbers in the order of the lines.
	for i := range elements {
		if err := x.expandElement(&elements[i], s); err != nil {
			return err
		}
	}
	return nil
}

// declareNames declares the constants, clocks and expressions among elements.
func (x *expander) declareNames(elements []element, s *scope) error {
	if err := s.declareConstants(elements); err != nil {
		return err
	}
	for i := range elements {
		if e := &elements[i]; e.kind == elementClock || e.kind == elementExpression {
			id := x.addClock(s.path+e.name, e.at, false)
			if err := s.declareName(e, binding{kind: bindClock, clock: id}); err != nil {
				return err
			}
		}
	}
	return nil
}

// expandElement expands an element that constrains clocks; declarations need nothing more.
func (x *expander) expandElement(e *element, s *scope) error {
	switch e.kind {
	case elementBlock:
		return x.expandBody(e.inner, s.innerScope(s.path+e.name+"::"))
	case elementExpression: // its clock is declared already
		r, _ := s.lookUp(e.name)
		c := Constraint{Name: s.path + e.name, Word: e.word, Defines: r.clock, At: e.at}
		return x.expandConstraint(e, s, &c, x.expressions, expressionWords)
	case elementRelation:
		c := Constraint{Name: s.path + e.name, Word: e.word, Defines: NoClock, At: e.at}
		return x.expandConstraint(e, s, &c, x.relations, relationWords)
	}
	return nil
}

// expandConstraint expands a relation or an expression: by the definition of a library, or else as a primitive. A
// definition wins, so that a library may refine a built-in word.
func (x *expander) expandConstraint(e *element, s *scope, c *Constraint, words map[string]*libraryWord, primitives map[string]primitive) error {
	// 1. A word that a library defines is replaced by its definition.
	if w := words[e.word]; w != nil && w.definition != nil {
		given, err := x.bindParameters(e, s, w.formals)
		if err != nil {
			return err
		}
		return x.expandDefinition(w, given, c)
	}
	// 2. A word of the kernel becomes a constraint.
	if p, ok := primitives[e.word]; ok {
		given, err := x.bindParameters(e, s, p.formals)
		if err != nil {
			return err
		}
		if err := p.build(&x.builder, c, given); err != nil {
			return err
		}
		return x.addConstraint(*c)
	}
	// 3. The clock of a dense one is given by the run, and needs no constraint.
	if e.word == discretize && !c.IsRelation() {
		return nil
	}
	return x.unknownWord(e, c)
}

// unknownWord is the error for a word without a meaning. It names the libraries that were not found, since one of
// them may define the word.
func (x *expander) unknownWord(e *element, c *Constraint) error {
	what, missing := "an expression", ""
	if c.IsRelation() {
		what = "a relation"
	}
	if len(x.missing) > 0 {
		missing = "; libraries that were not found: " + strings.Join(x.missing, ", ")
	}
	return errorAtPlace(e.wordAt, "expected %s, found %s, which is not defined%s", what, e.word, missing)
}

// bindParameters returns what the parameters are bound to, in the order of their declaration.
func (x *expander) bindParameters(e *element, s *scope, formals []formal) ([]binding, error) {
	// Arguments name their parameters and may come in any order, each once.
	given := make([]binding, len(formals))
	seen := make([]bool, len(formals))
	for _, a := range e.arguments {
		i := slices.IndexFunc(formals, func(f formal) bool { return f.name == a.formal })
		if i < 0 {
			return nil, errorAtPlace(a.at, "%s has no parameter %s: it has %s", e.word, a.formal, joinNames(formals))
		}
		if seen[i] {
			return nil, errorAtPlace(a.at, "parameter %s of %s is given twice", a.formal, e.word)
		}
		var err error
		if given[i], err = s.bindTerm(a.value, formals[i].kind); err != nil {
			return nil, err
		}
		seen[i] = true
	}
	// Every parameter needs an argument: there are no defaults.
	for i, f := range formals {
		if !seen[i] {
			return nil, errorAtPlace(e.wordAt, "%s lacks its parameter %s", e.word, f.name)
		}
	}
	return given, nil
}

// joinNames lists the names of parameters for a message.
func joinNames(formals []formal) string {
	names := make([]string, len(formals))
	for i, f := range formals {
		names[i] = f.name
	}
	return strings.Join(names, ", ")
}

// expandDefinition expands a definition of a library for a constraint, in a scope where its parameters are bound.
func (x *expander) expandDefinition(w *libraryWord, given []binding, c *Constraint) error {
	// Recursion through libraries would not end, since conditions choose among cases only by constant integers.
	if len(x.via) >= maxDepth {
		return errorAtPlace(c.At, "the definition of %s uses itself, or more than %d definitions use each other", w.name, maxDepth)
	}
	d := w.definition
	// The body sees the names of its library and its parameters, but not those of the block that uses it.
	s := w.scope.innerScope(c.Name + "::" + d.name + "::")
	for i, f := range w.formals {
		s.names[f.name] = given[i]
	}
	if err := x.countExpandedLines(0, s.path, c.At); err != nil {
		return err
	}
	x.via = append(x.via, c.At)
	defer func() { x.via = x.via[:len(x.via)-1] }()
	if err := x.expandBody(d.body, s); err != nil {
		return err
	}
	if d.expression {
		return x.tieResult(d, s, c)
	}
	return x.expandCase(d, s)
}

// tieResult ties the result of an expression's definition to the clock that it defines, by a Union of one clock.
func (x *expander) tieResult(d *definition, s *scope, c *Constraint) error {
	result, err := s.bindTerm(term{name: d.root, at: d.rootAt}, bindClock)
	if err != nil {
		return err
	}
	c.Kind, c.Clocks = Union, []ClockID{result.clock}
	return x.addConstraint(*c)
}

// expandCase expands the first case of a conditional relation that applies, or else its default.
func (x *expander) expandCase(d *definition, s *scope) error {
	// At most one case is expanded.
	chosen := d.otherwise
	for _, c := range d.cases {
		sides, err := s.bindIntegers([]term{c.left, c.right})
		if err != nil {
			return err
		}
		l, r := sides[0], sides[1]
		if c.operator == "<" && l < r || c.operator == ">" && l > r || c.operator == "==" && l == r {
			chosen = c.body
			break
		}
	}
	return x.expandBody(chosen, s)
}
