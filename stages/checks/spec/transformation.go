package spec

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
)

// Transformation says how a trace is made of another one (Hendriks et al. 2024, section 5). Several stand in a file and run in their
// order, each on what the one before made:
//
//	transformation NAME {
//	  interval : [a, b] UNIT ;                     only what lies in it, by the clock of the trace
//	  event-filter : FILTER { , FILTER } ;         only events that one of these holds of; claim-filter and signal-filter alike
//	  def ... signal ...                           as in a specification, each also ended by ";"
//	  event-spec NAME : F , ATTRIBUTES ;           an event at every state where F holds
//	  claim-spec NAME : F , F , ATTRIBUTES ;       a claim from a state where the first holds to the earliest later one of the second
//	  signal-spec NAME : EXPRESSION , ATTRIBUTES ; a signal; sum, product, min, max (EXPRESSION, EXPRESSION) of signals
//	  trim : NAME[i] to NAME[j] ;                  from the start of the i-th thing of a spec, from 0, to the end of the j-th from there on
//	  shift : NUM UNIT | to-zero ;
//	  strategy : augment | replace ;               beside what there was, or (without it) instead of it
//	}
type Transformation struct {
	Name                        string       // for messages
	Line, Col                   int          // where it stands in the file, from 1
	Spec                        *Spec        // the signals; definitions are put in already
	From, To                    *big.Rat     // of the interval, in ns; nil: all times
	Claims, Events, SignalsKept []Filter     // filters of the input; nil: all pass
	EventSpecs                  []EventSpec  // in the order of the file
	ClaimSpecs                  []ClaimSpec  // likewise
	SignalSpecs                 []SignalSpec // likewise
	Trim                        *Trim        // nil: all of the output is kept
	ShiftNs                     *big.Rat     // nil: none
	ToZero, Augment             bool         // the first thing is moved to time 0; Augment keeps the input beside the output
}

// EventSpec makes events.
type EventSpec struct {
	Name       string   // becomes the attribute name, and what trim refers to
	At         *Formula // an event is made at every state where it holds
	Attributes []Pair   // of what is made
}

// ClaimSpec makes claims.
type ClaimSpec struct {
	Name       string   // likewise
	Start, End *Formula // a claim begins at every state where Start holds, and ends at the earliest later one of End that is free
	Attributes []Pair   // likewise
}

// SignalSpec makes a signal.
type SignalSpec struct {
	Name       string      // likewise
	Value      *Expression // what it is computed from
	Attributes []Pair      // likewise
}

// Expression is a signal, by its position in the specification, or an operation on two of them.
type Expression struct {
	Operation string        // sum, product, min or max; "" for a signal
	Signal    int           // position in Spec.Signals, where Operation is ""
	Args      []*Expression // two of them for an operation

	name  string
	place place
}

// Trim is what is kept of the output: from the start of the From-th thing of a spec, from 0, to the end of the To-th thing from there on.
type Trim struct {
	FromName, ToName string // names of specifications
	From, To         int64  // positions, from 0
}

// operations are the words of Expression.
var operations = []string{"sum", "product", "min", "max"}

// transformer reads one transformation with a parser of its own for names, over the tokens of the whole text.
type transformer struct {
	*parser
	t                                *Transformation
	events, claims                   [][2]int // of each spec: positions of its formulas among the checks
	eventAttributes, claimAttributes [][]textPair
	filters                          map[string][][]textPair
	names                            map[string]bool
}

// ParseTransformations reads a file of transformations. The error is Problems, which has all errors of the text, of each transformation
// up to its first.
func ParseTransformations(file, source string) ([]*Transformation, error) {
	var all []*Transformation
	var problems Problems
	tokens, next := lex(source), 0
	for tokens[next].kind != end && len(problems) < maxProblems {
		p := newParser(file, tokens, next)
		x := &transformer{parser: p, t: &Transformation{Spec: p.spec}, filters: make(map[string][][]textPair), names: make(map[string]bool)}
		x.whole()
		problems = append(problems, p.problems...)
		all = append(all, x.t)
		next = max(p.next, next+1)
	}
	if len(all) == 0 {
		problems = append(problems, &Problem{file, 1, 1, "there is no transformation", "write transformation NAME { ... }"})
	}
	if len(problems) > 0 {
		slices.SortStableFunc(problems, func(a, b *Problem) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) })
		return nil, problems
	}
	return all, nil
}

