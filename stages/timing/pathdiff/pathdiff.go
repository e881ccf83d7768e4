// Package pathdiff says how much time the critical paths of several runs spend in each of their parts, so
// that runs can be compared part by part.
//
// It looks at initial fragments only: no message starts them, so the finish of their occurrences is the end of
// a chain of causes, such as one turn of a control loop. What does not lie on the critical path to such an end
// may take longer without delaying any of them (Jonk et al. 2019, Definition 5).
package pathdiff

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Part is what a path spends time on. Texts that do not apply are empty.
type Part struct {
	Category  schema.Category // executing, idling, communicating or contending
	Component string          // that executed, idled or received
	Function  string          // that executed or received
	Sender    string          // of a message
	Label     string          // of a message
	Busy      string          // of contention: the component for which a message waited
}

// Row is the time of one part on the paths to one fragment.
type Row struct {
	Fragment    string  // name of the fragment
	Part        Part    // what the time is spent on
	Smaller     int     // number of small parts that the row sums up; 0 for a single part
	Ns          []int64 // by run
	Occurrences []int64 // by run: paths that have the part
}

// Shares are the parts of the critical paths of several runs.
type Shares struct {
	known     []bool // by run: whether it has an initial fragment
	parts     map[rowKey]*Row
	functions map[functionKey][]int64 // ns by run
}

// rowKey identifies a row.
type rowKey struct {
	fragment string
	part     Part
}

// functionKey identifies a function of a component.
type functionKey struct{ component, name string }

// New returns the shares of a number of runs, empty as yet.
func New(runs int) *Shares {
	return &Shares{known: make([]bool, runs), parts: make(map[rowKey]*Row), functions: make(map[functionKey][]int64)}
}

// Known reports whether a run has an initial fragment, so that its critical paths say where its time
// goes.
func (s *Shares) Known(run int) bool { return s.known[run] }

// Add takes rows of the compositions of a run. Those of fragments that are not initial are passed over.
func (s *Shares) Add(run int, c *schema.Compositions) {
	for i, initial := range c.Initial {
		if !initial {
			continue
		}
		s.known[run] = true
		part := partOf(c, i)
		row := s.rowOf(rowKey{c.Names.Fragments.Name(c.Fragment[i]), part})
		row.Ns[run] += c.TotalNs[i]
		row.Occurrences[run] += c.Occurrences[i]
		if part.isRunning() {
			s.functionNs(functionKey{part.Component, part.Function})[run] += c.TotalNs[i]
		}
	}
}

// partOf returns the part of a row.
func partOf(c *schema.Compositions, i int) Part {
	n := c.Names
	return Part{
		Category: c.Category[i], Component: n.Components.Name(c.Component[i]), Function: n.Functions.Name(c.Function[i]),
		Sender: n.Components.Name(c.Sender[i]), Label: n.Messages.Name(c.Label[i]), Busy: n.Components.Name(c.Busy[i]),
	}
}

// isRunning reports whether its function runs during the part, even if a message waits for the component
// meanwhile.
func (p Part) isRunning() bool {
	return p.Category == schema.Executing || p.Category == schema.Contending && p.Function != "" && p.Sender == ""
}

// rowOf returns the row of a part, a new one if there is none.
func (s *Shares) rowOf(p rowKey) *Row {
	r := s.parts[p]
	if r == nil {
		r = &Row{Fragment: p.fragment, Part: p.part, Ns: make([]int64, len(s.known)), Occurrences: make([]int64, len(s.known))}
		s.parts[p] = r
	}
	return r
}

// functionNs returns the times of a function by run.
func (s *Shares) functionNs(f functionKey) []int64 {
	ns := s.functions[f]
	if ns == nil {
		ns = make([]int64, len(s.known))
		s.functions[f] = ns
	}
	return ns
}

// FunctionNs returns the time of a run in which a function runs on critical paths of initial fragments, 0
// if it lies on none. Time counts for every path that it lies on.
func (s *Shares) FunctionNs(run int, component, name string) int64 {
	if ns := s.functions[functionKey{component, name}]; ns != nil {
		return ns[run]
	}
	return 0
}

// hiddenShare is the inverse of the share of the time of paths from which on they hide causes.
const hiddenShare = 100

// Unseen reports whether the paths of a run hide causes: whether they spend 1 % of their time or more in
// functions in which a component only waits for another one. Such time lies on a critical path where a
// component continues while it waits and no message says why, so that the trace does not show what it
// waited for.
func (s *Shares) Unseen(run int, waits func(component, function string) bool) bool {
	var waited, all int64
	for _, r := range s.parts {
		all += r.Ns[run]
		if r.Part.isRunning() && waits(r.Part.Component, r.Part.Function) {
			waited += r.Ns[run]
		}
	}
	return waited > 0 && waited >= (all+hiddenShare-1)/hiddenShare
}

// Compare orders rows by fragment and category, then by names; the sum of the small parts comes last.
func Compare(a, b *Row) int {
	p, q := &a.Part, &b.Part
	return cmp.Or(
		cmp.Compare(a.Fragment, b.Fragment), cmp.Compare(p.Category, q.Category), cmp.Compare(a.Smaller, b.Smaller),
		cmp.Compare(p.Component, q.Component), cmp.Compare(p.Function, q.Function), cmp.Compare(p.Sender, q.Sender),
		cmp.Compare(p.Label, q.Label), cmp.Compare(p.Busy, q.Busy),
	)
}

// Rows returns the parts of all fragments in the order of Compare, small ones folded. The first bases
// runs are the baseline, the others the candidate.
func (s *Shares) Rows(bases int) []*Row {
	all := make([]*Row, 0, len(s.parts))
	for _, r := range s.parts {
		all = append(all, r)
	}
	slices.SortFunc(all, Compare)
	out := make([]*Row, 0, len(all))
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].Fragment == all[from].Fragment {
			to++
		}
		out = append(out, foldSmall(all[from:to], bases)...)
		from = to
	}
	slices.SortFunc(out, Compare)
	return out
}

// Forget drops the parts. What is known of runs and of functions stays.
func (s *Shares) Forget() { s.parts = nil }

// Subject describes the row in words: "execution lens.solve", "contention for lens: lens.solve" (lens
// runs solve while a message for lens waits), "message m from stage to lens.solve", or "idle stage".
func (r *Row) Subject() string {
	category := schema.CategoryWords[r.Part.Category]
	if r.Smaller > 0 {
		return fmt.Sprintf("%s ... (%d smaller parts)", category, r.Smaller)
	}
	p := &r.Part
	switch p.Category {
	case schema.Communicating:
		return p.describeMessage()
	case schema.Contending:
		return category + " for " + p.Busy + ": " + p.describeActivity()
	}
	return category + " " + p.describeActivity()
}

// Peer returns the component at the other end: the sender of a message, or the one for which a message
// waited.
func (p *Part) Peer() string {
	if p.Category == schema.Contending {
		return p.Busy
	}
	return p.Sender
}

// describeActivity says what a component does: a function, a message, or nothing.
func (p *Part) describeActivity() string {
	switch {
	case p.Sender != "":
		return p.describeMessage()
	case p.Function != "":
		return p.Component + "." + p.Function
	case p.Category == schema.Contending:
		return p.Component + " between executions"
	}
	return p.Component
}

// describeMessage names a message with its ends.
func (p *Part) describeMessage() string {
	text := "message "
	if p.Label != "" {
		text += p.Label + " "
	}
	return text + "from " + p.Sender + " to " + p.Component + "." + p.Function
}
