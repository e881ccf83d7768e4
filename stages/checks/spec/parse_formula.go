package spec

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// formula reads a formula.
func (p *parser) formula() *Formula {
	t := p.peek()
	if p.depth++; p.depth > maxDepth {
		p.fail(t.place, fmt.Sprintf("the formula is nested deeper than %d levels", maxDepth), "give parts of it a name with def")
	}
	defer func() { p.depth-- }()
	f := &Formula{place: t.place}
	switch {
	case t.kind == end || p.is("def") || p.is("signal") || p.is("check"):
		p.expected("a formula", operandAdvice(p.tokens[max(p.next-1, 0)]))
	case p.accept("true"):
		f.Op = True
	case p.is("start") || p.is("end") || p.is("{"):
		return p.atom()
	case p.accept("not"):
		f.Op, f.Args = Not, []*Formula{p.formula()}
	case p.accept("globally"):
		f.Op, f.Args = Globally, []*Formula{p.formula()}
	case p.accept("finally"):
		f.Op, f.Args = Finally, []*Formula{p.formula()}
	case p.accept("during"):
		f.Op, f.Within = Globally, p.bound()
		f.Args = []*Formula{p.formula()}
	case p.accept("within"):
		f.Op, f.Within = Finally, p.bound()
		f.Args = []*Formula{p.formula()}
	case p.accept("if"):
		f.Op, f.Args = If, []*Formula{p.formula()}
		p.need("then", "write if FORMULA then FORMULA")
		f.Args = append(f.Args, p.formula())
	case p.accept("until"):
		p.until(f)
	case p.accept("("):
		return p.parenthesis(f)
	case p.is("derivative") || t.kind == word && !reserved[t.text]:
		p.refuseForeign(t)
		p.named(f)
	default:
		p.expected("a formula", "begin with a filter such as {'name'='q'}, a name, or one of not, if, globally, finally, during, within, until, (")
	}
	return f
}

// operandAdvice says what to write behind an operator that has no operand.
func operandAdvice(operator token) string {
	if operator.kind == word && reserved[operator.text] {
		return fmt.Sprintf("write behind %s what must hold, for example {'name'='q'}", operator.text)
	}
	return "write what must hold, for example globally {'name'='q'}"
}

// until reads an until behind its word.
func (p *parser) until(f *Formula) {
	const do = "write until FORMULA we have that GOAL, or until FORMULA within [0, 5] ms we have that GOAL"
	f.Op, f.Args = Until, []*Formula{p.formula()}
	if p.accept("within") {
		f.Within = p.bound()
	}
	for _, w := range []string{"we", "have", "that"} {
		p.need(w, do)
	}
	f.Args = append(f.Args, p.formula())
}

// parenthesis reads what stands in parentheses, behind the first one.
func (p *parser) parenthesis(f *Formula) *Formula {
	f.Args = []*Formula{p.formula()}
	joint := p.peek()
	for p.is("and") || p.is("or") {
		if p.peek().text != joint.text {
			p.fail(p.peek().place, `"and" and "or" stand side by side`, "put parentheses around what belongs together")
		}
		p.next++
		f.Args = append(f.Args, p.formula())
	}
	p.need(")", "close the parenthesis, or join formulas with and, or")
	if len(f.Args) == 1 {
		return f.Args[0]
	}
	if f.Op = And; joint.text == "or" {
		f.Op = Or
	}
	return f
}

// named reads a definition's name with its values, or the comparison of a signal.
func (p *parser) named(f *Formula) {
	if p.accept("derivative") {
		p.need("of", "write derivative of SIGNAL >= 0")
		f.Slope = true
	}
	t := p.name("a signal or a definition", "write the name of a signal")
	for i, r := range relations {
		if p.accept(r.sign) {
			f.Op, f.signalName, f.Relation = Compare, t.text, Relation(i)
			p.threshold(f)
			return
		}
	}
	if f.Slope {
		p.expected("a comparison such as >= 0", "compare the derivative with a number")
	}
	if p.is("=") {
		p.expected("a comparison", "write == for equality")
	}
	f.Op, f.definition = call, t.text
	if p.accept("(") {
		for {
			f.valuesGiven = append(f.valuesGiven, p.text())
			if !p.accept(",") {
				break
			}
		}
		p.need(")", "separate the values with commas, and close the parenthesis")
	}
}

// threshold reads the number that a signal is compared with.
func (p *parser) threshold(f *Formula) {
	t := p.peek()
	v, err := strconv.ParseFloat(t.text, 64)
	if t.kind != number || err != nil {
		p.expected("a number", "compare a signal with a number such as 1.5 or -2")
	}
	p.next++
	f.Threshold, f.Number = v, t.text
}

// atom reads a filter of states.
func (p *parser) atom() *Formula {
	f := &Formula{Op: Atom, place: p.peek().place}
	switch {
	case p.accept("start"):
		f.Filter.At = AtStart
	case p.accept("end"):
		f.Filter.At = AtEnd
	}
	f.pairs = p.filter()
	return f
}

