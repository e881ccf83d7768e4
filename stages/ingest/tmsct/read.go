package tmsct

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// reader reads the statements of a text into a document.
type reader struct {
	scanner
	tok  token // in hand
	last int64 // line of the token before
	bad  fault // of the statement in hand
	*document

	// How many statements are good, how many are of no other format, and how many are events without a time.
	statements, evidence, untimed int64
}

// fault describes why a statement is bad: the token, and what was expected there.
type fault struct {
	token
	want string // "" where nothing is wrong
}

// read reads a text. Bad statements are counted in the block, and reading goes on at the next line.
func read(text string, b *schema.Block) *reader {
	r := &reader{scanner: scanner{text: text, blank: true}, document: newDocument()}
	r.tok = r.scan()
	for r.tok.kind != end {
		first := r.tok
		// A statement takes at least one token or fails; recover skips at least one. So the loop ends.
		overflow := r.statement()
		switch {
		case r.bad.want != "":
			b.Bad.Add(r.bad.line, r.bad.col, r.bad.describe())
			r.recover(first)
		case overflow:
			b.Overflow.Add(first.line, first.col, fmt.Errorf("expected a time within 64 bits of nanoseconds, found %s", first.shown()))
		default:
			r.statements++
		}
	}
	return r
}

// recover goes to the next line after a fault, or to the fault itself where the statement before it reached
// no further than the lines above.
func (r *reader) recover(first token) {
	// The fault is on a later line, which may begin the next statement.
	if r.bad = (fault{}); r.tok.at > first.at && r.tok.line > r.last {
		return
	}
	// Tokens may span lines (strings, comments), so the scanner skips to the end of a line, not over tokens.
	for line := r.tok.line; r.tok.kind != end && r.tok.line == line; {
		r.toLineEnd()
		r.tok = r.scan()
	}
}

// take takes the token in hand.
func (r *reader) take() token {
	t := r.tok
	r.last = r.line
	r.tok = r.scan()
	return t
}

// fail notes that the token in hand is not what was expected. The first fault of a statement counts, and no
// token is accepted after it.
func (r *reader) fail(want string) {
	if r.bad.want == "" {
		r.bad = fault{r.tok, want}
	}
}

// failAt is fail at another token.
func (r *reader) failAt(t token, want string) {
	if r.bad.want == "" {
		r.bad = fault{t, want}
	}
}

// is reports whether a mark is in hand, and the statement good so far.
func (r *reader) is(c byte) bool {
	return r.bad.want == "" && r.tok.kind == mark && r.tok.text[0] == c
}

// isWord reports whether a keyword is in hand, and the statement good so far.
func (r *reader) isWord(text string) bool {
	return r.bad.want == "" && r.tok.kind == word && r.tok.text == text
}

// accept takes the mark c if it is in hand.
func (r *reader) accept(c byte) bool {
	return r.acceptIf(r.is(c))
}

// acceptWord takes a keyword if it is in hand.
func (r *reader) acceptWord(text string) bool {
	return r.acceptIf(r.isWord(text))
}

// acceptIf takes what is in hand if that is right.
func (r *reader) acceptIf(right bool) bool {
	if right {
		r.take()
	}
	return right
}

// need takes a mark, which must be in hand.
func (r *reader) need(c byte, want string) {
	if !r.accept(c) {
		r.fail(want)
	}
}

// name takes an identifier or a string.
func (r *reader) name(want string) string {
	// Keywords are identifiers where a name is expected; numbers and marks are none.
	if r.tok.kind != word && r.tok.kind != name || r.bad.want != "" || r.tok.text == "" {
		r.fail(want)
		return ""
	}
	// Strings may hold what a name may not: line ends, control characters.
	if _, fault := textfield.CheckName([]byte(r.tok.text)); fault != "" {
		r.fail(fault)
		return ""
	}
	return r.take().text
}

// identifier takes an identifier.
func (r *reader) identifier(want string) string {
	if r.tok.quoted {
		r.fail(want)
	}
	return r.name(want)
}

// describe returns the error that people read.
func (f fault) describe() error {
	if f.kind == broken {
		return fmt.Errorf("expected %s", f.text)
	}
	return fmt.Errorf("expected %s, found %s", f.want, f.shown())
}

// shown is a token as an error shows it.
func (t token) shown() string {
	if t.kind == end {
		return "the end of the text"
	}
	return textfield.Quote([]byte(t.text), textfield.MaxQuoted)
}
