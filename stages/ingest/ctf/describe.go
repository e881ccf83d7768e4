package ctf

import "slices"

// maxAlign bounds alignments, in bits.
const maxAlign = 1 << 16

// attributes reads { name = value; ... } of a type.
func (p *parser) attributes(set func(name string) error) error {
	if err := p.need("{"); err != nil {
		return err
	}
	for !p.is("}") {
		name, err := p.word()
		if err != nil {
			return err
		}
		if err := p.need("="); err != nil {
			return err
		}
		if err := set(name); err != nil {
			return err
		}
		if err := p.need(";"); err != nil {
			return err
		}
	}
	return p.take()
}

// integerType reads integer { size = 32; align = 8; signed = true; byte_order = be; map = clock.x.value; }. Tracers of kernels describe thousands
// of fields so, by a few texts, each of which is read once.
func (p *parser) integerType() (*typ, error) {
	text := p.braced()
	if t := p.integers[text]; t != nil {
		p.at += len(text) + 1
		return t, p.take()
	}
	t, err := p.newInteger()
	if err == nil && text != "" {
		p.integers[text] = t
	}
	return t, err
}

// braced returns what stands between the brace in hand and the one that closes it, where that is on one line and has neither quotes nor comments;
// else nothing.
func (p *parser) braced() string {
	if !p.is("{") || len(p.ahead) > 0 {
		return ""
	}
	for i := p.at; i < len(p.src); i++ {
		switch p.src[i] {
		case '}':
			return p.src[p.at:i]
		case '\n', '"', '\'', '/':
			return ""
		}
	}
	return ""
}

// newInteger reads the description of an integer.
func (p *parser) newInteger() (*typ, error) {
	t := &typ{class: integer}
	at := p.tok
	err := p.attributes(func(name string) (err error) {
		switch name {
		case "size":
			t.size, err = p.integer()
		case "align":
			t.align, err = p.alignment()
		case "signed":
			t.signed, err = p.boolean()
		case "byte_order":
			t.order, err = p.byteOrder()
		case "map":
			t.clock, err = p.clockName()
		default:
			_, err = p.value()
		}
		return err
	})
	if err == nil && (t.size == 0 || t.size > 64) {
		err = p.fail(at, "expected an integer of 1 to 64 bits, found %d", t.size)
	}
	t.defaultAlign()
	return t, err
}

// defaultAlign is that of numbers: a byte where they are whole bytes.
func (t *typ) defaultAlign() {
	if t.align == 0 {
		t.align = 1
		if t.size%8 == 0 {
			t.align = 8
		}
	}
}

// boolean reads a truth value in one of the ways of TSDL.
func (p *parser) boolean() (bool, error) {
	switch p.tok.text {
	case "true", "TRUE", "1":
		return true, p.take()
	case "false", "FALSE", "0":
		return false, p.take()
	}
	return false, p.unexpected("true or false")
}

// alignment reads a number of bits that must be a power of two.
func (p *parser) alignment() (uint64, error) {
	at := p.tok
	n, err := p.integer()
	if err == nil && (n == 0 || n&(n-1) != 0 || n > maxAlign) {
		err = p.fail(at, "expected an alignment that is a power of two up to %d, found %d", maxAlign, n)
	}
	return n, err
}

// clockName takes clock.NAME.value.
func (p *parser) clockName() (string, error) {
	at := p.tok
	names, err := p.path()
	if err == nil && (len(names) != 3 || names[0] != "clock" || names[2] != "value") {
		err = p.fail(at, "expected clock.NAME.value")
	}
	if err != nil {
		return "", err
	}
	return names[1], nil
}

// floatingType reads the description of a floating point number, whose digits add up to its size.
func (p *parser) floatingType() (*typ, error) {
	t := &typ{class: floating}
	at := p.tok
	err := p.attributes(func(name string) (err error) {
		var n uint64
		switch name {
		case "exp_dig", "mant_dig":
			if n, err = p.integer(); n > 128 {
				n = 0
			}
			t.size += n
		case "align":
			t.align, err = p.alignment()
		default:
			_, err = p.value()
		}
		return err
	})
	if err == nil && t.size == 0 {
		err = p.fail(at, "expected a floating point number of up to 128 digits each")
	}
	t.defaultAlign()
	return t, err
}

// stringType reads the description of a string. Its encoding does not matter here.
func (p *parser) stringType() (*typ, error) {
	t := &typ{class: characters, align: 8}
	if !p.is("{") {
		return t, nil
	}
	return t, p.attributes(func(string) error {
		_, err := p.value()
		return err
	})
}

