package tags

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/numbering"
)

// The bounds of what is kept: some 250 MB at most.
const (
	MostNames  = 1 << 12 // different names
	MostValues = 1 << 16 // different values of one name
	MostBytes  = 1 << 10 // of a value
	MostText   = 1 << 27 // bytes of all different values
	MostSets   = 1 << 21 // different sets of attributes
)

// All asks for every attribute.
const All = "all"

// Table numbers the sets of attributes of a trace. The zero value and nil want none.
type Table struct {
	all    bool                  // every attribute is kept
	wanted map[string]bool       // names that were asked for
	texts  schema.AttributeNames // names and values by their codes
	sets   schema.AttributeSets  // all sets, each as its parent and the last pair
	pairs  numbering.Numbers     // of names with values
	ends   numbering.Numbers     // of sets with a pair more; set 0 is the empty one
	values []int                 // by name: how many different ones
	bytes  int                   // of all of these
	beyond leftOut               // of the bounds
	broken leftOut               // in the file
}

// leftOut counts attributes that were left out for one reason, by name.
type leftOut struct {
	count map[string]int64
	first map[string]string // where the first of these was
}

// New returns a table of the attributes that were asked for by their names, or All; nil where none was.
func New(names []string) *Table {
	if len(names) == 0 {
		return nil
	}
	t := &Table{
		all: slices.Contains(names, All), wanted: make(map[string]bool),
		texts: schema.AttributeNames{Names: new(schema.Dictionary), Values: new(schema.Dictionary)},
		sets:  schema.AttributeSets{Parents: []schema.AttributeSet{schema.NoAttributes}, Last: []uint32{0}},
	}
	for _, name := range names {
		t.wanted[name] = true
	}
	return t
}

// Wants reports whether an attribute of this name is to be kept.
func (t *Table) Wants(name []byte) bool {
	return t != nil && len(name) > 0 && (t.all || t.wanted[string(name)])
}

// Add returns the set with an attribute more. Of a name that a set has already the first value holds. What is beyond the bounds is
// left out and counted, with the place of the first.
// 1. The name and its bounds. A set keeps the first value of a name, so it is searched for the name before anything is added.
func (t *Table) Add(set schema.AttributeSet, name, value []byte, at func() string) schema.AttributeSet {
	nameCode, known := t.texts.Names.Lookup(string(name))
	switch {
	case len(value) > MostBytes, !known && len(t.values) == MostNames:
		return t.leave(set, name, at)
	case !known:
		nameCode = t.texts.Names.CodeBytes(name)
		t.values = append(t.values, 0)
	}
	for s := set; s != schema.NoAttributes; s = t.sets.Parents[s] {
		if t.sets.Pairs[t.sets.Last[s]].Name == nameCode {
			return set
		}
	}
	// 2. The value and its bounds: a value may be known from another name, and then only the pair is new.
	valueCode, known := t.texts.Values.Lookup(string(value))
	if !known {
		if t.values[nameCode] == MostValues || t.bytes+len(value) > MostText {
			return t.leave(set, name, at)
		}
		valueCode = t.texts.Values.CodeBytes(value)
		t.bytes += len(value)
	}
	// The value is known and the name has its full number of values: only a pair that exists is still good.
	if t.values[nameCode] == MostValues {
		if _, known := t.pairs.Lookup(numbering.Pack(nameCode, valueCode)); !known {
			return t.leave(set, name, at)
		}
	}
	pair, isNew := t.pairs.Of(numbering.Pack(nameCode, valueCode))
	if isNew {
		t.sets.Pairs = append(t.sets.Pairs, schema.Attribute{Name: nameCode, Value: valueCode})
		t.values[nameCode]++
	}
	// 3. The set and its bound. Set 0 is the empty one, so the sets of ends are numbered from 1.
	if len(t.sets.Last) == MostSets {
		if _, known := t.ends.Lookup(numbering.Pack(set, pair)); !known {
			return t.leave(set, name, at)
		}
	}
	end, isNew := t.ends.Of(numbering.Pack(set, pair))
	if isNew {
		t.sets.Parents, t.sets.Last = append(t.sets.Parents, set), append(t.sets.Last, pair)
	}
	return end + 1
}

// leave counts an attribute that is beyond the bounds.
func (t *Table) leave(set schema.AttributeSet, name []byte, at func() string) schema.AttributeSet {
	t.beyond.add(string(name), 1, at)
	return set
}

// Damaged counts an attribute that cannot be read for some records, which are kept without it.
func (t *Table) Damaged(name string, records int64, at func() string) {
	t.broken.add(name, records, at)
}

// add counts attributes. Names are bounded as well: in length, and in number, beyond which they count together.
func (l *leftOut) add(name string, count int64, at func() string) {
	if l.count == nil {
		l.count, l.first = make(map[string]int64), make(map[string]string)
	}
	of := name[:min(len(name), mostName)]
	_, known := l.count[of]
	if !known && len(l.count) == MostNames {
		of = others
		_, known = l.count[of]
	}
	if l.count[of] += count; !known {
		l.first[of] = at()
	}
}

const (
	mostName = 64       // bytes by which a name is known among what was left out
	others   = "others" // the name under which further ones are counted
)

// mostListed is how many names of what was left out are listed.
const mostListed = 16

// Tell counts what was left out, the most frequent names one by one and the others together.
func (t *Table) Tell(ledger *schema.Ledger) {
	if t != nil {
		t.beyond.tell(schema.AttributeBudget, ledger)
		t.broken.tell(schema.DamagedAttribute, ledger)
	}
}

// tell counts what was left out for a reason.
func (l *leftOut) tell(reason schema.Reason, ledger *schema.Ledger) {
	var names []string
	for name := range l.count {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(l.count[b], l.count[a]), strings.Compare(a, b)) })
	for i, name := range names {
		kind := name
		if i >= mostListed {
			kind = others
		}
		ledger.AddMany(reason.OfKind(kind), l.count[name], func() string { return l.first[name] })
	}
}

// Attributed is what the reader of the trace says of its attributes; nil where none were asked for.
func (t *Table) Attributed() *schema.Attributed {
	if t == nil {
		return nil
	}
	return &schema.Attributed{Texts: &t.texts, Sets: &t.sets}
}
