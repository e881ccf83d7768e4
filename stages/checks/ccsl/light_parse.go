package ccsl

// The grammar ([x] may be missing, {x} may come again):
//
//	file    = "Specification" name {def} "{" {body} "}"
//	def     = "def" name "(" {("Clock" | "int") name} ")" "[" {line} "]"
//	body    = "Clock" {name} ["[" {line} "]"]                      commas between names may be missing
//	line    = "Clock" {name} | chain | "Let" name "be" clock | name "=" clock
//	        | "repeat" name "every" factor term ["from" integer]
//	        | "call" name "(" {clock} ")" ["(" {integer} ")"]
//	chain   = "Precedence"   clock {("<" | "<=") [bound] clock}
//	        | "SubClocking"  clock {"<-" clock}                    the left one is the sub-clock
//	        | "Exclusion"    clock {"#" clock}
//	        | "Synchronizes" clock {"=" clock}
//	        | "Alternates"   clock {"~" clock}
//	bound   = "(" {("init" | "max") ":" integer} ")"
//	clock   = product {("or" | "+" | "xor" | "minus") product}
//	product = term {("and" | "*") term}
//	term    = atom {"$" factor ["on" atom] | "sampledOn" atom}
//	atom    = name | "(" clock ")" | ("inf" | "sup") "(" {clock} ")"
//	integer = scaled {("+" | "-") scaled}   scaled = factor {"*" factor}   factor = number | name | "(" integer ")"

// parseLight reads a whole file.
// Definitions come before the specification, in any order.
func (p *parser) parseLight() *lightFile {
	f := &lightFile{definitions: map[string]*lightDefinition{}}
	p.expect("Specification", "at the beginning")
	f.name = p.expectName("the name of the specification").text
	for p.err == nil && p.nextIs("def") {
		p.parseLightDefinition(f)
	}
	p.expect("{", "before the specification")
	for p.err == nil && !p.accept("}") {
		if !p.nextIs("Clock") {
			p.fail(p.token, "expected Clock or \"}\", found %s", p.token.quoted())
		}
		f.body = append(f.body, p.parseLightLine())
		if p.accept("[") {
			p.parseLightLines(&f.body)
		}
	}
	if p.err == nil && p.token.kind != tokenEnd {
		p.fail(p.token, "expected the end of the file, found %s", p.token.quoted())
	}
	return f
}

// parseLightDefinition reads a definition that calls expand.
func (p *parser) parseLightDefinition(f *lightFile) {
	p.takeToken()
	d := &lightDefinition{}
	t := p.expectName("the name of the definition")
	if f.definitions[t.text] != nil {
		p.fail(t, "%s is defined twice", t.text)
	}
	f.definitions[t.text] = d
	p.expect("(", "before the parameters")
	p.parseList(")", "after a parameter", func() {
		switch {
		case p.accept("Clock"):
			d.clocks = append(d.clocks, p.expectName("the name of a clock").text)
		case p.accept("int"):
			d.integers = append(d.integers, p.expectName("the name of an integer").text)
		default:
			p.fail(p.token, "expected Clock or int, found %s", p.token.quoted())
		}
	})
	p.expect("[", "before the definition")
	p.parseLightLines(&d.body)
}

// parseLightLines reads lines up to a closing bracket.
func (p *parser) parseLightLines(all *[]lightLine) {
	for p.err == nil && !p.accept("]") {
		*all = append(*all, p.parseLightLine())
	}
}

// chainSigns are the signs that link the clocks of a relation, by its word.
var chainSigns = map[string][]string{
	"Precedence": {"<", "<="}, "SubClocking": {"<-"}, "Exclusion": {"#"}, "Synchronizes": {"="}, "Alternates": {"~"},
}

