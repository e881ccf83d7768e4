package ccsl

// Terms of LightCCSL: clocks and integers.

// sumOperators and productOperators are the operators between clocks, by spelling; the values are their meanings.
var sumOperators = map[string]string{"or": "or", "+": "or", "xor": "xor", "minus": "minus"}

// productOperators bind tighter than sums.
var productOperators = map[string]string{"and": "and", "*": "and"}

// parseLightClock reads an expression for a clock.
func (p *parser) parseLightClock() *lightTerm {
	return p.parseOperands(sumOperators, p.parseLightProduct)
}

// parseLightProduct reads operands of the operators that bind tighter.
func (p *parser) parseLightProduct() *lightTerm {
	return p.parseOperands(productOperators, p.parseLightOperand)
}

// parseOperands reads operands with operators between them. Operands of one operator are gathered in one term.
func (p *parser) parseOperands(operators map[string]string, operand func() *lightTerm) *lightTerm {
	// Left-associative: what was read so far becomes the left operand.
	t := operand()
	defer p.setDepth(p.depth)
	for p.err == nil && (p.token.kind == tokenSign || p.token.kind == tokenName) && operators[p.token.text] != "" {
		sign := p.takeToken()
		operator := operators[sign.text]
		right := operand()
		// One term for a or b or c keeps depth and hidden clocks low.
		if t.operator == operator {
			t.operands = append(t.operands, right)
			continue
		}
		p.enterLevel()
		t = &lightTerm{operator: operator, at: p.placeOf(sign), operands: []*lightTerm{t, right}}
	}
	return t
}

// parseLightOperand reads a clock with its delays and samplings, from left to right.
func (p *parser) parseLightOperand() *lightTerm {
	t := p.parseLightAtom()
	defer p.setDepth(p.depth)
	for p.err == nil {
		p.enterLevel()
		sign := p.token
		switch {
		case p.accept("$"):
			t = &lightTerm{operator: "$", at: p.placeOf(sign), operands: []*lightTerm{t}, integer: p.parseLightFactor()}
			if p.accept("on") {
				t.operands = append(t.operands, p.parseLightAtom())
			}
		case p.accept("sampledOn"):
			t = &lightTerm{operator: "sampledOn", at: p.placeOf(sign), operands: []*lightTerm{t, p.parseLightAtom()}}
		default:
			return t
		}
	}
	return t
}

// parseLightAtom reads a name, a bracketed expression, or inf and sup of clocks.
func (p *parser) parseLightAtom() *lightTerm {
	defer p.setDepth(p.depth)
	p.enterLevel()
	start := p.token
	t := &lightTerm{at: p.placeOf(start)}
	switch {
	case p.accept("("): // brackets leave no term of their own
		t = p.parseLightClock()
		p.expect(")", "after a clock")
	case (start.text == "inf" || start.text == "sup") && p.ahead.text == "(":
		t.operator = p.takeToken().text
		p.takeToken()
		p.parseList(")", "after a clock", func() { t.operands = append(t.operands, p.parseLightClock()) })
		if len(t.operands) == 0 {
			p.fail(start, "%s of no clocks", start.text)
		}
	default:
		t.name = p.expectName("a clock").text
	}
	return t
}

// parseLightInteger reads a sum of integers.
func (p *parser) parseLightInteger() *lightInt {
	return p.parseArithmetic("+", "-", p.parseLightScaled)
}

// parseLightScaled reads a product of integers.
func (p *parser) parseLightScaled() *lightInt { return p.parseArithmetic("*", "*", p.parseLightFactor) }

// parseArithmetic reads operands with one of two operators between them, left-associative.
func (p *parser) parseArithmetic(one, other string, operand func() *lightInt) *lightInt {
	t := operand()
	defer p.setDepth(p.depth)
	for p.err == nil && (p.nextIs(one) || p.nextIs(other)) {
		p.enterLevel()
		sign := p.takeToken()
		t = &lightInt{operator: sign.text, at: p.placeOf(sign), left: t, right: operand()}
	}
	return t
}

// parseLightFactor reads a number, a name or a bracketed sum.
func (p *parser) parseLightFactor() *lightInt {
	defer p.setDepth(p.depth)
	p.enterLevel()
	t := &lightInt{at: p.placeOf(p.token)}
	switch {
	case p.accept("("):
		t = p.parseLightInteger()
		p.expect(")", "after an integer")
	case p.token.kind == tokenName:
		t.name = p.takeToken().text
	default:
		t.number = p.expectInteger("an integer")
	}
	return t
}
