package ccsl

// term is the clock of an expression: a hidden one unless it is a name.
func (x *lightExpander) term(t *lightTerm, s *lightScope) (ClockID, error) {
	if t.operator == "" {
		id, known := s.clocks[t.name]
		if !known {
			return NoClock, failure(t.at, "expected a clock, found %s, which is not declared", t.name)
		}
		return id, nil
	}
	id := x.clock(s.path+t.String(), t.at, true)
	return id, x.define(id, t, s)
}

// lightKinds are the kinds of the operators that are kinds of expressions, and the words for them.
var lightKinds = map[string]Kind{"or": Union, "xor": Union, "and": Intersection, "minus": Minus, "inf": Inf, "sup": Sup}

// define makes an expression the definition of a clock.
func (x *lightExpander) define(id ClockID, t *lightTerm, s *lightScope) error {
	c := Constraint{Name: x.spec.Clocks[id].Name, Word: t.operator, Defines: id, At: t.at}
	if t.operator == "" {
		c.Word = "Let"
		t = &lightTerm{operator: "or", at: t.at, operands: []*lightTerm{t}}
	}
	ids := make([]ClockID, len(t.operands))
	for i, o := range t.operands {
		var err error
		if ids[i], err = x.term(o, s); err != nil {
			return err
		}
	}
	c.Kind, c.Clocks = lightKinds[t.operator], ids
	switch t.operator {
	case "sampledOn":
		c.sampled(SampledOn, ids[0], ids[1], StrictKeeps)
	case "$":
		if err := x.delayed(&c, t, ids, s); err != nil {
			return err
		}
	case "xor":
		if err := x.add(Constraint{Kind: Exclusion, Name: c.Name, Word: "xor", Defines: NoClock, Clocks: ids, At: t.at}); err != nil {
			return err
		}
	}
	return x.add(c)
}

// delayed makes c a delay: of ticks of the clock itself, or of samples.
func (x *lightExpander) delayed(c *Constraint, t *lightTerm, ids []ClockID, s *lightScope) error {
	n, err := s.number(t.integer)
	if err != nil {
		return err
	}
	settled, err := x.delays(c, Sequence{Period: []int64{n}})
	if err != nil {
		return err
	}
	if n = settled.Period[0]; len(ids) == 1 || n == 0 {
		return x.delay(c, ids[0], ids[0], settled)
	}
	c.sampled(SampledOn, ids[0], ids[1], StrictKeeps)
	c.Delay = n - 1
	return nil
}
