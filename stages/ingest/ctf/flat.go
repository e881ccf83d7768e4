package ctf

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// flat is an event all of which lies at known distances from its beginning, of which only what is wanted is
// loaded. A header that chooses its own layout by the event's number is flat for each number of its own. One that has an escape in
// the place of great numbers, which stand behind it then, as LTTng's do, is flat for each number a second time.
type flat struct {
	plan     *plan   // what to do with the event
	bits     uint64  // length with its header
	time     probe   // where the bits of the clock are
	timeBits uint8   // how many these are
	probes   []probe // of the further registers
}

// flatTable finds flat events whose headers have one layout.
type flatTable struct {
	id     *idProbe // where the number is; nil where no event is flat
	direct []*flat  // by number; nil where an event is not flat
}

// idProbe is a load of the number of an event.
type idProbe struct {
	probe
	end uint64 // of its last bit, from the beginning of the event
}

// add puts an event into the table.
func (t *flatTable) add(id uint64, at *idProbe, f *flattener, p *plan) {
	f.flat.plan = p
	t.id = at
	t.direct = append(t.direct, make([]*flat, max(0, int(id)+1-len(t.direct)))...)
	t.direct[id] = &f.flat
}

// probe is a load of at most 64 bits within eight bytes.
type probe struct {
	at    int32    // bytes from the beginning of the event
	shift uint8    // bits to the right after the load
	sign  uint8    // how far its sign bit lies from the left; 0: unsigned
	big   bool     // bytes are reversed first
	text  bool     // the register takes the place, not what is there
	reg   register // where the value goes
	mask  uint64   // of its bits
}

// load reads the value from the bytes of an event, behind which loadSlack bytes can be read.
func (p *probe) load(buf []byte) uint64 {
	v := binary.LittleEndian.Uint64(buf[p.at:])
	if p.big {
		v = bits.ReverseBytes64(v)
	}
	v = v >> p.shift & p.mask
	if p.sign != 0 {
		v = uint64(int64(v<<p.sign) >> p.sign)
	}
	return v
}

// flattener lays out programs at known distances.
type flattener struct {
	id      uint64   // of the event
	tag     uint64   // what its header has first: the id, or an escape
	escaped bool     // it is an escape
	tagSlot int32    // where it is; -1 before
	align   uint64   // of the beginning, bits
	at      uint64   // bits from the beginning of the event
	flat    flat     // as far as it is laid out
	first   *idProbe // of the tag
	second  *idProbe // of the id behind an escape
	budget  int      // steps that are left, see maxFlat
}

// maxFlat bounds the steps and the distances of a flat event.
const (
	maxFlat      = 512
	maxFlatBits  = 1 << 16
	maxFlatEvent = 1 << 16 // numbers of events that may be flat
)

// escapeOf returns the tag that says that the number of an event stands behind it, if headers have one.
func escapeOf(header []op) (tag uint64, has bool) {
	isID := func(o op) bool { return o.code == opInteger && o.reg == regID }
	first := slices.IndexFunc(header, isID)
	if first < 0 {
		return 0, false
	}
	for i := range header[first:] {
		o := &header[first+i]
		if o.code != opChoose || o.slot != header[first].slot {
			continue
		}
		for _, c := range o.choices {
			if slices.ContainsFunc(c.body, isID) && len(c.labels) == 1 && c.labels[0].from == c.labels[0].to {
				return c.labels[0].from, true
			}
		}
	}
	return 0, false
}

// flatten lays out an event of number id behind a tag, or says that it cannot.
func flatten(id, tag uint64, escaped bool, align uint64, programs ...[]op) (*flattener, bool) {
	f := &flattener{id: id, tag: tag, escaped: escaped, tagSlot: -1, align: align, budget: maxFlat}
	if align%8 != 0 {
		return nil, false
	}
	for _, p := range programs {
		if !f.program(p) {
			return nil, false
		}
	}
	f.flat.bits = f.at
	return f, f.first != nil && (f.second != nil) == escaped && f.flat.timeBits != 0
}

// program lays out steps; false where one has no fixed length or place.
func (f *flattener) program(ops []op) bool {
	for i := range ops {
		if f.budget--; f.budget < 0 || f.at > maxFlatBits || !f.step(&ops[i]) {
			return false
		}
	}
	return true
}

// step lays out one step. Strings and sequences have no fixed length, so an event with one before a wanted field is not flat.
func (f *flattener) step(o *op) bool {
	switch o.code {
	case opAlign:
		f.at = (f.at + o.n - 1) &^ (o.n - 1)
		return o.n <= f.align
	case opSkip:
		f.at += o.n
		return o.n <= maxFlatBits
	case opMark:
		f.flat.probes = append(f.flat.probes, probe{at: int32(f.at / 8), text: true, reg: o.reg})
		return true
	case opInteger:
		return f.integer(o)
	case opRepeat:
		for range o.n {
			if !f.program(o.body) || len(o.body) == 0 {
				return len(o.body) == 0
			}
		}
		return true
	case opChoose:
		body, ok := o.choose(f.tag)
		return ok && o.slot == f.tagSlot && f.program(body)
	}
	return false
}

// integer makes a probe of an integer that is wanted. Nine bytes, which an integer of 58 bits or more can touch, are no probe.
func (f *flattener) integer(o *op) bool {
	shift := f.at % 8
	p := probe{at: int32(f.at / 8), reg: o.reg, big: o.big, mask: uint64(1)<<o.n - 1, shift: uint8(shift)}
	if o.big {
		p.shift = uint8(64 - shift - o.n)
	}
	if o.signed {
		p.sign = uint8(64 - o.n)
	}
	f.at += o.n
	if o.reg == regNone {
		return true
	}
	if shift+o.n > 64 {
		return false
	}
	switch o.reg {
	case regID:
		return !o.signed && f.number(&idProbe{p, f.at}, o.slot)
	case regTime:
		if f.flat.timeBits != 0 {
			return false
		}
		f.flat.time, f.flat.timeBits = p, uint8(o.n)
	default:
		f.flat.probes = append(f.flat.probes, p)
	}
	return true
}

// number lays out the tag, or the number behind an escape.
func (f *flattener) number(p *idProbe, slot int32) bool {
	switch {
	case f.first == nil:
		f.first, f.tagSlot = p, slot
		return f.tag <= p.mask
	case f.escaped && f.second == nil:
		f.second = p
		return f.id <= p.mask
	}
	return false
}
