package sampletests

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Expression is a detector that a user defines, such as "(ks or mwu) and abs > 0.1ms": tests, and quantities compared with
// numbers, joined by and, or, not and parentheses. Its JSON is its text.
type Expression struct {
	text string
	root node
}

// node is a part of an expression.
type node func(*Result, Fired) bool

// tests are the words that stand for a test by its thresholds, or for a direction.
var tests = map[string]node{
	string(ABS): func(_ *Result, f Fired) bool { return f.ABS }, string(REL): func(_ *Result, f Fired) bool { return f.REL },
	string(KS): func(_ *Result, f Fired) bool { return f.KS }, string(MWU): func(_ *Result, f Fired) bool { return f.MWU },
	string(SHIFT): func(_ *Result, f Fired) bool { return f.SHIFT }, string(DYN): func(_ *Result, f Fired) bool { return f.DYN },
	"slower": func(r *Result, _ Fired) bool { return r.RightSum.Float64() > r.LeftSum.Float64() },
	"faster": func(r *Result, _ Fired) bool { return r.RightSum.Float64() < r.LeftSum.Float64() },
}

// quantity is a number that an expression may compare.
type quantity struct {
	of   func(*Result) float64
	time bool // ns, which are written as a duration
}

// quantities are the words that stand for a number.
var quantities = map[string]quantity{
	"abs":     {func(r *Result) float64 { return float64(r.AbsNs) }, true},
	"typical": {func(r *Result) float64 { return math.Abs(r.ShiftNs) }, true},
	"rel":     {func(r *Result) float64 { return r.Ratio }, false},
	"ks.d":    {func(r *Result) float64 { return r.KS.D }, false},
	"ks.p":    {func(r *Result) float64 { return r.KS.P }, false},
	"mwu.p":   {func(r *Result) float64 { return r.MWU.P }, false},
	"delta":   {func(r *Result) float64 { return math.Abs(r.Delta) }, false},
	"n":       {func(r *Result) float64 { return float64(min(r.LeftN, r.RightN)) }, false},
}

