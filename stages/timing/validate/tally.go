package validate

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// subject identifies what a violation is about: a function on a lifeline.
type subject struct{ component, lifeline, function schema.Code }

// finding is a subject that breaks a condition in one way.
type finding struct {
	breach *schema.Breach
	subject
}

// findingCount says how often, and where with the lowest sequence number.
type findingCount struct{ count, seq, timeNs int64 }

// tally counts findings, so that memory follows the kinds of violation and not their number.
type tally map[finding]*findingCount

// addFinding counts one violation.
func (t tally) addFinding(breach *schema.Breach, of subject, seq, timeNs int64) {
	f := t[finding{breach, of}]
	if f == nil {
		f = &findingCount{0, seq, timeNs}
		t[finding{breach, of}] = f
	}
	f.count++
	if seq < f.seq {
		f.seq, f.timeNs = seq, timeNs
	}
}

// reportEvent counts an event that breaks a condition.
func (b *Builder) reportEvent(breach *schema.Breach, e event) {
	s := &b.slots.all[e.slot]
	b.tally.addFinding(breach, subject{s.component, s.lifeline, s.function}, e.seq, e.timeNs)
}

// Violations ends the trace and returns what was found, in the order of condition, name, component, lifeline and
// function. Call it once.
func (b *Builder) Violations() []schema.Violation {
	for ; b.head < len(b.waiting); b.head++ {
		b.leaveTarget(&b.waiting[b.head])
	}
	for i := range b.lifelines {
		for _, c := range b.lifelines[i].calls {
			b.reportEvent(&schema.MissingFinish, event{c.seq, c.timeNs, c.slot})
		}
	}
	var rows []schema.Violation
	for f, n := range b.tally {
		row := schema.Violation{
			Condition: f.breach.Condition, Name: f.breach.Name, Meaning: f.breach.Meaning,
			Component: b.names.Components.Name(f.component), Lifeline: b.names.Lifelines.Name(f.lifeline),
			Function: b.names.Functions.Name(f.function), Count: n.count, FirstSeq: n.seq,
		}
		if n.timeNs != schema.NoValue {
			row.FirstNs = &n.timeNs
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(x, y schema.Violation) int {
		return cmp.Or(cmp.Compare(x.Condition, y.Condition), cmp.Compare(x.Name, y.Name), cmp.Compare(x.Component, y.Component),
			cmp.Compare(x.Lifeline, y.Lifeline), cmp.Compare(x.Function, y.Function))
	})
	return rows
}

// slot collects what is known of one function on one lifeline.
type slot struct {
	component, lifeline, function schema.Code
	open                          int32    // executions that have started and not finished
	last                          [2]int64 // by kind, enter or exit: highest sequence number so far
}

// slotTable finds the slot of a function on a lifeline: an open-addressing table with linear probing.
type slotTable struct {
	all    []slot
	keys   []uint64
	places []int32 // position in all + 1; 0: free
}

// newSlotTable returns an empty table for 512 slots before it grows.
func newSlotTable() slotTable {
	const size = 1 << 10
	return slotTable{keys: make([]uint64, size), places: make([]int32, size)}
}

// slotOf returns the position of the slot of a function on a lifeline, a new one if there is none.
func (s *slotTable) slotOf(component, lifeline, function schema.Code) int32 {
	key := uint64(lifeline)<<32 | uint64(function)
	i := s.findPlace(key)
	if place := s.places[i]; place != 0 {
		return place - 1
	}
	s.all = append(s.all, slot{component, lifeline, function, 0, [2]int64{schema.NoValue, schema.NoValue}})
	s.keys[i], s.places[i] = key, int32(len(s.all))
	if 2*len(s.all) > len(s.places) {
		s.growTable()
	}
	return int32(len(s.all) - 1)
}

// findPlace returns where a key is, or where it belongs.
func (s *slotTable) findPlace(key uint64) int {
	mask := len(s.places) - 1
	i := int(key*0x9E3779B97F4A7C15>>32) & mask
	for s.places[i] != 0 && s.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

// growTable doubles the table.
func (s *slotTable) growTable() {
	old := *s
	s.keys, s.places = make([]uint64, 2*len(old.keys)), make([]int32, 2*len(old.keys))
	for i, place := range old.places {
		if place != 0 {
			at := s.findPlace(old.keys[i])
			s.keys[at], s.places[at] = old.keys[i], place
		}
	}
}