// whole reads a transformation; after an error it goes on at the next one.
func (x *transformer) whole() {
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case giveUp:
			for x.peek().kind != end && !x.is("transformation") {
				x.next++
			}
		default:
			panic(r)
		}
	}()
	const do = "write transformation NAME { ... }"
	x.need("transformation", do)
	t := x.parser.name("a transformation", do)
	x.t.Name, x.t.Line, x.t.Col = t.text, t.place.line, t.place.col
	x.need("{", do)
	for !x.accept("}") {
		x.statement()
		x.need(";", "end each statement with a semicolon")
	}
	x.finish()
}

// statement reads a statement without its end.
func (x *transformer) statement() {
	x.depth, x.item = 0, ""
	t := x.peek()
	switch {
	case x.accept("def"):
		x.define()
		return
	case x.accept("signal"):
		x.parser.signal()
		return
	case x.accept("event-spec"):
		x.eventSpec()
		return
	case x.accept("claim-spec"):
		x.claimSpec()
		return
	case x.accept("signal-spec"):
		x.signalSpec()
		return
	}
	what := t.text
	if !slices.Contains([]string{"interval", "event-filter", "claim-filter", "signal-filter", "trim", "shift", "strategy"}, what) {
		x.expected("a statement", "write interval, event-filter, claim-filter, signal-filter, def, signal, event-spec, claim-spec, signal-spec, trim, shift or strategy")
	}
	x.next++
	x.need(":", "write "+what+" : ...")
	switch what {
	case "interval":
		x.interval()
	case "trim":
		x.trim()
	case "shift":
		if x.accept("to-zero") {
			x.t.ToZero = true
			return
		}
		n := x.signed()
		x.t.ShiftNs = n.Mul(n, x.unit())
	case "strategy":
		switch {
		case x.accept("augment"):
			x.t.Augment = true
		case !x.accept("replace"):
			x.expected("augment or replace", "augment keeps what there was, replace does not")
		}
	default:
		for {
			x.filters[what] = append(x.filters[what], x.filter())
			if !x.accept(",") {
				return
			}
		}
	}
}

// signed takes a number, which may be negative.
func (x *transformer) signed() *big.Rat {
	t := x.peek()
	n, ok := new(big.Rat).SetString(t.text)
	if t.kind != number || !ok || len(t.text) > 40 {
		x.expected("a number", "write a number such as -1.5")
	}
	x.next++
	return n
}

// interval reads the ends of the interval.
func (x *transformer) interval() {
	const do = "write interval : [0, 2.5] s"
	at := x.peek().place
	x.need("[", do)
	x.t.From = x.signed()
	x.need(",", do)
	x.t.To = x.signed()
	x.need("]", do)
	unit := x.unit()
	x.t.From.Mul(x.t.From, unit)
	x.t.To.Mul(x.t.To, unit)
	if x.t.To.Cmp(x.t.From) < 0 {
		x.fail(at, "the interval ends before it starts", "exchange its ends")
	}
}

// trim reads what is kept.
func (x *transformer) trim() {
	const do = "write trim : NAME[0] to NAME[49]"
	occurrence := func() (string, int64) {
		name := x.parser.name("a spec", do).text
		x.need("[", do)
		i := x.integer(do)
		x.need("]", do)
		return name, i
	}
	x.t.Trim = new(Trim)
	x.t.Trim.FromName, x.t.Trim.From = occurrence()
	x.need("to", do)
	x.t.Trim.ToName, x.t.Trim.To = occurrence()
}

// formulaAs reads a formula and keeps it as a check, so that it is resolved like one. It returns its position.
func (x *transformer) formulaAs(t token) int {
	x.spec.Checks = append(x.spec.Checks, Check{Name: t.text, Line: t.place.line, Col: t.place.col, body: x.formula()})
	return len(x.spec.Checks) - 1
}

