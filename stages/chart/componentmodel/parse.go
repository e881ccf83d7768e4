package componentmodel

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxBytes is the largest model that is read.
const maxBytes = 1 << 24

// Ways for a model to be wrong.
var (
	errComment = errors.New("a comment that does not end")
	errLarge   = errors.New("a model of more than 16 MiB")
	errText    = errors.New("not UTF-8 text")
)

// unexpected returns the error for a token or character that no rule of the grammar allows.
func unexpected(what string) error { return fmt.Errorf("%q has no place here", what) }

// Read reads a model. Its errors are *schema.SyntaxError, which name the file as they are told, but for those
// of the reader.
func Read(r io.Reader, file string) (*Model, error) {
	// One byte more than allowed is read, to tell a model that is too large from one that just fits.
	text, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, err
	}
	p := &parser{scanner: scanner{file: file, text: string(text), line: 1}}
	// Faults of the whole text are at its start.
	switch start := p.here(); {
	case len(text) > maxBytes:
		return nil, p.fault(start, errLarge)
	case !utf8.Valid(text):
		return nil, p.fault(start, errText)
	}
	m := new(Model)
	if err := p.model(m); err != nil {
		return nil, err
	}
	m.index()
	return m, nil
}

// parser reads a model token by token.
type parser struct {
	scanner
	token token // the next one
}

// advance passes on to the next token.
func (p *parser) advance() (err error) {
	p.token, err = p.next()
	return err
}

// expect passes over a token of a kind.
func (p *parser) expect(kind string) error {
	if p.token.kind != kind {
		return p.fault(p.token, fmt.Errorf("%s where %s belongs", p.token, quoted(kind)))
	}
	return p.advance()
}

// String is the token as people see it.
func (t token) String() string {
	if t.kind == word || t.kind == number {
		return quoted(t.text)
	}
	return quoted(t.kind)
}

// quoted returns a kind of token as errors show it: punctuation in quotation marks, the others in words.
func quoted(kind string) string {
	if kind == word || kind == number || kind == end {
		return kind
	}
	return `"` + kind + `"`
}

// model = component {component} {connection}
func (p *parser) model(m *Model) error {
	if err := p.advance(); err != nil {
		return err
	}
	components, interfaces := make(map[string]bool), make(map[string]bool)
	for {
		// A name begins a component or, behind the components, a connection: only the token after it says which.
		at := p.token
		name, err := p.name()
		if err != nil {
			return err
		}
		if p.token.kind == "->" && len(m.Components) > 0 {
			return p.connections(m, name, at, interfaces)
		}
		// Names are checked where they are read, so that the error points at the second declaration.
		if components[name] {
			return p.fault(at, fmt.Errorf("component %q is declared twice", name))
		}
		components[name] = true
		c, err := p.component(name)
		if err != nil {
			return err
		}
		for _, f := range c.Interfaces {
			interfaces[f.Name] = true
		}
		if m.Components = append(m.Components, c); p.token.kind == end {
			return nil
		}
	}
}

// connections = "->" name {name "->" name}, after the first name
func (p *parser) connections(m *Model, from string, at token, interfaces map[string]bool) error {
	for {
		// Both ends must be declared above, so a typing error is not taken for a connection.
		if !interfaces[from] {
			return p.fault(at, fmt.Errorf("%q is no interface", from))
		}
		if err := p.expect("->"); err != nil {
			return err
		}
		at = p.token
		to, err := p.name()
		if err != nil {
			return err
		}
		if !interfaces[to] {
			return p.fault(at, fmt.Errorf("%q is no interface", to))
		}
		m.Connections = append(m.Connections, Connection{from, to})
		if p.token.kind == end {
			return nil
		}
		at = p.token
		if from, err = p.name(); err != nil {
			return err
		}
	}
}

// component = [number] "{" interface {interface} "}", after its name
func (p *parser) component(name string) (Component, error) {
	c := Component{Name: name}
	// The number of a component is not used, see the package comment.
	if p.token.kind == number {
		if err := p.advance(); err != nil {
			return c, err
		}
	}
	if err := p.expect("{"); err != nil {
		return c, err
	}
	// A component without an interface is a fault at its closing brace.
	for len(c.Interfaces) == 0 || p.token.kind != "}" {
		f, err := p.function()
		if err != nil {
			return c, err
		}
		c.Interfaces = append(c.Interfaces, f)
	}
	return c, p.advance()
}

// function = ("in" | "out") name "(" {parameter [","]} ")"
func (p *parser) function() (f Interface, err error) {
	if !p.token.keyword() {
		return f, p.fault(p.token, fmt.Errorf(`%s where "in" or "out" belongs`, p.token))
	}
	f.Incoming = p.token.text == "in"
	if err = p.advance(); err != nil {
		return f, err
	}
	if f.Name, err = p.name(); err != nil {
		return f, err
	}
	if err = p.expect("("); err != nil {
		return f, err
	}
	for p.token.kind != ")" {
		parameter, err := p.parameter()
		if err != nil {
			return f, err
		}
		if f.Parameters = append(f.Parameters, parameter); p.token.kind != "," {
			continue
		}
		if err := p.advance(); err != nil {
			return f, err
		}
		// A comma may be left out between parameters, but none may stand behind the last one.
		if p.token.kind == ")" {
			return f, p.fault(p.token, unexpected(")"))
		}
	}
	return f, p.advance()
}

// parameter = ".." | name {"[]"}
func (p *parser) parameter() (string, error) {
	if p.token.kind == Any {
		return Any, p.advance()
	}
	text, err := p.name()
	// An array of arrays has several pairs.
	for err == nil && p.token.kind == "[]" {
		text += "[]"
		err = p.advance()
	}
	return text, err
}

// keyword reports whether a token is "in" or "out".
func (t token) keyword() bool { return t.kind == word && t.bare && (t.text == "in" || t.text == "out") }

// name = word {"." word}
func (p *parser) name() (string, error) {
	text := ""
	for {
		// A name that is a keyword is most likely a forgotten name, so it is a fault and not read as one.
		if p.token.keyword() {
			return "", p.fault(p.token, unexpected(p.token.text))
		}
		text += p.token.text
		if err := p.expect(word); err != nil {
			return "", err
		}
		if p.token.kind != "." {
			return text, nil
		}
		if err := p.advance(); err != nil {
			return "", err
		}
		text += "."
	}
}
