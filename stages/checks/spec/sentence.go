package spec

import (
	"fmt"
	"strings"
)

// Sentence says in one sentence what a check asks.
func (s *Spec) Sentence(c *Check) string {
	var b strings.Builder
	values := make(map[string]string)
	for _, q := range c.ranges {
		values[q.parameter] = q.parameter
		if q.of == nil {
			fmt.Fprintf(&b, "for every %s from %d to %d, ", q.parameter, q.from, q.to)
			continue
		}
		fmt.Fprintf(&b, "for every %s among the values of %s", q.parameter, q.of.bind(nil))
		if q.in != nil {
			b.WriteString(" at " + Filter{q.in.Filter.At, bindPairs(q.in.pairs, nil)}.words())
		}
		b.WriteString(", ")
	}
	e := &expansion{spec: s, known: make(map[string]*Formula), sizes: make(map[*Formula]int)}
	f := e.expand(c.body, values)
	if e.tooLarge(f) || e.sizes[f] > sentenceParts {
		return fmt.Sprintf("%s: %sa formula of more than %d parts holds.", c.Name, b.String(), sentenceParts)
	}
	return c.Name + ": " + b.String() + s.words(f) + "."
}

// sentenceParts bounds a formula that is said in words: nobody reads a longer sentence.
const sentenceParts = 200

// Words says a formula in words.
func (s *Spec) Words(f *Formula) string { return s.words(f) }

func (s *Spec) words(f *Formula) string {
	switch f.Op {
	case True:
		return "anything holds"
	case Atom:
		return "there is " + f.Filter.words()
	case Compare:
		subject := "signal " + f.signalName
		if f.Slope {
			subject = "the derivative of " + subject
		}
		return subject + " is " + relations[f.Relation].words + " " + f.Number
	case Not:
		if f.Args[0].Op == Atom {
			return "there is no " + f.Args[0].Filter.noun()
		}
		return "it does not hold that " + s.part(f.Args[0])
	case If:
		return "if " + s.part(f.Args[0]) + ", then " + s.words(f.Args[1])
	case And, Or:
		joint := " and "
		if f.Op == Or {
			joint = " or "
		}
		var parts []string
		for _, a := range f.Args {
			parts = append(parts, s.part(a))
		}
		return strings.Join(parts, joint)
	case Globally:
		if f.Within == nil {
			return "always " + s.words(f.Args[0])
		}
		return "throughout " + f.Within.text + " from then " + s.words(f.Args[0])
	case Finally:
		if f.Within == nil {
			return "eventually " + s.words(f.Args[0])
		}
		return "within " + f.Within.text + " from then " + s.words(f.Args[0])
	}
	bound := ""
	if f.Within != nil {
		bound = " within " + f.Within.text
	}
	first := s.part(f.Args[0])
	if strings.HasPrefix(first, "(") { // it has no verb of its own
		first += " holds"
	}
	return first + " until" + bound + " " + s.part(f.Args[1])
}

// part is a formula as a part of another one: in parentheses where it has parts of its own.
func (s *Spec) part(f *Formula) string {
	if len(f.Args) == 0 || f.Op == Not && len(f.Args[0].Args) == 0 {
		return s.words(f)
	}
	return "(" + s.words(f) + ")"
}

// words says a filter in words, with an article.
func (f Filter) words() string {
	return [...]string{"a ", "a ", "an "}[f.At] + f.noun()
}

// noun says a filter in words, without an article.
func (f Filter) noun() string {
	var pairs []string
	for _, p := range f.Pairs {
		pairs = append(pairs, p.Name+" "+p.Value)
	}
	return [...]string{"state", "start", "end"}[f.At] + " with " + strings.Join(pairs, " and ")
}
