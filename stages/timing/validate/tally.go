package validate

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// subject is what a violation is about: a function on a lifeline.
type subject struct{ component, lifeline, function schema.Code }

// finding is a subject that breaks a condition in one way.
type finding struct {
	breach *schema.Breach
	subject
}

// found is how often, and where with the lowest sequence number.
type found struct{ count, seq, timeNs int64 }

// tally counts findings.
type tally map[finding]*found

func (t tally) add(breach *schema.Breach, of subject, seq, timeNs int64) {
	f := t[finding{breach, of}]
	if f == nil {
		f = &found{0, seq, timeNs}
		t[finding{breach, of}] = f
	}
	f.count++
	if seq < f.seq {
		f.seq, f.timeNs = seq, timeNs
	}
}

// report counts an event that breaks a condition.
func (b *Builder) report(breach *schema.Breach, e event) {
	s := &b.slots.all[e.slot]
	b.tally.add(breach, subject{s.component, s.lifeline, s.function}, e.seq, e.timeNs)
}

// Violations ends the trace and returns what was found, in the order of condition, name, component, lifeline and
// function. Call it once.
func (b *Builder) Violations() []schema.Violation {
	for ; b.head < len(b.waiting); b.head++ {
		b.leave(&b.waiting[b.head])
	}
	for i := range b.lifelines {
		for _, c := range b.lifelines[i].calls {
			b.report(&schema.MissingFinish, event{c.seq, c.timeNs, c.slot})
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