// specName takes the name of a spec, which no other has.
func (x *transformer) specName(do string) token {
	t := x.parser.name("a spec", do)
	if x.names[t.text] {
		x.report(t.place, "spec "+t.text+" is there twice", "rename one of them")
	}
	x.names[t.text] = true
	x.need(":", do)
	return t
}

func (x *transformer) eventSpec() {
	const do = "write event-spec NAME : FORMULA, {'name'='x'}"
	t := x.specName(do)
	at := x.formulaAs(t)
	x.need(",", do)
	x.events, x.eventAttributes = append(x.events, [2]int{at, at}), append(x.eventAttributes, x.filter())
}

func (x *transformer) claimSpec() {
	const do = "write claim-spec NAME : FORMULA, FORMULA, {'name'='x'}"
	t := x.specName(do)
	from := x.formulaAs(t)
	x.need(",", do)
	to := x.formulaAs(t)
	x.need(",", do)
	x.claims, x.claimAttributes = append(x.claims, [2]int{from, to}), append(x.claimAttributes, x.filter())
}

func (x *transformer) signalSpec() {
	const do = "write signal-spec NAME : SIGNAL, {'name'='x'}"
	t := x.specName(do)
	value := x.expression(0)
	x.need(",", do)
	x.t.SignalSpecs = append(x.t.SignalSpecs, SignalSpec{t.text, value, bindPairs(x.filter(), nil)})
}

// maxNested bounds the nesting of expressions of signals.
const maxNested = 100

// expression reads an expression of signals.
func (x *transformer) expression(depth int) *Expression {
	const do = "write a signal, or sum, product, min or max of two, as in sum(a, b)"
	t := x.parser.name("a signal", do)
	e := &Expression{name: t.text, place: t.place}
	if !slices.Contains(operations, t.text) || !x.is("(") {
		return e
	}
	if depth > maxNested {
		x.fail(t.place, "expressions nest deeper than "+strconv.Itoa(maxNested), "make signals of their parts")
	}
	e.Operation = t.text
	x.need("(", do)
	e.Args = append(e.Args, x.expression(depth+1))
	x.need(",", do)
	e.Args = append(e.Args, x.expression(depth+1))
	x.need(")", do)
	return e
}

// finish resolves names and puts the definitions in.
func (x *transformer) finish() {
	x.resolve()
	for i := range x.t.SignalSpecs {
		x.bindSignals(x.t.SignalSpecs[i].Value)
	}
	if trim := x.t.Trim; trim != nil {
		for _, name := range []string{trim.FromName, trim.ToName} {
			if !x.names[name] {
				x.report(place{x.t.Line, x.t.Col}, "trim names "+name+", which is no spec of this transformation", "name an event-spec or a claim-spec")
			}
		}
	}
	if len(x.problems) > 0 {
		return
	}
	formula := func(at int) *Formula {
		all, err := x.spec.Instances(&x.spec.Checks[at], nil)
		if err != nil {
			x.problems = append(x.problems, err.(*Problem))
			return &Formula{}
		}
		return all[0].Formula
	}
	for i, at := range x.events {
		x.t.EventSpecs = append(x.t.EventSpecs, EventSpec{x.spec.Checks[at[0]].Name, formula(at[0]), bindPairs(x.eventAttributes[i], nil)})
	}
	for i, at := range x.claims {
		x.t.ClaimSpecs = append(x.t.ClaimSpecs, ClaimSpec{x.spec.Checks[at[0]].Name, formula(at[0]), formula(at[1]), bindPairs(x.claimAttributes[i], nil)})
	}
	for what, to := range map[string]*[]Filter{"event-filter": &x.t.Events, "claim-filter": &x.t.Claims, "signal-filter": &x.t.SignalsKept} {
		for _, pairs := range x.filters[what] {
			*to = append(*to, Filter{Pairs: bindPairs(pairs, nil)})
		}
	}
}

// bindSignals finds the signals of an expression.
func (x *transformer) bindSignals(e *Expression) {
	if e.Operation == "" {
		at, known := x.signals[e.name]
		if !known {
			x.report(e.place, "no signal is called "+e.name, "declare it with signal "+e.name+" : {'name'='"+e.name+"'}")
		}
		e.Signal = at
	}
	for _, a := range e.Args {
		x.bindSignals(a)
	}
}
