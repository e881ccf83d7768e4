package ctf

import (
	"math"
	"strconv"

	"github.com/tracelake/tracelake/schema"
)

// attributeFields is how many fields of an event can be attributes.
const attributeFields = 24

// mostTextBytes is how long an array of bytes may be that is taken for a text.
const mostTextBytes = 256

// attributeField is a field that the user asked for, of an event that begins or ends a call.
type attributeField struct {
	name string
	reg  register // where it is
	typ  *typ     // what it is
}

// wantAttributes finds the fields of an event that the user asked for, in its contexts and in its payload: numbers, names of enumerations and texts. A field
// that the reader itself needs is where it is already.
func (t *tracePlan) wantAttributes(p *plan, stream *streamClass, contexts, fields map[string]register) {
	if t.wanted == nil || !p.role.calls() && p.instant == noExecution {
		return
	}
	free := regAttribute
	for _, part := range []struct {
		typ  *typ
		into map[string]register
	}{{p.event.fields, fields}, {p.event.context, contexts}, {stream.context, contexts}} {
		if part.typ == nil || part.into == nil {
			continue
		}
		for _, m := range part.typ.members {
			name := shown(m.name)
			if !t.wanted.Wants([]byte(name)) || !m.typ.isAttribute() {
				continue
			}
			reg, there := part.into[name]
			if !there && free == registers {
				return
			}
			if !there {
				reg = free
				part.into[name] = free
				free++
			}
			p.attributes = append(p.attributes, attributeField{name, reg, m.typ})
		}
	}
}

// isAttribute reports whether a field of a type can be an attribute.
func (t *typ) isAttribute() bool {
	switch t.class {
	case integer, characters:
		return true
	case floating:
		return t.size == 32 || t.size == 64
	case array:
		return t.isText() && t.length <= mostTextBytes
	}
	return false
}

// Attributed implements schema.AttributeReader.
func (r *reader) Attributed() *schema.Attributed {
	a := r.tags.Attributed()
	if a != nil {
		a.Guard = &r.guard
	}
	return a
}

// describeRow gives the row that comes next what the user asked for of the event in hand. Fields of the end of a call are of that event.
func (r *reader) describeRow(s *stream) {
	if len(s.event.attributes) == 0 {
		return
	}
	r.guard.Lock()
	defer r.guard.Unlock()
	set := schema.NoAttributes
	for i := range s.event.attributes {
		f := &s.event.attributes[i]
		set = r.tags.Add(set, []byte(f.name), s.attribute(f), s.position)
	}
	begins := true
	switch s.event.role {
	case roleExit, roleReturn, rolePairExit, roleCallbackEnd, roleRegionLeave:
		begins = false
	}
	r.out.Describe(set, begins)
}

// attribute is a field of the event in hand as a text.
func (s *stream) attribute(f *attributeField) []byte {
	v := s.regs[f.reg]
	switch f.typ.class {
	case characters, array:
		return []byte(s.text(f.reg))
	case floating:
		if f.typ.size == 32 {
			return strconv.AppendFloat(nil, float64(math.Float32frombits(uint32(v))), 'g', -1, 32)
		}
		return strconv.AppendFloat(nil, math.Float64frombits(v), 'g', -1, 64)
	}
	for _, l := range f.typ.labels {
		if l.holds(v, f.typ.signed) {
			return []byte(l.name)
		}
	}
	if f.typ.signed || s.byLine { // a text shows no types
		return strconv.AppendInt(nil, int64(v), 10)
	}
	return strconv.AppendUint(nil, v, 10)
}
