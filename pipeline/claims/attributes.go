package claims

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/numbering"
)

// vocabulary are the codes that runs of a set have in common.
type vocabulary struct {
	names, values schema.Dictionary
	keys          numbering.Numbers // of sequences of codes
}

// pair is an attribute in codes of the vocabulary.
type pair struct{ name, value schema.Code }

// things are claims or events with their attributes. pairs of a thing are sorted by name.
type things struct {
	builtIn []builtIn
	rows    []attributeRow // while they are read
	first   []int32        // of each thing in pairs
	pairs   []pair
}

type attributeRow struct {
	at int32
	pair
}

// builtIn are the attributes that things of every run have, as values by the constants.
type builtIn [5]schema.Code

const (
	ofComponent = iota
	ofLifeline
	ofFunction
	ofType
	ofResource
)

// BuiltIn names the attributes that claims of every run have.
var BuiltIn = []string{"component", "lifeline", "function", "execution_type", "resource", "name"}

// builtInOf is the position of a built-in attribute; -1 for none.
func builtInOf(name string) int {
	if name == "name" {
		return ofFunction
	}
	return slices.Index(BuiltIn[:ofResource+1], name)
}

func (v *vocabulary) value(text string) schema.Code { return v.values.Code(text) }

// translate returns a function that gives codes of a dictionary those of the vocabulary.
func (v *vocabulary) translate(to, from *schema.Dictionary) func(schema.Code) schema.Code {
	var known []schema.Code
	return func(c schema.Code) schema.Code {
		if c == schema.NoCode {
			return c
		}
		for int(c) >= len(known) {
			known = append(known, schema.NoCode)
		}
		if known[c] == schema.NoCode {
			known[c] = to.Code(from.Name(c))
		}
		return known[c]
	}
}

// words translates names of a run.
type words struct {
	component, lifeline, function, executionType func(schema.Code) schema.Code
}

func (v *vocabulary) words(n *schema.Names) words {
	return words{v.translate(&v.values, &n.Components), v.translate(&v.values, &n.Lifelines), v.translate(&v.values, &n.Functions), v.translate(&v.values, &n.Types)}
}

func (w *words) of(component, lifeline, function, executionType schema.Code) builtIn {
	return builtIn{w.component(component), w.lifeline(lifeline), w.function(function), w.executionType(executionType), schema.NoCode}
}

func (t *things) begin(n int) { t.first = make([]int32, n+1) }

func (t *things) add(at int, p pair) { t.rows = append(t.rows, attributeRow{int32(at), p}) }

// finish sorts the attributes by things.
func (t *things) finish() {
	byThing := func(a, b attributeRow) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.name, b.name)) }
	if !slices.IsSortedFunc(t.rows, byThing) { // most traces have their attributes in one order
		slices.SortFunc(t.rows, byThing)
	}
	t.pairs = make([]pair, len(t.rows))
	for i, r := range t.rows {
		t.pairs[i] = r.pair
		t.first[r.at+1]++
	}
	for i := range len(t.first) - 1 {
		t.first[i+1] += t.first[i]
	}
	t.rows = nil
}

// of are the trace's own attributes of a thing.
func (t *things) of(i int) []pair { return t.pairs[t.first[i]:t.first[i+1]] }

// get is the value of an attribute of a thing; schema.NoCode where it has none. name is its code, builtIn its position or -1.
func (t *things) get(i int, name schema.Code, builtIn int) schema.Code {
	for _, p := range t.of(i) {
		if p.name == name {
			return p.value
		}
	}
	if builtIn >= 0 {
		return t.builtIn[i][builtIn]
	}
	return schema.NoCode
}

// column is an attribute that is asked for.
type column struct {
	name    schema.Code
	builtIn int
}

func (v *vocabulary) column(name string) column {
	code, known := v.names.Lookup(name)
	if !known {
		code = schema.NoCode - 1
	}
	return column{code, builtInOf(name)}
}

