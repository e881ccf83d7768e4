package ctf

import (
	"slices"
	"strings"
)

// declaration reads a typealias, a typedef, or a named structure, variant or enumeration.
func (p *parser) declaration() error {
	switch p.tok.text {
	case "typealias":
		return p.typealias()
	case "typedef":
		if err := p.take(); err != nil {
			return err
		}
		members, err := p.declarators()
		for _, m := range members {
			p.names.keep(m.name, m.typ)
		}
		return err
	case "struct", "variant", "enum":
		if _, err := p.fullType(); err != nil {
			return err
		}
		return p.need(";")
	}
	return p.unexpected("a declaration")
}

// typealias reads a type and gives it a second name.
func (p *parser) typealias() error {
	if err := p.take(); err != nil {
		return err
	}
	t, err := p.fullType()
	if err != nil {
		return err
	}
	if err := p.need(":="); err != nil {
		return err
	}
	name, err := p.typeName()
	if err != nil {
		return err
	}
	p.names.keep(name, t)
	return p.need(";")
}

// typeName takes all words and stars that stand in a row.
func (p *parser) typeName() (string, error) {
	var words []string
	for p.tok.kind == word || p.is("*") {
		words = append(words, p.tok.text)
		if err := p.take(); err != nil {
			return "", err
		}
	}
	if len(words) == 0 {
		return "", p.unexpected("the name of a type")
	}
	return strings.Join(words, " "), nil
}

// fullType takes a type that no name follows.
func (p *parser) fullType() (*typ, error) {
	if t, err := p.described(); t != nil || err != nil {
		return t, err
	}
	at := p.tok
	name, err := p.typeName()
	if err != nil {
		return nil, err
	}
	return p.named(name, at)
}

// named returns the type of a name that must be known.
func (p *parser) named(name string, at token) (*typ, error) {
	if t := p.names.find(name); t != nil {
		return t, nil
	}
	return nil, p.fail(at, "type %.60q is not described", name)
}

// described takes a type that begins with a keyword of its own, or nothing.
func (p *parser) described() (*typ, error) {
	at := p.tok
	if at.kind != word {
		return nil, p.unexpected("a type")
	}
	rule := p.rule(at.text)
	if rule == nil && at.text != "integer" {
		return nil, nil
	}
	if err := p.take(); err != nil {
		return nil, err
	}
	if at.text == "integer" {
		return p.integerType() // names nothing
	}
	var t *typ
	err := p.inner(func() (err error) {
		t, err = rule()
		return err
	})
	return t, err
}

// rule is that of a type which begins with a keyword.
func (p *parser) rule(keyword string) func() (*typ, error) {
	switch keyword {
	case "struct":
		return p.structure
	case "variant":
		return p.variant
	case "enum":
		return p.enumeration
	case "floating_point":
		return p.floatingType
	case "string":
		return p.stringType
	}
	return nil
}

// declarators takes a type and the fields that are of it: T a, b[3], c[n];
func (p *parser) declarators() ([]member, error) {
	t, err := p.described()
	if err != nil {
		return nil, err
	}
	if t == nil {
		return p.namedDeclarators()
	}
	return p.fields(t)
}

// namedDeclarators takes declarators whose type is a name of several words: all but the last.
func (p *parser) namedDeclarators() ([]member, error) {
	at := p.tok
	var words []token
	for p.tok.kind == word || p.is("*") {
		words = append(words, p.tok)
		if err := p.take(); err != nil {
			return nil, err
		}
	}
	if len(words) < 2 || words[len(words)-1].kind != word {
		return nil, p.unexpected("a type and a name")
	}
	last := len(words) - 1
	var name []string
	for _, w := range words[:last] {
		name = append(name, w.text)
	}
	t, err := p.named(strings.Join(name, " "), at)
	if err != nil {
		return nil, err
	}
	// The name and what follows it is read again as a declarator.
	p.ahead = append([]token{p.tok}, p.ahead...)
	p.tok = words[last]
	return p.fields(t)
}

// fields takes names, each with its dimensions, up to the semicolon.
func (p *parser) fields(t *typ) ([]member, error) {
	var out []member
	for {
		name, err := p.word()
		if err != nil {
			return nil, err
		}
		of, err := p.dimensions(t)
		if err != nil {
			return nil, err
		}
		out = append(out, member{name, of})
		if more, err := p.accept(","); err != nil || !more {
			if err != nil {
				return nil, err
			}
			return out, p.need(";")
		}
	}
}

// dimensions takes [length] or [field], several for arrays of arrays; the first is the outermost.
func (p *parser) dimensions(t *typ) (*typ, error) {
	var all []*typ
	for p.is("[") {
		if err := p.take(); err != nil {
			return nil, err
		}
		d := &typ{class: array, at: p.tok}
		var err error
		if p.tok.kind == number {
			d.length, err = p.integer()
		} else {
			d.class = sequence
			d.refers, err = p.path()
		}
		if err != nil {
			return nil, err
		}
		if all = append(all, d); len(all) > maxDepth {
			return nil, p.unexpected("at most %d dimensions", maxDepth)
		}
		if err := p.need("]"); err != nil {
			return nil, err
		}
	}
	for _, d := range slices.Backward(all) {
		d.element, d.align = t, t.align
		t = d
	}
	return t, nil
}
