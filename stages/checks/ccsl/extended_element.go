package ccsl

// element reads a line of a block.
func (p *parser) element() element {
	e := element{at: p.place(p.token)}
	switch word := p.token; word.text {
	case "Clock":
		p.declared(&e, elementClock)
		p.event()
	case "Integer":
		p.declared(&e, elementInteger)
		p.expect("=", "after the name of the integer")
		e.value = p.term("an integer")
	case "Sequence":
		p.declared(&e, elementSequence)
		p.expect("=", "after the name of the sequence")
		p.sequence(&e)
	case "Real":
		p.declared(&e, elementOther)
		p.expect("=", "after the name of the number")
		if p.token.kind != tokenNumber {
			p.fail(p.token, "expected a number, found %s", p.token.shown())
		}
		p.take()
	case "DenseClockType":
		p.declared(&e, elementOther)
		p.expect("{", "after the name of the type")
		for p.err == nil && !p.accept("}") {
			p.name("baseUnit or another property")
		}
	case "Expression":
		p.expression(&e)
	case "Relation":
		p.relation(&e)
	case "Block":
		p.block(&e)
	case "blockTransition", "BlockTransition":
		p.fail(word, "transitions between blocks are not read: all blocks are active at once")
	default:
		p.fail(word, "expected Clock, Integer, Sequence, Expression, Relation, Block or \"}\", found %s", word.shown())
	}
	return e
}

// declared reads "Word name [: type]".
func (p *parser) declared(e *element, kind elementKind) {
	p.take()
	t := p.name("a name")
	e.kind, e.name, e.at = kind, t.text, p.place(t)
	if p.accept(":") {
		p.name("a type")
	}
}

// event reads what a clock stands for in a model, which has no meaning here.
func (p *parser) event() {
	if !p.accept("->") {
		return
	}
	p.name("the name of an event")
	if p.accept("(") {
		for p.err == nil && !p.accept(")") {
			if p.token.kind != tokenString && p.token.kind != tokenName && !p.is(",") && !p.is("->") {
				p.fail(p.token, "expected a part of a model or \")\", found %s", p.token.shown())
			}
			p.take()
		}
	}
	if p.accept(":") {
		p.name("the kind of the event")
	}
}

func (p *parser) block(e *element) {
	defer p.level(p.depth)
	p.enter()
	p.declared(e, elementBlock)
	p.expect("{", "after the name of the block")
	p.elements(&e.inner)
}

func (p *parser) expression(e *element) {
	p.declared(e, elementExpression)
	p.expect("=", "after the name of the expression")
	p.word(e)
	p.expect("(", "before the arguments of the expression")
	p.arguments(e)
}

// relation reads both forms: [Word] (arguments), and [Word (arguments) whose closing bracket may be missing.
func (p *parser) relation(e *element) {
	p.declared(e, elementRelation)
	p.expect("[", "after the name of the relation")
	p.word(e)
	older := !p.accept("]")
	p.expect("(", "before the arguments of the relation")
	p.arguments(e)
	if older {
		p.accept("]")
	}
}

func (p *parser) word(e *element) {
	t := p.path("the name of a relation or expression")
	e.word, e.wordAt = t.text, p.place(t)
}

func (p *parser) arguments(e *element) {
	p.list(")", "after an argument", func() {
		t := p.name("the name of a parameter")
		p.expect("->", "after the name of the parameter")
		e.arguments = append(e.arguments, argument{t.text, p.term("a name or an integer"), p.place(t)})
	})
}

// term reads an integer or a name. An integer may be named: "infone=1".
func (p *parser) term(what string) term {
	start := p.token
	t := term{at: p.place(start)}
	switch {
	case p.is("IntegerRef") || p.is("IntegerVariableRef"):
		p.take()
		if !p.is("[") {
			p.name("\"[\"")
		}
		p.expect("[", "before the name of the integer")
		t.name = p.path("the name of an integer").text
		p.expect("]", "after the name of the integer")
	case p.token.kind == tokenName && p.token.text == "Integer" && p.ahead.kind == tokenName:
		p.take()
		return p.term(what)
	case p.token.kind == tokenName:
		t.name = p.path(what).text
		if p.accept(":") {
			p.name("a type")
		}
		if p.accept("=") {
			t.name, t.number = "", p.integer(what)
		}
	default:
		t.number = p.integer(what)
	}
	return t
}

// sequence reads "1;2(3;4)". The separators may be commas, or missing: then a name begins the next line.
func (p *parser) sequence(e *element) {
	for more := true; p.err == nil && p.starts(more); {
		e.prefix = append(e.prefix, p.term("an integer"))
		more = p.separator()
	}
	if p.accept("(") {
		for p.err == nil && !p.accept(")") {
			e.period = append(e.period, p.term("an integer or \")\""))
			p.separator()
		}
		return
	}
	if len(e.prefix) == 0 {
		p.fail(p.token, "expected integers, found %s", p.token.shown())
	}
}

func (p *parser) separator() bool { return p.accept(";") || p.accept(",") }

// starts says whether an element of a sequence is next, and not the next line of the block.
func (p *parser) starts(separated bool) bool {
	if p.token.kind != tokenName || p.is("IntegerRef") || p.is("IntegerVariableRef") {
		return p.token.kind == tokenNumber || p.is("-") || p.token.kind == tokenName
	}
	return separated && !isElementWord(p.token.text)
}

// isConstantWord says whether a word begins what may stand in a library beside declarations and definitions.
func isConstantWord(word string) bool {
	return word == "Integer" || word == "Sequence" || word == "Real" || word == "Clock"
}

// isElementWord says whether a word begins a line of a block or of a library.
func isElementWord(word string) bool {
	switch word {
	case "Clock", "Integer", "Sequence", "Real", "DenseClockType", "Expression", "Relation", "Block", "root", "switch", "default":
		return true
	}
	return false
}
