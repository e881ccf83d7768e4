package ccsl

import "strings"

// chain expands a relation between clocks: between neighbours, or, where all are equal in it, between all at once.
func (x *lightExpander) chain(l *lightLine, s *lightScope) error {
	ids := make([]ClockID, len(l.clocks))
	for i, t := range l.clocks {
		var err error
		if ids[i], err = x.term(t, s); err != nil {
			return err
		}
	}
	switch l.word {
	case "Exclusion":
		return x.related(l, s, l.at, Constraint{Kind: Exclusion, Clocks: ids}, l.links[0].sign)
	case "Synchronizes":
		return x.related(l, s, l.at, Constraint{Kind: Coincidence, Clocks: ids}, l.links[0].sign)
	}
	for i, link := range l.links {
		c := Constraint{Kind: SubClock, Clocks: ids[i : i+2 : i+2]}
		switch l.word {
		case "Alternates":
			c.precedence(ids[i], ids[i+1], alternately)
		case "Precedence":
			bound, err := s.bound(&link)
			if err != nil {
				return err
			}
			c.precedence(ids[i], ids[i+1], bound)
		}
		if err := x.related(l, s, link.at, c, link.sign); err != nil {
			return err
		}
	}
	return nil
}

// related names a relation after its clocks, and adds it.
func (x *lightExpander) related(l *lightLine, s *lightScope, at Place, c Constraint, sign string) error {
	names := make([]string, len(c.Clocks))
	for i, id := range c.Clocks {
		names[i] = strings.TrimPrefix(x.spec.Clocks[id].Name, s.path)
	}
	c.Name, c.Word = s.path+strings.Join(names, " "+sign+" "), l.word
	c.Defines, c.At = NoClock, at
	return x.add(c)
}

// bound is the bound of a link of precedences.
func (s *lightScope) bound(link *lightLink) (Bound, error) {
	b := Bound{Max: Unbounded, Strict: link.sign == "<"}
	if link.init != nil {
		n, err := s.number(link.init)
		if err != nil {
			return b, err
		}
		b.Init = n
	}
	if link.max != nil {
		n, err := s.number(link.max)
		if err != nil {
			return b, err
		}
		b.Max, b.StrictMax = n, b.Strict
	}
	if b.Init < 0 || link.max != nil && b.Max < b.Init {
		return b, failure(link.at, "init %d and max %d: expected 0 <= init <= max", b.Init, b.Max)
	}
	return b, nil
}

func (s *lightScope) numbers(all []*lightInt) ([]int64, error) {
	var numbers []int64
	for _, t := range all {
		n, err := s.number(t)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}

// number is the value of an expression.
func (s *lightScope) number(t *lightInt) (int64, error) {
	if t.operator == "" {
		if t.name == "" {
			return t.number, nil
		}
		n, known := s.integers[t.name]
		if !known {
			return 0, failure(t.at, "expected an integer, found %s, which is not declared", t.name)
		}
		return n, nil
	}
	l, err := s.number(t.left)
	if err != nil {
		return 0, err
	}
	r, err := s.number(t.right)
	if err != nil {
		return 0, err
	}
	switch t.operator {
	case "-":
		l -= r
	case "+":
		l += r
	case "*":
		if l > 1<<31 || l < -1<<31 || r > 1<<31 || r < -1<<31 {
			return 0, failure(t.at, "a product of integers that are too large")
		}
		l *= r
	}
	if l > mostInteger || l < -mostInteger {
		return 0, failure(t.at, "an integer beyond %d", int64(mostInteger))
	}
	return l, nil
}
