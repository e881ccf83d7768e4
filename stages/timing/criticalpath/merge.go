package criticalpath

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// Merger adds up compositions of different paths of one run, such as those of slices of its time. Counts and times are sums,
// and a maximum is one of maxima, so the result does not depend on how the paths were divided.
type Merger struct {
	names   *schema.Names
	parts   schema.Numbering[window.Part]
	sums    Composition // by code of the fragment
	known   []bool      // by code of the fragment: a table has it
	initial []bool      // by code of the fragment, as the first table says that has it
}

// NewMerger returns a merger of tables with these names.
func NewMerger(names *schema.Names) *Merger {
	return &Merger{names: names}
}

// Add takes a table. Where roots of a fragment disagree on what starts them, the first table has the last word.
func (m *Merger) Add(rows *schema.Compositions) {
	m.initial = schema.GrowTo(m.initial, m.names.Fragments.Len())
	m.known = schema.GrowTo(m.known, m.names.Fragments.Len())
	for i, fragment := range rows.Fragment {
		part := window.Part{
			Component: rows.Component[i], Function: rows.Function[i], Sender: rows.Sender[i], Label: rows.Label[i],
			Message: rows.Sender[i] != schema.NoCode, // only messages have a sender
		}
		if !m.known[fragment] {
			m.known[fragment], m.initial[fragment] = true, rows.Initial[i]
		}
		m.sums.merge(fragment, &Sum{
			Key:         Key{Part: m.parts.Number(part), Category: rows.Category[i], Busy: rows.Busy[i]},
			Occurrences: rows.Occurrences[i], Steps: rows.Steps[i], TotalNs: rows.TotalNs[i], MaxNs: rows.MaxNs[i],
		})
	}
}

// Rows returns the merged table, in the order of the fragments' names.
func (m *Merger) Rows() *schema.Compositions {
	rows := schema.NewCompositions(m.names)
	for _, f := range m.names.Fragments.Sorted() {
		if int(f) < len(m.known) && m.known[f] {
			m.sums.AppendTo(rows, f, f, m.initial[f], m.parts.List)
		}
	}
	return rows
}

// merge adds a sum of other paths to that of the same key.
func (c *Composition) merge(group uint32, other *Sum) {
	c.groups = schema.GrowTo(c.groups, int(group)+1)
	l := &c.groups[group]
	sum := &l.sums[l.position(other.Key)]
	sum.Occurrences += other.Occurrences
	sum.Steps += other.Steps
	sum.TotalNs += other.TotalNs
	sum.MaxNs = max(sum.MaxNs, other.MaxNs)
}
