package requirements

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/spec"
)

// Sieve keeps the states at which an atom of a specification may hold, and the last state of each bucket, among which is that of the
// run. They decide what sparse formulas say. The others are counted only.
type Sieve struct {
	states  *States
	columns []string
	atoms   []sought
	all     int64         // states of the run so far
	seen    map[int]int64 // states by bucket
	lost    bool          // the last state of a bucket was left out

	functions  []moments                // by code: when an atom that asks for the function may hold
	components []moments                // by code: when an atom that asks for the component, and for no function, may hold
	asking     map[schema.Code][]sought // by code of a function: the atoms that ask for it
}

// sought is an atom as far as the kind of a state, its component and its function tell whether it may hold.
type sought struct {
	at                  moments
	component, function string      // "": any
	code                schema.Code // of the component, if it is asked for
}

// moments is a bit for each kind of states.
type moments uint8

// momentsOf are those at which atoms may hold.
var momentsOf = [...]moments{
	spec.Anywhere: 1<<schema.Enter | 1<<schema.Exit | 1<<schema.Regular, spec.AtStart: 1 << schema.Enter, spec.AtEnd: 1 << schema.Exit,
}

// NewSieve returns the sieve for the states that a specification asks about; nil where it may ask about any of them.
func NewSieve(s *States, sp *spec.Spec) *Sieve {
	if s.own != nil || s.view != nil || len(sp.Signals) > 0 {
		return nil
	}
	g := &Sieve{states: s, columns: []string{"kind"}, seen: make(map[int]int64)}
	if !s.untraced {
		g.columns = append(g.columns, "synthetic")
	}
	known := make(map[string]bool)
	for i := range sp.Checks {
		c := &sp.Checks[i]
		if c.OfValues() {
			return nil
		}
		instances, err := sp.Instances(c, nil)
		if err != nil {
			return nil // it is told where the check is judged
		}
		for _, one := range instances {
			if !mtl.Sparse(one.Formula) || !g.seek(one.Formula, known) {
				return nil
			}
		}
	}
	return g
}

// seek adds the atoms of a formula. It reports false where an atom asks for neither a component nor a function.
func (g *Sieve) seek(f *spec.Formula, known map[string]bool) bool {
	for _, a := range f.Args {
		if !g.seek(a, known) {
			return false
		}
	}
	if f.Op != spec.Atom || known[f.Filter.Key()] {
		return true
	}
	known[f.Filter.Key()] = true
	a := sought{at: momentsOf[f.Filter.At]}
	for _, p := range f.Filter.Pairs {
		switch p.Name {
		case "component":
			a.component = p.Value
		case "function", "name":
			a.function = p.Value
		}
	}
	for _, c := range [2]struct{ column, value string }{{"component", a.component}, {"function", a.function}} {
		if c.value != "" && !slices.Contains(g.columns, c.column) {
			g.columns = append(g.columns, c.column)
		}
	}
	g.atoms = append(g.atoms, a)
	return a.component != "" || a.function != ""
}

// Columns lists the columns of events that Choose needs.
func (g *Sieve) Columns() []string { return g.columns }

// Choose appends the rows of a row group that are wanted, as lake.Choice has it.
func (g *Sieve) Choose(ev *schema.Events, bucket int, last bool, wanted []int) []int {
	g.find(ev.Names)
	before, final := g.all, -1
	for i, kind := range ev.Kind {
		if kind == schema.Message || !g.states.untraced && ev.Synthetic[i] {
			continue
		}
		g.all++
		final = i
		if len(ev.Function) > 0 {
			if f := ev.Function[i]; int(f) < len(g.functions) && g.functions[f]>>kind&1 != 0 && g.asked(ev, i) {
				wanted = append(wanted, i)
				continue
			}
		}
		if len(g.components) > 0 {
			if c := ev.Component[i]; int(c) < len(g.components) && g.components[c]>>kind&1 != 0 {
				wanted = append(wanted, i)
			}
		}
	}
	g.seen[bucket] += g.all - before
	switch {
	case !last:
	case final < 0:
		g.lost = g.lost || g.seen[bucket] > 0
	case len(wanted) == 0 || wanted[len(wanted)-1] != final:
		wanted = append(wanted, final)
	}
	return wanted
}

// asked reports whether an atom that asks for the function of a row may hold there.
func (g *Sieve) asked(ev *schema.Events, row int) bool {
	for _, a := range g.asking[ev.Function[row]] {
		if a.at>>ev.Kind[row]&1 != 0 && (a.component == "" || a.code == ev.Component[row]) {
			return true
		}
	}
	return false
}

// find finds the codes of what atoms ask for, among the names that have come so far.
func (g *Sieve) find(names *schema.Names) {
	g.functions, g.components, g.asking = g.functions[:0], g.components[:0], make(map[schema.Code][]sought)
	for _, a := range g.atoms {
		code, known := names.Components.Lookup(a.component)
		if a.code = code; !known && a.component != "" {
			continue
		}
		if a.function == "" {
			g.components = set(g.components, code, a.at)
		} else if f, known := names.Functions.Lookup(a.function); known {
			g.functions = set(g.functions, f, a.at)
			g.asking[f] = append(g.asking[f], a)
		}
	}
}

// set adds the moments of a code.
func set(of []moments, code schema.Code, at moments) []moments {
	for int(code) >= len(of) {
		of = append(of, 0)
	}
	of[code] |= at
	return of
}

// Sifted ends the reading: the tape is that of the states that were kept. It reports false where the last state of the run may be missing,
// so that all states must be read.
func (g *Sieve) Sifted() bool {
	g.states.Tape.LeaveOut(g.all - g.states.Tape.States())
	return !g.lost
}
