package ctf

import (
	"encoding/hex"
	"strings"
)

// block reads name { entries } ;. An entry is a declaration, or a path with "=" or ":=", after which the entry
// receives its name and its first token, and must take the rest but for the semicolon.
func (p *parser) block(entry func(name string, at token) error) error {
	if err := p.take(); err != nil {
		return err
	}
	if err := p.need("{"); err != nil {
		return err
	}
	err := p.inner(func() error {
		for !p.is("}") {
			if err := p.entry(entry); err != nil {
				return err
			}
		}
		return p.take()
	})
	if err != nil {
		return err
	}
	return p.need(";")
}

// entry reads one entry of a block up to its semicolon: a declaration of a type, or a name and its value.
func (p *parser) entry(entry func(name string, at token) error) error {
	next, err := p.peek()
	if err != nil {
		return err
	}
	if next.text != "=" && next.text != ":=" && next.text != "." {
		return p.declaration()
	}
	at := p.tok
	names, err := p.path()
	if err != nil {
		return err
	}
	if !p.is("=") && !p.is(":=") {
		return p.unexpected("= or :=")
	}
	p.typed = p.is(":=")
	if err := p.take(); err != nil {
		return err
	}
	if err := entry(strings.Join(names, "."), at); err != nil {
		return err
	}
	return p.need(";")
}

// trace reads the block of what all streams share.
func (p *parser) trace() error {
	m := p.meta
	version := [2]uint64{1, 8}
	at := p.tok
	err := p.block(func(name string, _ token) (err error) {
		switch name {
		case "major":
			version[0], err = p.integer()
		case "minor":
			version[1], err = p.integer()
		case "uuid":
			m.uuid, err = p.uuid()
		case "byte_order":
			m.order, err = p.byteOrder()
		case "packet.header":
			m.header, err = p.structType()
		default:
			err = p.skipValue()
		}
		return err
	})
	if err == nil && version != [2]uint64{1, 8} {
		err = p.fail(at, "expected CTF 1.8, found %d.%d", version[0], version[1])
	}
	if err == nil && m.order == native {
		err = p.fail(at, "the trace does not tell its byte order")
	}
	return err
}

// uuid takes a string of 16 bytes in hexadecimal digits with dashes.
func (p *parser) uuid() (string, error) {
	raw, err := hex.DecodeString(strings.ReplaceAll(p.tok.text, "-", ""))
	if err != nil || len(raw) != 16 {
		return "", p.unexpected("a UUID")
	}
	return string(raw), p.take()
}

// byteOrder reads the byte order of the trace or of a type.
func (p *parser) byteOrder() (byteOrder, error) {
	order := map[string]byteOrder{"le": little, "be": big, "network": big, "native": native}
	o, ok := order[p.tok.text]
	if !ok {
		return native, p.unexpected("le, be, network or native")
	}
	return o, p.take()
}

// structType takes a type that must be a structure.
func (p *parser) structType() (*typ, error) {
	at := p.tok
	t, err := p.fullType()
	if err == nil && t.class != structure {
		err = p.fail(at, "expected a structure")
	}
	return t, err
}

// environment reads the block env. Numbers in it are kept as texts.
func (p *parser) environment() error {
	return p.block(func(name string, _ token) (err error) {
		p.meta.env[name], err = p.value()
		return err
	})
}

// clock reads the block of a clock.
func (p *parser) clock() error {
	c := &clock{freq: 1e9}
	at := p.tok
	err := p.block(func(name string, _ token) (err error) {
		var v uint64
		switch name {
		case "name":
			c.name, err = p.value()
		case "uuid":
			c.uuid, err = p.value()
		case "freq":
			c.freq, err = p.integer()
		case "offset":
			v, err = p.integer()
			c.offset = int64(v)
		case "offset_s":
			v, err = p.integer()
			c.offsetS = int64(v)
		default:
			err = p.skipValue()
		}
		return err
	})
	if err == nil && c.freq == 0 {
		err = p.fail(at, "a clock cannot have a frequency of 0 Hz")
	}
	p.meta.clocks = append(p.meta.clocks, c)
	return err
}

// stream reads the block of a stream.
func (p *parser) stream() error {
	s := &streamClass{events: make(map[uint64]*eventClass), at: p.tok}
	err := p.block(func(name string, _ token) (err error) {
		switch name {
		case "id":
			s.id, err = p.integer()
		case "event.header":
			s.header, err = p.structType()
		case "packet.context":
			s.packetContext, err = p.structType()
		case "event.context":
			s.context, err = p.structType()
		default:
			err = p.skipValue()
		}
		return err
	})
	if err == nil && p.meta.streams[s.id] != nil {
		p.meta.doubles = append(p.meta.doubles, s.at)
	}
	p.meta.streams[s.id] = s
	return err
}

// event reads the block of an event, which belongs to its stream only when all blocks are read.
func (p *parser) event() (*eventClass, error) {
	e := &eventClass{at: p.tok}
	err := p.block(func(name string, _ token) (err error) {
		switch name {
		case "name":
			e.name, err = p.value()
		case "id":
			e.id, err = p.integer()
		case "stream_id":
			e.stream, err = p.integer()
		case "context":
			e.context, err = p.structType()
		case "fields":
			e.fields, err = p.structType()
		default:
			err = p.skipValue()
		}
		return err
	})
	return e, err
}
