package etf

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"strconv"

	"github.com/tracelake/tracelake/schema"
)

// noName stands for the code of an attribute that is not there.
const noName = schema.NoCode

// dependencyEnds has, by the type of a dependency, the ends of the two claims that it ties. Types above these tie events with
// events or claims; it is not known which number is which, so their ends are those of what they name: see endAt.
var dependencyEnds = [][2]byte{
	0: {startPoint, startPoint}, 1: {startPoint, finishPoint}, 2: {finishPoint, startPoint}, 3: {finishPoint, finishPoint},
}

// dependencyWords are the labels of dependencies without a name, by type.
var dependencyWords = []string{"start-start", "start-end", "end-start", "end-end"}

// maxDependencies is how many dependencies have numbers that fit into records.
const maxDependencies = math.MaxUint32

// maxLabels bounds the names of dependencies: beyond it, those of one type share a label, as some tools number them all.
const maxLabels = 1 << 16

// resource reads R: its identifier, its capacity, and whether it has places. Readers of lines return what is wrong with the
// line, or an error to stop with.
// A resource that is declared twice alike, as some tools do in every part of a trace, is no defect; of two that differ
// the last one holds.
func (r *reader) resource(s *statement) (string, error) {
	// All three fields are read before any is judged: one sentence says what the line should be.
	id, ok := readID(s.head[0])
	capacity, fits := readNumber(s.head[1])
	places, known := truth[string(s.head[2])]
	if !ok || !fits || !known || s.count != 3 {
		return "expected the identifier of a resource, its capacity, and true or false", nil
	}
	set, _ := r.attributes.of(schema.NoAttributes, s.attributes)
	v := resource{
		name:      cmp.Or(string(named(s.attributes)), string(described(s.attributes)), fmt.Sprintf("resource %d", id)),
		component: string(valued(s.attributes, r.reading.Options.Component)),
		capacity:  capacity, places: places, set: set,
	}
	// Equal lines are no defect; of two that differ the last one counts.
	old, known := r.resources[id]
	if r.attributes.same(old.set, set) {
		old.set = set // whatever number it has
	}
	if known && old != v {
		r.reading.Ledger.Add(schema.DuplicateDef, r.lines.wrong("a resource of an identifier that another has").Error)
	}
	r.resources[id] = v
	return "", nil
}

// truth has the two words of a field that is true or false.
var truth = map[string]bool{"true": true, "false": false}

// readNumber reads a number that is neither infinite nor too long for a float64.
func readNumber(s []byte) (float64, bool) {
	n, err := strconv.ParseFloat(string(s), 64)
	// n-n is NaN for infinity and NaN.
	return n, err == nil && n-n == 0
}

// claim reads C: identifier, start, end, resource, its place if it has places, and amount.
// Place and amount stand first in its set of attributes, under reserved names: few claims differ in them, so a record needs
// no room for either. A time that does not fit was counted by r.time, and leaves the claim out.
func (r *reader) claim(s *statement) (string, error) {
	if s.count != 5 && s.count != 6 {
		return "expected a claim of five or six numbers", nil
	}
	id, ok := readID(s.head[0])
	resource, known := readID(s.head[3])
	if !ok || !known {
		return "expected whole numbers for the claim and its resource", nil
	}
	from, wrong, fits := r.time(s.head[1])
	if wrong != "" || !fits {
		return wrong, nil
	}
	to, wrong, fits := r.time(s.head[2])
	if wrong != "" || !fits {
		return wrong, nil
	}
	if to < from {
		return "the claim ends before it starts", nil
	}
	// Place and amount become attributes before those of the line, so that sets of one resource share their beginnings.
	set, good := r.claimed(s)
	if !good {
		return "expected numbers for what is claimed of the resource", nil
	}
	set, function := r.attributes.of(set, s.attributes)
	r.claims++
	return "", r.byClaim.Add(record{
		id: id, from: from, to: to, line: r.claims,
		what: what{r.doings.number(doing{r.function(function, s.attributes, "claim"), r.component(s.attributes), r.places.Number(resource)}), set},
	})
}

// claimed is the set of what a claim takes of its resource.
func (r *reader) claimed(s *statement) (set schema.AttributeSet, good bool) {
	// With six fields the place stands before the amount.
	for i, text := range s.head[4:s.count] {
		if _, number := readDecimal(bytes.TrimPrefix(text, []byte("-"))); !number {
			return set, false
		}
		name := schema.ClaimAmount
		if i < s.count-5 {
			name = schema.ClaimPlace
		}
		set = r.attributes.with(set, name, text)
	}
	return set, true
}

// event reads E: identifier and time.
func (r *reader) event(s *statement) (string, error) {
	id, ok := readID(s.head[0])
	if !ok || s.count != 2 {
		return "expected the identifier of an event and its time", nil
	}
	at, wrong, fits := r.time(s.head[1])
	if wrong != "" || !fits {
		return wrong, nil
	}
	set, function := r.attributes.of(schema.NoAttributes, s.attributes)
	r.claims++
	return "", r.byClaim.Add(record{
		id: id, from: at, to: at, line: r.claims, kind: event,
		what: what{r.doings.number(doing{r.function(function, s.attributes, "event"), r.component(s.attributes), schema.RegularEvent}), set},
	})
}

