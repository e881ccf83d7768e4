package wellformed

import "github.com/tracelake/tracelake/schema"

// key is a schema.EventKey in run-wide codes, with the bucket of its component.
type key struct {
	component, lifeline, function, executionType uint32
	bucket                                       uint32
	kind                                         schema.Kind
	synthetic                                    bool
}

// mark is a schema.MessageMark in run-wide codes.
type mark struct {
	series, label uint32
	direction     schema.Direction
}

// codebook numbers keys and marks in order of first appearance in the trace, whichever parser saw
// them first.
type codebook struct {
	names    schema.Names
	keys     []key
	keyCode  map[key]uint32 // position in keys
	marks    []mark
	markCode map[mark]uint32            // position in marks
	buckets  []uint32                   // of components
	place    func(component string) int // returns the bucket of a new component
}

// newCodebook returns a codebook without keys. Mark 0 is that of no message, as in every block.
func newCodebook(place func(component string) int) *codebook {
	none := mark{series: schema.NoCode, label: schema.NoCode}
	return &codebook{
		keyCode: make(map[key]uint32), markCode: map[mark]uint32{none: schema.NoMark}, marks: []mark{none}, place: place,
	}
}

// tables returns a snapshot: slices and dictionaries only grow, so what it holds stays valid.
func (c *codebook) tables() *CodeTables {
	return &CodeTables{names: c.names, keys: c.keys, marks: c.marks}
}

// component returns the code of a component and places a new one in its bucket.
func (c *codebook) component(name string) uint32 {
	code := c.names.Components.Code(name)
	if int(code) == len(c.buckets) {
		c.buckets = append(c.buckets, uint32(c.place(name)))
	}
	return code
}

// key returns the code of a key. Synthetic events have keys of their own, which saves a flag a row.
func (c *codebook) key(k schema.EventKey, synthetic bool) uint32 {
	component := c.component(k.Component)
	return c.internKey(key{
		component: component, lifeline: c.names.Lifelines.Code(k.Lifeline), function: c.names.Functions.Code(k.Function),
		executionType: optional(&c.names.Types, k.ExecutionType),
		bucket:        c.buckets[component], kind: k.Kind, synthetic: synthetic,
	})
}

// counterpart returns the key of an invented event of the other kind.
func (c *codebook) counterpart(code uint32) uint32 {
	k := c.keys[code]
	k.kind, k.synthetic = schema.Enter+schema.Exit-k.kind, true
	return c.internKey(k)
}

// internKey returns the code of a key that is in run-wide codes already.
func (c *codebook) internKey(k key) uint32 {
	code, known := c.keyCode[k]
	if !known {
		code = uint32(len(c.keys))
		c.keys = append(c.keys, k)
		c.keyCode[k] = code
	}
	return code
}

// mark returns the code of a message mark.
func (c *codebook) mark(m schema.MessageMark) uint32 {
	if m.Direction == schema.NoMessage {
		return schema.NoMark
	}
	own := mark{
		series: optional(&c.names.Series, m.Series), label: optional(&c.names.Messages, m.Label), direction: m.Direction,
	}
	code, known := c.markCode[own]
	if !known {
		code = uint32(len(c.marks))
		c.marks = append(c.marks, own)
		c.markCode[own] = code
	}
	return code
}

// optional returns the code of a name, or schema.NoCode for none.
func optional(d *schema.Dictionary, name string) uint32 {
	if name == "" {
		return schema.NoCode
	}
	return d.Code(name)
}

// nameOfKey is a key in names.
func (c *codebook) nameOfKey(code uint32) Key {
	k := c.keys[code]
	return Key{schema.EventKey{
		Component: c.names.Components.Name(k.component), Lifeline: c.names.Lifelines.Name(k.lifeline),
		Function: c.names.Functions.Name(k.function), Kind: k.kind, ExecutionType: c.names.Types.Name(k.executionType),
	}, k.synthetic}
}

// nameOfMark is a mark in names.
func (c *codebook) nameOfMark(code uint32) schema.MessageMark {
	m := c.marks[code]
	return schema.MessageMark{Direction: m.direction, Series: c.names.Series.Name(m.series), Label: c.names.Messages.Name(m.label)}
}
