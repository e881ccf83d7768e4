package spec

import (
	"maps"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// Many people who write a first specification know another language: they write always or G for globally, -> for if and then, sec for s.
// What they meant is told with the error.

// synonyms are words of other temporal logics, in small letters, with those of ours.
var synonyms = map[string]string{
	"always": "globally", "henceforth": "globally", "g": "globally", "eventually": "finally", "sometime": "finally", "f": "finally", "u": "until",
}

// operators are the words that a formula may begin with.
var operators = []string{"derivative", "during", "end", "finally", "globally", "if", "not", "start", "true", "until", "within"}

// foreign are signs of other languages, and comments, with what to write.
var foreign = map[string]string{
	"->": "write if A then B for A -> B", "=>": "write if A then B for A => B, and s >= 1 for s => 1", "=<": "write s <= 1 for s =< 1",
	"!": "write not A for !A", "&": "write (A and B) for A && B", "|": "write (A or B) for A || B",
	"#": "begin comments with //", "/": "begin comments with //",
}

// items are the words that items of a text begin with.
var items = []string{"check", "def", "signal"}

// unitsMeant are other spellings of units, in small letters.
var unitsMeant = map[string]string{
	"nsec": "ns", "nanosecond": "ns", "usec": "us", "microsecond": "us", "msec": "ms", "milli": "ms", "millisecond": "ms",
	"sec": "s", "second": "s", "m": "min", "minute": "min", "h": "hr", "hour": "hr",
}

// at is the token that is some tokens behind the next one; the last one is the end of the text.
func (p *parser) at(behind int) token { return p.tokens[min(p.next+behind, len(p.tokens)-1)] }

// foreignSign says what to write in the place of the next tokens, where they are a sign of another language; else "".
func (p *parser) foreignSign() string {
	first := strings.Trim(strings.TrimPrefix(p.peek().text, brokenCharacter), `"`)
	if two := first + p.at(1).text; foreign[two] != "" && p.peek().kind != word {
		return foreign[two]
	}
	if p.peek().kind != broken {
		return ""
	}
	return foreign[first]
}

// refuseForeign refuses a word that a formula follows, which names nothing of the file, where a word of the language is meant.
func (p *parser) refuseForeign(t token) {
	if reserved[t.text] || p.declared[t.text] || !p.formulaBehind() {
		return
	}
	meant := synonyms[strings.ToLower(t.text)]
	if near := schema.Similar(t.text, operators); meant == "" && len(near) > 0 {
		meant = near[0]
	}
	if meant != "" {
		p.fail(t.place, t.says()+" is neither defined nor a word of the language", "did you mean "+meant+"?")
	}
}

// formulaBehind reports whether what follows the next token can only be a formula or a bound, which never follows the name of a
// definition: the values in its parentheses are texts.
func (p *parser) formulaBehind() bool {
	switch t := p.at(1); {
	case t.kind == number:
		return true
	case t.kind == word:
		return slices.Contains(operators, t.text) && t.text != "within" || !reserved[t.text]
	case t.text == "(" && t.kind == sign:
		if inside := p.at(2); inside.kind == end || inside.kind == word && slices.Contains(items, inside.text) {
			return false // a parenthesis that somebody forgot to go on with
		}
		values := p.at(2).kind == word || p.at(2).kind == quoted || p.at(2).kind == number
		return !values || !slices.Contains([]string{",", ")", "+"}, p.at(3).text)
	default:
		return t.kind == sign && (t.text == "{" || t.text == "[")
	}
}

// beginsItem reports whether the next tokens are def, signal or check with a name and what follows it, and so no texts.
func (p *parser) beginsItem() bool {
	behind := p.at(2)
	return (p.is("def") || p.is("signal") || p.is("check")) && p.at(1).kind == word && behind.kind == sign && (behind.text == ":" || behind.text == "(")
}

// itemAdvice says what to do where an item was expected.
func (p *parser) itemAdvice() string {
	if p.is("and") || p.is("or") {
		return "put parentheses around all that it joins, as in (A " + p.peek().text + " B)"
	}
	if p.is(")") {
		return "leave it out, or open a parenthesis for it"
	}
	if near := schema.Similar(p.peek().text, items); p.peek().kind == word && len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return "begin each item with one of these words, for example check always_q : globally {'name'='q'}"
}

// unitAdvice says what to write in the place of a word that is no unit.
func unitAdvice(t token) string {
	small := strings.ToLower(t.text)
	if t.kind == word {
		for _, w := range []string{small, strings.TrimSuffix(small, "s")} {
			if meant := unitsMeant[w]; meant != "" {
				return "did you mean " + meant + "? Units are " + unitWords
			}
			if _, known := units[w]; known {
				return "did you mean " + w + "? Units are " + unitWords
			}
		}
	}
	return "write one of " + unitWords
}

// declaredIn are the names that definitions and signals of a text have.
func declaredIn(tokens []token) map[string]bool {
	names := make(map[string]bool)
	for i, t := range tokens {
		if t.kind == word && (t.text == "def" || t.text == "signal") {
			names[tokens[i+1].text] = true // the end of the text is no word
		}
	}
	return names
}

// newParser reads tokens from one of them on.
func newParser(file string, tokens []token, next int) *parser {
	return &parser{
		spec:   &Spec{File: file, definitions: make(map[string]*definition)},
		checks: make(map[string]place), signals: make(map[string]int), givenUp: make(map[string]bool),
		tokens: tokens, next: next, declared: declaredIn(tokens),
	}
}

// originWords are the words that derived signals begin with.
func originWords() []string { return slices.Sorted(maps.Keys(origins)) }
