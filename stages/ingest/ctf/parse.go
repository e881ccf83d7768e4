package ctf

import (
	"strings"
)

// maxDepth bounds the nesting of types.
const maxDepth = 32

// parser reads TSDL into metadata. It is a recursive descent, a method for each rule.
type parser struct {
	lexer
	tok   token     // in hand
	ahead []token   // tokens that were looked at already
	names *scope    // types that the block in hand sees
	depth int       // of types in types, see maxDepth
	typed bool      // the entry in hand is a type, after :=, and no value
	meta  *metadata // what was read so far

	integers map[string]*typ // integers by the text between their braces
}

// scope holds the types that a block names; those of the blocks around it are seen as well.
type scope struct {
	outer *scope          // nil for the outermost
	types map[string]*typ // "struct x" for structures, likewise variants and enumerations
}

// find returns the type of a name in the innermost scope that has it, or nil.
func (s *scope) find(name string) *typ {
	for ; s != nil; s = s.outer {
		if t := s.types[name]; t != nil {
			return t
		}
	}
	return nil
}

// keep gives a type a name.
func (s *scope) keep(name string, t *typ) {
	if s.types == nil {
		s.types = make(map[string]*typ)
	}
	s.types[name] = t
}

// parse reads the metadata of a trace. Errors name the place in its text, packets joined.
func parse(file, src string) (*metadata, error) {
	p := &parser{
		lexer: lexer{file: file, src: src, line: 1},
		names: new(scope), integers: make(map[string]*typ),
		meta: &metadata{file: file, env: make(map[string]string), streams: make(map[uint64]*streamClass)},
	}
	if err := p.take(); err != nil {
		return nil, err
	}
	var events []*eventClass
	for p.tok.kind != endOfText {
		e, err := p.topLevel()
		if err != nil {
			return nil, err
		}
		if e != nil {
			events = append(events, e)
		}
	}
	return p.meta, p.assign(events)
}

// assign gives the events to their streams.
func (p *parser) assign(events []*eventClass) error {
	if p.meta.order == native {
		return p.fail(token{line: 1, col: 1}, "there is no trace block that tells the byte order")
	}
	if len(p.meta.streams) == 0 {
		p.meta.streams[0] = &streamClass{events: make(map[uint64]*eventClass)}
	}
	for _, e := range events {
		s := p.meta.streams[e.stream]
		if s == nil {
			return p.fail(e.at, "event %q is of stream %d, which is not described", e.name, e.stream)
		}
		if s.events[e.id] != nil {
			p.meta.doubles = append(p.meta.doubles, e.at)
		}
		s.events[e.id] = e
	}
	return nil
}

// topLevel reads one declaration. An event is returned, as its stream may come after it.
func (p *parser) topLevel() (*eventClass, error) {
	switch p.tok.text {
	case "trace":
		return nil, p.trace()
	case "env":
		return nil, p.environment()
	case "clock":
		return nil, p.clock()
	case "stream":
		return nil, p.stream()
	case "event":
		return p.event()
	case "callsite":
		return nil, p.block(func(string, token) error { return p.skipValue() })
	case ";":
		return nil, p.take()
	}
	return nil, p.declaration()
}

// take goes to the next token.
func (p *parser) take() (err error) {
	if len(p.ahead) > 0 {
		p.tok, p.ahead = p.ahead[0], p.ahead[1:]
		return nil
	}
	p.tok, err = p.next()
	return err
}

// peek is the token after the one in hand.
func (p *parser) peek() (token, error) {
	if len(p.ahead) == 0 {
		t, err := p.next()
		if err != nil {
			return t, err
		}
		p.ahead = append(p.ahead, t)
	}
	return p.ahead[0], nil
}

// is reports whether the token in hand is this sign or word.
func (p *parser) is(s string) bool {
	return (p.tok.kind == sign || p.tok.kind == word) && p.tok.text == s
}

// accept takes a sign or word if it is in hand.
func (p *parser) accept(s string) (bool, error) {
	if !p.is(s) {
		return false, nil
	}
	return true, p.take()
}

// need takes signs or words that must come.
func (p *parser) need(all ...string) error {
	for _, s := range all {
		ok, err := p.accept(s)
		if err != nil {
			return err
		}
		if !ok {
			return p.unexpected("%q", s)
		}
	}
	return nil
}

// unexpected returns an error at the token in hand.
func (p *parser) unexpected(format string, args ...any) error {
	found := "the end of the metadata"
	if p.tok.kind != endOfText {
		found = p.tok.text
	}
	return p.fail(p.tok, "expected "+format+", found %.40q", append(args, found)...)
}

// word takes an identifier.
func (p *parser) word() (string, error) {
	if p.tok.kind != word {
		return "", p.unexpected("a name")
	}
	name := p.tok.text
	return name, p.take()
}

// path takes names with points between them.
func (p *parser) path() ([]string, error) {
	name, err := p.word()
	if err != nil {
		return nil, err
	}
	names := []string{name}
	for p.is(".") || p.is("->") {
		if err := p.take(); err != nil {
			return nil, err
		}
		if name, err = p.word(); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// integer takes an integer with its sign, as 64 bits of two's complement.
func (p *parser) integer() (uint64, error) {
	negative := p.is("-")
	if negative || p.is("+") {
		if err := p.take(); err != nil {
			return 0, err
		}
	}
	if p.tok.kind == text && len(p.tok.text) == 1 {
		p.tok.kind, p.tok.value = number, uint64(p.tok.text[0])
	}
	if p.tok.kind != number {
		return 0, p.unexpected("an integer")
	}
	value := p.tok.value
	if negative {
		if value > 1<<63 {
			return 0, p.unexpected("an integer of 64 bits")
		}
		value = -value
	}
	return value, p.take()
}

// value takes a string, an integer or a path, and returns it as text.
func (p *parser) value() (string, error) {
	switch {
	case p.tok.kind == word:
		names, err := p.path()
		return strings.Join(names, "."), err
	case p.tok.kind == endOfText || p.tok.kind == sign && !p.is("-") && !p.is("+"):
		return "", p.unexpected("a value")
	case p.tok.kind == sign:
		first := p.tok.text
		if err := p.take(); err != nil {
			return "", err
		}
		rest, err := p.value()
		return strings.TrimPrefix(first, "+") + rest, err
	}
	v := p.tok.text
	return v, p.take()
}

// skipValue takes what an unknown entry is.
func (p *parser) skipValue() (err error) {
	if p.typed {
		_, err = p.fullType()
	} else {
		_, err = p.value()
	}
	return err
}

// inner runs a rule with a scope of its own.
func (p *parser) inner(rule func() error) error {
	if p.depth++; p.depth > maxDepth {
		return p.fail(p.tok, "types lie more than %d deep in each other", maxDepth)
	}
	p.names = &scope{outer: p.names}
	err := rule()
	p.names = p.names.outer
	p.depth--
	return err
}