// function returns the code of what a claim or an event does: the attribute that names it, or else all that describe it.
// The fallback of all attributes keeps tasks apart that a tool describes without naming them.
func (r *reader) function(name uint32, attributes []byte, otherwise string) uint32 {
	if name != noName {
		return name
	}
	if text := described(attributes); len(text) > 0 {
		return r.texts.CodeBytes(text)
	}
	return r.texts.Code(otherwise)
}

// component returns the code of the attribute that the user chose, or noName.
func (r *reader) component(attributes []byte) uint32 {
	option := r.reading.Options.Component
	if option == "" {
		return noName
	}
	if value := valued(attributes, option); len(value) > 0 {
		return r.texts.CodeBytes(value)
	}
	return noName
}

// dependency reads D: identifier, type, and the claims that it goes from and to. Each end becomes a record that is sorted to
// its claim, since claims may stand before or behind.
// Its own identifier is not used and need not be unique: dependencies are numbered in the order of the file. One between claims
// is a message, too.
func (r *reader) dependency(s *statement) (string, error) {
	kind, ok := readID(s.head[1])
	from, okFrom := readID(s.head[2])
	to, okTo := readID(s.head[3])
	// Numbers of claims may stand before the claims themselves; whether they exist shows when the ends are joined.
	if !ok || !okFrom || !okTo || s.count != 4 {
		return "expected a dependency of four whole numbers", nil
	}
	if kind < 0 || kind > math.MaxUint16 {
		return "expected a type of a dependency from 0 on", nil
	}
	set, _ := r.attributes.of(schema.NoAttributes, s.attributes)
	number := int64(len(r.dependencies))
	if number == maxDependencies {
		return "", fmt.Errorf("%s: more than %d dependencies; split the trace", r.trace.Path, int64(maxDependencies))
	}
	r.dependencies = append(r.dependencies, schema.DependencyKind{Set: set, Type: uint16(kind)})
	mark, ends := schema.NoMark, [2]byte{sourcePoint, targetPoint}
	// Ties of claims are messages; what else is tied has ends only.
	if kind < int64(len(dependencyEnds)) {
		mark, ends = r.mark(s.attributes, dependencyWords[kind]), dependencyEnds[kind]
	}
	if err := r.byClaim.Add(record{id: from, what: whatPoint(point{mark, number, false}), kind: ends[0]}); err != nil {
		return "", err
	}
	// The mark of the receiving end follows that of the sending end.
	if mark != schema.NoMark {
		mark++
	}
	return "", r.byClaim.Add(record{id: to, what: whatPoint(point{mark, number, true}), kind: ends[1]})
}

// mark returns the mark of the sending end of a dependency; that of the receiving end follows.
// Labels that are numbers of their own would make a mark for every message, hence the bound.
func (r *reader) mark(attributes []byte, word string) uint32 {
	label := word
	if name := valued(attributes, "label"); len(name) > 0 {
		label = string(name)
	} else if name := named(attributes); len(name) > 0 {
		label = string(name)
	}
	// Beyond the bound a label is the word of its type, which has marks already or gets them now.
	mark, known := r.labels[label]
	if !known && len(r.labels) >= maxLabels {
		label = word
		mark, known = r.labels[label]
	}
	if known {
		return mark
	}
	mark = uint32(len(r.marks))
	r.labels[label] = mark
	for _, direction := range []schema.Direction{schema.Send, schema.Receive} {
		r.marks = append(r.marks, schema.MessageMark{Direction: direction, Series: "d", Label: label})
	}
	return mark
}

// naming are the attributes that name a claim, an event or a resource, the best first.
var naming = []string{"name", "activity", "action", "task", "function", "operation"}

// named finds the attribute that names a thing, or "" where it has none.
// The list of words that are still better than the best so far shrinks, so later attributes are compared with fewer.
func named(attributes []byte) []byte {
	best := len(naming)
	var name []byte
	each(attributes, func(key, value []byte) {
		for i, word := range naming[:best] {
			if len(value) > 0 && string(key) == word {
				best, name = i, value
				return
			}
		}
	})
	return name
}

// valued finds the value of an attribute; the last one holds.
// It is nil without the attribute, and empty for one without a value.
func valued(attributes []byte, name string) (found []byte) {
	each(attributes, func(key, value []byte) {
		if string(key) == name {
			found = value
		}
	})
	return found
}

// each visits the attributes of a list: k=v, parted by commas, with blanks anywhere around them.
// Pieces without an equals sign are passed over. Key and value are slices of the line.
func each(attributes []byte, visit func(key, value []byte)) {
	for len(attributes) > 0 {
		pair := attributes
		if comma := bytes.IndexByte(attributes, ','); comma >= 0 {
			pair, attributes = attributes[:comma], attributes[comma+1:]
		} else {
			attributes = nil
		}
		if equals := bytes.IndexByte(pair, '='); equals >= 0 {
			visit(bytes.TrimSpace(pair[:equals]), bytes.TrimSpace(pair[equals+1:]))
		}
	}
}

// described is a list of attributes as a name, without those that only tell one thing from its like.
// Identifiers differ from claim to claim and colors say nothing, so neither may make two functions of one.
func described(attributes []byte) (out []byte) {
	each(attributes, func(key, value []byte) {
		if k := string(key); k == "id" || k == "color" || len(value) == 0 {
			return
		}
		if len(out) > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, key...), '='), value...)
	})
	return out
}
