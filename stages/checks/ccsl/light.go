package ccsl

import (
	"fmt"
	"io/fs"
)

// ReadLight reads a specification of LightCCSL, `.lc`. Precedence with < and a max is strict at that bound too, so
// that `max:1` alternates; with <= it is strict at neither. `a $ n on b` samples a on b and delays the samples by
// n-1 ticks of b. Errors name file, line and column and say what was expected there.
func ReadLight(fsys fs.FS, name string, dialect Dialect) (*Spec, error) {
	l, err := openSpecification(fsys, name)
	if err != nil {
		return nil, err
	}
	p := newParser(l)
	// 1. Parse the whole file; 2. expand its definitions and names.
	f := p.parseLight()
	if p.err != nil {
		return nil, p.err
	}
	x := lightExpander{newBuilder(f.name, dialect), f.definitions}
	if err := x.countExpandedLines(len(f.body), "", Place{name, 1, 1}); err != nil {
		return nil, err
	}
	if err := x.expandBody(f.body, newLightScope("")); err != nil {
		return nil, err
	}
	return x.spec, nil
}

// lightExpander turns a parsed file of LightCCSL into a Spec.
type lightExpander struct {
	builder
	definitions map[string]*lightDefinition
}

// lightScope holds the names of a specification or of a definition that is called. It has no parent: a definition
// sees only its parameters.
type lightScope struct {
	path     string // of the names inside
	clocks   map[string]ClockID
	integers map[string]int64
	calls    map[string]int // by definition: how often it was called here, for the paths
}

// newLightScope returns a scope without names.
func newLightScope(path string) *lightScope {
	return &lightScope{path, map[string]ClockID{}, map[string]int64{}, map[string]int{}}
}

// expandBody expands lines in their scope. Clocks may be used before the line that defines them, so all names are
// declared first. A clock may be both declared and defined.
func (x *lightExpander) expandBody(lines []lightLine, s *lightScope) error {
	// 1. Names: declared ones, and those that a line defines.
	for i := range lines {
		for _, name := range lines[i].names {
			at := Place{lines[i].at.File, name.line, name.col}
			if _, known := s.clocks[name.text]; !known {
				s.clocks[name.text] = x.addClock(s.path+name.text, at, false)
			} else if lines[i].kind == lightClocks {
				return errorAtPlace(at, "%s is declared twice", name.text)
			}
		}
	}
	// 2. Lines, in their order.
	for i := range lines {
		if err := x.expandLine(&lines[i], s); err != nil {
			return err
		}
	}
	return nil
}

// expandLine expands a line by its kind; declarations need nothing more.
func (x *lightExpander) expandLine(l *lightLine, s *lightScope) error {
	switch l.kind {
	case lightChain:
		return x.expandChain(l, s)
	case lightLet:
		return x.defineClock(s.clocks[l.names[0].text], l.clocks[0], s)
	case lightRepeat:
		return x.expandRepeat(l, s)
	case lightCall:
		return x.expandCall(l, s)
	}
	return nil
}

// expandRepeat expands "repeat name every period base from offset", a periodic filter.
func (x *lightExpander) expandRepeat(l *lightLine, s *lightScope) error {
	base, err := x.clockOf(l.clocks[0], s)
	if err != nil {
		return err
	}
	numbers, err := s.integersOf(l.integers)
	if err != nil {
		return err
	}
	id := s.clocks[l.names[0].text]
	c := Constraint{Name: x.spec.Clocks[id].Name, Word: "repeat", Defines: id, At: l.at}
	// Without "from" the first tick counts.
	if len(numbers) == 1 {
		numbers = append(numbers, 0)
	}
	if err := x.makePeriodic(&c, base, numbers[0], numbers[1]); err != nil {
		return err
	}
	return x.addConstraint(c)
}