// ExpressionWords are the words that expressions know, for messages and completion: tests and quantities.
func ExpressionWords() (words []string) {
	for word := range tests {
		words = append(words, word)
	}
	for word := range quantities {
		words = append(words, word)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// ExpressionError says what is wrong with an expression.
type ExpressionError struct {
	At      int    // position of the byte where it goes wrong, from 0
	Word    string // a word that is not known, or ""
	message string
}

// Error implements error.
func (e *ExpressionError) Error() string { return e.message }

// maxDepth bounds how deep parentheses and negations nest.
const maxDepth = 100

// ParseExpression reads an expression. The error is an *ExpressionError.
//
//	expression  conjunction { "or" conjunction }          also "|" and "||"
//	conjunction factor { "and" factor }                   also "&" and "&&"
//	factor      "not" factor | "(" expression ")" | test | quantity (">" | ">=" | "<" | "<=") number
func ParseExpression(text string) (*Expression, error) {
	p := &expressionParser{text: text}
	p.advance()
	root, err := p.disjunction(0)
	if err != nil {
		return nil, err
	}
	if p.word != "" {
		return nil, p.wrong("%q stands where \"and\", \"or\" or the end is expected", p.word)
	}
	return &Expression{strings.TrimSpace(text), root}, nil
}

// Holds reports whether the expression holds. Where a sample has no values nothing is tested, and no expression holds.
func (e *Expression) Holds(r *Result) bool {
	return r.LeftN > 0 && r.RightN > 0 && e.root(r, r.Fired)
}

// MarshalText returns the text of the expression.
func (e *Expression) MarshalText() ([]byte, error) { return []byte(e.text), nil }

// UnmarshalText reads the text of an expression.
func (e *Expression) UnmarshalText(text []byte) error {
	of, err := ParseExpression(string(text))
	if err == nil {
		*e = *of
	}
	return err
}

// expressionParser reads an expression word by word.
type expressionParser struct {
	text string
	word string // at hand; "" at the end
	at   int    // its position
	next int    // behind it
}

// advance moves to the next word: a name or number, or a sign of one or two characters.
func (p *expressionParser) advance() {
	for p.next < len(p.text) && strings.IndexByte(" \t", p.text[p.next]) >= 0 {
		p.next++
	}
	p.at = p.next
	for p.next < len(p.text) && strings.IndexByte(" \t()&|!<>=", p.text[p.next]) < 0 {
		p.next++
	}
	if p.next == p.at && p.next < len(p.text) {
		p.next++
		if two := p.text[p.at:min(p.at+2, len(p.text))]; two == "&&" || two == "||" || two == ">=" || two == "<=" {
			p.next++
		}
	}
	p.word = p.text[p.at:p.next]
}

// wrong returns an error at the word at hand.
func (p *expressionParser) wrong(format string, args ...any) *ExpressionError {
	return &ExpressionError{At: p.at, message: fmt.Sprintf(format, args...)}
}

// takes moves over the word at hand if it is one of some.
func (p *expressionParser) takes(words ...string) bool {
	if slices.Contains(words, p.word) {
		p.advance()
		return true
	}
	return false
}

func (p *expressionParser) disjunction(depth int) (node, error) {
	left, err := p.conjunction(depth)
	for err == nil && p.takes("or", "|", "||") {
		var right node
		of := left
		right, err = p.conjunction(depth)
		left = func(r *Result, f Fired) bool { return of(r, f) || right(r, f) }
	}
	return left, err
}

func (p *expressionParser) conjunction(depth int) (node, error) {
	left, err := p.factor(depth)
	for err == nil && p.takes("and", "&", "&&") {
		var right node
		of := left
		right, err = p.factor(depth)
		left = func(r *Result, f Fired) bool { return of(r, f) && right(r, f) }
	}
	return left, err
}

func (p *expressionParser) factor(depth int) (node, error) {
	switch opened := p.at; {
	case depth > maxDepth:
		return nil, p.wrong("parentheses and negations are more than %d deep", maxDepth)
	case p.takes("not", "!"):
		of, err := p.factor(depth + 1)
		return func(r *Result, f Fired) bool { return !of(r, f) }, err
	case p.takes("("):
		of, err := p.disjunction(depth + 1)
		if err == nil && !p.takes(")") {
			err = &ExpressionError{At: opened, message: "this parenthesis is not closed"}
		}
		return of, err
	}
	return p.test()
}

// test reads a test, or a quantity with what it is compared with.
func (p *expressionParser) test() (node, error) {
	of, isQuantity := quantities[p.word]
	fired, isTest := tests[p.word]
	name, at := p.word, p.at
	switch {
	case name == "":
		return nil, p.wrong("the expression ends where a test is expected")
	case !isQuantity && !isTest:
		err := p.wrong("%q is no test", name)
		err.Word = name
		return nil, err
	}
	p.advance()
	operator := p.word
	if !p.takes(">", ">=", "<", "<=") {
		if !isTest {
			return nil, &ExpressionError{At: at, message: fmt.Sprintf("%s is a number: compare it, as in %s", name, example(name, of))}
		}
		return fired, nil
	}
	if !isQuantity {
		return nil, &ExpressionError{At: at, message: fmt.Sprintf("%s is a test and no number that can be compared", name)}
	}
	limit, err := p.number(name, of)
	if err != nil {
		return nil, err
	}
	return func(r *Result, _ Fired) bool { return holds(of.of(r), operator, limit) }, nil
}

// example is a comparison of a quantity for a message.
func example(name string, of quantity) string {
	if of.time {
		return name + " > 0.1ms"
	}
	return name + " > 0.5"
}

// number reads what a quantity is compared with: a duration, or a number.
func (p *expressionParser) number(name string, of quantity) (float64, error) {
	text := p.word
	if of.time {
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			return 0, p.wrong("%s is a time: compare it with a duration, as in %s", name, example(name, of))
		}
		p.advance()
		return float64(d), nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, p.wrong("%s is a number: compare it with one, as in %s", name, example(name, of))
	}
	p.advance()
	return x, nil
}

// holds compares; NaN, an estimate that there is none of, compares as false.
func holds(x float64, operator string, limit float64) bool {
	switch operator {
	case ">":
		return x > limit
	case ">=":
		return x >= limit
	case "<":
		return x < limit
	}
	return x <= limit
}
