package etf

import (
	"cmp"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/numbering"
)

// Kinds of records.
const (
	claim       byte = iota
	event            // a regular event
	startPoint       // the end of a dependency at the start of a claim
	finishPoint      // at the end of a claim
	sourcePoint      // the end that a dependency with events goes from
	targetPoint      // the end that it goes to
	atEvent          // the end of a dependency at a regular event
)

// record is a claim, an event, or one end of a dependency, without pointers. A million claims are as many records
// and two more for every dependency, so they are small.
// It has 40 bytes. The sorter writes it to scratch files as it lies in memory.
type record struct {
	id       int64  // of the claim, as the file has it
	from, to int64  // ns: its start and end
	what     what   // what it does and its attributes; or mark and number of a dependency's end
	line     uint32 // counts claims and events, to keep the order of the file
	kind     byte   // of those above
}

// regular reports whether it is a regular event or an end at one.
func (r *record) regular() bool { return r.kind == event || r.kind == atEvent }

// what packs what is said of a claim: the number of what it does, and its attributes with what it claims; or of the end of a dependency:
// its mark and its number.
// One array serves both meanings, so that all records have one size.
type what [2]uint32

// Of a claim: a number of reader.doings, and its set of attributes.
func (w what) doing() uint32            { return w[0] }
func (w what) set() schema.AttributeSet { return w[1] }

// Of the end of a dependency: its mark without the bit, its number, and which end it is.
func (w what) point() point {
	return point{w[0] &^ targetBit, int64(w[1]), w[0]&targetBit != 0}
}

// targetBit tells in a mark that the end is the one that the dependency goes to.
const targetBit = 1 << 31

// whatPoint packs the end of a dependency, whose number has 32 bits: see maxDependencies.
func whatPoint(p point) what {
	if p.target {
		p.mark |= targetBit
	}
	return what{p.mark, uint32(p.message)}
}

// doing is what claims or events have in common: the codes of their function and component, and the number of their resource in
// reader.places.
type doing struct{ function, component, resource uint32 }

// doings numbers what claims do, of which there is little.
type doings struct {
	list  []doing           // by number
	calls numbering.Numbers // of functions with components
	of    numbering.Numbers // of these with resources
}

// number is the number of what a claim does.
func (d *doings) number(one doing) uint32 {
	call, _ := d.calls.Of(numbering.Pack(one.function, one.component))
	number, isNew := d.of.Of(numbering.Pack(call, one.resource))
	if isNew {
		d.list = append(d.list, one)
	}
	return number
}

// byClaim sorts by claim; claims and events come before the ends of their dependencies, which keep the order of the file.
// The sorter is stable, so records that compare equal stay in the order in which they were added.
func byClaim(a, b *record) int {
	if c := cmp.Compare(a.id, b.id); c != 0 {
		return c
	}
	return cmp.Compare(min(a.kind, startPoint), min(b.kind, startPoint))
}

// byStart is the order in which claims get their lanes: of equal starts the longest first, since it can hold the
// others, behind the regular events of that time. The ends of the dependencies of a claim come after it, as they were added.
// Equal ones, and events, stay in the order of the file; so do the claims of one start when they are entered, see starts.
func byStart(a, b *record) int {
	switch {
	case a.from != b.from:
		return cmp.Compare(a.from, b.from)
	case a.regular() != b.regular():
		if a.regular() {
			return -1
		}
		return 1
	case a.to != b.to:
		return cmp.Compare(b.to, a.to)
	}
	return cmp.Compare(a.line, b.line)
}
