package ctf

import (
	"encoding/json"
	"errors"
	"fmt"
)

// fieldClass is a field class of CTF 2 (CTF2-SPEC-2.0, section 5.3): what CTF 1.8 calls a type.
type fieldClass struct {
	alias string // the name of a class that is described elsewhere; no other field counts then

	Type      string   `json:"type"`
	Length    uint64   `json:"length"` // bits, bytes or elements
	ByteOrder string   `json:"byte-order"`
	BitOrder  string   `json:"bit-order"`
	Alignment uint64   `json:"alignment"` // bits
	Minimum   uint64   `json:"minimum-alignment"`
	Roles     []string `json:"roles"`

	Members  []fieldMember `json:"member-classes"`
	Element  *fieldClass   `json:"element-field-class"`
	Optional *fieldClass   `json:"field-class"`
	Options  []fieldMember `json:"options"`
	Ranges   [][2]bound    `json:"selector-field-ranges"` // of an optional field
	LengthAt location      `json:"length-field-location"`
	ChoiceAt location      `json:"selector-field-location"`
}

// fieldMember is a member of a structure or an option of a variant.
type fieldMember struct {
	Name   string      `json:"name"`
	Class  *fieldClass `json:"field-class"`
	Ranges [][2]bound  `json:"selector-field-ranges"` // values of the selector that choose the option
}

// UnmarshalJSON reads a class, or the name of an alias.
func (c *fieldClass) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, &c.alias)
	}
	type plain fieldClass // without this method
	return json.Unmarshal(text, (*plain)(c))
}

// bound is an end of a range, as 64 bits of two's complement.
type bound uint64

// UnmarshalJSON reads an integer with its sign.
func (b *bound) UnmarshalJSON(text []byte) error {
	var v int64
	if json.Unmarshal(text, &v) == nil {
		*b = bound(v)
		return nil
	}
	return json.Unmarshal(text, (*uint64)(b))
}

// location says where a length or a selector stands: the names of fields, behind the part that they are in. In drafts the
// part is the first of the names.
type location []string

// origins are the parts of packets and events as compiler.find calls them.
var origins = map[string]string{
	"packet-header": "trace.packet.header", "packet-context": "stream.packet.context", "event-record-header": "stream.event.header",
	"event-record-common-context": "stream.event.context", "event-record-specific-context": "event.context", "event-record-payload": "event.fields",
}

// UnmarshalJSON reads a location of either form.
func (l *location) UnmarshalJSON(text []byte) error {
	var names []string
	if json.Unmarshal(text, &names) != nil {
		var of struct {
			Origin string   `json:"origin"`
			Path   []string `json:"path"`
		}
		if err := json.Unmarshal(text, &of); err != nil {
			return errors.New("expected the location of a field: an origin and a path of names")
		}
		if names = of.Path; of.Origin != "" {
			names = append([]string{of.Origin}, names...)
		}
	}
	if len(names) > 0 && origins[names[0]] != "" {
		names[0] = origins[names[0]]
	}
	*l = names
	return nil
}

// class makes a type of a field class in a part of a packet or event.
func (p *fragments) class(c *fieldClass, part string) (t *typ, err error) {
	if c == nil {
		return nil, errors.New("a field class is missing")
	}
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("field classes lie more than %d deep in each other", maxDepth)
	}
	defer func() { p.depth-- }()
	if c.alias != "" {
		if p.aliases[c.alias] == nil {
			return nil, fmt.Errorf("no field class before this one is called %.60q", c.alias)
		}
		return p.class(p.aliases[c.alias], part)
	}
	switch c.Type {
	case "structure":
		t, err = p.structureClass(c, part)
	case "variant":
		t, err = p.variantClass(c, part)
	case "optional":
		t, err = p.optionalClass(c, part)
	case "static-length-array", "dynamic-length-array":
		t, err = p.arrayClass(c, part)
	default:
		t, err = p.leaf(c)
	}
	if err != nil {
		return nil, err
	}
	t.at = p.at
	if a := max(t.align, c.Alignment, c.Minimum); a&(a-1) != 0 || a > maxAlign {
		return nil, fmt.Errorf("expected an alignment that is a power of two up to %d, found %d", maxAlign, a)
	} else {
		t.align = max(a, 1)
	}
	p.assignRole(t, c.Roles, part)
	return t, nil
}

