package ccsl

import (
	"fmt"
	"io/fs"
)

// ReadLight reads a specification of LightCCSL, `.lc`. Precedence with < and a max is strict at that bound too, so
// that `max:1` alternates; with <= it is strict at neither. `a $ n on b` samples a on b and delays the samples by
// n-1 ticks of b. Errors name file, line and column and say what was expected there.
func ReadLight(fsys fs.FS, name string, dialect Dialect) (*Spec, error) {
	l, err := open(fsys, name)
	if err != nil {
		return nil, err
	}
	p := newParser(l)
	f := p.light()
	if p.err != nil {
		return nil, p.err
	}
	x := lightExpander{newBuilder(f.name, dialect), f.definitions}
	if err := x.spend(len(f.body), "", Place{name, 1, 1}); err != nil {
		return nil, err
	}
	if err := x.body(f.body, newLightScope("")); err != nil {
		return nil, err
	}
	return x.spec, nil
}

// lightExpander turns a file into a Spec.
type lightExpander struct {
	builder
	definitions map[string]*lightDefinition
}

// lightScope holds the names of a specification or of a definition that is called.
type lightScope struct {
	path     string
	clocks   map[string]ClockID
	integers map[string]int64
	calls    map[string]int
}

func newLightScope(path string) *lightScope {
	return &lightScope{path, map[string]ClockID{}, map[string]int64{}, map[string]int{}}
}

// body expands lines in their scope. Clocks may be used before the line that defines them, so all names are declared
// first. A clock may be both declared and defined.
func (x *lightExpander) body(lines []lightLine, s *lightScope) error {
	for i := range lines {
		for _, name := range lines[i].names {
			at := Place{lines[i].at.File, name.line, name.col}
			if _, known := s.clocks[name.text]; !known {
				s.clocks[name.text] = x.clock(s.path+name.text, at, false)
			} else if lines[i].kind == lightClocks {
				return failure(at, "%s is declared twice", name.text)
			}
		}
	}
	for i := range lines {
		if err := x.line(&lines[i], s); err != nil {
			return err
		}
	}
	return nil
}

func (x *lightExpander) line(l *lightLine, s *lightScope) error {
	switch l.kind {
	case lightChain:
		return x.chain(l, s)
	case lightLet:
		return x.define(s.clocks[l.names[0].text], l.clocks[0], s)
	case lightRepeat:
		return x.repeat(l, s)
	case lightCall:
		return x.call(l, s)
	}
	return nil
}

func (x *lightExpander) repeat(l *lightLine, s *lightScope) error {
	base, err := x.term(l.clocks[0], s)
	if err != nil {
		return err
	}
	numbers, err := s.numbers(l.integers)
	if err != nil {
		return err
	}
	id := s.clocks[l.names[0].text]
	c := Constraint{Name: x.spec.Clocks[id].Name, Word: "repeat", Defines: id, At: l.at}
	if len(numbers) == 1 {
		numbers = append(numbers, 0)
	}
	if err := x.periodic(&c, base, numbers[0], numbers[1]); err != nil {
		return err
	}
	return x.add(c)
}

// call expands a definition.
func (x *lightExpander) call(l *lightLine, s *lightScope) error {
	d := x.definitions[l.word]
	if d == nil {
		return failure(l.at, "expected the name of a definition, found %s, which is not defined", l.word)
	}
	if len(l.clocks) != len(d.clocks) || len(l.integers) != len(d.integers) {
		return failure(l.at, "%s is called with %d clocks and %d integers: it has %d and %d",
			l.word, len(l.clocks), len(l.integers), len(d.clocks), len(d.integers))
	}
	if len(x.via) >= mostDepth {
		return failure(l.at, "%s calls itself, or more than %d definitions call each other", l.word, mostDepth)
	}
	s.calls[l.word]++
	inner := newLightScope(fmt.Sprintf("%s%s[%d]::", s.path, l.word, s.calls[l.word]))
	for i, name := range d.clocks {
		id, err := x.term(l.clocks[i], s)
		if err != nil {
			return err
		}
		inner.clocks[name] = id
	}
	numbers, err := s.numbers(l.integers)
	if err != nil {
		return err
	}
	for i, name := range d.integers {
		inner.integers[name] = numbers[i]
	}
	if err := x.spend(len(d.body), inner.path, l.at); err != nil {
		return err
	}
	x.via = append(x.via, l.at)
	defer func() { x.via = x.via[:len(x.via)-1] }()
	return x.body(d.body, inner)
}
