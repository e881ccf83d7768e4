package ccsl

// scope holds the names of a block or of a definition.
type scope struct {
	parent  *scope
	names   map[string]binding
	path    string // of the names inside: "main::r1::AlternatesDef::"
	library bool
}

// inside is a scope for what stands in a thing of this scope.
func (s *scope) inside(path string) *scope {
	return &scope{parent: s, names: map[string]binding{}, path: path}
}

// look finds what a name stands for.
func (s *scope) look(name string) (binding, bool) {
	for ; s != nil; s = s.parent {
		if b, ok := s.names[name]; ok {
			return b, true
		}
	}
	return binding{}, false
}

// declare binds a name of this scope.
func (s *scope) declare(e *element, b binding) error {
	if _, twice := s.names[e.name]; twice {
		return failure(e.at, "%s is declared twice", e.name)
	}
	s.names[e.name] = b
	return nil
}

// bind finds what a term stands for, which must be of a kind. An integer will do for a sequence.
func (s *scope) bind(t term, kind bindingKind) (binding, error) {
	b := binding{kind: bindInteger, number: t.number}
	if t.name != "" {
		var found bool
		if b, found = s.look(t.name); !found {
			return b, failure(t.at, "expected %s, found %s, which is not declared", bindingNames[kind], t.name)
		}
	}
	if b.unresolved != nil {
		var err error
		if b.sequence, err = s.sequence(b.unresolved); err != nil {
			return b, err
		}
	}
	switch {
	case b.kind == bindInteger && kind == bindSequence:
		return binding{kind: bindSequence, sequence: Sequence{Prefix: []int64{b.number}}}, nil
	case b.kind != kind && kind != bindOther && t.name == "":
		return b, failure(t.at, "expected %s, found an integer", bindingNames[kind])
	case b.kind != kind && kind != bindOther:
		return b, failure(t.at, "expected %s, found %s, which is %s", bindingNames[kind], t.name, bindingNames[b.kind])
	}
	return b, nil
}

// numbers binds integers.
func (s *scope) numbers(terms []term) ([]int64, error) {
	var all []int64
	for _, t := range terms {
		b, err := s.bind(t, bindInteger)
		if err != nil {
			return nil, err
		}
		all = append(all, b.number)
	}
	return all, nil
}

// constants declares the integers, and then the sequences, among elements: they may be used before their line.
func (s *scope) constants(elements []element) error {
	for i := range elements {
		e := &elements[i]
		var err error
		switch e.kind {
		case elementInteger:
			var b binding
			if b, err = s.bind(e.value, bindInteger); err == nil {
				err = s.declare(e, b)
			}
		case elementOther:
			err = s.declare(e, binding{kind: bindOther})
		}
		if err != nil {
			return err
		}
	}
	for i := range elements {
		e := &elements[i]
		if e.kind != elementSequence {
			continue
		}
		b := binding{kind: bindSequence, unresolved: e}
		if !s.library {
			var err error
			b.unresolved = nil
			if b.sequence, err = s.sequence(e); err != nil {
				return err
			}
		}
		if err := s.declare(e, b); err != nil {
			return err
		}
	}
	return nil
}

// sequence resolves the integers of a sequence.
func (s *scope) sequence(e *element) (Sequence, error) {
	prefix, err := s.numbers(e.prefix)
	if err != nil {
		return Sequence{}, err
	}
	period, err := s.numbers(e.period)
	return Sequence{prefix, period}, err
}