// expandCall expands a definition in a scope of its own, whose path counts the calls.
func (x *lightExpander) expandCall(l *lightLine, s *lightScope) error {
	d := x.definitions[l.word]
	if d == nil {
		return errorAtPlace(l.at, "expected the name of a definition, found %s, which is not defined", l.word)
	}
	if len(l.clocks) != len(d.clocks) || len(l.integers) != len(d.integers) {
		return errorAtPlace(l.at, "%s is called with %d clocks and %d integers: it has %d and %d",
			l.word, len(l.clocks), len(l.integers), len(d.clocks), len(d.integers))
	}
	if len(x.via) >= maxDepth {
		return errorAtPlace(l.at, "%s calls itself, or more than %d definitions call each other", l.word, maxDepth)
	}
	// The number in the path keeps the clocks of two calls of one definition apart.
	s.calls[l.word]++
	inner := newLightScope(fmt.Sprintf("%s%s[%d]::", s.path, l.word, s.calls[l.word]))
	ids, err := x.clocksOf(l.clocks, s)
	if err != nil {
		return err
	}
	for i, name := range d.clocks {
		inner.clocks[name] = ids[i]
	}
	numbers, err := s.integersOf(l.integers)
	if err != nil {
		return err
	}
	for i, name := range d.integers {
		inner.integers[name] = numbers[i]
	}
	if err := x.countExpandedLines(len(d.body), inner.path, l.at); err != nil {
		return err
	}
	x.via = append(x.via, l.at)
	defer func() { x.via = x.via[:len(x.via)-1] }()
	return x.expandBody(d.body, inner)
}

// clocksOf returns the clocks of terms, in their order.
func (x *lightExpander) clocksOf(terms []*lightTerm, s *lightScope) ([]ClockID, error) {
	return resolveAll(terms, func(t *lightTerm) (ClockID, error) { return x.clockOf(t, s) })
}

// clockOf returns the clock of a term: the named one, or a hidden clock that the term defines.
func (x *lightExpander) clockOf(t *lightTerm, s *lightScope) (ClockID, error) {
	// "Let a be b" makes a the same as b: a union of one clock.
	if t.operator == "" {
		id, known := s.clocks[t.name]
		if !known {
			return NoClock, errorAtPlace(t.at, "expected a clock, found %s, which is not declared", t.name)
		}
		return id, nil
	}
	// Its name is the text of the term, so that a verdict about it can be read.
	id := x.addClock(s.path+t.String(), t.at, true)
	return id, x.defineClock(id, t, s)
}

// lightKinds maps the operators that are kinds of expressions to these kinds.
var lightKinds = map[string]Kind{"or": Union, "xor": Union, "and": Intersection, "minus": Minus, "inf": Inf, "sup": Sup}

// defineClock makes a term the definition of a clock. An exclusive or is a union whose operands exclude each other.
func (x *lightExpander) defineClock(id ClockID, t *lightTerm, s *lightScope) error {
	c := Constraint{Name: x.spec.Clocks[id].Name, Word: t.operator, Defines: id, At: t.at}
	if t.operator == "" {
		c.Word = "Let"
		t = &lightTerm{operator: "or", at: t.at, operands: []*lightTerm{t}}
	}
	ids, err := x.clocksOf(t.operands, s)
	if err != nil {
		return err
	}
	c.Kind, c.Clocks = lightKinds[t.operator], ids
	switch t.operator {
	case "sampledOn":
		c.makeSample(SampledOn, ids[0], ids[1], StrictKeeps)
	case "$":
		if err := x.makeDelayed(&c, t, ids, s); err != nil {
			return err
		}
	case "xor":
		if err := x.addConstraint(Constraint{Kind: Exclusion, Name: c.Name, Word: "xor", Defines: NoClock, Clocks: ids, At: t.at}); err != nil {
			return err
		}
	}
	return x.addConstraint(c)
}

// makeDelayed makes c a delay: of ticks of the clock itself, or of samples on another clock.
func (x *lightExpander) makeDelayed(c *Constraint, t *lightTerm, ids []ClockID, s *lightScope) error {
	n, err := s.integerOf(t.integer)
	if err != nil {
		return err
	}
	settled, err := x.settleDelays(c, Sequence{Period: []int64{n}})
	if err != nil {
		return err
	}
	// Without "on", or without a delay, the samples are the ticks themselves.
	if n = settled.Period[0]; len(ids) == 1 || n == 0 {
		return x.makeDelay(c, ids[0], ids[0], settled)
	}
	c.makeSample(SampledOn, ids[0], ids[1], StrictKeeps)
	c.Delay = n - 1
	return nil
}
