package ctf

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// maxOps bounds the programs of a trace: types may be shared so often that written out they have no end.
const maxOps = 1 << 18

// compiler turns types into programs. It holds the parts that are compiled so far, as lengths and tags of later
// ones may stand in them.
type compiler struct {
	meta  *metadata // of the trace
	parts []part    // in the order in which they lie in a packet or event
	slots int32     // given so far: every integer has one, as any may be a length or tag
	ops   int       // steps so far, for maxOps
}

// part is one of the structures that a packet or event consists of.
type part struct {
	name string              // as references have it
	root *node               // the structure
	deep bool                // registers are found at any depth, not only in the structure itself
	want map[string]register // registers by the names of fields
}

// node is a field that references may name.
type node struct {
	name string // as written
	typ  *typ
	slot int32   // of an integer; -1 for other types
	kids []*node // fields, in their order
	up   *node   // the structure that it is in; nil for the root of a part
}

// fork is a compiler that goes on from here, without a word to this one.
func (c *compiler) fork() *compiler {
	next := *c
	next.parts = append([]part(nil), c.parts...)
	return &next
}

// part compiles a structure; nil has no steps.
func (c *compiler) part(name string, t *typ, deep bool, want map[string]register) ([]op, error) {
	if t == nil {
		return nil, nil
	}
	p := part{name: name, root: &node{typ: t, slot: -1}, deep: deep, want: want}
	out, err := c.emit(nil, &p, p.root)
	c.parts = append(c.parts, p)
	return out, err
}

// fail returns an error at a place of the metadata.
func (c *compiler) fail(at token, err error) error {
	return &schema.SyntaxError{File: c.meta.file, Line: at.line, Col: at.col, Err: err}
}

// emit appends the steps of a field.
func (c *compiler) emit(out []op, p *part, n *node) ([]op, error) {
	if c.ops++; c.ops > maxOps {
		return nil, c.fail(n.typ.at, errors.New("the types of the trace are too large"))
	}
	if n.typ.align > 1 {
		out = append(out, op{code: opAlign, n: n.typ.align})
	}
	switch n.typ.class {
	case integer:
		n.slot = c.slots
		c.slots++
		if n.typ.variable {
			return append(out, op{code: opVariable, n: n.typ.size, slot: n.slot, reg: p.register(n), signed: n.typ.signed}), nil
		}
		return append(out, op{code: opInteger, n: n.typ.size, slot: n.slot, reg: p.register(n),
			big: c.big(n.typ), signed: n.typ.signed}), nil
	case floating:
		if reg := p.register(n); reg != regNone {
			return append(out, op{code: opInteger, n: n.typ.size, slot: -1, reg: reg, big: c.big(n.typ)}), nil
		}
		return append(out, op{code: opSkip, n: n.typ.size}), nil
	case characters:
		return append(out, op{code: opText, reg: p.register(n)}), nil
	case structure:
		return c.members(out, p, n)
	case variant:
		return c.variant(out, p, n)
	}
	return c.elements(out, p, n)
}

// big reports whether a type has its most significant byte first, by itself or as the trace has it.
func (c *compiler) big(t *typ) bool {
	return t.order == big || t.order == native && c.meta.order == big
}

// register is where a field's value is wanted.
func (p *part) register(n *node) register {
	if n.up == nil || !p.deep && n.up != p.root {
		return regNone
	}
	if p.deep && n.typ.clock != "" {
		return regTime
	}
	if reg := p.want[n.typ.role]; reg != regNone {
		return reg
	}
	return p.want[shown(n.name)]
}

// members compiles a structure: its fields, one after the other.
func (c *compiler) members(out []op, p *part, n *node) (_ []op, err error) {
	for _, m := range n.typ.members {
		kid := &node{name: m.name, typ: m.typ, slot: -1, up: n}
		if out, err = c.emit(out, p, kid); err != nil {
			return nil, err
		}
		n.kids = append(n.kids, kid)
	}
	return out, nil
}