// parseLightLine reads a line: its first word, or the sign after a name, says of which kind.
func (p *parser) parseLightLine() lightLine {
	l := lightLine{at: p.placeOf(p.token), word: p.token.text}
	// A name alone begins the definition of a clock, unless it is a word of the language.
	first := p.token
	switch {
	case p.accept("Clock"):
		p.parseLightNames(&l)
	case chainSigns[l.word] != nil:
		p.takeToken()
		p.parseChain(&l)
	case p.accept("Let"):
		l.kind = lightLet
		l.names = []token{p.expectName("the name of a clock")}
		p.expect("be", "after the name of the clock")
		l.clocks = []*lightTerm{p.parseLightClock()}
	case p.accept("repeat"):
		p.parseRepeat(&l)
	case p.accept("call"):
		p.parseCall(&l)
	case first.kind == tokenName && p.ahead.text == "=":
		l.kind = lightLet
		l.names = []token{p.takeToken()}
		p.takeToken()
		l.clocks = []*lightTerm{p.parseLightClock()}
	default:
		p.fail(first, "expected a relation, Let, repeat, call, the definition of a clock or \"]\", found %s", first.quoted())
	}
	return l
}

// parseLightNames reads the names that are declared. A name with "=" after it begins the next line.
func (p *parser) parseLightNames(l *lightLine) {
	// Commas are optional, so that only the next word shows where the list ends.
	for p.err == nil && p.token.kind == tokenName && !startsLightLine(p.token.text) && p.ahead.text != "=" {
		l.names = append(l.names, p.takeToken())
		p.accept(",")
	}
	if len(l.names) == 0 {
		p.fail(p.token, "expected the name of a clock, found %s", p.token.quoted())
	}
}

// startsLightLine reports whether a word begins a line.
func startsLightLine(word string) bool {
	return chainSigns[word] != nil || word == "Clock" || word == "Let" || word == "repeat" || word == "call"
}

// parseChain reads clocks linked by the signs of a relation.
func (p *parser) parseChain(l *lightLine) {
	l.kind = lightChain
	// A chain a < b < c stands for the relations of its neighbours.
	signs := chainSigns[l.word]
	l.clocks = []*lightTerm{p.parseLightClock()}
	for p.err == nil && (p.nextIs(signs[0]) || p.nextIs(signs[len(signs)-1])) {
		link := lightLink{at: p.placeOf(p.token), sign: p.takeToken().text}
		// A bracket behind the sign may also begin the next clock.
		if l.word == "Precedence" && p.nextIs("(") && (p.ahead.text == "init" || p.ahead.text == "max") {
			p.parseBound(&link)
		}
		l.links = append(l.links, link)
		l.clocks = append(l.clocks, p.parseLightClock())
	}
	if len(l.links) == 0 {
		p.fail(p.token, "expected %q and another clock, found %s", signs[0], p.token.quoted())
	}
}

// parseBound reads "(init: n max: m)".
func (p *parser) parseBound(link *lightLink) {
	p.takeToken()
	for p.err == nil && !p.accept(")") {
		t := p.expectName("init or max")
		p.expect(":", "after init or max")
		switch t.text {
		case "init":
			link.init = p.parseLightInteger()
		case "max":
			link.max = p.parseLightInteger()
		default:
			p.fail(t, "expected init or max, found %s", t.quoted())
		}
		p.accept(",")
	}
}

// parseRepeat reads "name every period base [from offset]".
func (p *parser) parseRepeat(l *lightLine) {
	l.kind = lightRepeat
	l.names = []token{p.expectName("the name of a clock")}
	p.expect("every", "after the name of the clock")
	l.integers = []*lightInt{p.parseLightFactor()}
	l.clocks = []*lightTerm{p.parseLightOperand()}
	if p.accept("from") {
		l.integers = append(l.integers, p.parseLightInteger())
	}
	if p.nextIs("upTo") {
		p.fail(p.token, "upTo is not read: what it counts is not known")
	}
}

// parseCall reads the call of a definition.
func (p *parser) parseCall(l *lightLine) {
	l.kind = lightCall
	t := p.expectName("the name of a definition")
	l.word, l.at = t.text, p.placeOf(t)
	p.expect("(", "before the clocks")
	p.parseList(")", "after a clock", func() { l.clocks = append(l.clocks, p.parseLightClock()) })
	if p.accept("(") {
		p.parseList(")", "after an integer", func() { l.integers = append(l.integers, p.parseLightInteger()) })
	}
}
