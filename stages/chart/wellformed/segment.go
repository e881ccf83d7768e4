package wellformed

import (
	"encoding/binary"
	"errors"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// The rows of a slice wait in a file for those of the slices before them. A segment has them in the order of the slice, as
// numbers of variable length (package encoding/binary): most fields are differences to the row before, so that a row of 40
// bytes takes about 10. Absent numbers have a flag.

// flags of a row, below its key.
const (
	hasMark = 1 << iota
	hasPeer
	hasID
	rowFlags = 3
)

// errSegment is the error of bytes that are no segment of that many rows.
var errSegment = errors.New("a slice of the trace is damaged")

// AppendTo appends the rows as a segment.
func (r *Rows) AppendTo(b []byte) []byte {
	var before row
	for i := range r.list {
		e := &r.list[i]
		head := uint64(e.key) << rowFlags
		if e.mark != schema.NoMark {
			head |= hasMark
		}
		if e.peer != schema.NoCode {
			head |= hasPeer
		}
		if e.messageID != schema.NoValue {
			head |= hasID
		}
		b = binary.AppendUvarint(b, head)
		b = binary.AppendVarint(b, e.seq-before.seq)
		b = binary.AppendVarint(b, e.timeNs-before.timeNs)
		before.seq, before.timeNs = e.seq, e.timeNs
		if head&hasMark != 0 {
			b = binary.AppendUvarint(b, uint64(e.mark))
		}
		if head&hasPeer != 0 {
			b = binary.AppendUvarint(b, uint64(e.peer))
		}
		if head&hasID != 0 {
			b = binary.AppendVarint(b, e.messageID-before.messageID)
			before.messageID = e.messageID
		}
	}
	return b
}

// decoder takes numbers off the front of a segment.
type decoder struct {
	data []byte
	bad  bool // it ended too early, or a code is not known
}

func (d *decoder) unsigned() uint64 {
	// Most numbers are short, and this is inlined.
	if len(d.data) > 0 && d.data[0] < 0x80 {
		x := uint64(d.data[0])
		d.data = d.data[1:]
		return x
	}
	return d.long()
}

func (d *decoder) long() uint64 {
	x, n := binary.Uvarint(d.data)
	if n <= 0 {
		d.bad, n = true, len(d.data)
	}
	d.data = d.data[n:]
	return x
}

func (d *decoder) signed() int64 {
	x := d.unsigned()
	return int64(x>>1) ^ -int64(x&1)
}

// code is a code of the slice in those of the union.
func (d *decoder) code(of []uint32, local uint64) uint32 {
	if local >= uint64(len(of)) {
		d.bad = true
		return 0
	}
	return of[local]
}

// Read appends the n rows of a segment, in the codes and sequence numbers of the whole trace.
func (r *Rows) Read(segment []byte, n int, t *Translation) error {
	d := decoder{data: segment}
	r.list = slices.Grow(r.list, n)
	before := row{seq: t.shift}
	for range n {
		e := r.next()
		head := d.unsigned()
		e.key = d.code(t.keys, head>>rowFlags)
		before.seq += d.signed()
		before.timeNs += d.signed()
		e.seq, e.timeNs, e.mark, e.peer, e.messageID = before.seq, before.timeNs, schema.NoMark, schema.NoCode, schema.NoValue
		if head&hasMark != 0 {
			e.mark = d.code(t.marks, d.unsigned())
		}
		if head&hasPeer != 0 {
			e.peer = d.code(t.components, d.unsigned())
		}
		if head&hasID != 0 {
			before.messageID += d.signed()
			e.messageID = before.messageID
		}
	}
	return d.end()
}

// end is the error of a segment that was longer or shorter than its rows.
func (d *decoder) end() error {
	if d.bad || len(d.data) > 0 {
		return errSegment
	}
	return nil
}

// flags of an exchange, above its pattern.
const (
	hasNumber = 1 << (iota + 4)
	hasRequest
	hasTrip
	patternBits = 7 // with the flags
)

// AppendTo appends the exchanges as a segment.
func (x *Exchanges) AppendTo(b []byte) []byte {
	var before message
	for i := range x.list {
		m := &x.list[i]
		head := uint64(m.mark)<<patternBits | uint64(m.pattern)
		if m.id != schema.NoValue {
			head |= hasNumber
		}
		if m.requestSeq != schema.NoValue {
			head |= hasRequest
		}
		if m.roundTripNs != schema.NoValue {
			head |= hasTrip
		}
		b = binary.AppendUvarint(b, head)
		b = binary.AppendUvarint(b, uint64(m.sendKey))
		b = binary.AppendUvarint(b, uint64(m.receiveKey))
		b = binary.AppendUvarint(b, uint64(m.number-before.number))
		b = binary.AppendVarint(b, m.sendSeq-before.sendSeq)
		b = binary.AppendVarint(b, m.sendNs-before.sendNs)
		b = binary.AppendVarint(b, m.receiveSeq-m.sendSeq)
		b = binary.AppendVarint(b, m.receiveNs-m.sendNs)
		before.sendSeq, before.sendNs, before.number = m.sendSeq, m.sendNs, m.number
		if head&hasNumber != 0 {
			b = binary.AppendVarint(b, m.id-before.id)
			before.id = m.id
		}
		if head&hasRequest != 0 {
			b = binary.AppendVarint(b, m.sendSeq-m.requestSeq)
		}
		if head&hasTrip != 0 {
			b = binary.AppendVarint(b, m.roundTripNs)
		}
	}
	return b
}

// Read appends the n exchanges of a segment, as Rows.Read does rows.
func (x *Exchanges) Read(segment []byte, n int, t *Translation) error {
	d := decoder{data: segment}
	x.list = slices.Grow(x.list, n)
	before := message{sendSeq: t.shift}
	for range n {
		m := x.next()
		head := d.unsigned()
		m.mark, m.pattern = d.code(t.marks, head>>patternBits), schema.Pattern(head&(hasNumber-1))
		m.sendKey = d.code(t.keys, d.unsigned())
		m.receiveKey = d.code(t.keys, d.unsigned())
		before.number += int64(d.unsigned())
		before.sendSeq += d.signed()
		before.sendNs += d.signed()
		m.sendSeq, m.sendNs, m.number = before.sendSeq, before.sendNs, before.number
		m.receiveSeq, m.receiveNs = m.sendSeq+d.signed(), m.sendNs+d.signed()
		m.id, m.requestSeq, m.roundTripNs = schema.NoValue, schema.NoValue, schema.NoValue
		if head&hasNumber != 0 {
			before.id += d.signed()
			m.id = before.id
		}
		if head&hasRequest != 0 {
			m.requestSeq = m.sendSeq - d.signed()
		}
		if head&hasTrip != 0 {
			m.roundTripNs = d.signed()
		}
	}
	return d.end()
}

// Len is the number of exchanges.
func (x *Exchanges) Len() int { return len(x.list) }

// AnyOf reports whether one of the exchanges is of these messages.
func (l *CodeTables) AnyOf(x *Exchanges, ids map[MessageID]bool) bool {
	for i := range x.list {
		m := &x.list[i]
		if ids[MessageID{l.names.Series.Name(l.marks[m.mark].series), m.id}] {
			return true
		}
	}
	return false
}
