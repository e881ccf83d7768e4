package wellformed

import "github.com/tracelake/tracelake/schema"

// key is a schema.EventKey in run-wide codes, with the bucket of its lifeline.
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
	coupling      schema.ConstraintKind
}

// codebook numbers keys and marks in order of first appearance in the trace, whichever parser saw
// them first.
type codebook struct {
	names   schema.Names
	keys    schema.Numbering[key]
	marks   schema.Numbering[mark]
	buckets []uint32          // of components, or spread
	parts   map[uint64]uint32 // buckets of the lifelines of components that are spread, by both codes
	place   Place
}

// Place says in which bucket a lifeline of a component lies. Whole says that all lifelines of the component lie there: it is
// then asked once for the component, and else once for each of its lifelines.
type Place func(component, lifeline string) (bucket int, whole bool)

// spread stands for the bucket of a component of which lifelines have buckets of their own.
const spread = ^uint32(0)

// newCodebook returns a codebook without keys. Mark 0 is that of no message, as in every block.
func newCodebook(place Place) *codebook {
	c := &codebook{parts: make(map[uint64]uint32), place: place}
	c.marks.Number(mark{series: schema.NoCode, label: schema.NoCode})
	return c
}

// tables returns a snapshot: slices and dictionaries only grow, so what it holds stays valid.
func (c *codebook) tables() *CodeTables {
	return &CodeTables{names: c.names, keys: c.keys.List, marks: c.marks.List}
}

// bucket returns the bucket of the events of a component on a lifeline, by codes. What is new is placed.
func (c *codebook) bucket(of, on uint32) uint32 {
	component, lifeline := c.names.Components.Name(of), c.names.Lifelines.Name(on)
	part := uint64(of)<<32 | uint64(on)
	if int(of) == len(c.buckets) {
		at, whole := c.place(component, lifeline)
		c.buckets = append(c.buckets, uint32(at))
		if !whole {
			c.buckets[of], c.parts[part] = spread, uint32(at)
		}
	}
	if bucket := c.buckets[of]; bucket != spread {
		return bucket
	}
	bucket, known := c.parts[part]
	if !known {
		at, _ := c.place(component, lifeline)
		bucket = uint32(at)
		c.parts[part] = bucket
	}
	return bucket
}

// key returns the code of a key. Synthetic events have keys of their own, which saves a flag a row.
func (c *codebook) key(k schema.EventKey) uint32 {
	return c.number(key{
		component: c.names.Components.Code(k.Component), lifeline: c.names.Lifelines.Code(k.Lifeline), function: c.names.Functions.Code(k.Function),
		executionType: optional(&c.names.Types, k.ExecutionType), kind: k.Kind, synthetic: k.Synthetic,
	})
}

// number returns the code of a key whose bucket is not known yet.
func (c *codebook) number(k key) uint32 {
	k.bucket = c.bucket(k.component, k.lifeline)
	return c.keys.Number(k)
}

// codedNames are the codes of the names that a parser has numbered, and one; 0: not known yet. Each is looked up once.
type codedNames struct{ components, lifelines, functions, types []uint32 }

// coded returns the code of a key whose names a parser has numbered.
func (c *codebook) coded(known *codedNames, keys *schema.CodedKeys, at uint32) uint32 {
	k := &keys.List[at]
	of := key{
		component:     codeOf(&known.components, keys.Names, k.Component, &c.names.Components),
		lifeline:      codeOf(&known.lifelines, keys.Names, k.Lifeline, &c.names.Lifelines),
		function:      codeOf(&known.functions, keys.Names, k.Function, &c.names.Functions),
		executionType: schema.NoCode, kind: k.Kind, synthetic: k.Synthetic,
	}
	if k.ExecutionType != 0 {
		of.executionType = codeOf(&known.types, keys.Names, k.ExecutionType, &c.names.Types)
	}
	return c.number(of)
}

// codeOf returns the code of a name by its number.
func codeOf(known *[]uint32, names []string, number uint32, in *schema.Dictionary) uint32 {
	if int(number) >= len(*known) {
		*known = append(*known, make([]uint32, len(names)-len(*known))...)
	}
	if (*known)[number] == 0 {
		(*known)[number] = in.Code(names[number]) + 1
	}
	return (*known)[number] - 1
}

// counterpart returns the key of an invented event of the other kind.
func (c *codebook) counterpart(code uint32) uint32 {
	k := c.keys.List[code]
	k.kind, k.synthetic = schema.Enter+schema.Exit-k.kind, true
	return c.keys.Number(k)
}

// mark returns the code of a message mark.
func (c *codebook) mark(m schema.MessageMark) uint32 {
	if m.Direction == schema.NoMessage {
		return schema.NoMark
	}
	return c.marks.Number(mark{
		series: optional(&c.names.Series, m.Series), label: optional(&c.names.Messages, m.Label), direction: m.Direction, coupling: m.Coupling,
	})
}

// optional returns the code of a name, or schema.NoCode for none.
func optional(d *schema.Dictionary, name string) uint32 {
	if name == "" {
		return schema.NoCode
	}
	return d.Code(name)
}

// nameOfKey is a key in names.
func (c *codebook) nameOfKey(code uint32) schema.EventKey {
	k := c.keys.List[code]
	return schema.EventKey{
		Component: c.names.Components.Name(k.component), Lifeline: c.names.Lifelines.Name(k.lifeline),
		Function: c.names.Functions.Name(k.function), Kind: k.kind, ExecutionType: c.names.Types.Name(k.executionType),
		Synthetic: k.synthetic,
	}
}

// nameOfMark is a mark in names.
func (c *codebook) nameOfMark(code uint32) schema.MessageMark {
	m := c.marks.List[code]
	return schema.MessageMark{Direction: m.direction, Series: c.names.Series.Name(m.series), Label: c.names.Messages.Name(m.label), Coupling: m.coupling}
}