// tag takes a name that is given to a described type, or nothing, and says what it is kept under.
func (p *parser) tag(keyword string) (string, error) {
	if p.tok.kind != word || p.is("align") {
		return "", nil
	}
	name, err := p.word()
	return keyword + " " + name, err
}

// members reads { fields }.
func (p *parser) members() ([]member, error) {
	var out []member
	if err := p.need("{"); err != nil {
		return nil, err
	}
	for !p.is("}") {
		switch p.tok.text {
		case "typealias", "typedef":
			if err := p.declaration(); err != nil {
				return nil, err
			}
			continue
		}
		fields, err := p.declarators()
		if err != nil {
			return nil, err
		}
		out = append(out, fields...)
	}
	return out, p.take()
}

// structure reads struct [name] [{ fields }] [align(n)].
func (p *parser) structure() (*typ, error) {
	at := p.tok
	name, err := p.tag("struct")
	if err != nil {
		return nil, err
	}
	if !p.is("{") {
		return p.named(name, at)
	}
	t := &typ{class: structure, align: 1}
	if t.members, err = p.members(); err != nil {
		return nil, err
	}
	if p.is("align") {
		if err := p.need("align", "("); err != nil {
			return nil, err
		}
		if t.align, err = p.alignment(); err != nil {
			return nil, err
		}
		if err := p.need(")"); err != nil {
			return nil, err
		}
	}
	for _, m := range t.members {
		t.align = max(t.align, m.typ.align)
	}
	p.keep(name, t)
	return t, nil
}

// keep gives a described type its name, in the scope around its own.
func (p *parser) keep(name string, t *typ) {
	if name != "" {
		p.names.outer.keep(name, t)
	}
}

// variant reads variant [name] [<tag>] [{ fields }].
func (p *parser) variant() (*typ, error) {
	at := p.tok
	name, err := p.tag("variant")
	if err != nil {
		return nil, err
	}
	t := &typ{class: variant, align: 1, at: p.tok}
	if p.is("<") {
		if err := p.take(); err != nil {
			return nil, err
		}
		if t.refers, err = p.path(); err != nil {
			return nil, err
		}
		if err := p.need(">"); err != nil {
			return nil, err
		}
	}
	if !p.is("{") {
		known, err := p.named(name, at)
		if err != nil {
			return nil, err
		}
		t.members = known.members
		if t.refers == nil {
			t.refers = known.refers
		}
		return t, nil
	}
	t.members, err = p.members()
	p.keep(name, t)
	return t, err
}

// enumeration reads enum [name] [: integer] [{ labels }].
func (p *parser) enumeration() (*typ, error) {
	at := p.tok
	name, err := p.tag("enum")
	if err != nil {
		return nil, err
	}
	base := p.names.find("int")
	if p.is(":") {
		if err := p.take(); err != nil {
			return nil, err
		}
		if base, err = p.fullType(); err != nil {
			return nil, err
		}
	}
	if !p.is("{") {
		return p.named(name, at)
	}
	if base == nil || base.class != integer {
		return nil, p.fail(at, "expected the integer type of an enumeration")
	}
	t := *base
	t.enum = true
	if t.labels, err = p.labels(); err != nil {
		return nil, err
	}
	p.keep(name, &t)
	return &t, nil
}

// labels reads { a, b = 3, c = 4 ... 9, "d" }. One without a value goes on after the one before it.
func (p *parser) labels() ([]label, error) {
	var out []label
	if err := p.need("{"); err != nil {
		return nil, err
	}
	next := uint64(0)
	for !p.is("}") {
		if p.tok.kind != word && p.tok.kind != text {
			return nil, p.unexpected("a label")
		}
		l := label{name: p.tok.text, from: next, to: next}
		if err := p.take(); err != nil {
			return nil, err
		}
		if err := p.labelRange(&l); err != nil {
			return nil, err
		}
		next = l.to + 1
		out = append(out, l)
		if more, err := p.accept(","); err != nil || !more {
			if err != nil {
				return nil, err
			}
			break
		}
	}
	return slices.Clip(out), p.need("}")
}

// labelRange reads the values of a label: one, or two with "..." between them.
func (p *parser) labelRange(l *label) error {
	given, err := p.accept("=")
	if err != nil || !given {
		return err
	}
	if l.from, err = p.integer(); err != nil {
		return err
	}
	l.to = l.from
	to, err := p.accept("...")
	if err != nil || !to {
		return err
	}
	l.to, err = p.integer()
	return err
}
