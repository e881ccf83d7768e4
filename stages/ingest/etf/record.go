package etf

import (
	"cmp"

	"github.com/tracelake/tracelake/schema"
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
// It has 48 bytes. The sorter writes it to scratch files as it lies in memory.
type record struct {
	id       int64               // of the claim, as the file has it
	from, to int64               // ns: its start and end
	what     what                // its function, component and resource; or mark and number of a dependency's end
	set      schema.AttributeSet // its attributes, and what it claims
	line     uint32              // counts claims and events, to keep the order of the file
	kind     byte                // of those above
	regular  bool                // it is a regular event or an end at one
}

// what packs what is said of a claim: its function, component and resource; or of the end of a dependency: its mark and its
// number in two halves.
// One array serves both meanings, so that all records have one size.
type what [3]uint32

// Of a claim: codes of texts, and the number of its resource in reader.places.
func (w what) function() uint32  { return w[0] }
func (w what) component() uint32 { return w[1] }
func (w what) resource() uint32  { return w[2] }

// Of the end of a dependency: its mark without the bit, its number, and which end it is.
func (w what) point() point {
	return point{w[0] &^ targetBit, int64(w[1])<<32 | int64(w[2]), w[0]&targetBit != 0}
}

// targetBit tells in a mark that the end is the one that the dependency goes to.
const targetBit = 1 << 31

// whatPoint packs the end of a dependency.
func whatPoint(p point) what {
	if p.target {
		p.mark |= targetBit
	}
	return what{p.mark, uint32(p.message >> 32), uint32(p.message)}
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
	case a.regular != b.regular:
		if a.regular {
			return -1
		}
		return 1
	case a.to != b.to:
		return cmp.Compare(b.to, a.to)
	}
	return cmp.Compare(a.line, b.line)
}
