package spans

import (
	"cmp"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/jsontext"
)

// Attributes of spans are kept where the user asks for them. A span has no field for its set of attributes, as most readings keep
// none: it has a code of its own for its name together with the set.

// named is what the code of a name with attributes stands for.
type named struct {
	name uint32 // code of the name alone
	set  schema.AttributeSet
}

// Wants reports whether the user asked for an attribute of spans of this name.
func (c *Collector) Wants(attribute []byte) bool { return c.tags.Wants(attribute) }

// WantsAny reports whether the user asked for any attribute.
func (c *Collector) WantsAny() bool { return c.tags != nil }

// Tag returns the set with an attribute more.
func (c *Collector) Tag(set schema.AttributeSet, attribute, value []byte, at func(error) *schema.SyntaxError) schema.AttributeSet {
	return c.tags.Add(set, attribute, value, func() string { return at(errAttribute).Error() })
}

// TagText takes an attribute whose value is the one in hand of a text of JSON. A value that is null, a list or an object is left.
func (c *Collector) TagText(set schema.AttributeSet, attribute []byte, j *jsontext.Reader, at func(error) *schema.SyntaxError) schema.AttributeSet {
	if value := ValueText(j); len(value) > 0 {
		return c.Tag(set, attribute, value, at)
	}
	return set
}

// ValueText takes a text, a number, or true or false; nothing of any other value, which is left.
func ValueText(j *jsontext.Reader) []byte {
	if j.Kind() != jsontext.Bool {
		return Text(j)
	}
	is, err := j.Bool()
	switch {
	case err != nil:
		return nil
	case is:
		return []byte("true")
	}
	return []byte("false")
}

// Attributed gives a span its attributes, once all of them, its ids and its name are known, and before Add.
func (c *Collector) Attributed(s *Span, set schema.AttributeSet) {
	if c.traceIDs && s.Parent == 0 && s.Identified() {
		set = c.tags.Add(set, []byte(schema.TraceIDAttribute), c.appendTraceID(nil, s.Trace), func() string { return s.String() })
	}
	if set == schema.NoAttributes {
		return
	}
	name := cmp.Or(s.Name, c.noName)
	key := uint64(name)<<32 | uint64(set)
	code, known := c.tagged[key]
	if !known {
		code = uint32(len(c.names))
		c.names = append(c.names, c.names[name])
		c.tagged[key], c.named[code] = code, named{name, set}
	}
	s.Name = code
}

// plainName takes a code of a name with attributes apart; other codes have none.
func (c *Collector) plainName(code uint32) (name uint32, set schema.AttributeSet) {
	if n, is := c.named[code]; is {
		return n.name, n.set
	}
	return code, schema.NoAttributes
}
