package text

import "github.com/tracelake/tracelake/schema"

// names are the fields between time and messages, as they lie in a line.
type names struct{ executor, component, kind, function span }

// span is a field of a line: offsets in bytes.
type span struct{ begin, end int }

// keyCode reads the names from line[at:] on and returns their key, which it adds when it is new, and where
// they end.
func (p *parser) keyCode(line []byte, at int) (key uint32, end int, f fault) {
	n, f := p.findNames(line, at)
	if !f.ok() {
		return 0, 0, f
	}
	// Names are checked once, when they are new.
	key, ok := p.keyOf.find(p.text)
	if ok {
		return key, n.function.end, fault{}
	}
	// The executor of the thesis dialect is an empty span, which is a good name.
	for _, s := range []span{n.executor, n.component, n.function} {
		if f := checkName(line, s.begin, s.end); !f.ok() {
			return 0, 0, f
		}
	}
	key = uint32(len(p.keys))
	p.keys = append(p.keys, p.eventKey(line, n))
	p.keyOf.add(p.text, key)
	return key, n.function.end, fault{}
}

// findNames finds the names and leaves them in p.text, a space apart.
func (p *parser) findNames(line []byte, at int) (n names, f fault) {
	p.text = p.text[:0]
	wantComponent := "a component after the time"
	if p.dialect == tmsctrace {
		if n.executor, f = p.nextName(line, at, "an executor after the time"); !f.ok() {
			return n, f
		}
		at, wantComponent = n.executor.end, "a component after the executor"
	}
	if n.component, f = p.nextName(line, at, wantComponent); !f.ok() {
		return n, f
	}
	const wantKind = "'>' or '<' after the component"
	if n.kind, f = p.nextName(line, n.component.end, wantKind); !f.ok() {
		return n, f
	}
	if s := string(line[n.kind.begin:n.kind.end]); s != ">" && s != "<" {
		return n, fault{n.kind.begin, wantKind}
	}
	const wantFunction = "a function after '>' or '<'"
	if n.function, f = p.nextName(line, n.kind.end, wantFunction); !f.ok() {
		return n, f
	}
	if c := line[n.function.begin]; c == '!' || c == '?' {
		return n, fault{n.function.begin, wantFunction}
	}
	return n, fault{}
}

// nextName finds the next field and adds it to p.text.
func (p *parser) nextName(line []byte, at int, want string) (span, fault) {
	begin, end := nextField(line, at)
	if begin == end {
		return span{}, fault{begin, want}
	}
	if len(p.text) > 0 {
		p.text = append(p.text, ' ')
	}
	p.text = append(p.text, line[begin:end]...)
	return span{begin, end}, fault{}
}

// eventKey returns the key of new names. A lifeline is the component, or component/executor where these differ.
func (p *parser) eventKey(line []byte, n names) schema.EventKey {
	component := string(line[n.component.begin:n.component.end])
	k := schema.EventKey{
		Component: component,
		Lifeline:  component,
		Function:  string(line[n.function.begin:n.function.end]),
		Kind:      schema.Enter,
	}
	if line[n.kind.begin] == '<' {
		k.Kind = schema.Exit
	}
	executor := string(line[n.executor.begin:n.executor.end])
	if p.dialect == tmsctrace && executor != component {
		k.Lifeline = component + "/" + executor
	}
	return k
}
