package validate

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/numbering"
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

// slotTable has the slots of functions on lifelines.
type slotTable struct {
	all     []slot
	numbers numbering.Numbers // of the slots, by lifeline and function
}

// slotOf returns the position of the slot of a function on a lifeline, a new one if there is none.
func (s *slotTable) slotOf(component, lifeline, function schema.Code) int32 {
	n, isNew := s.numbers.Of(numbering.Pack(lifeline, function))
	if isNew {
		s.all = append(s.all, slot{component, lifeline, function, 0, [2]int64{schema.NoValue, schema.NoValue}})
	}
	return int32(n)
}
