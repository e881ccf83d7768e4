package ccsl

import (
	"fmt"
	"strconv"
)

// parser hands out the tokens of a text. After its first error every token is the end, so that all loops stop.
type parser struct {
	lexer *lexer
	token token // the next one
	ahead token // the one after it
	err   error
	depth int
}

// mostDepth bounds how deep things stand inside each other.
const mostDepth = 64

func newParser(l *lexer) *parser {
	p := &parser{lexer: l}
	p.token = p.lex()
	p.ahead = p.lex()
	return p
}

func (p *parser) lex() token {
	if p.err != nil {
		return token{}
	}
	t, err := p.lexer.next()
	if err != nil {
		p.err = err
		return token{}
	}
	return t
}

// take passes over the next token.
func (p *parser) take() token {
	t := p.token
	p.token, p.ahead = p.ahead, p.lex()
	if p.err != nil {
		p.token, p.ahead = token{}, token{}
	}
	return t
}

// fail keeps the first error, at a token.
func (p *parser) fail(at token, format string, args ...any) {
	if p.err == nil {
		p.err = p.lexer.at(at.line, at.col, format, args...)
	}
	p.token, p.ahead = token{}, token{}
}

func (p *parser) place(t token) Place { return Place{p.lexer.file, t.line, t.col} }

// is says whether the next token is that sign or word.
func (p *parser) is(text string) bool {
	return p.token.text == text && (p.token.kind == tokenSign || p.token.kind == tokenName)
}

// accept passes over that sign or word if it is the next token.
func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.take()
	return true
}

// expect passes over that sign or word, which must be next.
func (p *parser) expect(text, where string) {
	if !p.accept(text) {
		p.fail(p.token, "expected %q %s, found %s", text, where, p.token.shown())
	}
}

// name passes over an identifier, which must be next.
func (p *parser) name(what string) token {
	if p.token.kind != tokenName {
		p.fail(p.token, "expected %s, found %s", what, p.token.shown())
		return token{}
	}
	return p.take()
}

// integer passes over an integer, which must be next; it may have a minus sign.
func (p *parser) integer(what string) int64 {
	at, sign := p.token, ""
	if p.accept("-") {
		sign = "-"
	}
	if p.token.kind != tokenNumber {
		p.fail(at, "expected %s, found %s", what, p.token.shown())
		return 0
	}
	n, err := strconv.ParseInt(sign+p.take().text, 10, 64)
	if err != nil || n > mostInteger || n < -mostInteger {
		p.fail(at, "expected %s, an integer of at most %d", what, mostInteger)
		return 0
	}
	return n
}

// mostInteger bounds the integers of a specification, so that sums of them do not overflow.
const mostInteger = 1 << 40

// list passes over things with commas between them up to a sign, which it passes over too.
func (p *parser) list(end, where string, one func()) {
	for p.err == nil && !p.accept(end) {
		one()
		if !p.accept(",") && !p.is(end) {
			p.fail(p.token, "expected \",\" or %q %s, found %s", end, where, p.token.shown())
		}
	}
}

// enter goes a level deeper, and bounds the depth; level goes back to one.
func (p *parser) enter() {
	if p.depth++; p.depth > mostDepth {
		p.fail(p.token, "more than %d levels inside each other", mostDepth)
	}
}

func (p *parser) level(depth int) { p.depth = depth }

// failure is an error at a place.
func failure(at Place, format string, args ...any) error {
	l := lexer{file: at.File}
	return l.at(at.Line, at.Col, "%w", fmt.Errorf(format, args...))
}
