package ccsl

// Terms of LightCCSL: clocks and integers.

// sums and products are the operators between clocks, by the name of what they mean.
var sums = map[string]string{"or": "or", "+": "or", "xor": "xor", "minus": "minus"}
var products = map[string]string{"and": "and", "*": "and"}

func (p *parser) lightClock() *lightTerm { return p.operated(sums, p.lightProduct) }

func (p *parser) lightProduct() *lightTerm { return p.operated(products, p.lightOperand) }

// operated reads operands with operators between them. Operands of one operator are gathered.
func (p *parser) operated(operators map[string]string, operand func() *lightTerm) *lightTerm {
	t := operand()
	defer p.level(p.depth)
	for p.err == nil && (p.token.kind == tokenSign || p.token.kind == tokenName) && operators[p.token.text] != "" {
		sign := p.take()
		operator := operators[sign.text]
		right := operand()
		if t.operator == operator {
			t.operands = append(t.operands, right)
			continue
		}
		p.enter()
		t = &lightTerm{operator: operator, at: p.place(sign), operands: []*lightTerm{t, right}}
	}
	return t
}

// lightOperand reads a clock with its delays and samplings.
func (p *parser) lightOperand() *lightTerm {
	t := p.lightAtom()
	defer p.level(p.depth)
	for p.err == nil {
		p.enter()
		sign := p.token
		switch {
		case p.accept("$"):
			t = &lightTerm{operator: "$", at: p.place(sign), operands: []*lightTerm{t}, integer: p.lightFactor()}
			if p.accept("on") {
				t.operands = append(t.operands, p.lightAtom())
			}
		case p.accept("sampledOn"):
			t = &lightTerm{operator: "sampledOn", at: p.place(sign), operands: []*lightTerm{t, p.lightAtom()}}
		default:
			return t
		}
	}
	return t
}

func (p *parser) lightAtom() *lightTerm {
	defer p.level(p.depth)
	p.enter()
	start := p.token
	t := &lightTerm{at: p.place(start)}
	switch {
	case p.accept("("):
		t = p.lightClock()
		p.expect(")", "after a clock")
	case (start.text == "inf" || start.text == "sup") && p.ahead.text == "(":
		t.operator = p.take().text
		p.take()
		p.list(")", "after a clock", func() { t.operands = append(t.operands, p.lightClock()) })
		if len(t.operands) == 0 {
			p.fail(start, "%s of no clocks", start.text)
		}
	default:
		t.name = p.name("a clock").text
	}
	return t
}

func (p *parser) lightInteger() *lightInt { return p.arithmetic("+", "-", p.lightScaled) }

func (p *parser) lightScaled() *lightInt { return p.arithmetic("*", "*", p.lightFactor) }

func (p *parser) arithmetic(one, other string, operand func() *lightInt) *lightInt {
	t := operand()
	defer p.level(p.depth)
	for p.err == nil && (p.is(one) || p.is(other)) {
		p.enter()
		sign := p.take()
		t = &lightInt{operator: sign.text, at: p.place(sign), left: t, right: operand()}
	}
	return t
}

func (p *parser) lightFactor() *lightInt {
	defer p.level(p.depth)
	p.enter()
	t := &lightInt{at: p.place(p.token)}
	switch {
	case p.accept("("):
		t = p.lightInteger()
		p.expect(")", "after an integer")
	case p.token.kind == tokenName:
		t.name = p.take().text
	default:
		t.number = p.integer("an integer")
	}
	return t
}
