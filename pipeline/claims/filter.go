package claims

import (
	"slices"

	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/timing/claimgraph"
)

// Select leaves of all runs the claims and events that a filter selects, and the dependencies between these: what is asked then is asked of
// the filtered view.
func (s *Set) Select(f runs.Filter) {
	if len(f) == 0 {
		return
	}
	columns := make(map[string]column)
	for _, name := range f.Names() {
		columns[name] = s.column(name)
	}
	selected := func(t *things) []bool {
		keep := make([]bool, len(t.first)-1)
		for i := range keep {
			keep[i] = f.Selects(func(name string) string {
				c := columns[name]
				return s.Value(t.get(i, c.name, c.builtIn))
			})
		}
		return keep
	}
	for _, r := range s.Runs {
		r.keep(selected(&r.claims), selected(&r.events))
	}
}

// keep keeps some claims and events, and the dependencies between these.
func (r *Run) keep(claims, events []bool) {
	at := make([]int32, 0, len(claims)+len(events)) // where each vertex goes; -1: nowhere
	kept := int32(0)
	for _, keep := range slices.Concat(claims, events) {
		if at = append(at, -1); keep {
			at[len(at)-1] = kept
			kept++
		}
	}
	r.Execution, r.ID, r.Amount = chosenOf(r.Execution, claims), chosenOf(r.ID, claims), chosenOf(r.Amount, claims)
	r.StartNs, r.EndNs = chosenOf(r.StartNs, claims), chosenOf(r.EndNs, claims)
	r.EventSeq, r.EventNs = chosenOf(r.EventSeq, events), chosenOf(r.EventNs, events)
	r.claims.keep(claims)
	r.events.keep(events)
	dependencies := make([]bool, len(r.Dependency))
	moved := func(p claimgraph.Place) claimgraph.Place { return claimgraph.Place{Vertex: at[p.Vertex], End: p.End} }
	for i := range r.Dependency {
		d := &r.Dependency[i]
		dependencies[i] = at[d.From.Vertex] >= 0 && at[d.To.Vertex] >= 0
		d.From, d.To = moved(d.From), moved(d.To)
	}
	r.Dependency = chosenOf(r.Dependency, dependencies)
	r.dependencies.keep(dependencies)
}

// keep keeps some things with their attributes.
func (t *things) keep(keep []bool) {
	if len(t.builtIn) > 0 {
		t.builtIn = chosenOf(t.builtIn, keep)
	}
	first, pairs := []int32{0}, []pair(nil)
	for i, kept := range keep {
		if kept {
			pairs = append(pairs, t.of(i)...)
			first = append(first, int32(len(pairs)))
		}
	}
	t.first, t.pairs = first, pairs
}

// chosenOf are the values that are kept.
func chosenOf[T any](values []T, keep []bool) []T {
	out := make([]T, 0, len(values))
	for i, v := range values {
		if keep[i] {
			out = append(out, v)
		}
	}
	return out
}
