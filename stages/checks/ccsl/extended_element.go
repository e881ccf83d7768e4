package ccsl

// parseElement reads a line of a block.
func (p *parser) parseElement() element {
	// Elements of the kind elementOther are read and then ignored.
	e := element{at: p.placeOf(p.token)}
	switch word := p.token; word.text {
	case "Clock":
		p.parseHead(&e, elementClock)
		p.skipEvent()
	case "Integer":
		p.parseHead(&e, elementInteger)
		p.expect("=", "after the name of the integer")
		e.value = p.parseTerm("an integer")
	case "Sequence":
		p.parseHead(&e, elementSequence)
		p.expect("=", "after the name of the sequence")
		p.parseSequence(&e)
	case "Real": // of dense clocks: no meaning here
		p.parseHead(&e, elementOther)
		p.expect("=", "after the name of the number")
		if p.token.kind != tokenNumber {
			p.fail(p.token, "expected a number, found %s", p.token.quoted())
		}
		p.takeToken() // the number
	case "DenseClockType": // likewise
		p.parseHead(&e, elementOther)
		p.expect("{", "after the name of the type")
		for p.err == nil && !p.accept("}") {
			p.expectName("baseUnit or another property")
		}
	case "Expression":
		p.parseExpression(&e)
	case "Relation":
		p.parseRelation(&e)
	case "Block":
		p.parseBlock(&e)
	case "blockTransition", "BlockTransition":
		p.fail(word, "transitions between blocks are not read: all blocks are active at once")
	default:
		p.fail(word, "expected Clock, Integer, Sequence, Expression, Relation, Block or \"}\", found %s", word.quoted())
	}
	return e
}

// parseHead reads "Word name [: type]", which begins every element.
func (p *parser) parseHead(e *element, kind elementKind) {
	p.takeToken()
	t := p.expectName("a name")
	e.kind, e.name, e.at = kind, t.text, p.placeOf(t)
	if p.accept(":") {
		p.expectName("a type")
	}
}

// skipEvent reads what a clock stands for in a model of the user, which has no meaning here.
func (p *parser) skipEvent() {
	if !p.accept("->") {
		return
	}
	p.expectName("the name of an event")
	// The form of a reference depends on the user's model language, so that any names and strings are passed over.
	if p.accept("(") {
		for p.err == nil && !p.accept(")") {
			if p.token.kind != tokenString && p.token.kind != tokenName && !p.nextIs(",") && !p.nextIs("->") {
				p.fail(p.token, "expected a part of a model or \")\", found %s", p.token.quoted())
			}
			p.takeToken()
		}
	}
	if p.accept(":") {
		p.expectName("the kind of the event")
	}
}

// parseBlock reads a block with its elements, which may be blocks.
func (p *parser) parseBlock(e *element) {
	// Blocks nest by recursion, which the depth bounds.
	defer p.setDepth(p.depth)
	p.enterLevel()
	p.parseHead(e, elementBlock)
	p.expect("{", "after the name of the block")
	p.parseElements(&e.inner)
}

// parseExpression reads an expression with its arguments.
func (p *parser) parseExpression(e *element) {
	p.parseHead(e, elementExpression)
	p.expect("=", "after the name of the expression")
	p.parseWord(e)
	p.expect("(", "before the arguments of the expression")
	p.parseArguments(e)
}

// parseRelation reads both forms of a relation: [Word] (arguments), and the older [Word (arguments), whose closing
// bracket may be missing.
func (p *parser) parseRelation(e *element) {
	p.parseHead(e, elementRelation)
	p.expect("[", "after the name of the relation")
	p.parseWord(e)
	older := !p.accept("]")
	p.expect("(", "before the arguments of the relation")
	p.parseArguments(e)
	if older {
		p.accept("]")
	}
}

// parseWord reads the name of a relation or expression, where only the last part counts.
func (p *parser) parseWord(e *element) {
	t := p.parsePath("the name of a relation or expression")
	e.word, e.wordAt = t.text, p.placeOf(t)
}

