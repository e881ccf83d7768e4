package rootcause

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/testdata/expect"
)

// program is functions "component.function" by what they do. A root execution runs every function of roots once.
type program struct {
	roots     []string
	functions map[string]work
}

// work is what one call does: own steps, in ns, and calls to functions of other components, for which it waits.
type work struct {
	own   []float64
	calls []call
}

type call struct {
	to    string
	times float64
}

// with returns a program with another body of one function.
func (p program) with(name string, w work) program {
	out := program{p.roots, maps.Clone(p.functions)}
	out.functions[name] = w
	return out
}

// deepest is where recursion ends.
const deepest = 400

// measured is the costs and counts of a program by subject: the time of all calls of a fragment, of its steps, and of
// what it waits in.
type measured map[string]*Run

type measuring struct {
	program
	into     measured
	subjects map[string]Subject
}

// at counts something.
func (m *measuring) at(s Subject, times, ns float64) {
	key := s.Change.Level + " " + s.Change.Fragment + " " + s.Change.Subject
	if m.into[key] == nil {
		m.into[key], m.subjects[key] = new(Run), s
	}
	m.into[key].CostNs += times * ns
	m.into[key].Count += times
}

// run runs a function so many times and returns what one call takes.
func (m *measuring) run(name, caller string, times float64, depth int) (ns float64) {
	w, known := m.functions[name]
	if !known || depth == deepest {
		return 0
	}
	component, function, _ := strings.Cut(name, ".")
	fragment := name
	if caller != "" {
		fragment = schema.FragmentName(component, function, schema.Receive, caller)
	}
	for i, own := range w.own {
		ns += own
		c := &schema.Change{Level: schema.LevelTransition, Component: component, Fragment: fragment, Subject: fmt.Sprintf("step %d of %s", i, function)}
		m.at(Subject{Change: c, Function: function}, times, own)
	}
	for _, to := range w.calls {
		each := m.run(to.to, component, times*to.times, depth+1)
		ns += to.times * each
		_, callee, _ := strings.Cut(to.to, ".")
		c := &schema.Change{Level: schema.LevelTransition, Component: component, Fragment: fragment, Subject: "exit " + to.to}
		m.at(Subject{Change: c, Awaited: to.to, Function: callee}, times*to.times, each)
	}
	c := &schema.Change{Level: schema.LevelFragment, Component: component, Fragment: fragment, Subject: fragment, Function: function}
	m.at(Subject{Change: c, Initial: caller == ""}, times, ns)
	return ns
}

// compare makes subjects of two programs, with the verdicts that runs without noise have: a change is one of more than
// the margin and the floor, and everything else is shown to be unchanged.
func compare(base, cand program) []Subject {
	subjects := make(map[string]Subject)
	sides := [2]measured{{}, {}}
	for i, p := range []program{base, cand} {
		m := measuring{p, sides[i], subjects}
		for _, root := range p.roots {
			m.run(root, "", 1, 0)
		}
	}
	var out []Subject
	for _, key := range slices.Sorted(maps.Keys(subjects)) {
		s := subjects[key]
		out = append(out, judged(s, cmp.Or(sides[0][key], new(Run)), cmp.Or(sides[1][key], new(Run))))
	}
	for i := range out {
		out[i].Change.Rank = int64(i + 1)
	}
	return out
}

// judged fills in changes and verdict of a subject.
func judged(s Subject, base, cand *Run) Subject {
	c, o := *s.Change, defaults()
	s.Change = &c
	for _, wobble := range []float64{-.002, 0, .002} {
		s.Base = append(s.Base, Run{base.CostNs * (1 + wobble), base.Count})
		s.Cand = append(s.Cand, Run{cand.CostNs * (1 - wobble), cand.Count})
	}
	diff := cand.CostNs - base.CostNs
	width := .002 * (base.CostNs + cand.CostNs)
	c.EffectNs, c.EffectLoNs, c.EffectHiNs = whole(diff), whole(diff-width), whole(diff+width)
	c.CostBaseNs, c.CostCandNs = whole(base.CostNs), whole(cand.CostNs)
	matters := math.Abs(diff) > math.Max(o.FloorNs, o.Margin*(base.CostNs+cand.CostNs)/2)
	switch {
	case base.Count == 0:
		c.Verdict = schema.Appeared
	case cand.Count == 0:
		c.Verdict = schema.Vanished
	case matters && diff > 0:
		c.Verdict = schema.Regressed
	case matters:
		c.Verdict = schema.Improved
	default:
		c.Verdict = schema.Unchanged
	}
	return s
}

func whole(x float64) *int64 { v := stats.RoundNs(x); return &v }

// told are findings in short.
func told(findings []schema.Finding) (lines []string) {
	for _, f := range findings {
		share := "-"
		if f.Share != nil {
			share = fmt.Sprintf("%.2f", *f.Share)
		}
		line := fmt.Sprintf("%d %s %s %s.%s %+d share %s, %d inherited", f.Finding, f.Verdict, f.Kind, f.Component, f.Function, f.EffectNs, share, f.Inherited)
		if f.InheritedAt != "" {
			line += ", " + f.InheritedAt
		}
		if f.MovedFrom != "" {
			line += ", moved from " + f.MovedFrom
		}
		lines = append(lines, line)
	}
	return lines
}

// finds compares findings in short with what they should be.
func finds(t *testing.T, subjects []Subject, want ...string) {
	t.Helper()
	expect.Slice(t, told(Find(subjects, defaults())), want, "findings")
}

// open lists the changes that belong to no finding.
func open(subjects []Subject) (out []string) {
	for _, s := range subjects {
		if newCostChange(&s).isChange() && s.Change.Finding == nil {
			out = append(out, s.Change.Fragment+": "+s.Change.Subject)
		}
	}
	return out
}

// defaults are the options of package verdicts.
func defaults() Options { return Options{FloorNs: 10_000, Margin: .05} }