// variant compiles a choice of members by the value of a tag: an enumeration whose labels name the members, or an integer
// of whose values each member has its own.
func (c *compiler) variant(out []op, p *part, n *node) ([]op, error) {
	tag, err := c.find(p, n)
	if err != nil {
		return nil, err
	}
	if !tag.typ.enum && n.typ.ranges == nil || tag.typ.class != integer {
		return nil, c.fail(n.typ.at, errors.New("the tag of a variant must be an enumeration"))
	}
	o := op{code: opChoose, slot: tag.slot, signed: tag.typ.signed}
	for i, m := range n.typ.members {
		kid := &node{name: m.name, typ: m.typ, slot: -1, up: n}
		body, err := c.emit(nil, p, kid)
		if err != nil {
			return nil, err
		}
		n.kids = append(n.kids, kid)
		values := tag.typ.named(m.name)
		if n.typ.ranges != nil {
			values = n.typ.ranges[i]
		}
		o.choices = append(o.choices, choice{values, body})
	}
	return append(out, o), nil
}

// named returns the labels of a name: those that are written alike, or else those that are shown alike.
func (t *typ) named(name string) []label {
	for _, exactly := range []bool{true, false} {
		var out []label
		for _, l := range t.labels {
			if same(l.name, name, exactly) {
				out = append(out, l)
			}
		}
		if out != nil {
			return out
		}
	}
	return nil
}

// elements compiles an array or a sequence. Numbers that lie side by side are passed over in one step.
func (c *compiler) elements(out []op, p *part, n *node) ([]op, error) {
	t := n.typ
	o := op{code: opRepeat, n: t.length}
	if t.class == sequence {
		length, err := c.find(p, n)
		if err != nil {
			return nil, err
		}
		if length.typ.class != integer || length.typ.signed {
			return nil, c.fail(t.at, errors.New("the length of a sequence must be an unsigned integer"))
		}
		o = op{code: opCount, slot: length.slot}
	}
	e := t.element
	if plain := e.class == integer && !e.variable || e.class == floating; plain && e.size%e.align == 0 {
		return c.plain(out, o, p, n)
	}
	body, err := c.emit(nil, p, &node{typ: e, slot: -1, up: n})
	o.body = body
	return append(out, o), err
}

// plain compiles an array of numbers that leave no gaps. Nobody refers to them, so they are skipped; an array of bytes may
// be a text that the reader wants, and its place is noted.
func (c *compiler) plain(out []op, o op, p *part, n *node) ([]op, error) {
	e := n.typ.element
	if o.code == opCount {
		o.n = e.size
		return append(out, o), nil
	}
	if n.typ.length > math.MaxInt64/e.size {
		return nil, c.fail(n.typ.at, errors.New("the array is too long"))
	}
	size := n.typ.length * e.size
	if reg := p.register(n); reg != regNone && n.typ.isText() {
		out = append(out, op{code: opMark, reg: reg, n: size})
	}
	return append(out, op{code: opSkip, n: size}), nil
}

// isText reports whether an array may be a text: of bytes, each of which lies at a byte.
func (t *typ) isText() bool {
	return t.element.class == integer && t.element.size == 8 && t.element.align%8 == 0
}

// find returns the field that gives the length or the tag of n.
func (c *compiler) find(p *part, n *node) (*node, error) {
	names := n.typ.refers
	if full := strings.Join(names, "."); len(names) > 0 {
		for _, q := range append(c.parts, *p) {
			if rest, ok := strings.CutPrefix(full, q.name+"."); ok {
				if found := q.root.descend(strings.Split(rest, ".")); found != nil {
					return found, nil
				}
			}
		}
		// Names are looked up from the inside out, then in the parts before, the nearest first.
		for up := n.up; up != nil; up = up.up {
			if found := up.descend(names); found != nil {
				return found, nil
			}
		}
		for i := len(c.parts) - 1; i >= 0; i-- {
			if found := c.parts[i].root.descend(names); found != nil {
				return found, nil
			}
		}
	}
	return nil, c.fail(n.typ.at, fmt.Errorf("no field before this one is called %.60q", strings.Join(names, ".")))
}

// descend follows names from field to field. Of fields of one name the last one counts.
func (n *node) descend(names []string) *node {
	for _, name := range names {
		next := n.kid(name)
		if next == nil {
			return nil
		}
		n = next
	}
	return n
}

// kid returns the field of a name among those before, written alike or else shown alike.
func (n *node) kid(name string) *node {
	for _, exactly := range []bool{true, false} {
		for i := len(n.kids) - 1; i >= 0; i-- {
			if same(n.kids[i].name, name, exactly) {
				return n.kids[i]
			}
		}
	}
	return nil
}