// keysOf numbers the values of attributes of things; nil attributes are all that the trace has, or component and function where it
// has none. except is left out.
func (v *vocabulary) keysOf(t *things, by []string, except string) []uint32 {
	n := len(t.first) - 1
	keys := make([]uint32, n)
	left := v.column(except)
	if by == nil && len(t.pairs) > 0 {
		for i := range n {
			keys[i] = all
			for _, p := range t.of(i) {
				if p.name != left.name {
					keys[i], _ = v.keys.Of(numbering.Pack(keys[i], p.name))
					keys[i], _ = v.keys.Of(numbering.Pack(keys[i], p.value))
				}
			}
		}
		return keys
	}
	if by == nil {
		by = []string{"component", "function"}
	}
	for i := range keys {
		keys[i] = chosen
	}
	for _, name := range by {
		c := v.column(name)
		if name == except {
			continue
		}
		for i := range n {
			keys[i], _ = v.keys.Of(numbering.Pack(keys[i], t.get(i, c.name, c.builtIn)))
		}
	}
	return keys
}

// all and chosen are the beginnings of the sequences that keys number.
const all, chosen = ^uint32(0), ^uint32(0) - 1

// Keys numbers the claims and the events of a run by attributes: equal numbers mean equal values, in all runs of the set. See keysOf.
func (s *Set) Keys(r *Run, by []string, except string) (claims, events []uint32) {
	return s.keysOf(&r.claims, by, except), s.keysOf(&r.events, by, except)
}

// Values are the values of an attribute of the claims and the events of a run, as codes that Value names.
func (s *Set) Values(r *Run, name string) (claims, events []schema.Code) {
	c := s.column(name)
	for _, t := range []struct {
		of *things
		to *[]schema.Code
	}{{&r.claims, &claims}, {&r.events, &events}} {
		*t.to = make([]schema.Code, len(t.of.first)-1)
		for i := range *t.to {
			(*t.to)[i] = t.of.get(i, c.name, c.builtIn)
		}
	}
	return claims, events
}

// Value is the text of a value; "" of schema.NoCode.
func (s *Set) Value(code schema.Code) string {
	if code == schema.NoCode {
		return ""
	}
	return s.values.Name(code)
}

// Text names a claim by some attributes, those without a value left out; nil are its name, or the function, and what else the trace
// says of it.
func (s *Set) Text(r *Run, claim int, by []string) string { return s.text(&r.claims, claim, by) }

// EventText names a regular event as Text names a claim.
func (s *Set) EventText(r *Run, event int, by []string) string { return s.text(&r.events, event, by) }

func (s *Set) text(t *things, i int, by []string) string {
	var parts []string
	if by == nil {
		name := s.column("name")
		parts = append(parts, s.Value(t.get(i, name.name, name.builtIn)))
		for _, p := range t.of(i) {
			if p.name != name.name {
				parts = append(parts, s.names.Name(p.name)+"="+s.Value(p.value))
			}
		}
		return strings.Join(parts, " ")
	}
	for _, name := range by {
		c := s.column(name)
		if value := s.Value(t.get(i, c.name, c.builtIn)); value != "" {
			parts = append(parts, value)
		}
	}
	return strings.Join(parts, " ")
}

// Has reports whether an attribute is built in, or a claim or event of some run has it.
func (s *Set) Has(name string) bool {
	if builtInOf(name) >= 0 {
		return true
	}
	code, known := s.names.Lookup(name)
	if !known {
		return false
	}
	for _, r := range s.Runs {
		for _, t := range []*things{&r.claims, &r.events} {
			if slices.ContainsFunc(t.pairs, func(p pair) bool { return p.name == code }) {
				return true
			}
		}
	}
	return false
}

// Attributes lists the attributes that claims and events of the runs have, the built-in ones last.
func (s *Set) Attributes() (names []string) {
	for _, name := range slices.Sorted(slices.Values(s.names.Names())) {
		if s.Has(name) && builtInOf(name) < 0 {
			names = append(names, name)
		}
	}
	return append(names, BuiltIn...)
}
