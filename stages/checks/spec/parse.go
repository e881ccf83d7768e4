package spec

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// maxBytes bounds the size of a specification, maxDepth the nesting of its formulas, and maxProblems how many errors are told.
const maxBytes, maxDepth, maxProblems = 16 << 20, 10_000, 100

// Parse reads a specification. The error is Problems, which has all errors of the text.
func Parse(file, source string) (*Spec, error) {
	p := newParser(file, []token{{kind: end}}, 0)
	if len(source) > maxBytes {
		p.report(place{1, 1}, "the file is larger than 16 MiB", "divide it into several specifications")
		return nil, p.problems
	}
	p = newParser(file, lex(source), 0)
	for p.peek().kind != end && len(p.problems) < maxProblems {
		p.readItem()
	}
	p.resolve()
	if len(p.problems) > 0 {
		slices.SortStableFunc(p.problems, func(a, b *Problem) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) })
		return nil, p.problems
	}
	return p.spec, nil
}

// parser reads the items of a text by recursive descent. An error gives up the item that it is in.
type parser struct {
	spec     *Spec
	tokens   []token
	next     int // position of the token that is next
	depth    int // of the formula
	problems Problems
	checks   map[string]place // where each check stands
	signals  map[string]int   // position of each signal
	givenUp  map[string]bool  // names of items with errors: what names them is right
	declared map[string]bool  // names that definitions and signals of the text have, with errors or without
	item     string           // the name of the item that is being read
}

// giveUp ends an item that has an error; readItem recovers it.
type giveUp struct{}

func (p *parser) report(at place, what, do string) {
	p.problems = append(p.problems, &Problem{p.spec.File, at.line, at.col, what, do})
}

// fail reports an error and gives the item up.
func (p *parser) fail(at place, what, do string) {
	p.report(at, what, do)
	panic(giveUp{})
}

// expected reports that another token was expected than the next one. A sign of another language has its own advice.
func (p *parser) expected(what, do string) {
	t := p.peek()
	if of := p.foreignSign(); of != "" {
		do = of
	}
	p.fail(t.place, "expected "+what+", found "+t.says(), do)
}

func (p *parser) peek() token { return p.tokens[p.next] }

// take returns the next token and moves on; it never moves beyond the end.
func (p *parser) take() token {
	t := p.peek()
	if t.kind != end {
		p.next++
	}
	return t
}

// is reports whether the next token is a sign or word of the language; accept also takes it.
func (p *parser) is(s string) bool {
	t := p.peek()
	return t.text == s && (t.kind == sign || t.kind == word)
}

func (p *parser) accept(s string) bool {
	if p.is(s) {
		p.next++
		return true
	}
	return false
}

// need takes a sign or word.
func (p *parser) need(s, do string) {
	if !p.accept(s) {
		p.expected(strconv.Quote(s), do)
	}
}

// reserved are the words that name nothing else.
var reserved = map[string]bool{
	"def": true, "signal": true, "check": true, "forall": true, "true": true, "not": true, "if": true, "then": true, "and": true, "or": true,
	"globally": true, "finally": true, "during": true, "within": true, "until": true, "we": true, "have": true, "that": true,
	"start": true, "end": true, "derivative": true,
}

// name takes an ID.
func (p *parser) name(of, do string) token {
	if t := p.peek(); t.kind != word || reserved[t.text] {
		p.expected("the name of "+of, do)
	}
	return p.take()
}

// readItem reads a definition, a signal or a check. After an error it goes on at the next one.
func (p *parser) readItem() {
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case giveUp:
			p.givenUp[p.item] = true
			for p.peek().kind != end && !p.is("def") && !p.is("signal") && !p.is("check") {
				p.next++
			}
		default:
			panic(r)
		}
	}()
	p.depth, p.item = 0, ""
	switch {
	case p.accept("def"):
		p.define()
	case p.accept("signal"):
		p.signal()
	case p.accept("check"):
		p.check()
	default:
		p.expected("def, signal or check", p.itemAdvice())
	}
}

// define reads a definition behind its word.
func (p *parser) define() {
	const do = "write def NAME : FORMULA, or def NAME(PARAMETER) : FORMULA"
	t := p.name("a definition", do)
	d := &definition{name: t.text, place: t.place}
	p.item = d.name
	if p.accept("(") {
		for {
			x := p.name("a parameter", do)
			if slices.Contains(d.parameters, x.text) {
				p.fail(x.place, "parameter "+x.text+" is there twice", "give each parameter a name of its own")
			}
			d.parameters = append(d.parameters, x.text)
			if !p.accept(",") {
				break
			}
		}
		p.need(")", do)
	}
	p.need(":", do)
	d.body = p.formula()
	if before := p.spec.definitions[d.name]; before != nil {
		p.report(d.place, "definition "+d.name+" is there twice; the first is in line "+strconv.Itoa(before.place.line), "rename one of them")
		return
	}
	p.spec.definitions[d.name] = d
}

