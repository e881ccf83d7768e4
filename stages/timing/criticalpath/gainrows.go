package criticalpath

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// AppendTo adds the gains of a group to a table whose codes are those of the chart. Only the first row has the number of roots, so that
// tables can be added up however they are divided. A group on whose routes nothing takes time has one row, which has no function.
func (g *Gains) AppendTo(out *schema.Gains, group uint32, fragment schema.Code, initial bool, parts []window.Part) {
	if int(group) >= len(g.groups) || g.groups[group].targets == 0 {
		return
	}
	roots := g.groups[group].targets
	appendRow := func(p window.Part, gain *Gain) {
		out.Fragment = append(out.Fragment, fragment)
		out.Initial = append(out.Initial, initial)
		out.Component = append(out.Component, p.Component)
		out.Function = append(out.Function, p.Function)
		out.Roots = append(out.Roots, roots)
		out.Occurrences = append(out.Occurrences, gain.Occurrences)
		out.TotalNs = append(out.TotalNs, gain.TotalNs)
		out.Gain10Ns = append(out.Gain10Ns, gain.Ns[0])
		out.Gain50Ns = append(out.Gain50Ns, gain.Ns[1])
		out.Gain100Ns = append(out.Gain100Ns, gain.Ns[2])
		roots = 0
	}
	gains := g.Of(group, out.Names, parts)
	if len(gains) == 0 {
		appendRow(window.Part{Component: schema.NoCode, Function: schema.NoCode}, new(Gain))
	}
	for i := range gains {
		appendRow(parts[gains[i].Part], &gains[i])
	}
}

// GainMerger adds up gains of different paths of one run, such as those of slices of its time. All are sums, so the result does
// not depend on how the paths were divided.
type GainMerger struct {
	names   *schema.Names
	parts   schema.Numbering[window.Part]
	gains   Gains  // by code of the fragment
	known   []bool // by code of the fragment: a table has it
	initial []bool // by code of the fragment, as the first table says that has it
}

// NewGainMerger returns a merger of tables with these names.
func NewGainMerger(names *schema.Names) *GainMerger { return &GainMerger{names: names} }

// Add takes a table.
func (m *GainMerger) Add(rows *schema.Gains) {
	m.initial = schema.GrowTo(m.initial, m.names.Fragments.Len())
	m.known = schema.GrowTo(m.known, m.names.Fragments.Len())
	m.gains.groups = schema.GrowTo(m.gains.groups, m.names.Fragments.Len())
	for i, fragment := range rows.Fragment {
		if !m.known[fragment] {
			m.known[fragment], m.initial[fragment] = true, rows.Initial[i]
		}
		table := &m.gains.groups[fragment]
		table.targets += rows.Roots[i]
		if rows.Component[i] == schema.NoCode { // of roots only
			continue
		}
		part := window.Part{Component: rows.Component[i], Function: rows.Function[i], Sender: schema.NoCode, Label: schema.NoCode}
		table.add(&Gain{
			Part: m.parts.Number(part), Occurrences: rows.Occurrences[i], TotalNs: rows.TotalNs[i],
			Ns: [3]int64{rows.Gain10Ns[i], rows.Gain50Ns[i], rows.Gain100Ns[i]},
		}, 0)
	}
}

// Rows returns the merged table, in the order of the fragments' names.
func (m *GainMerger) Rows() *schema.Gains {
	rows, n := schema.NewGains(m.names), 0 // n: rows whose number of roots is set
	for _, f := range m.names.Fragments.Sorted() {
		if int(f) < len(m.known) && m.known[f] {
			m.gains.AppendTo(rows, f, f, m.initial[f], m.parts.List)
			for n < len(rows.Roots) {
				rows.Roots[n] = m.gains.groups[f].targets
				n++
			}
		}
	}
	return rows
}
