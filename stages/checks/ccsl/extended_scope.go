package ccsl

// scope holds the names of a block or of a definition, inside those of its parent.
type scope struct {
	parent  *scope // nil for the global one
	names   map[string]binding
	path    string // of the names inside, such as "main::r1::AlternatesDef::"
	library bool   // its sequences may name parameters, and are resolved where they are used
}

// innerScope returns a scope inside this one, whose names have the path given.
func (s *scope) innerScope(path string) *scope {
	return &scope{parent: s, names: map[string]binding{}, path: path}
}

// lookUp returns what a name stands for, in the nearest scope that declares it.
func (s *scope) lookUp(name string) (binding, bool) {
	for ; s != nil; s = s.parent {
		if b, ok := s.names[name]; ok {
			return b, true
		}
	}
	return binding{}, false
}

// declareName binds a name in this scope.
// A name may hide one of an outer scope.
func (s *scope) declareName(e *element, b binding) error {
	if _, twice := s.names[e.name]; twice {
		return errorAtPlace(e.at, "%s is declared twice", e.name)
	}
	s.names[e.name] = b
	return nil
}

// bindTerm returns what a term stands for, which must be of a kind. An integer is accepted for a sequence.
func (s *scope) bindTerm(t term, kind bindingKind) (binding, error) {
	// 1. What the term stands for.
	b := binding{kind: bindInteger, number: t.number}
	if t.name != "" {
		var found bool
		if b, found = s.lookUp(t.name); !found {
			return b, errorAtPlace(t.at, "expected %s, found %s, which is not declared", bindingNames[kind], t.name)
		}
	}
	// 2. A sequence of a library takes its integers from where it is used.
	if b.unresolved != nil {
		var err error
		if b.sequence, err = s.bindSequenceOf(b.unresolved); err != nil {
			return b, err
		}
	}
	// 3. Whether that is of the kind that is wanted.
	switch {
	case b.kind == bindInteger && kind == bindSequence: // a sequence of one
		return binding{kind: bindSequence, sequence: Sequence{Prefix: []int64{b.number}}}, nil
	case b.kind != kind && kind != bindOther && t.name == "":
		return b, errorAtPlace(t.at, "expected %s, found an integer", bindingNames[kind])
	case b.kind != kind && kind != bindOther:
		return b, errorAtPlace(t.at, "expected %s, found %s, which is %s", bindingNames[kind], t.name, bindingNames[b.kind])
	}
	return b, nil
}

// bindIntegers returns the values of terms that must be integers.
func (s *scope) bindIntegers(terms []term) ([]int64, error) {
	return resolveAll(terms, func(t term) (int64, error) {
		b, err := s.bindTerm(t, bindInteger)
		return b.number, err
	})
}

// declareConstants declares the integers, and then the sequences, among elements: sequences may be used before the
// line of their integers.
func (s *scope) declareConstants(elements []element) error {
	// 1. The integers, in the order of the lines: one may use those before it.
	for i := range elements {
		e := &elements[i]
		var err error
		switch e.kind {
		case elementInteger:
			var b binding
			if b, err = s.bindTerm(e.value, bindInteger); err == nil {
				err = s.declareName(e, b)
			}
		case elementOther:
			err = s.declareName(e, binding{kind: bindOther})
		}
		if err != nil {
			return err
		}
	}
	// 2. The sequences.
	for i := range elements {
		e := &elements[i]
		if e.kind != elementSequence {
			continue
		}
		b := binding{kind: bindSequence, unresolved: e}
		// Outside a library all names are known by now, and an error gets its place at once.
		if !s.library {
			var err error
			b.unresolved = nil
			if b.sequence, err = s.bindSequenceOf(e); err != nil {
				return err
			}
		}
		if err := s.declareName(e, b); err != nil {
			return err
		}
	}
	return nil
}

// bindSequenceOf resolves the integers of a sequence.
func (s *scope) bindSequenceOf(e *element) (Sequence, error) {
	prefix, err := s.bindIntegers(e.prefix)
	if err != nil {
		return Sequence{}, err
	}
	period, err := s.bindIntegers(e.period)
	return Sequence{prefix, period}, err
}