// leaf makes the type of a class without classes in it.
func (p *fragments) leaf(c *fieldClass) (*typ, error) {
	t := &typ{class: integer, size: c.Length}
	switch c.Type {
	case "fixed-length-signed-integer", "fixed-length-signed-enumeration":
		t.signed = true
	case "fixed-length-unsigned-integer", "fixed-length-unsigned-enumeration", "fixed-length-boolean", "fixed-length-bit-array", "fixed-length-bit-map":
	case "fixed-length-floating-point-number":
		t.class = floating
	case "variable-length-signed-integer", "variable-length-signed-enumeration":
		return &typ{class: integer, size: 64, align: 8, variable: true, signed: true}, nil
	case "variable-length-unsigned-integer", "variable-length-unsigned-enumeration":
		return &typ{class: integer, size: 64, align: 8, variable: true}, nil
	case "null-terminated-string":
		return &typ{class: characters, align: 8}, nil
	case "static-length-string", "static-length-blob":
		return &typ{class: array, align: 8, length: c.Length, element: &octet}, nil
	case "dynamic-length-string", "dynamic-length-blob":
		return &typ{class: sequence, align: 8, refers: c.LengthAt, element: &octet}, nil
	default:
		return nil, fmt.Errorf("field class %.60q is not known", c.Type)
	}
	if t.class == integer && (t.size == 0 || t.size > 64) || t.size > 1<<10 || t.size == 0 {
		return nil, fmt.Errorf("expected an integer of 1 to 64 bits, found %d", t.size)
	}
	t.order = little
	if c.ByteOrder == "big-endian" {
		t.order = big
	}
	if natural := map[byteOrder]string{little: "first-to-last", big: "last-to-first"}[t.order]; c.BitOrder != "" && c.BitOrder != natural {
		return nil, fmt.Errorf("bits that lie %s in %s integers are not read", c.BitOrder, c.ByteOrder)
	}
	return t, nil
}

// octet is a byte of a string or blob.
var octet = typ{class: integer, size: 8, align: 8, order: little}

// structureClass makes a structure.
func (p *fragments) structureClass(c *fieldClass, part string) (*typ, error) {
	t := &typ{class: structure, align: 1}
	for _, m := range c.Members {
		of, err := p.class(m.Class, part)
		if err != nil {
			return nil, err
		}
		t.members = append(t.members, member{m.Name, of})
		t.align = max(t.align, of.align)
	}
	return t, nil
}

// variantClass makes a variant whose options are chosen by ranges of an integer.
func (p *fragments) variantClass(c *fieldClass, part string) (*typ, error) {
	t := &typ{class: variant, align: 1, refers: c.ChoiceAt, ranges: [][]label{}}
	for _, m := range c.Options {
		of, err := p.class(m.Class, part)
		if err != nil {
			return nil, err
		}
		t.members = append(t.members, member{m.Name, of})
		t.ranges = append(t.ranges, labelsOf(m.Ranges))
	}
	return t, nil
}

// optionalClass makes a variant of an optional field and nothing. A selector without ranges is a boolean.
func (p *fragments) optionalClass(c *fieldClass, part string) (*typ, error) {
	of, err := p.class(c.Optional, part)
	if err != nil {
		return nil, err
	}
	chosen := labelsOf(c.Ranges)
	if c.Ranges == nil {
		chosen = []label{{from: 1, to: 1<<64 - 1}}
	}
	none := &typ{class: structure, align: 1}
	return &typ{
		class: variant, align: 1, refers: c.ChoiceAt,
		members: []member{{"", of}, {"", none}}, ranges: [][]label{chosen, {{to: 1<<64 - 1}, {from: 1 << 63, to: 1<<63 - 1}}},
	}, nil
}

// labelsOf makes labels of ranges, whose names do not matter.
func labelsOf(ranges [][2]bound) []label {
	var out []label
	for _, r := range ranges {
		out = append(out, label{from: uint64(r[0]), to: uint64(r[1])})
	}
	return out
}

// arrayClass makes an array or a sequence.
func (p *fragments) arrayClass(c *fieldClass, part string) (*typ, error) {
	of, err := p.class(c.Element, part)
	if err != nil {
		return nil, err
	}
	if c.Type == "static-length-array" {
		return &typ{class: array, align: of.align, length: c.Length, element: of}, nil
	}
	return &typ{class: sequence, align: of.align, refers: c.LengthAt, element: of}, nil
}

// roleNames are what CTF 1.8 calls the fields that CTF 2 gives roles, whatever their names are.
var roleNames = map[string]string{
	"packet-magic-number": "magic", "data-stream-class-id": "stream_id", "data-stream-id": "stream_instance_id",
	"packet-content-length": "content_size", "packet-total-length": "packet_size", "packet-sequence-number": "packet_seq_num",
	"discarded-event-record-counter-snapshot": "events_discarded", "packet-end-default-clock-timestamp": "timestamp_end",
	"event-record-class-id": "id",
}

// assignRole gives a type the role of its class. Times of event headers show the default clock of their stream.
func (p *fragments) assignRole(t *typ, roles []string, part string) {
	for _, role := range roles {
		switch {
		case roleNames[role] != "":
			t.role = roleNames[role]
		case role == "default-clock-timestamp" && part == "stream.packet.context":
			t.role = "timestamp_begin"
		case role == "default-clock-timestamp":
			t.role, t.clock = "timestamp", p.clock
		}
	}
}