// filter reads attributes with values.
func (p *parser) filter() []textPair {
	const do = "write attributes as {'name'='A', 'id'='3'}"
	p.need("{", do)
	var pairs []textPair
	for {
		name := p.text()
		if p.is("==") {
			p.expected(`"="`, "write one =, as in {'name'='A', 'id'='3'}")
		}
		p.need("=", do)
		pairs = append(pairs, textPair{name, p.text()})
		if !p.accept(",") {
			break
		}
	}
	p.need("}", do)
	return pairs
}

// text reads a text of one or more parts.
func (p *parser) text() text {
	x := text{place: p.peek().place}
	for {
		t := p.peek()
		if t.kind != quoted && t.kind != word && (t.kind != number || len(x.parts) > 0) || p.beginsItem() {
			p.expected("a text", "write a text in quotes, a name or a whole number")
		}
		p.next++
		x.parts = append(x.parts, textPart{t.text, t.kind == word})
		if !p.accept("+") {
			return x
		}
	}
}

// units are the units of time in ns.
var units = map[string]int64{"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "hr": 3600e9}

// unitWords are the units as messages list them.
const unitWords = "ns, us, ms, s, min, hr"

// unit takes a unit of time, in ns.
func (p *parser) unit() *big.Rat {
	t := p.peek()
	ns, known := units[t.text]
	if t.kind != word || !known {
		p.expected("a unit of time", unitAdvice(t))
	}
	p.next++
	return new(big.Rat).SetInt64(ns)
}

// duration takes a number with its unit, in ns.
func (p *parser) duration() *big.Rat {
	n := p.limit()
	return n.Mul(n, p.unit())
}

// limit takes a number that is not negative.
func (p *parser) limit() *big.Rat {
	t := p.peek()
	if t.kind != number || len(t.text) > 40 {
		p.expected("a number", "write a bound as [0, 50] ms, (0, inf) s or 50 ms")
	}
	if strings.HasPrefix(t.text, "-") {
		p.fail(t.place, "a bound is negative: "+t.text, "formulas look ahead only; write bounds from 0 on")
	}
	p.next++
	n, _ := new(big.Rat).SetString(t.text) // digits with at most one point
	return n
}

// maxBound bounds times of bounds to what 63 bits of ns hold.
var maxBound = new(big.Rat).SetInt64(Unbounded - 1)

// bound reads a bound.
func (p *parser) bound() *Interval {
	from := p.next
	at := p.peek().place
	lo, hi := new(big.Rat), (*big.Rat)(nil)
	openLo, openHi := p.is("("), false
	if openLo || p.is("[") {
		p.next++
		lo = p.limit()
		p.need(",", "write both ends of the bound, as in [0, 50] ms")
		if !p.accept("inf") {
			hi = p.limit()
		}
		if openHi = p.is(")"); !openHi && !p.is("]") {
			p.expected(`"]" or ")"`, "close the bound, as in [0, 50] ms")
		}
		p.next++
		unit := p.unit()
		lo.Mul(lo, unit)
		if hi != nil {
			hi.Mul(hi, unit)
		}
	} else {
		hi = p.duration()
	}
	i := interval(lo, hi, openLo, openHi)
	var words []string
	for _, t := range p.tokens[from:p.next] {
		words = append(words, t.text)
	}
	i.text = boundText(words)
	switch {
	case hi != nil && hi.Cmp(lo) < 0:
		p.fail(at, "the bound "+i.text+" ends before it starts", "exchange its ends")
	case lo.Cmp(maxBound) > 0 || hi != nil && hi.Cmp(maxBound) > 0:
		p.fail(at, "the bound "+i.text+" is longer than 292 years", "write inf for no bound")
	case i.FromNs > i.ToNs:
		p.fail(at, "no time lies in the bound "+i.text, "times are whole nanoseconds; close an end, as in [0, 0] s")
	}
	return i
}

// boundText puts the tokens of a bound together as people write them: [0, 50] ms.
func boundText(words []string) string {
	s := strings.Join(words, " ")
	return strings.NewReplacer("[ ", "[", "( ", "(", " ,", ",", " ]", "]", " )", ")").Replace(s)
}

// interval turns exact ends in ns into the whole ns between them; no hi is no end.
func interval(lo, hi *big.Rat, openLo, openHi bool) *Interval {
	i := &Interval{ToNs: Unbounded}
	i.From, _ = lo.Float64()
	i.To, _ = new(big.Float).SetInf(false).Float64()
	floor := func(r *big.Rat) (int64, bool) {
		whole := new(big.Int).Div(r.Num(), r.Denom()) // rounds down, since ends are not negative
		return whole.Int64(), r.IsInt()
	}
	from, exact := floor(lo)
	if i.FromNs = from; !exact || openLo {
		i.FromNs++
	}
	if hi != nil {
		i.To, _ = hi.Float64()
		to, exact := floor(hi)
		if i.ToNs = to; exact && openHi {
			i.ToNs--
		}
	}
	return i
}

// quoteAll lists words for a message.
func quoteAll(words []string) string {
	words = slices.Clone(words)
	for i, w := range words {
		words[i] = strconv.Quote(w)
	}
	return strings.Join(words, ", ")
}
