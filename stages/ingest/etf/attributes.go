package etf

import (
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/numbering"
)

// attributeTable numbers the sets of attributes of a text. A thing needs one number, and sets that begin alike mostly share their
// beginnings, so that a million claims of a few tasks take little more than their identifiers do.
type attributeTable struct {
	sets  schema.AttributeSets                                       // each as its parent and a pair more
	texts schema.AttributeNames                                      // names and values by their codes
	pairs numbering.Numbers                                          // of names with values
	met   [1 << extensions / extensionPage]*[extensionPage]extension // sets with a pair more, by a hash of both; of two with one hash the later; pages are nil before their first

	ranks  []uint8  // by name: 1 + how well it names a thing, in naming; 0: it does not
	recent []recent // by position in a line, since lines that follow each other are alike
	line   []uint32 // the pairs of the line in hand
	at     []seen   // by name
	lines  int64    // so far
}

// extension is a set that is another one with a pair more; the empty set where there is none yet.
type extension struct {
	from schema.AttributeSet // the other one
	pair uint32
	set  schema.AttributeSet
}

// extensions is the binary logarithm of how many extensions are kept: as many as stay near the processor. A table of all would be
// most of the memory of a trace whose sets have identifiers, which nobody meets again.
const extensions = 16

// extensionPage is how many extensions get memory together: a small trace has few, a page each, and a large one has all.
const extensionPage = 1 << 8

// recent is the attribute that stood last at a position of a line.
type recent struct {
	key, value string // as they stand in the line
	name, pair uint32 // their codes; name is noName before the first
}

// seen is where a name stands in the line in hand.
type seen struct {
	line int64 // number of the line in which the name stood last
	at   int32 // its position in line
}

// begin makes the empty set. Values share the dictionary of functions, as these are values.
func (t *attributeTable) begin(values *schema.Dictionary) {
	t.texts = schema.AttributeNames{Names: new(schema.Dictionary), Values: values}
	t.sets.Parents, t.sets.Last = []schema.AttributeSet{schema.NoAttributes}, []uint32{0}
}

// finish drops what only reading needs.
func (t *attributeTable) finish() {
	t.pairs, t.recent, t.line, t.at = numbering.Numbers{}, nil, nil, nil
	clear(t.met[:])
}

// of adds the attributes of a line to a set, and returns the best value that names the thing, or noName. Of a name that
// occurs twice the last value holds. The usual line costs a comparison and one look into a small table an attribute.
func (t *attributeTable) of(set schema.AttributeSet, attributes []byte) (with schema.AttributeSet, name uint32) {
	name = noName
	if len(attributes) == 0 {
		return set, name
	}
	// 1. The pairs of the line, each name once. Lines that follow each other mostly have the same names at the same places.
	t.line = t.line[:0]
	t.lines++
	position := 0
	each(attributes, func(key, value []byte) {
		if len(key) == 0 {
			return
		}
		if position == len(t.recent) {
			t.recent = append(t.recent, recent{name: noName})
		}
		r := &t.recent[position]
		position++
		t.recall(r, key, value)
		if s := &t.at[r.name]; s.line == t.lines {
			t.line[s.at] = r.pair
		} else {
			*s = seen{t.lines, int32(len(t.line))}
			t.line = append(t.line, r.pair)
		}
	})
	// 2. The set with these pairs, in their order, and the value that names the thing best.
	best := uint8(0)
	for _, pair := range t.line {
		p := t.sets.Pairs[pair]
		if rank := t.ranks[p.Name]; rank > 0 && (best == 0 || rank < best) && len(t.texts.Values.Name(p.Value)) > 0 {
			best, name = rank, p.Value
		}
		set = t.extend(set, pair)
	}
	return set, name
}