// parseArguments reads "parameter -> term" with commas between.
func (p *parser) parseArguments(e *element) {
	p.parseList(")", "after an argument", func() {
		t := p.expectName("the name of a parameter")
		p.expect("->", "after the name of the parameter")
		e.arguments = append(e.arguments, argument{t.text, p.parseTerm("a name or an integer"), p.placeOf(t)})
	})
}

// parseTerm reads an integer or a name. An integer may be named: "infone=1".
func (p *parser) parseTerm(what string) term {
	start := p.token
	t := term{at: p.placeOf(start)}
	switch {
	case p.nextIs("IntegerRef") || p.nextIs("IntegerVariableRef"): // IntegerRef[name]
		p.takeToken()
		if !p.nextIs("[") {
			p.expectName("\"[\"")
		}
		p.expect("[", "before the name of the integer")
		t.name = p.parsePath("the name of an integer").text
		p.expect("]", "after the name of the integer")
	case p.token.kind == tokenName && p.token.text == "Integer" && p.ahead.kind == tokenName: // "Integer infone = 1"
		p.takeToken()
		return p.parseTerm(what)
	case p.token.kind == tokenName:
		t.name = p.parsePath(what).text
		if p.accept(":") {
			p.expectName("a type")
		}
		if p.accept("=") {
			t.name, t.number = "", p.expectInteger(what)
		}
	default:
		t.number = p.expectInteger(what)
	}
	return t
}

// parseSequence reads "1;2(3;4)". The separators may be commas, or missing: then a name begins the next line. Instead of such gaps
// a binary word may stand, as in "00(01)".
func (p *parser) parseSequence(e *element) {
	start, binary := p.token, false
	var prefix, period string // digits, where all terms are numbers
	take := func(terms *[]term, digits *string, what string) {
		if p.token.kind != tokenNumber {
			*digits += "-" // of no binary word
		} else {
			*digits, binary = *digits+p.token.text, binary || isBinary(p.token.text)
		}
		*terms = append(*terms, p.parseTerm(what))
	}
	// The prefix, and then the period in brackets.
	for more := true; p.err == nil && p.startsSequenceElement(more); {
		take(&e.prefix, &prefix, "an integer")
		more = p.acceptSeparator()
	}
	if p.accept("(") {
		for p.err == nil && !p.accept(")") {
			take(&e.period, &period, "an integer or \")\"")
			p.acceptSeparator()
		}
	} else if len(e.prefix) == 0 {
		p.fail(p.token, "expected integers, found %s", p.token.quoted())
	}
	if binary && p.err == nil {
		p.settleWord(e, start, prefix, period)
	}
}

// settleWord puts the gaps of a binary word in its place.
func (p *parser) settleWord(e *element, start token, prefix, period string) {
	gaps, ok := gapsOf(prefix, period)
	if !ok {
		p.fail(start, "expected a binary word, of digits 0 and 1 with a 1 among them, since a number of it begins with 0")
		return
	}
	at := p.placeOf(start)
	terms := func(numbers []int64) (list []term) {
		for _, n := range numbers {
			list = append(list, term{number: n, at: at})
		}
		return list
	}
	e.prefix, e.period = terms(gaps.Prefix), terms(gaps.Period)
}

// acceptSeparator skips a separator between the elements of a sequence, if there is one.
func (p *parser) acceptSeparator() bool { return p.accept(";") || p.accept(",") }

// startsSequenceElement reports whether an element of a sequence is next, and not the next line of the block.
// Without a separator before it a name begins the next line.
func (p *parser) startsSequenceElement(separated bool) bool {
	if p.token.kind != tokenName || p.nextIs("IntegerRef") || p.nextIs("IntegerVariableRef") {
		return p.token.kind == tokenNumber || p.nextIs("-") || p.token.kind == tokenName
	}
	return separated && !isElementWord(p.token.text)
}

// isConstantWord reports whether a word begins what may stand in a library beside declarations and definitions.
func isConstantWord(word string) bool {
	return word == "Integer" || word == "Sequence" || word == "Real" || word == "Clock"
}

// isElementWord reports whether a word begins a line of a block or of a library.
func isElementWord(word string) bool {
	switch word {
	case "Clock", "Integer", "Sequence", "Real", "DenseClockType", "Expression", "Relation", "Block", "root", "switch", "default":
		return true
	}
	return false
}
