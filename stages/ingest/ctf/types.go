package ctf

import "slices"

// class is the kind of a type.
type class uint8

const (
	integer class = iota
	floating
	characters // a string that ends in a zero byte
	structure
	variant
	array
	sequence
)

// byteOrder is that of an integer. Types may be described before the trace says its own order.
type byteOrder uint8

const (
	native byteOrder = iota
	little
	big
)

// typ is a type of the metadata. Types are shared by all that name them and do not change once they are parsed.
type typ struct {
	class  class     // which of the fields below count
	align  uint64    // bits, a power of two
	size   uint64    // bits of an integer or floating point number
	signed bool      // of an integer: two's complement
	order  byteOrder // of an integer or floating point number
	clock  string    // of an integer: the clock that it shows, or ""
	labels []label   // of an enumeration, which is an integer otherwise
	enum   bool      // an integer with labels

	variable bool   // of an integer: in bytes of 7 bits, the lowest first (LEB128), and size is the most it has
	role     string // the name in CTF 1.8 of a field of this meaning, where its own name says nothing; or ""

	members []member  // of a structure or variant
	ranges  [][]label // by member, of a variant that values and no labels choose from
	element *typ      // of an array or sequence
	length  uint64    // of an array
	refers  []string  // where the length of a sequence or the tag of a variant stands
	at      token     // where that is said
}

// member is a field of a structure, or an alternative of a variant.
type member struct {
	name string // as written
	typ  *typ   // shared, see typ
}

// is reports whether a member is the field that CTF 1.8 knows by a name.
func (m member) is(name string) bool { return shown(m.name) == name || m.typ.role == name }

// label is a name for a range of values of an enumeration, both ends included. The values of signed ones are
// stored as two's complement.
type label struct {
	name     string // as written
	from, to uint64 // both included
}

// holds reports whether a value lies in the label's range.
func (l label) holds(value uint64, signed bool) bool {
	if signed {
		return int64(l.from) <= int64(value) && int64(value) <= int64(l.to)
	}
	return l.from <= value && value <= l.to
}

// shown is the name of a field: one underscore at its beginning is an escape that keeps it off the keywords.
func shown(name string) string {
	if len(name) > 1 && name[0] == '_' {
		return name[1:]
	}
	return name
}

// same compares names exactly, or else as shown.
func same(a, b string, exactly bool) bool {
	if exactly {
		return a == b
	}
	return shown(a) == shown(b)
}

// field reports whether a structure has a field; nil has none.
func (t *typ) field(name string) bool { return t.member(name) != nil }

// member returns the type of a structure's field, or nil.
func (t *typ) member(name string) *typ {
	if t != nil {
		for _, m := range t.members {
			if m.is(name) {
				return m.typ
			}
		}
	}
	return nil
}

// mentions reports whether a type has a field of a name anywhere within it.
func (t *typ) mentions(name string) bool {
	return slices.ContainsFunc(t.members, func(m member) bool { return m.is(name) || m.typ.mentions(name) })
}

// clock turns cycles into time.
type clock struct {
	name    string // as fields refer to it
	uuid    string // "" where it has none
	freq    uint64 // Hz
	offset  int64  // cycles
	offsetS int64  // seconds
}

// streamClass and eventClass are the blocks stream and event.
type streamClass struct {
	id                             uint64                 // number in the headers of packets, 0 where they have none
	header, packetContext, context *typ                   // nil: none
	events                         map[uint64]*eventClass // by number
	at                             token                  // where it is described
}

// eventClass is a block event: a kind of events of a stream.
type eventClass struct {
	name            string // usually provider:event
	id, stream      uint64 // number within its stream, and number of this
	context, fields *typ   // nil: none
	at              token  // where it is described, for losses
	plan            *plan  // of a text: what it is compiled to
}

// metadata is all that a trace says about itself.
type metadata struct {
	file    string                  // its name, for errors
	order   byteOrder               // of all types without their own
	uuid    string                  // 16 bytes, or "" for none
	header  *typ                    // of packets
	env     map[string]string       // what the tracer tells of itself, such as hostname and procname
	clocks  []*clock                // in the order of the text
	streams map[uint64]*streamClass // by number
	doubles []token                 // what was described twice
}
