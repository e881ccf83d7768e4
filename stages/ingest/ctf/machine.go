package ctf

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// status is the result of a program.
type status uint8

const (
	done    status = iota
	short          // the window ends before the event does
	bad            // the event reaches past the content of its packet, or is none
	unknown        // the event has a number that the metadata do not describe
)

// machine runs programs on the bytes of a window. Positions are bits from the start of the packet.
type machine struct {
	buf   []byte // with loadSlack bytes that may be read behind those that count
	delta int    // add it to a byte of the packet to get its place in buf
	pos   uint64 // of the next step
	end   uint64 // of what the window holds
	limit uint64 // of the packet's content; at most the end, or beyond it where the window must move on

	timeBits uint8             // of the value in regTime
	regs     [registers]uint64 // values of the event in hand that the reader wants
	slots    []uint64          // values that lengths and tags refer to
}

// loadSlack is the number of bytes that a load may reach beyond its own last one.
const loadSlack = 8

// run executes a program from the position on, up to the first step that cannot be done.
func (m *machine) run(program []op) status {
	for i := range program {
		if s := m.step(&program[i]); s != done {
			return s
		}
	}
	return done
}

// step executes one step. It checks both bounds: of the packet, which makes an event bad, and of the window, which moves on.
func (m *machine) step(o *op) status {
	switch o.code {
	case opAlign:
		m.pos = (m.pos + o.n - 1) &^ (o.n - 1)
	case opSkip:
		return m.skip(o.n, 1)
	case opInteger:
		return m.integer(o)
	case opVariable:
		return m.variable(o)
	case opText:
		return m.text(o)
	case opMark:
		m.regs[o.reg] = m.pos >> 3
	case opRepeat:
		return m.repeat(o.n, o.body)
	case opCount:
		if o.body == nil {
			return m.skip(o.n, m.slots[o.slot])
		}
		return m.repeat(m.slots[o.slot], o.body)
	case opChoose:
		body, ok := o.choose(m.slots[o.slot])
		if !ok {
			return bad
		}
		return m.run(body)
	}
	return done
}

// skip passes over count times size bits.
func (m *machine) skip(size, count uint64) status {
	over, n := bits.Mul64(size, count)
	if over != 0 || m.pos > m.limit || n > m.limit-m.pos {
		return bad
	}
	if m.pos+n > m.end {
		return short
	}
	m.pos += n
	return done
}

// unlimited is the limit of a packet that ends with its file.
const unlimited = 1 << 62

// integer reads an integer into its slot and register.
func (m *machine) integer(o *op) status {
	from := m.pos
	if s := m.skip(o.n, 1); s != done {
		return s
	}
	v := m.load(from, o.n, o.big)
	m.keep(o, v, uint8(o.n))
	return done
}

// variable reads an integer of 7 bits a byte, the lowest first; the highest bit of a byte says that another one follows.
func (m *machine) variable(o *op) status {
	v, n := uint64(0), uint64(0)
	for more := true; more; n += 7 {
		from := m.pos
		if s := m.skip(8, 1); s != done {
			return s
		}
		b := m.load(from, 8, false)
		if n >= o.n {
			return bad
		}
		v |= b & 0x7f << n
		more = b&0x80 != 0
	}
	m.keep(o, v, uint8(min(n, 64)))
	return done
}

// keep puts an integer of some bits into its slot and register.
func (m *machine) keep(o *op, v uint64, width uint8) {
	if o.signed {
		v = uint64(int64(v<<(64-width)) >> (64 - width))
	}
	if o.slot >= 0 {
		m.slots[o.slot] = v
	}
	if o.reg != regNone {
		m.regs[o.reg] = v
		if o.reg == regTime {
			m.timeBits = width
		}
	}
}

// load reads n bits, at most 64. They may lie in nine bytes.
func (m *machine) load(at, n uint64, big bool) uint64 {
	b := m.buf[int(at>>3)+m.delta:]
	shift, mask := at&7, uint64(1)<<n-1 // n == 64: all ones
	if !big {
		v := binary.LittleEndian.Uint64(b) >> shift
		if shift+n > 64 {
			v |= uint64(b[8]) << (64 - shift)
		}
		return v & mask
	}
	v := binary.BigEndian.Uint64(b)
	if shift+n > 64 {
		over := shift + n - 64
		return (v<<over | uint64(b[8])>>(8-over)) & mask
	}
	return v >> (64 - shift - n) & mask
}

// text passes over a string.
func (m *machine) text(o *op) status {
	from, to := m.pos>>3, min(m.end, m.limit)>>3
	if from >= to {
		return m.none()
	}
	n := bytes.IndexByte(m.buf[int(from)+m.delta:int(to)+m.delta], 0)
	if n < 0 {
		return m.none()
	}
	m.regs[o.reg] = from
	m.pos = (from + uint64(n) + 1) * 8
	return done
}

// none is the status where what is looked for is not in the window.
func (m *machine) none() status {
	if m.end >= m.limit {
		return bad
	}
	return short
}

// repeat runs a body. One that takes no bits changes nothing when it runs again.
func (m *machine) repeat(count uint64, body []op) status {
	for range count {
		from := m.pos
		if s := m.run(body); s != done {
			return s
		}
		if m.pos == from {
			break
		}
		if m.pos > m.limit {
			return bad
		}
	}
	return done
}
