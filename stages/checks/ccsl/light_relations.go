package ccsl

import "strings"

// expandChain expands a relation between clocks: between neighbours, or, for symmetric relations, between all at
// once.
func (x *lightExpander) expandChain(l *lightLine, s *lightScope) error {
	ids, err := x.clocksOf(l.clocks, s)
	if err != nil {
		return err
	}
	// These relations hold between all clocks of the chain, and are one constraint.
	switch l.word {
	case "Exclusion":
		return x.addRelation(l, s, l.at, Constraint{Kind: Exclusion, Clocks: ids}, l.links[0].sign)
	case "Synchronizes":
		return x.addRelation(l, s, l.at, Constraint{Kind: Coincidence, Clocks: ids}, l.links[0].sign)
	}
	// The others hold between neighbours, and are one constraint each.
	for i, link := range l.links {
		c := Constraint{Kind: SubClock, Clocks: ids[i : i+2 : i+2]}
		switch l.word {
		case "Alternates":
			c.makePrecedence(ids[i], ids[i+1], alternately)
		case "Precedence":
			bound, err := s.boundOf(&link)
			if err != nil {
				return err
			}
			c.makePrecedence(ids[i], ids[i+1], bound)
		}
		if err := x.addRelation(l, s, link.at, c, link.sign); err != nil {
			return err
		}
	}
	return nil
}

// addRelation names a relation after its clocks, and adds it.
func (x *lightExpander) addRelation(l *lightLine, s *lightScope, at Place, c Constraint, sign string) error {
	names := make([]string, len(c.Clocks))
	for i, id := range c.Clocks {
		names[i] = strings.TrimPrefix(x.spec.Clocks[id].Name, s.path)
	}
	c.Name, c.Word = s.path+strings.Join(names, " "+sign+" "), l.word
	c.Defines, c.At = NoClock, at
	return x.addConstraint(c)
}

// boundOf returns the bound of a link between the clocks of a precedence.
func (s *lightScope) boundOf(link *lightLink) (Bound, error) {
	b := Bound{Max: Unbounded, Strict: link.sign == "<"}
	// Without init both clocks start level.
	if link.init != nil {
		n, err := s.integerOf(link.init)
		if err != nil {
			return b, err
		}
		b.Init = n
	}
	// Without max the lead is unbounded.
	if link.max != nil {
		n, err := s.integerOf(link.max)
		if err != nil {
			return b, err
		}
		b.Max, b.StrictMax = n, b.Strict
	}
	if b.Init < 0 || link.max != nil && b.Max < b.Init {
		return b, errorAtPlace(link.at, "init %d and max %d: expected 0 <= init <= max", b.Init, b.Max)
	}
	return b, nil
}

// integersOf returns the values of integer expressions.
func (s *lightScope) integersOf(all []*lightInt) ([]int64, error) {
	return resolveAll(all, s.integerOf)
}

// integerOf returns the value of an integer expression. It refuses values that could overflow later sums.
func (s *lightScope) integerOf(t *lightInt) (int64, error) {
	// A leaf: a number, or a parameter of the definition.
	if t.operator == "" {
		if t.name == "" {
			return t.number, nil
		}
		n, known := s.integers[t.name]
		if !known {
			return 0, errorAtPlace(t.at, "expected an integer, found %s, which is not declared", t.name)
		}
		return n, nil
	}
	l, err := s.integerOf(t.left)
	if err != nil {
		return 0, err
	}
	r, err := s.integerOf(t.right)
	if err != nil {
		return 0, err
	}
	switch t.operator {
	case "-":
		l -= r
	case "+":
		l += r
	case "*":
		// Checked before the product, which could overflow int64 itself.
		if l > 1<<31 || l < -1<<31 || r > 1<<31 || r < -1<<31 {
			return 0, errorAtPlace(t.at, "a product of integers that are too large")
		}
		l *= r
	}
	if l > maxInteger || l < -maxInteger {
		return 0, errorAtPlace(t.at, "an integer beyond %d", int64(maxInteger))
	}
	return l, nil
}
