package ccsl

import (
	"fmt"
	"strconv"
)

// parser hands out the tokens of a text. After its first error every token is the end, so that all loops stop.
type parser struct {
	lexer *lexer
	token token // the next token
	ahead token // the one after it
	err   error // the first error
	depth int   // how many levels of brackets and operators enclose the next token
}

// maxDepth bounds how deep constructs nest, and with it the recursion.
const maxDepth = 64

// newParser reads the first two tokens ahead.
// Two tokens suffice for both grammars.
func newParser(l *lexer) *parser {
	p := &parser{lexer: l}
	p.token = p.lexToken()
	p.ahead = p.lexToken()
	return p
}

// lexToken returns the next token of the text, or the end after an error.
func (p *parser) lexToken() token {
	// The token behind an error must not match anything.
	if p.err != nil {
		return token{}
	}
	t, err := p.lexer.nextToken()
	if err != nil {
		p.err = err
		return token{}
	}
	return t
}

// takeToken passes over the next token and returns it.
func (p *parser) takeToken() token {
	t := p.token
	p.token, p.ahead = p.ahead, p.lexToken()
	if p.err != nil {
		p.token, p.ahead = token{}, token{}
	}
	return t
}

// fail keeps the first error, at a token.
func (p *parser) fail(at token, format string, args ...any) {
	if p.err == nil {
		p.err = p.lexer.errorAt(at.line, at.col, format, args...)
	}
	p.token, p.ahead = token{}, token{}
}

// placeOf returns the place of a token.
func (p *parser) placeOf(t token) Place { return Place{p.lexer.file, t.line, t.col} }

// nextIs reports whether the next token is that sign or word.
func (p *parser) nextIs(text string) bool {
	return p.token.text == text && (p.token.kind == tokenSign || p.token.kind == tokenName)
}

// accept passes over that sign or word if it is the next token.
func (p *parser) accept(text string) bool {
	if !p.nextIs(text) {
		return false
	}
	p.takeToken()
	return true
}

// expect passes over that sign or word, which must be next.
func (p *parser) expect(text, where string) {
	if !p.accept(text) {
		p.fail(p.token, "expected %q %s, found %s", text, where, p.token.quoted())
	}
}

// expectName passes over an identifier, which must be next; what words it in the error.
func (p *parser) expectName(what string) token {
	if p.token.kind != tokenName {
		p.fail(p.token, "expected %s, found %s", what, p.token.quoted())
		return token{}
	}
	return p.takeToken()
}

// expectInteger passes over an integer, which must be next; it may have a minus sign.
func (p *parser) expectInteger(what string) int64 {
	at, sign := p.token, ""
	if p.accept("-") {
		sign = "-"
	}
	if p.token.kind != tokenNumber {
		p.fail(at, "expected %s, found %s", what, p.token.quoted())
		return 0
	}
	n, err := strconv.ParseInt(sign+p.takeToken().text, 10, 64)
	if err != nil || n > maxInteger || n < -maxInteger {
		p.fail(at, "expected %s, an integer of at most %d", what, maxInteger)
		return 0
	}
	return n
}

// maxInteger bounds the integers of a specification, so that sums of them do not overflow int64.
const maxInteger = 1 << 40

// parseList calls one for each element of a list with commas between them, up to a closing sign, which it passes
// over too.
func (p *parser) parseList(end, where string, one func()) {
	for p.err == nil && !p.accept(end) {
		one()
		// A comma before the closing sign is allowed, as in both tools.
		if !p.accept(",") && !p.nextIs(end) {
			p.fail(p.token, "expected \",\" or %q %s, found %s", end, where, p.token.quoted())
		}
	}
}

// enterLevel goes a level deeper, and bounds the depth. Callers defer setDepth with the depth before.
func (p *parser) enterLevel() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.token, "more than %d levels inside each other", maxDepth)
	}
}

// setDepth returns to a level.
func (p *parser) setDepth(depth int) { p.depth = depth }

// errorAtPlace returns a syntax error at a place.
func errorAtPlace(at Place, format string, args ...any) error {
	l := lexer{file: at.File}
	return l.errorAt(at.Line, at.Col, "%w", fmt.Errorf(format, args...))
}