// recall makes an attribute the one that stood last at its position.
func (t *attributeTable) recall(r *recent, key, value []byte) {
	same := r.name != noName && r.key == string(key)
	if !same {
		r.name = t.name(t.texts.Names.CodeBytes(key))
		r.key = t.texts.Names.Name(r.name)
	}
	if !same || r.value != string(value) {
		code := t.texts.Values.CodeBytes(value)
		r.value, r.pair = t.texts.Values.Name(code), t.pair(r.name, code)
	}
}

// with adds one attribute of a name that no attribute of a text has.
func (t *attributeTable) with(set schema.AttributeSet, name string, value []byte) schema.AttributeSet {
	return t.extend(set, t.pair(t.name(t.texts.Names.Code(name)), t.texts.Values.CodeBytes(value)))
}

// name prepares what is kept by names for a code.
func (t *attributeTable) name(code uint32) uint32 {
	for len(t.ranks) <= int(code) {
		// slices.Index is -1 for a name that names nothing, so that its rank is 0.
		t.ranks = append(t.ranks, uint8(1+slices.Index(naming, t.texts.Names.Name(uint32(len(t.ranks))))))
		t.at = append(t.at, seen{})
	}
	return code
}

// pair is the number of a name with a value.
func (t *attributeTable) pair(name, value uint32) uint32 {
	pair, isNew := t.pairs.Of(numbering.Pack(name, value))
	if isNew {
		t.sets.Pairs = append(t.sets.Pairs, schema.Attribute{Name: name, Value: value})
	}
	return pair
}

// extend is a set with a pair more. One that was met lately has its number again; else the set gets another number, so that equal sets
// may have several.
func (t *attributeTable) extend(set schema.AttributeSet, pair uint32) schema.AttributeSet {
	// The multiplier is 2 to the 64 divided by the golden ratio; the upper bits of the product depend on all bits of both.
	hash := numbering.Pack(set, pair) * 0x9e3779b97f4a7c15 >> (64 - extensions)
	page := &t.met[hash/extensionPage]
	if *page == nil {
		*page = new([extensionPage]extension)
	}
	e := &(*page)[hash%extensionPage]
	if e.set == schema.NoAttributes || e.from != set || e.pair != pair {
		*e = extension{set, pair, schema.AttributeSet(len(t.sets.Parents))}
		t.sets.Parents, t.sets.Last = append(t.sets.Parents, set), append(t.sets.Last, pair)
	}
	return e.set
}

// same reports whether two sets have the same attributes in the same order.
func (t *attributeTable) same(a, b schema.AttributeSet) bool {
	for a != b {
		if a == schema.NoAttributes || b == schema.NoAttributes || t.sets.Last[a] != t.sets.Last[b] {
			return false
		}
		a, b = t.sets.Parents[a], t.sets.Parents[b]
	}
	return true
}

// Attributed implements schema.AttributeReader.
func (r *reader) Attributed() *schema.Attributed {
	a := &schema.Attributed{
		Texts: &r.attributes.texts, Sets: &r.attributes.sets, Trace: r.ofTrace, Claimed: r.places.List, Dependencies: r.dependencies,
	}
	// In the order of identifiers, so that tables do not depend on the order of a map.
	for _, id := range sortedKeys(r.resources) {
		v := r.resources[id]
		a.Resources = append(a.Resources, schema.Resource{Resource: id, Name: v.name, Capacity: v.capacity, Places: v.places})
		a.OfResources = append(a.OfResources, v.set)
	}
	for _, id := range sortedKeys(r.signals.declared) {
		s := r.signals.declared[id]
		a.Signals = append(a.Signals, schema.Signal{Signal: id, Name: s.name, Origin: schema.OriginTrace, Unit: s.unit, StepNs: int64(r.unit)})
		a.OfSignals = append(a.OfSignals, s.set)
	}
	if r.signals.fragments != nil {
		a.Fragments = r.signals.each
	}
	return a
}

// sortedKeys are the keys of a map in ascending order.
func sortedKeys[V any](m map[int64]V) []int64 { return slices.Sorted(maps.Keys(m)) }