// check reads a check behind its word.
func (p *parser) check() {
	const do = "write check NAME : FORMULA"
	t := p.name("a check", do)
	c := Check{Name: t.text, Line: t.place.line, Col: t.place.col}
	p.need(":", do)
	for p.is("forall") {
		q := p.forall()
		if slices.ContainsFunc(c.ranges, func(o quantifier) bool { return o.parameter == q.parameter }) {
			p.fail(q.place, "parameter "+q.parameter+" is there twice", "give each forall a parameter of its own")
		}
		c.ranges = append(c.ranges, q)
	}
	c.body = p.formula()
	if before, twice := p.checks[c.Name]; twice {
		p.report(t.place, "check "+c.Name+" is there twice; the first is in line "+strconv.Itoa(before.line), "rename one of them")
		return
	}
	p.checks[c.Name] = t.place
	p.spec.Checks = append(p.spec.Checks, c)
}

// forall reads a quantifier.
func (p *parser) forall() quantifier {
	const do = "write forall (i : 0 ... 9), or forall (i : values of 'id')"
	q := quantifier{place: p.take().place}
	p.need("(", do)
	q.parameter = p.name("a parameter", do).text
	p.need(":", do)
	if p.accept("values") {
		p.need("of", do)
		x := p.text()
		q.of = &x
		if p.accept("in") {
			q.in = p.atom()
		}
	} else {
		first := p.peek()
		q.from = p.integer(do)
		p.need("...", do)
		if q.to = p.integer(do); q.to < q.from {
			p.fail(first.place, "no value is in this range, whose end is before its start", "exchange the ends, or take values of an attribute")
		}
		if q.to-q.from >= maxValues || q.to-q.from < 0 {
			p.fail(first.place, "this range has more than "+strconv.Itoa(maxValues)+" values", "take values of 'ATTRIBUTE', which are only those that occur")
		}
	}
	p.need(")", do)
	return q
}

// integer takes a whole number.
func (p *parser) integer(do string) int64 {
	n, err := strconv.ParseInt(p.peek().text, 10, 64)
	if p.peek().kind != number || err != nil {
		p.expected("a whole number", do)
	}
	p.next++
	return n
}

// signal reads a signal behind its word.
func (p *parser) signal() {
	const do = "write signal NAME : {'name'='x'}, or signal NAME : throughput of id per s over 10 ms"
	t := p.name("a signal", do)
	s := Signal{Name: t.text, Line: t.place.line, Col: t.place.col}
	p.item = s.Name
	p.need(":", do)
	if origin, derived := origins[p.peek().text]; derived && p.peek().kind == word {
		p.next++
		s.Origin = origin
		p.derived(&s)
	} else if p.is("{") {
		s.pairs = p.filter()
	} else {
		if near := schema.Similar(p.peek().text, originWords()); len(near) > 0 && p.peek().kind == word {
			p.expected("a filter or one of "+quoteAll(originWords()), "did you mean "+near[0]+"?")
		}
		p.expected("a filter or one of "+quoteAll(originWords()), do)
	}
	if at, twice := p.signals[s.Name]; twice {
		p.report(t.place, "signal "+s.Name+" is there twice; the first is in line "+strconv.Itoa(p.spec.Signals[at].Line), "rename one of them")
		return
	}
	p.signals[s.Name] = len(p.spec.Signals)
	p.spec.Signals = append(p.spec.Signals, s)
}

// derived reads what a derived signal is of, behind its first word.
func (p *parser) derived(s *Signal) {
	const do = "write throughput of id, of root, of message, or of end {'name'='x'}"
	p.need("of", do)
	switch {
	case s.Origin == ResourceAmount || s.Origin == ResourceClients:
		if !p.is("{") {
			p.expected("the filter of a resource", "write resource-clients of {'name'='CPU'}")
		}
		s.pairs = p.filter()
	case p.is("{") || p.is("start") || p.is("end"):
		if s.Origin != Throughput {
			p.expected("an attribute, root or message", "latency and wip are of items; only throughput is also of events")
		}
		a := p.atom()
		s.Filter.At, s.pairs = a.Filter.At, a.pairs
	case p.peek().kind == word && !reserved[p.peek().text] || p.peek().kind == quoted:
		s.Items = p.take().text
	default:
		p.expected("an attribute, root, message or a filter of events", do)
	}
	if s.Origin != ResourceAmount && s.Origin != ResourceClients && p.accept("per") {
		s.PerNs, _ = p.unit().Float64()
	}
	if p.accept("over") {
		if t := p.peek(); t.kind == number && strings.HasPrefix(t.text, "-") {
			p.fail(t.place, "the window is negative: "+t.text, "write how long the signal is averaged, as in over 10 ms")
		}
		s.OverNs, _ = p.duration().Float64()
	}
}
