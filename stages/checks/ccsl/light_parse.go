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

func (p *parser) light() *lightFile {
	f := &lightFile{definitions: map[string]*lightDefinition{}}
	p.expect("Specification", "at the beginning")
	f.name = p.name("the name of the specification").text
	for p.err == nil && p.is("def") {
		p.lightDefinition(f)
	}
	p.expect("{", "before the specification")
	for p.err == nil && !p.accept("}") {
		if !p.is("Clock") {
			p.fail(p.token, "expected Clock or \"}\", found %s", p.token.shown())
		}
		f.body = append(f.body, p.lightLine())
		if p.accept("[") {
			p.lightLines(&f.body)
		}
	}
	if p.err == nil && p.token.kind != tokenEnd {
		p.fail(p.token, "expected the end of the file, found %s", p.token.shown())
	}
	return f
}

func (p *parser) lightDefinition(f *lightFile) {
	p.take()
	d := &lightDefinition{}
	t := p.name("the name of the definition")
	if f.definitions[t.text] != nil {
		p.fail(t, "%s is defined twice", t.text)
	}
	f.definitions[t.text] = d
	p.expect("(", "before the parameters")
	p.list(")", "after a parameter", func() {
		switch {
		case p.accept("Clock"):
			d.clocks = append(d.clocks, p.name("the name of a clock").text)
		case p.accept("int"):
			d.integers = append(d.integers, p.name("the name of an integer").text)
		default:
			p.fail(p.token, "expected Clock or int, found %s", p.token.shown())
		}
	})
	p.expect("[", "before the definition")
	p.lightLines(&d.body)
}

func (p *parser) lightLines(all *[]lightLine) {
	for p.err == nil && !p.accept("]") {
		*all = append(*all, p.lightLine())
	}
}

// chainSigns are the signs that link the clocks of a relation.
var chainSigns = map[string][]string{
	"Precedence": {"<", "<="}, "SubClocking": {"<-"}, "Exclusion": {"#"}, "Synchronizes": {"="}, "Alternates": {"~"},
}

func (p *parser) lightLine() lightLine {
	l := lightLine{at: p.place(p.token), word: p.token.text}
	first := p.token
	switch {
	case p.accept("Clock"):
		p.lightNames(&l)
	case chainSigns[l.word] != nil:
		p.take()
		p.chain(&l)
	case p.accept("Let"):
		l.kind = lightLet
		l.names = []token{p.name("the name of a clock")}
		p.expect("be", "after the name of the clock")
		l.clocks = []*lightTerm{p.lightClock()}
	case p.accept("repeat"):
		p.repeat(&l)
	case p.accept("call"):
		p.call(&l)
	case first.kind == tokenName && p.ahead.text == "=":
		l.kind = lightLet
		l.names = []token{p.take()}
		p.take()
		l.clocks = []*lightTerm{p.lightClock()}
	default:
		p.fail(first, "expected a relation, Let, repeat, call, the definition of a clock or \"]\", found %s", first.shown())
	}
	return l
}

// lightNames reads the names that are declared. A name with "=" after it begins the next line.
func (p *parser) lightNames(l *lightLine) {
	for p.err == nil && p.token.kind == tokenName && !startsLight(p.token.text) && p.ahead.text != "=" {
		l.names = append(l.names, p.take())
		p.accept(",")
	}
	if len(l.names) == 0 {
		p.fail(p.token, "expected the name of a clock, found %s", p.token.shown())
	}
}

// startsLight says whether a word begins a line.
func startsLight(word string) bool {
	return chainSigns[word] != nil || word == "Clock" || word == "Let" || word == "repeat" || word == "call"
}

func (p *parser) chain(l *lightLine) {
	l.kind = lightChain
	signs := chainSigns[l.word]
	l.clocks = []*lightTerm{p.lightClock()}
	for p.err == nil && (p.is(signs[0]) || p.is(signs[len(signs)-1])) {
		link := lightLink{at: p.place(p.token), sign: p.take().text}
		if l.word == "Precedence" && p.is("(") && (p.ahead.text == "init" || p.ahead.text == "max") {
			p.bound(&link)
		}
		l.links = append(l.links, link)
		l.clocks = append(l.clocks, p.lightClock())
	}
	if len(l.links) == 0 {
		p.fail(p.token, "expected %q and another clock, found %s", signs[0], p.token.shown())
	}
}

func (p *parser) bound(link *lightLink) {
	p.take()
	for p.err == nil && !p.accept(")") {
		t := p.name("init or max")
		p.expect(":", "after init or max")
		switch t.text {
		case "init":
			link.init = p.lightInteger()
		case "max":
			link.max = p.lightInteger()
		default:
			p.fail(t, "expected init or max, found %s", t.shown())
		}
		p.accept(",")
	}
}

func (p *parser) repeat(l *lightLine) {
	l.kind = lightRepeat
	l.names = []token{p.name("the name of a clock")}
	p.expect("every", "after the name of the clock")
	l.integers = []*lightInt{p.lightFactor()}
	l.clocks = []*lightTerm{p.lightOperand()}
	if p.accept("from") {
		l.integers = append(l.integers, p.lightInteger())
	}
	if p.is("upTo") {
		p.fail(p.token, "upTo is not read: what it counts is not known")
	}
}

func (p *parser) call(l *lightLine) {
	l.kind = lightCall
	t := p.name("the name of a definition")
	l.word, l.at = t.text, p.place(t)
	p.expect("(", "before the clocks")
	p.list(")", "after a clock", func() { l.clocks = append(l.clocks, p.lightClock()) })
	if p.accept("(") {
		p.list(")", "after an integer", func() { l.integers = append(l.integers, p.lightInteger()) })
	}
}
