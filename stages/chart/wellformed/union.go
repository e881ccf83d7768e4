package wellformed

import "github.com/tracelake/tracelake/schema"

// Codes are the codes of a Builder in names. Every name stands once: a slice has thousands of keys of few names, and who
// joins slices reads those of all.
type Codes struct {
	Components, Lifelines, Functions, Types []string             // each name once
	Keys                                    []uint32             // six numbers a key: four positions of names, its kind, whether it is invented
	Marks                                   []schema.MessageMark // by position, as rows name them
}

// keyNumbers is how many numbers of Codes.Keys a key has.
const keyNumbers = 6

// Codes returns the codes in use so far.
func (w *Builder) Codes() Codes {
	n := &w.codes.names
	c := Codes{Components: n.Components.Names(), Lifelines: n.Lifelines.Names(), Functions: n.Functions.Names(), Types: n.Types.Names()}
	for _, k := range w.codes.keys.List {
		synthetic := uint32(0)
		if k.synthetic {
			synthetic = 1
		}
		c.Keys = append(c.Keys, k.component, k.lifeline, k.function, k.executionType, uint32(k.kind), synthetic)
	}
	for code := range w.codes.marks.List {
		c.Marks = append(c.Marks, w.codes.nameOfMark(uint32(code)))
	}
	return c
}

// Union brings the codes of the slices of a trace together.
type Union struct{ codes *codebook }

// NewUnion returns a union of nothing. It has no buckets: rows lie in those of their slices.
func NewUnion() *Union { return &Union{newCodebook(nil)} }

// Tables are the codes of all slices added.
func (u *Union) Tables() *CodeTables { return u.codes.tables() }

// Component is the code of a component.
func (u *Union) Component(name string) uint32 { return u.codes.names.Components.Code(name) }

// Translation leads from the codes and sequence numbers of a slice to those of the trace.
type Translation struct {
	keys, marks, components []uint32
	shift                   int64
}

// Add adds the codes of a slice whose sequence numbers lack a shift.
func (u *Union) Add(c Codes, shift int64) *Translation {
	n := &u.codes.names
	t := &Translation{shift: shift}
	t.components = codesOf(&n.Components, c.Components)
	lifelines, functions, types := codesOf(&n.Lifelines, c.Lifelines), codesOf(&n.Functions, c.Functions), codesOf(&n.Types, c.Types)
	for k := c.Keys; len(k) >= keyNumbers; k = k[keyNumbers:] {
		one := key{
			component: t.components[k[0]], lifeline: lifelines[k[1]], function: functions[k[2]], executionType: schema.NoCode,
			kind: schema.Kind(k[4]), synthetic: k[5] != 0,
		}
		if k[3] != schema.NoCode {
			one.executionType = types[k[3]]
		}
		t.keys = append(t.keys, u.codes.keys.Number(one))
	}
	for _, m := range c.Marks {
		t.marks = append(t.marks, u.codes.mark(m))
	}
	return t
}

// codesOf are the codes of names.
func codesOf(d *schema.Dictionary, names []string) []uint32 {
	codes := make([]uint32, len(names))
	for i, name := range names {
		codes[i] = d.Code(name)
	}
	return codes
}
